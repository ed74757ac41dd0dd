//! Whether the modules that the prototype's bundler configuration imports are installed.
//!
//! The configuration is read, never run: that the dev server does, and its own words for a missing module are many.

use std::path::{Path, PathBuf};

use oxc::ast::ast::Statement;
use serde::Serialize;

use crate::source::script;

/// Configurations a dev server executes, without their endings.
const CONFIGS: [&str; 5] = [
    "vite.config",
    "react-router.config",
    "nuxt.config",
    "next.config",
    "astro.config",
];
const ENDINGS: [&str; 6] = ["ts", "mts", "cts", "js", "mjs", "cjs"];

/// What Node brings itself, by the names that may stand without `node:`.
const BUILT_IN: [&str; 32] = [
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "dns",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "querystring",
    "readline",
    "stream",
    "string_decoder",
    "timers",
    "tls",
    "url",
    "util",
    "worker_threads",
    "zlib",
];

/// A package that a configuration imports and that is not installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissingModule {
    /// The package.
    pub module: String,
    /// The configuration, relative to the prototype's root.
    pub config: String,
}

/// What the bundler configurations in `root` import and Node would probably not find.
pub(super) fn missing(root: &Path) -> Vec<MissingModule> {
    let mut missing = Vec::new();
    for config in CONFIGS
        .iter()
        .flat_map(|name| ENDINGS.map(|ending| format!("{name}.{ending}")))
    {
        let Ok(text) = std::fs::read_to_string(root.join(&config)) else {
            continue;
        };
        let imported = imports(&config, &text).into_iter();
        missing.extend(
            imported
                .filter(|module| !is_installed(root, module))
                .map(|module| MissingModule {
                    module,
                    config: config.clone(),
                }),
        );
    }
    missing
}

/// Names of the packages a configuration imports when it is loaded; none when it cannot be parsed.
fn imports(path: &str, text: &str) -> Vec<String> {
    let read = script::with_program(path, text, |program| {
        let mut packages = Vec::new();
        for statement in &program.body {
            let source = match statement {
                Statement::ImportDeclaration(import) if !import.import_kind.is_type() => Some(&import.source),
                Statement::ExportAllDeclaration(export) if !export.export_kind.is_type() => Some(&export.source),
                _ => None,
            };
            packages.extend(source.and_then(|source| package(&source.value)));
        }
        packages
    });
    read.unwrap_or_default()
}

/// The package of `name/inner/file`; `None` for files, addresses and what Node brings.
fn package(module: &str) -> Option<String> {
    let is_other = module.is_empty() || module.starts_with(['.', '/', '#', '~', '\\']) || module.contains(':');
    let parts = if module.starts_with('@') { 2 } else { 1 };
    let name: Vec<_> = module.split('/').take(parts).collect();
    let is_whole = name.len() == parts && name.iter().all(|part| !matches!(*part, "" | "@" | ".."));
    if is_other || !is_whole || BUILT_IN.contains(&name[0]) {
        return None;
    }
    Some(name.join("/"))
}

/// The folder of an installed package: the nearest `node_modules` upward that has it, which is where Node looks.
fn installed(root: &Path, package: &str) -> Option<PathBuf> {
    root.ancestors()
        .map(|folder| folder.join("node_modules").join(package))
        .find(|folder| folder.is_dir())
}

pub(super) fn is_installed(root: &Path, package: &str) -> bool {
    installed(root, package).is_some()
}

/// The version of an installed package.
pub(super) fn installed_version(root: &Path, package: &str) -> Option<String> {
    let bytes = std::fs::read(installed(root, package)?.join("package.json")).ok()?;
    let json: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    Some(json.get("version")?.as_str()?.to_owned())
}

/// Whether packages lie in Yarn's archives, where only Yarn finds them.
pub(super) fn has_plug_and_play(folders: [&PathBuf; 2]) -> bool {
    let files = [".pnp.cjs", ".pnp.js"];
    folders
        .iter()
        .any(|folder| files.iter().any(|file| folder.join(file).exists()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_read_and_types_and_files_are_not() {
        let text = "import path from 'path'\nimport 'node:fs'\nimport type { Plugin } from 'rollup'\n\
            import { defineConfig } from 'vite'\nimport react from \"@vitejs/plugin-react/x\"\nimport own from './own'\n\
            export * from 'shared'\nexport default defineConfig({ plugins: [react()] })\n";
        assert_eq!(
            imports("vite.config.ts", text),
            ["vite", "@vitejs/plugin-react", "shared"]
        );
        assert!(imports("vite.config.ts", "import {").is_empty());
    }

    #[test]
    fn names_that_lead_out_of_node_modules_are_no_packages() {
        for module in [
            "",
            "..",
            "../x",
            "/x",
            "#x",
            "@scope",
            "@scope/",
            "@x/..",
            "@/components",
            "https://example.com/x",
            "virtual:x",
        ] {
            assert_eq!(package(module), None, "{module}");
        }
    }
}
