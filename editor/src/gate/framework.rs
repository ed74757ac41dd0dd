//! Which of the two supported frameworks the components are written with.

use std::ops::RangeInclusive;
use std::path::Path;

use serde::Serialize;

use super::package::{Package, Section};
use super::{Refused, Unsupported, modules, monorepo, version};

/// What the components are written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Framework {
    /// React, of any version.
    React,
    /// Vue 3.
    Vue,
}

impl Framework {
    /// Its package at npm, which is also its name in the local API.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Framework::React => "react",
            Framework::Vue => "vue",
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Framework::React => "React",
            Framework::Vue => "Vue",
        }
    }

    /// Packages whose declaration means the framework: itself, and what brings it along.
    fn packages(self) -> &'static [&'static str] {
        match self {
            Framework::React => &["react", "next"],
            Framework::Vue => &["vue", "nuxt", "nuxt-nightly"],
        }
    }

    /// Packages that build an app of this framework. They tell which of two declared ones the app is written with.
    fn tools(self) -> &'static [&'static str] {
        match self {
            Framework::React => &[
                "next",
                "@vitejs/plugin-react",
                "@vitejs/plugin-react-swc",
                "@react-router/dev",
                "@remix-run/dev",
                "@astrojs/react",
                "react-scripts",
            ],
            Framework::Vue => &[
                "nuxt",
                "nuxt-nightly",
                "@vitejs/plugin-vue",
                "@vitejs/plugin-vue2",
                "@astrojs/vue",
                "@vue/cli-service",
            ],
        }
    }

    fn section(self, package: &Package) -> Option<Section> {
        self.packages().iter().filter_map(|name| package.section(name)).max()
    }

    fn has_tools(self, package: &Package) -> bool {
        self.tools().iter().any(|name| package.section(name).is_some())
    }
}

/// The framework of the package in `root`.
pub(super) fn detect(root: &Path, package: &Package) -> Result<Framework, Refused> {
    let Some(framework) = choose(package) else {
        return Err(Refused::Unsupported(Unsupported::NoFramework {
            file: root.join("package.json"),
            hint: monorepo::hint(root, |package| choose(package).is_some()),
        }));
    };
    if framework == Framework::Vue
        && let Some((major, found)) = wrong_major(root, package)
    {
        return Err(Refused::Unsupported(Unsupported::VueMajor { major, found }));
    }
    Ok(framework)
}

/// The framework a package declares, of whichever version. With both, as in an app that moves from one to the other: the
/// one whose build tools are there, else the one declared in the weightier section, else Vue.
pub(super) fn choose(package: &Package) -> Option<Framework> {
    let react = Framework::React.section(package);
    let vue = Framework::Vue.section(package);
    let tools = |framework: Framework| framework.has_tools(package);
    match (react, vue) {
        (None, None) => None,
        (Some(_), None) => Some(Framework::React),
        (None, Some(_)) => Some(Framework::Vue),
        (Some(_), Some(_)) if tools(Framework::React) != tools(Framework::Vue) => Some(if tools(Framework::React) {
            Framework::React
        } else {
            Framework::Vue
        }),
        (react, vue) if react > vue => Some(Framework::React),
        _ => Some(Framework::Vue),
    }
}

/// The major version of Vue, when it is certainly not 3, and where that was read.
///
/// What `package.json` says decides when it is clear. A tag, a folder, a workspace or a range over several majors is settled
/// by what is installed; when nothing is, it is taken to be the current version, which is 3.
fn wrong_major(root: &Path, package: &Package) -> Option<(u64, String)> {
    let declared = package.dependency("vue");
    let Some(range) = declared else {
        // Vue comes with Nuxt: version 3 since Nuxt 3.
        let range = package.dependency("nuxt")?;
        let major = certain(&version::majors(range)?)?;
        return (major < 3).then(|| (2, format!("package.json asks for nuxt {range}, which brings Vue 2")));
    };
    if let Some(ranges) = version::majors(range) {
        if let Some(major) = certain(&ranges) {
            return (major != 3).then(|| (major, format!("package.json asks for vue {range}")));
        }
        if let Some(newest) = ranges
            .iter()
            .map(RangeInclusive::end)
            .max()
            .filter(|newest| **newest < 3)
        {
            return Some((*newest, format!("package.json asks for vue {range}")));
        }
    }
    let installed = modules::installed_version(root, "vue")?;
    let major = certain(&version::majors(&installed)?)?;
    (major != 3).then(|| (major, format!("vue {installed} is installed")))
}

