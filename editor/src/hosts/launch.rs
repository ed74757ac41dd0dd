//! How each dev server is started: a command that runs the prototype's own packages in Node.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde_json::json;
use tokio::process::Command;

use super::detect::{Found, HostKind, detect, script};
use super::packages::{self, Package};
use super::shims::Shims;
use super::{Enabled, StartError, attach};

/// A dev server that can be started.
#[derive(Debug)]
pub struct Launch {
    /// What it is.
    pub found: Found,
    /// Its installed version.
    pub version: String,
    /// The prototype's.
    pub root: PathBuf,
    program: Option<PathBuf>,
}

/// How the end of a start is noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// The runner says so.
    Told,
    /// It answers requests. Until then it may refuse them or answer that it is not ready (502, 503).
    Answers,
}

impl Launch {
    /// Looks at the prototype in `root`.
    ///
    /// # Errors
    /// When somebody else has to start its dev server, or its packages are not installed.
    pub fn of(root: &Path, enabled: Enabled) -> Result<Launch, StartError> {
        let found = detect(root);
        let attach = |why: &str| Err(StartError::AttachNeeded(attach::needed(root, found.as_ref(), why)));
        let Some(found) = &found else {
            return attach(
                "The Editor knows no dev server for this prototype: package.json declares none of vite, nuxt, @react-router/dev, next and astro.",
            );
        };
        let kind = found.kind;
        if !enabled.allows(kind) {
            let id = kind.id();
            return attach(&format!(
                "The dev server of this prototype is {kind}, which the Editor does not start while `hosts.{id}` is not true in tool.config.json."
            ));
        }
        if packages::is_plug_and_play(root) {
            return attach(
                "This prototype's packages stand in archives (.pnp.cjs), where only Yarn's own programs find them.",
            );
        }
        let missing = |name: &str| StartError::MissingModule {
            name: name.to_owned(),
            from: root.join(found.config.as_deref().unwrap_or("package.json")),
            root: root.to_path_buf(),
            install: packages::install_command(root),
        };
        let package = Package::find(root, kind.package()).ok_or_else(|| missing(kind.package()))?;
        if kind == HostKind::ReactRouter && Package::find(root, "vite").is_none() {
            return Err(missing("vite"));
        }
        if kind == HostKind::Next {
            if !attach::has_adapters(root) {
                return attach(&format!(
                    "The dev server of this prototype is Next.js {}, and only versions from 16 on let the Editor stamp without a change to the configuration.",
                    package.version()
                ));
            }
            if attach::has_own_adapter(root, found.config.as_deref()) {
                return attach(
                    "The Next.js configuration of this prototype names an adapter of its own, which leaves no room for the Editor's.",
                );
            }
        }
        let program = match kind {
            HostKind::Nuxt | HostKind::Next => Some(package.program(kind.id()).ok_or_else(|| missing(kind.package()))?),
            HostKind::Vite | HostKind::ReactRouter | HostKind::Astro => None,
        };
        Ok(Launch {
            found: found.clone(),
            version: package.version().to_owned(),
            root: root.to_path_buf(),
            program,
        })
    }

    /// What the runner is to start, and on which port. `secret` begins the lines in which it speaks to the Editor.
    pub fn task(&self, shims: &Shims, port: u16, secret: &str) -> String {
        let own = script(&self.root, "dev").unwrap_or_default();
        let adapter = (self.found.kind == HostKind::Next).then(|| shims.file("next-adapter.mjs"));
        json!({
            "kind": self.found.kind,
            "root": self.root,
            "port": port,
            "secret": secret,
            "config": option(&own, ["--config", "-c"]),
            "mode": option(&own, ["--mode", "-m"]),
            "bin": self.program,
            "arguments": self.arguments(shims, port),
            "adapter": adapter,
        })
        .to_string()
    }

    fn arguments(&self, shims: &Shims, port: u16) -> Vec<String> {
        let port = port.to_string();
        let mut arguments: Vec<String> = match self.found.kind {
            HostKind::Nuxt => {
                let layer = shims.file("nuxt").display().to_string();
                [
                    "dev",
                    "--no-fork",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    &port,
                    "--extends",
                    &layer,
                ]
                .map(str::to_owned)
                .to_vec()
            }
            HostKind::Next => ["dev", "--hostname", "127.0.0.1", "--port", &port]
                .map(str::to_owned)
                .to_vec(),
            HostKind::Vite | HostKind::ReactRouter | HostKind::Astro => Vec::new(),
        };
        // A configuration made for webpack does not run on Turbopack; the prototype's own script says which it is.
        let own = script(&self.root, "dev").unwrap_or_default();
        if self.found.kind == HostKind::Next && own.split_whitespace().any(|word| word == "--webpack") {
            arguments.push("--webpack".to_owned());
        }
        arguments
    }

    /// How to notice that it is ready.
    pub fn readiness(&self) -> Readiness {
        match self.found.kind {
            HostKind::Nuxt | HostKind::Next => Readiness::Answers,
            HostKind::Vite | HostKind::ReactRouter | HostKind::Astro => Readiness::Told,
        }
    }

