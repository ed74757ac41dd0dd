//! What to tell somebody who starts the dev server themselves: how, and what to add so that elements carry their positions.

use std::path::Path;

use super::detect::{Found, HostKind};
use super::packages::Package;
use super::shims;

/// The port in examples.
const EXAMPLE: u16 = 5173;

/// The plugin, as an entry of `plugins`. Without the Editor's files it is no plugin at all, so it may stay.
const PLUGIN: &str =
    "import(new URL('./.tool/attach/vite.mjs', import.meta.url).href).then((galley) => galley.default(), () => null),";

/// The whole text of a refusal to start: why, how to start it by hand, and how to stamp there. Writes the files the block
/// refers to; if they cannot be written, it says so.
pub fn needed(root: &Path, found: Option<&Found>, why: &str) -> String {
    let kind = found.map(|found| found.kind);
    let files = match shims::write_attached(root) {
        Ok(_) => String::new(),
        Err(error) => format!(
            "\n({} could not be written: {error})",
            root.join(shims::ATTACHED).display()
        ),
    };
    format!(
        "{why} Start it yourself and pass its address:\n\n  galley-editor {} --attach http://127.0.0.1:{EXAMPLE}\n\n{}{files}",
        root.display(),
        how(root, kind, found.and_then(|found| found.config.as_deref())),
    )
}

/// How to start the dev server so that its elements carry their positions.
pub fn how(root: &Path, kind: Option<HostKind>, config: Option<&str>) -> String {
    let file = |usual: &'static str| config.unwrap_or(usual).to_owned();
    let start = |kind: HostKind| format!("Then start it with\n\n  {}\n", kind.command(EXAMPLE));
    match kind {
        Some(kind @ (HostKind::Vite | HostKind::ReactRouter)) => format!(
            "So that elements carry their source positions, add this to {}, as the first of `plugins`:\n\n  {PLUGIN}\n\n{}",
            file("vite.config.ts"),
            start(kind)
        ),
        Some(kind @ HostKind::Astro) => format!(
            "So that elements of islands carry their source positions, add this to {}:\n\n  vite: {{\n    plugins: [\n      {PLUGIN}\n    ],\n  }},\n\n{}",
            file("astro.config.mjs"),
            start(kind)
        ),
        Some(kind @ HostKind::Nuxt) => format!(
            "So that elements carry their source positions, start it with\n\n  {} --extends ./{}/nuxt\n",
            kind.command(EXAMPLE),
            shims::ATTACHED
        ),
        Some(kind @ HostKind::Next) if has_adapters(root) && !has_own_adapter(root, config) => format!(
            "So that elements carry their source positions, start it with\n\n  NEXT_ADAPTER_PATH=\"$PWD/{}/next-adapter.mjs\" {}\n",
            shims::ATTACHED,
            kind.command(EXAMPLE)
        ),
        Some(kind @ HostKind::Next) => format!(
            "So that elements carry their source positions, wrap what {} exports:\n\n{}\n{}",
            file("next.config.js"),
            NEXT_CONFIG,
            start(kind)
        ),
        None => format!(
            "If it is built on Vite, elements carry their source positions once this is the first of `plugins` in its configuration:\n\n  {PLUGIN}\n"
        ),
    }
}

/// For versions without adapters, and for configurations with an adapter of their own.
const NEXT_CONFIG: &str = r"  const galley = import('./.tool/attach/next-adapter.mjs').catch(() => null);
  export default async (phase) => {
    const config = { /* what stood here */ };
    return (await galley)?.modifyConfig(config, { phase }) ?? config;
  };
";

/// Whether this version of Next looks for an adapter in its development server.
pub fn has_adapters(root: &Path) -> bool {
    Package::find(root, HostKind::Next.package())
        .and_then(|package| package.major())
        .is_none_or(|major| major >= 16)
}

/// Whether the configuration of Next names an adapter, which then is the only one.
pub fn has_own_adapter(root: &Path, config: Option<&str>) -> bool {
    let text = config.and_then(|file| std::fs::read_to_string(root.join(file)).ok());
    text.is_some_and(|text| text.contains("adapterPath"))
}
