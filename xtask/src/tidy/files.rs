//! Rules for files as such: where packages come from stays out of the checkout, and no source file grows without end.

use std::path::Path;

use anyhow::Result;

use crate::stamp::files_below;

/// Parts of the names of machines that packages are fetched from. Which one is used is a setting of each machine:
/// written into a file, it keeps everybody behind a mirror from building.
const FETCHED_FROM: [&str; 8] = [
    "registry.",
    "npmjs",
    "pythonhosted",
    "pypi.",
    "artifactory",
    "mirror",
    "static.rust-lang",
    "index.crates",
];

/// The one source the lock file may name: cargo's own name for its default registry, which no setting changes.
const CARGO_DEFAULT: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// A source file longer than this should be looked at: do two things live in it?
const MAX_LINES: usize = 500;

/// Kinds of files that hold text somebody wrote, or a tool's settings.
const TEXT: [&str; 15] = [
    "rs", "toml", "lock", "ts", "mts", "js", "mjs", "cjs", "json", "md", "wit", "html", "css", "yml", "sh",
];

/// Every line that says where packages are fetched from.
pub fn check_addresses(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for file in files_below(root)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_text = file
            .extension()
            .is_some_and(|extension| TEXT.iter().any(|kind| extension == *kind));
        if !is_text && !name.starts_with('.') {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        for (index, line) in text.lines().enumerate() {
            if let Some(why) = address_in(&name, line) {
                let place = file.strip_prefix(root).unwrap_or(&file).display();
                found.push(format!("{place}:{}: {why}", index + 1));
            }
        }
    }
    Ok(found)
}

fn address_in(name: &str, line: &str) -> Option<String> {
    let setting = line.trim();
    match name {
        "package-lock.json" if setting.starts_with("\"resolved\": \"http") => {
            return Some("lock files name versions and hashes, not addresses (see .npmrc)".to_owned());
        }
        ".npmrc" if setting.contains("registry=") => {
            return Some("the registry is a setting of each machine".to_owned());
        }
        "Cargo.lock" if setting.starts_with("source = ") && !setting.contains(CARGO_DEFAULT) => {
            return Some("packages come from cargo's default registry".to_owned());
        }
        _ => {}
    }
    let host = hosts(line).find(|host| FETCHED_FROM.iter().any(|part| host.contains(part)))?;
    Some(format!(
        "`{host}` is a place packages are fetched from: leave that to each machine's settings"
    ))
}

/// The machines of all addresses in a line.
fn hosts(line: &str) -> impl Iterator<Item = String> {
    line.split("://").skip(1).map(|rest| {
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-')))
            .unwrap_or(rest.len());
        rest[..end].to_lowercase()
    })
}

/// Source files that are longer than is good for them.
pub fn long_files(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for file in files_below(root)? {
        if file
            .extension()
            .is_some_and(|extension| extension == "rs" || extension == "ts")
        {
            let lines = std::fs::read_to_string(&file)?.lines().count();
            if lines > MAX_LINES {
                let place = file.strip_prefix(root).unwrap_or(&file).display();
                found.push(format!("{place} has {lines} lines: do two things live in it?"));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_packages_are_found() {
        let lock = format!("      \"resolved\": \"{}://example.test/x.tgz\",", "https");
        assert!(address_in("package-lock.json", &lock).is_some());
        assert!(address_in(".npmrc", "registry=x").is_some());
        assert!(address_in("Cargo.lock", "source = \"registry+sparse+x\"").is_some());
        assert!(address_in("README.md", &format!("see https:/{}", "/my-mirror.example.test/pkg")).is_some());
    }

    #[test]
    fn ordinary_addresses_are_not() {
        assert_eq!(
            address_in("README.md", "see https://docs.rs/wasmtime and http://127.0.0.1:4310"),
            None
        );
        assert_eq!(address_in("Cargo.lock", &format!("source = \"{CARGO_DEFAULT}\"")), None);
        assert_eq!(address_in("package-lock.json", "\"resolved\": \"sdk/x\","), None);
    }

    #[test]
    fn long_files_are_warned_about() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("long.rs"), "\n".repeat(MAX_LINES + 1)).unwrap();
        std::fs::write(root.path().join("short.rs"), "\n").unwrap();
        assert_eq!(long_files(root.path()).unwrap().len(), 1);
    }
}
