//! Which dev server a prototype uses: its package.json says so, or a configuration file in its root.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

/// A kind of dev server; its name is the id in the `hosts` block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostKind {
    /// Plain Vite, and everything that is a plugin of Vite's.
    Vite,
    /// Nuxt.
    Nuxt,
    /// React Router in its framework mode.
    ReactRouter,
    /// Next.js.
    Next,
    /// Astro.
    Astro,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The kind.
    pub kind: HostKind,
    /// What it was told from, as `"next" in dependencies`.
    pub evidence: String,
    /// Its configuration file, by name; `None` when it has none.
    pub config: Option<String>,
}

/// The frameworks first: each of them but Next brings Vite along.
const KINDS: [HostKind; 5] = [
    HostKind::Nuxt,
    HostKind::Next,
    HostKind::Astro,
    HostKind::ReactRouter,
    HostKind::Vite,
];

const DEPENDENCIES: [&str; 3] = ["dependencies", "devDependencies", "peerDependencies"];

const EXTENSIONS: [&str; 6] = ["ts", "js", "mjs", "mts", "cjs", "cts"];

impl HostKind {
    /// The id in the `hosts` block.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            HostKind::Vite => "vite",
            HostKind::Nuxt => "nuxt",
            HostKind::ReactRouter => "react-router",
            HostKind::Next => "next",
            HostKind::Astro => "astro",
        }
    }

    /// The package that is imported, or whose program is run.
    pub(super) fn package(self) -> &'static str {
        match self {
            HostKind::Vite => "vite",
            HostKind::Nuxt => "nuxt",
            HostKind::ReactRouter => "@react-router/dev",
            HostKind::Next => "next",
            HostKind::Astro => "astro",
        }
    }

    fn config_stem(self) -> &'static str {
        match self {
            HostKind::Vite | HostKind::ReactRouter => "vite.config",
            HostKind::Nuxt => "nuxt.config",
            HostKind::Next => "next.config",
            HostKind::Astro => "astro.config",
        }
    }

    /// What starts it by hand.
    pub(super) fn command(self, port: u16) -> String {
        match self {
            HostKind::Vite => format!("npx vite --port {port}"),
            HostKind::Nuxt => format!("npx nuxt dev --port {port}"),
            HostKind::ReactRouter => format!("npx react-router dev --port {port}"),
            HostKind::Next => format!("npx next dev --port {port}"),
            HostKind::Astro => format!("npx astro dev --port {port}"),
        }
    }
}

impl fmt::Display for HostKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            HostKind::Vite => "Vite",
            HostKind::Nuxt => "Nuxt",
            HostKind::ReactRouter => "React Router",
            HostKind::Next => "Next.js",
            HostKind::Astro => "Astro",
        })
    }
}

/// The dev server of the prototype at `root`, or `None` when it is none the Editor knows. A declared package decides;
/// a configuration file does when the package is declared elsewhere, as in the root of a monorepo.
#[must_use]
pub fn detect(root: &Path) -> Option<Found> {
    let package = package_json(root);
    let declared = |kind: &HostKind| declared_in(&package, kind.package()).map(|place| (*kind, place));
    let found = |kind: HostKind, evidence: String| Found {
        kind,
        evidence,
        config: config_file(root, kind),
    };
    if let Some((kind, place)) = KINDS.iter().find_map(declared) {
        return Some(found(kind, format!("\"{}\" in {place}", kind.package())));
    }
    KINDS
        .into_iter()
        // The file is Vite's; only the package tells that React Router is in it.
        .filter(|kind| *kind != HostKind::ReactRouter)
        .find_map(|kind| config_file(root, kind).map(|file| found(kind, file)))
}

/// The text of a script of package.json.
pub(super) fn script(root: &Path, name: &str) -> Option<String> {
    Some(package_json(root)["scripts"][name].as_str()?.to_owned())
}

/// The configuration file of this kind, by name.
fn config_file(root: &Path, kind: HostKind) -> Option<String> {
    EXTENSIONS
        .iter()
        .map(|extension| format!("{}.{extension}", kind.config_stem()))
        .find(|name| root.join(name).is_file())
}

fn declared_in(package: &Value, name: &str) -> Option<&'static str> {
    DEPENDENCIES
        .into_iter()
        .find(|place| package[*place].get(name).is_some())
}

/// A package.json that cannot be read declares nothing: the gate has said so already.
fn package_json(root: &Path) -> Value {
    let text = std::fs::read(root.join("package.json")).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("own files can be written");
        }
        folder
    }

    fn kind(files: &[(&str, &str)]) -> Option<HostKind> {
        detect(root(files).path()).map(|found| found.kind)
    }

    #[test]
    fn a_framework_wins_over_the_vite_it_is_built_on() {
        let package = r#"{"dependencies":{"react-router":"7"},"devDependencies":{"vite":"7","@react-router/dev":"7"}}"#;
        assert_eq!(kind(&[("package.json", package)]), Some(HostKind::ReactRouter));
        let package = r#"{"devDependencies":{"vite":"7","astro":"5"}}"#;
        assert_eq!(kind(&[("package.json", package)]), Some(HostKind::Astro));
    }

    #[test]
    fn the_router_as_a_library_is_plain_vite() {
        let package = r#"{"dependencies":{"react-router":"7"},"devDependencies":{"vite":"7"}}"#;
        assert_eq!(kind(&[("package.json", package)]), Some(HostKind::Vite));
    }

    #[test]
    fn a_configuration_file_is_enough() {
        let folder = root(&[("package.json", "{}"), ("next.config.mjs", "")]);
        let found = detect(folder.path()).expect("it is Next");
        assert_eq!(
            (found.kind, found.evidence.as_str()),
            (HostKind::Next, "next.config.mjs")
        );
    }

    #[test]
    fn nothing_known_is_nothing() {
        assert_eq!(kind(&[("package.json", r#"{"dependencies":{"react":"19"}}"#)]), None);
        assert_eq!(kind(&[("package.json", "{ broken")]), None);
        assert_eq!(kind(&[("package.json", r#"{"dependencies":["vite"]}"#)]), None);
    }
}