    /// The error for a package that the configuration asks for in vain. `from` is what asks, if Node said so.
    pub fn missing(&self, name: &str, from: Option<&str>) -> StartError {
        let config = self.root.join(self.found.config.as_deref().unwrap_or("package.json"));
        // A configuration is compiled beside itself under a name that nobody knows.
        let from = from.map(PathBuf::from).filter(|from| from.is_file()).unwrap_or(config);
        StartError::MissingModule {
            name: name.to_owned(),
            from,
            root: self.root.clone(),
            install: packages::install_command(&self.root),
        }
    }
}

/// The command of the runner for a prototype. It waits for its [task](Launch::task) and does nothing of the prototype before.
pub fn runner(root: &Path, shims: &Shims) -> Command {
    let mut command = Command::new("node");
    command
        .arg(shims.file("runner.cjs"))
        .current_dir(root)
        // No browser of its own: the prototype is looked at in the Editor.
        .env("BROWSER", "none")
        .env("NO_COLOR", "1")
        .env_remove("FORCE_COLOR");
    if let Some(folders) = node_path(root, &std::env::var_os("NODE_PATH").unwrap_or_default()) {
        command.env("NODE_PATH", folders);
    }
    command
}

/// `NODE_PATH` as the programs that pnpm installs have it: with the packages nobody declared. `None` when it stays as it is, which is `own`.
fn node_path(root: &Path, own: &OsStr) -> Option<OsString> {
    let folder = packages::undeclared(root)?;
    let own = std::env::split_paths(own).filter(|folder| !folder.as_os_str().is_empty());
    // A folder with a colon in its name cannot be in such a list.
    std::env::join_paths(std::iter::once(folder).chain(own)).ok()
}

/// The value of an option in a script of package.json, as `vite --mode staging`.
fn option(script: &str, names: [&str; 2]) -> Option<String> {
    let mut words = script.split_whitespace();
    while let Some(word) = words.next() {
        let value = match word.split_once('=') {
            Some((name, value)) if names.contains(&name) => value,
            None if names.contains(&word) => words.next()?,
            _ => continue,
        };
        return Some(value.trim_matches(['"', '\'']).to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_may_name_a_configuration_and_a_mode() {
        let names = ["--config", "-c"];
        assert_eq!(
            option("vite --config build/vite.ts", names).as_deref(),
            Some("build/vite.ts")
        );
        assert_eq!(
            option("vite dev --config='a.ts' --open", names).as_deref(),
            Some("a.ts")
        );
        assert_eq!(option("vite --configure x --mode", names), None);
        assert_eq!(option("vite --mode", ["--mode", "-m"]), None);
    }

    #[test]
    fn packages_that_pnpm_hides_are_found_as_its_own_programs_find_them() {
        let workspace = tempfile::tempdir().expect("a temporary folder");
        let app = workspace.path().join("apps/web");
        std::fs::create_dir_all(&app).expect("a folder");
        assert_eq!(node_path(&app, OsStr::new("/own")), None);
        let hidden = workspace.path().join("node_modules/.pnpm/node_modules");
        std::fs::create_dir_all(&hidden).expect("a folder");
        let hidden = hidden.to_str().expect("a plain name");
        assert_eq!(node_path(&app, OsStr::new("")).expect("a list"), hidden);
        let both = format!("{hidden}:/own:/other");
        assert_eq!(node_path(&app, OsStr::new("/own:/other")).expect("a list"), *both);
    }

    #[test]
    fn next_before_adapters_and_with_its_own_is_attached_to() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let write = |path: &str, text: &str| {
            let file = root.path().join(path);
            std::fs::create_dir_all(file.parent().expect("a file has a folder")).expect("a folder");
            std::fs::write(file, text).expect("own files can be written");
        };
        let refused = || match Launch::of(root.path(), Enabled::default()) {
            Err(StartError::AttachNeeded(words)) => words,
            other => panic!("it is started: {other:?}"),
        };
        write("package.json", r#"{ "dependencies": { "next": "15" } }"#);
        write(
            "node_modules/next/package.json",
            r#"{ "version": "15.5.0", "bin": { "next": "n.js" } }"#,
        );
        let words = refused();
        assert!(
            words.contains("Next.js 15.5.0") && words.contains("next-adapter.mjs"),
            "{words}"
        );
        write(
            "node_modules/next/package.json",
            r#"{ "version": "16.0.0", "bin": { "next": "n.js" } }"#,
        );
        write(
            "next.config.js",
            "module.exports = { experimental: { adapterPath: './own' } }",
        );
        let words = refused();
        assert!(
            words.contains("an adapter of its own") && words.contains("export default async (phase)"),
            "{words}"
        );
        write("next.config.js", "module.exports = {}");
        assert!(Launch::of(root.path(), Enabled::default()).is_ok());
    }
}
