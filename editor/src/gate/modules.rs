//! Whether the modules that the prototype's bundler configuration imports are installed.
//!
//! The configuration is read, never run: that the dev server does, and its own words for a missing module are many.

use std::path::{Path, PathBuf};

use oxc::ast::ast::Statement;

use super::{Prototype, Refused};
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

/// The first module that a bundler configuration of the prototype imports and that is not installed.
///
/// # Errors
/// With that module, as the reason not to start.
pub fn missing_module(prototype: &Prototype) -> Result<(), Refused> {
    if has_plug_and_play(prototype) {
        return Ok(());
    }
    for config in CONFIGS {
        for ending in ENDINGS {
            let config = format!("{config}.{ending}");
            let Ok(text) = std::fs::read_to_string(prototype.root.join(&config)) else {
                continue;
            };
            let missing = imports(&config, &text)
                .into_iter()
                .find(|module| !is_installed(&prototype.root, module));
            if let Some(module) = missing {
                return Err(Refused::NoModule {
                    remedy: remedy(prototype, &module),
                    module,
                    config,
                });
            }
        }
    }
    Ok(())
}

fn remedy(prototype: &Prototype, module: &str) -> String {
    let install = install_command(prototype);
    if prototype.package.dependency(module).is_none() && prototype.is_installed() {
        return format!("package.json does not declare it; add it to the prototype's dependencies and run `{install}`");
    }
    format!(
        "the prototype's dependencies are not installed; run `{install}` in {}",
        prototype.root.display()
    )
}

/// The command that installs, by the lock file that is there.
fn install_command(prototype: &Prototype) -> String {
    let named = prototype.package.package_manager.as_deref();
    let named = named.and_then(|manager| manager.split('@').next());
    let locks = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
    ];
    let locked = || {
        let has = |file: &str| {
            [&prototype.root, &prototype.git_root]
                .iter()
                .any(|folder| folder.join(file).exists())
        };
        locks.iter().find(|(file, _)| has(file)).map(|(_, manager)| *manager)
    };
    let manager = match named {
        Some("npm" | "pnpm" | "yarn" | "bun") => named,
        _ => locked(),
    };
    format!("{} install", manager.unwrap_or("npm"))
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
pub(super) fn has_plug_and_play(prototype: &Prototype) -> bool {
    let files = [".pnp.cjs", ".pnp.js"];
    [&prototype.root, &prototype.git_root]
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
