//! Whose JSX a file is: React's and Vue's differ in the names of attributes and in what `class` and `style` take.

use std::sync::Arc;

use crate::source::imports::{document, folder, join, jsx_import_source};
use crate::source::model::memo::Memo;
use crate::source::model::{Code, Project, Refusal};
use crate::source::module::Module;

/// The framework that renders a file's JSX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framework {
    /// React, and what takes its names, as Preact.
    React,
    /// Vue.
    Vue,
    /// The project has both, and nothing tells which of them this file is for.
    Unclear,
}

impl Framework {
    /// By the file itself, then by what its package depends on, then by the type configuration. React when nothing tells.
    pub fn of(project: &dyn Project, path: &str, text: &str, file: &Module) -> Self {
        if path.ends_with(".vue") {
            return Self::Vue;
        }
        pragma(text)
            .or_else(|| imports(file))
            .or_else(|| package(project, path))
            .unwrap_or_else(|| configured(project, path))
    }
}

/// The refusal of what Vue's JSX cannot be asked for.
pub(super) fn react_only() -> Refusal {
    let reason = "Detaching and swapping components works in React's JSX only; change the component's use in the code";
    Refusal::uncertain(Code::ReactOnly, reason)
}

/// `/** @jsxImportSource vue */`, which stands in a comment before the code.
fn pragma(text: &str) -> Option<Framework> {
    let (_, behind) = text.split_once("@jsxImportSource")?;
    by_name(behind.split_whitespace().next()?)
}

/// What the file imports tells, unless it imports from both.
fn imports(file: &Module) -> Option<Framework> {
    let mut found = file.imported().filter_map(|import| by_import(import.from));
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

fn by_import(from: &str) -> Option<Framework> {
    if from.ends_with(".vue") {
        return Some(Framework::Vue);
    }
    let within = |name: &str| {
        from.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let vue = ["vue", "vue-router", "vue-i18n", "pinia", "nuxt", "#imports", "#app"];
    let react = [
        "react",
        "react-dom",
        "react-router",
        "react-router-dom",
        "next",
        "preact",
    ];
    if vue.iter().any(|name| within(name)) || from.starts_with("@vue/") || from.starts_with("@vueuse/") {
        return Some(Framework::Vue);
    }
    react.iter().any(|name| within(name)).then_some(Framework::React)
}

/// The package that JSX is imported from.
fn by_name(package: &str) -> Option<Framework> {
    match package {
        "vue" => Some(Framework::Vue),
        "react" | "preact" | "@emotion/react" | "theme-ui" | "nativewind" => Some(Framework::React),
        _ => None,
    }
}

/// The one of the two that the nearest package with any of them depends on; `None` when none has any, [`Framework::Unclear`]
/// is never the answer.
fn package(project: &dyn Project, path: &str) -> Option<Framework> {
    let mut at = folder(path);
    loop {
        match join(at, "package.json").map_or([false; 2], |path| depends(project, &path)) {
            [true, false] => return Some(Framework::React),
            [false, true] => return Some(Framework::Vue),
            [true, true] => return None,
            [false, false] if at.is_empty() => return Some(Framework::React),
            [false, false] => at = folder(at),
        }
    }
}

/// What is kept of each `package.json`.
#[derive(Debug, Default)]
struct Packages(Memo<[bool; 2]>);

/// Whether a package depends on React, and whether on Vue.
fn depends(project: &dyn Project, path: &str) -> [bool; 2] {
    let Some(text) = project.read(path) else {
        return [false; 2];
    };
    match project.kept() {
        Some(kept) => kept.of::<Packages>().0.get(path, &text, || read(&text)),
        None => read(&text),
    }
}

fn read(text: &Arc<str>) -> [bool; 2] {
    let package = document(text);
    let sections = ["dependencies", "devDependencies", "peerDependencies"];
    let has = |name: &str| sections.iter().any(|section| package[*section].get(name).is_some());
    let any = |names: &[&str]| names.iter().any(|name| has(name));
    [any(&["react", "next", "preact"]), any(&["vue", "nuxt"])]
}

/// What the type configuration of a package with both says.
fn configured(project: &dyn Project, path: &str) -> Framework {
    let source = jsx_import_source(project, folder(path));
    source.and_then(|source| by_name(&source)).unwrap_or(Framework::Unclear)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::module;

    const REACT: &str = r#"{ "dependencies": { "react": "19" } }"#;
    const VUE: &str = r#"{ "devDependencies": { "vue": "3" } }"#;
    const BOTH: &str = r#"{ "dependencies": { "react": "19", "vue": "3" } }"#;

    fn of(path: &str, text: &str, files: &[(&str, &str)]) -> Framework {
        let nothing = ("other.txt", "");
        let file = |at: usize| files.get(at).copied().unwrap_or(nothing);
        let module = module::read(path, &Arc::from(text)).unwrap();
        Framework::of(&[file(0), file(1), file(2)], path, text, &module)
    }

    #[test]
    fn the_package_tells_whose_jsx_it_is() {
        let code = "export const a = <b/>";
        assert_eq!(of("src/A.tsx", code, &[]), Framework::React);
        assert_eq!(of("src/A.tsx", code, &[("package.json", REACT)]), Framework::React);
        assert_eq!(of("src/A.tsx", code, &[("package.json", VUE)]), Framework::Vue);
        let nested = [("package.json", REACT), ("apps/a/package.json", VUE)];
        assert_eq!(of("apps/a/src/A.tsx", code, &nested), Framework::Vue);
        assert_eq!(of("apps/b/src/A.tsx", code, &nested), Framework::React);
    }

    #[test]
    fn with_both_the_file_or_the_type_configuration_tells() {
        let both = ("package.json", BOTH);
        let of = |text: &str, config: Option<&str>| {
            let config = config.map(|text| ("tsconfig.json", text));
            let files: Vec<_> = std::iter::once(both).chain(config).collect();
            of("src/A.tsx", text, &files)
        };
        let code = "export const a = <b/>";
        assert_eq!(of(code, None), Framework::Unclear);
        let config = r#"{ "compilerOptions": { "jsxImportSource": "vue" } }"#;
        assert_eq!(of(code, Some(config)), Framework::Vue);
        assert_eq!(
            of(&format!("import {{ ref }} from 'vue';\n{code}"), None),
            Framework::Vue
        );
        assert_eq!(
            of(&format!("import * as React from 'react';\n{code}"), Some(config)),
            Framework::React
        );
        assert_eq!(
            of(&format!("/** @jsxImportSource vue */\n{code}"), None),
            Framework::Vue
        );
        assert_eq!(
            of(&format!("import 'react'; import 'vue';\n{code}"), None),
            Framework::Unclear
        );
    }
}
