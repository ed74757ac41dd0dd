//! The packages of a repository, installed by the package manager whose lock file it has.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Installs what `root` declares, unless it has packages already. Says what it does on standard error.
///
/// # Errors
/// When the package manager fails, with the command to try by hand.
pub fn ensure(root: &Path, scripts: bool) -> Result<(), String> {
    if root.join("node_modules").is_dir() {
        return Ok(());
    }
    let mut words = manager(root);
    words.push("install".to_owned());
    if !scripts {
        words.push("--ignore-scripts".to_owned());
    }
    let line = words.join(" ");
    eprintln!("corpus: {line}");
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .current_dir(root)
        // Its questions have nobody to answer them, and its own version is the one that was asked for.
        .envs([
            ("CI", "true"),
            ("COREPACK_ENABLE_STRICT", "0"),
            ("YARN_ENABLE_IMMUTABLE_INSTALLS", "false"),
        ])
        .env("npm_config_manage_package_manager_versions", "false")
        .stdin(Stdio::null())
        // Standard output belongs to the report.
        .stdout(std::io::stderr());
    let status = command.status().map_err(|error| format!("{line}: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!(
        "`{line}` failed: install the packages in the repository yourself, then they are taken from there"
    ))
}

/// The words that start the package manager: itself where it is installed, else through npx.
fn manager(root: &Path) -> Vec<String> {
    let wanted = declared(root);
    let version = |name: &str, usual: &str| {
        let version = wanted
            .as_deref()
            .and_then(|wanted| wanted.strip_prefix(name)?.strip_prefix('@'));
        version.unwrap_or(usual).to_owned()
    };
    if root.join("pnpm-lock.yaml").is_file() {
        vec![
            "npx".to_owned(),
            "--yes".to_owned(),
            format!("pnpm@{}", version("pnpm", "10")),
        ]
    } else if root.join("yarn.lock").is_file() {
        let version = version("yarn", "1.22.22");
        // From its second version on, Yarn is another package.
        let package = if version.starts_with("1.") {
            "yarn"
        } else {
            "@yarnpkg/cli-dist"
        };
        vec!["npx".to_owned(), "--yes".to_owned(), format!("{package}@{version}")]
    } else if root.join("bun.lock").is_file() || root.join("bun.lockb").is_file() {
        vec![
            "npx".to_owned(),
            "--yes".to_owned(),
            format!("bun@{}", version("bun", "1")),
        ]
    } else {
        vec!["npm".to_owned()]
    }
}

/// `packageManager` of package.json, without the hash behind it.
fn declared(root: &Path) -> Option<String> {
    let text = std::fs::read_to_string(root.join("package.json")).ok()?;
    let package: Value = serde_json::from_str(&text).ok()?;
    let wanted = package["packageManager"].as_str()?;
    Some(wanted.split('+').next().unwrap_or(wanted).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_names_the_package_manager() {
        let manager_of = |lock: &str, package: &str| {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("package.json"), package).unwrap();
            std::fs::write(folder.path().join(lock), "").unwrap();
            manager(folder.path()).join(" ")
        };
        assert_eq!(manager_of("package-lock.json", "{}"), "npm");
        assert_eq!(manager_of("pnpm-lock.yaml", "{}"), "npx --yes pnpm@10");
        let pinned = r#"{ "packageManager": "pnpm@9.1.0+sha512.abc" }"#;
        assert_eq!(manager_of("pnpm-lock.yaml", pinned), "npx --yes pnpm@9.1.0");
        assert_eq!(manager_of("yarn.lock", "{}"), "npx --yes yarn@1.22.22");
        let modern = r#"{ "packageManager": "yarn@4.5.0" }"#;
        assert_eq!(manager_of("yarn.lock", modern), "npx --yes @yarnpkg/cli-dist@4.5.0");
        assert_eq!(manager_of("bun.lock", "not JSON"), "npx --yes bun@1");
    }
}