/// The one major version, when only one is allowed.
fn certain(ranges: &[RangeInclusive<u64>]) -> Option<u64> {
    let first = *ranges.first()?.start();
    ranges.iter().all(|range| *range == (first..=first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(json: &str) -> Result<Framework, Refused> {
        let folder = tempfile::tempdir().unwrap();
        detect(folder.path(), &Package::parse(json.as_bytes()).unwrap())
    }

    fn major(json: &str) -> u64 {
        match detected(json) {
            Err(Refused::Unsupported(Unsupported::VueMajor { major, .. })) => major,
            other => panic!("{json}: {other:?}"),
        }
    }

    #[test]
    fn each_section_counts() {
        for section in ["dependencies", "devDependencies", "peerDependencies"] {
            let json = |name: &str, range: &str| format!(r#"{{ "{section}": {{ "{name}": "{range}" }} }}"#);
            assert_eq!(detected(&json("react", "^16.8")), Ok(Framework::React));
            assert_eq!(detected(&json("vue", "^3.4")), Ok(Framework::Vue));
            assert!(detected(&json("svelte", "^5")).is_err());
        }
    }

    #[test]
    fn frameworks_over_frameworks_bring_theirs_along() {
        assert_eq!(
            detected(r#"{ "dependencies": { "nuxt": "^4.1" } }"#),
            Ok(Framework::Vue)
        );
        assert_eq!(
            detected(r#"{ "dependencies": { "next": "16" } }"#),
            Ok(Framework::React)
        );
        assert_eq!(major(r#"{ "dependencies": { "nuxt": "^2.15" } }"#), 2);
        assert!(detected(r#"{ "dependencies": { "astro": "^5" } }"#).is_err());
    }

    #[test]
    fn only_major_3_of_vue_is_taken() {
        assert_eq!(major(r#"{ "dependencies": { "vue": "^2.7.16" } }"#), 2);
        assert_eq!(major(r#"{ "dependencies": { "vue": "npm:vue@2.6" } }"#), 2);
        assert_eq!(major(r#"{ "peerDependencies": { "vue": "<3" } }"#), 2);
        assert_eq!(major(r#"{ "dependencies": { "vue": "1.0.28" } }"#), 1);
        for range in [
            "3",
            "latest",
            "workspace:*",
            "catalog:",
            "^2 || ^3",
            ">=2.7",
            "*",
            "3.6.0-alpha.1",
        ] {
            let json = format!(r#"{{ "dependencies": {{ "vue": "{range}" }} }}"#);
            assert_eq!(detected(&json), Ok(Framework::Vue), "{range}");
        }
    }

    #[test]
    fn what_is_installed_settles_an_open_range() {
        let folder = tempfile::tempdir().unwrap();
        let vue = folder.path().join("node_modules/vue");
        std::fs::create_dir_all(&vue).unwrap();
        std::fs::write(vue.join("package.json"), r#"{ "version": "2.7.16" }"#).unwrap();
        let read = |range: &str| {
            let json = format!(r#"{{ "dependencies": {{ "vue": "{range}" }} }}"#);
            detect(folder.path(), &Package::parse(json.as_bytes()).unwrap())
        };
        assert!(matches!(
            read("^2 || ^3"),
            Err(Refused::Unsupported(Unsupported::VueMajor { major: 2, .. }))
        ));
        assert!(read("latest").is_err());
        // A stale folder does not overrule a clear statement.
        assert_eq!(read("^3.5"), Ok(Framework::Vue));
    }

    #[test]
    fn of_two_frameworks_the_build_tools_decide_then_the_section() {
        let both = r#""react": "^19", "vue": "^2""#;
        let react = format!(r#"{{ "dependencies": {{ {both}, "@vitejs/plugin-react": "5" }} }}"#);
        assert_eq!(detected(&react), Ok(Framework::React));
        assert_eq!(major(&format!(r#"{{ "dependencies": {{ {both} }} }}"#)), 2);
        let weightier = r#"{ "dependencies": { "react": "19" }, "devDependencies": { "vue": "3" } }"#;
        assert_eq!(detected(weightier), Ok(Framework::React));
    }
}
