//! Which dev server a prototype uses: its package.json says so, or a configuration file in its root.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

/// A kind of dev server; its name is the id in the `hosts` block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
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
    pub kind: Kind,
    /// What it was told from, as `"next" in dependencies`.
    pub evidence: String,
    /// Its configuration file, by name; `None` when it has none.
    pub config: Option<String>,
}

/// The frameworks first: each of them but Next brings Vite along.
const KINDS: [Kind; 5] = [Kind::Nuxt, Kind::Next, Kind::Astro, Kind::ReactRouter, Kind::Vite];

const DEPENDENCIES: [&str; 3] = ["dependencies", "devDependencies", "peerDependencies"];

const EXTENSIONS: [&str; 6] = ["ts", "js", "mjs", "mts", "cjs", "cts"];

impl Kind {
    /// The id in the `hosts` block.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Kind::Vite => "vite",
            Kind::Nuxt => "nuxt",
            Kind::ReactRouter => "react-router",
            Kind::Next => "next",
            Kind::Astro => "astro",
        }
    }

    /// The package that is imported, or whose program is run.
    pub(super) fn package(self) -> &'static str {
        match self {
            Kind::Vite => "vite",
            Kind::Nuxt => "nuxt",
            Kind::ReactRouter => "@react-router/dev",
            Kind::Next => "next",
            Kind::Astro => "astro",
        }
    }

    fn config_stem(self) -> &'static str {
        match self {
            Kind::Vite | Kind::ReactRouter => "vite.config",
            Kind::Nuxt => "nuxt.config",
            Kind::Next => "next.config",
            Kind::Astro => "astro.config",
        }
    }

    /// What starts it by hand.
    pub(super) fn command(self, port: u16) -> String {
        match self {
            Kind::Vite => format!("npx vite --port {port}"),
            Kind::Nuxt => format!("npx nuxt dev --port {port}"),
            Kind::ReactRouter => format!("npx react-router dev --port {port}"),
            Kind::Next => format!("npx next dev --port {port}"),
            Kind::Astro => format!("npx astro dev --port {port}"),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Kind::Vite => "Vite",
            Kind::Nuxt => "Nuxt",
            Kind::ReactRouter => "React Router",
            Kind::Next => "Next.js",
            Kind::Astro => "Astro",
        })
    }
}

/// The dev server of the prototype at `root`, or `None` when it is none the Editor knows. A declared package decides;
/// a configuration file does when the package is declared elsewhere, as in the root of a monorepo.
#[must_use]
pub fn detect(root: &Path) -> Option<Found> {
    let package = package_json(root);
    let declared = |kind: &Kind| declared_in(&package, kind.package()).map(|place| (*kind, place));
    let found = |kind: Kind, evidence: String| Found {
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
        .filter(|kind| *kind != Kind::ReactRouter)
        .find_map(|kind| config_file(root, kind).map(|file| found(kind, file)))
}

/// The text of a script of package.json.
pub(super) fn script(root: &Path, name: &str) -> Option<String> {
    Some(package_json(root)["scripts"][name].as_str()?.to_owned())
}

/// The configuration file of this kind, by name.
fn config_file(root: &Path, kind: Kind) -> Option<String> {
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

    fn kind(files: &[(&str, &str)]) -> Option<Kind> {
        detect(root(files).path()).map(|found| found.kind)
    }

    #[test]
    fn a_framework_wins_over_the_vite_it_is_built_on() {
        let package = r#"{"dependencies":{"react-router":"7"},"devDependencies":{"vite":"7","@react-router/dev":"7"}}"#;
        assert_eq!(kind(&[("package.json", package)]), Some(Kind::ReactRouter));
        let package = r#"{"devDependencies":{"vite":"7","astro":"5"}}"#;
        assert_eq!(kind(&[("package.json", package)]), Some(Kind::Astro));
    }

    #[test]
    fn the_router_as_a_library_is_plain_vite() {
        let package = r#"{"dependencies":{"react-router":"7"},"devDependencies":{"vite":"7"}}"#;
        assert_eq!(kind(&[("package.json", package)]), Some(Kind::Vite));
    }

    #[test]
    fn a_configuration_file_is_enough() {
        let folder = root(&[("package.json", "{}"), ("next.config.mjs", "")]);
        let found = detect(folder.path()).expect("it is Next");
        assert_eq!((found.kind, found.evidence.as_str()), (Kind::Next, "next.config.mjs"));
    }

    #[test]
    fn nothing_known_is_nothing() {
        assert_eq!(kind(&[("package.json", r#"{"dependencies":{"react":"19"}}"#)]), None);
        assert_eq!(kind(&[("package.json", "{ broken")]), None);
        assert_eq!(kind(&[("package.json", r#"{"dependencies":["vite"]}"#)]), None);
    }
}
