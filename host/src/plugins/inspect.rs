//! Inspects a component without granting it anything: its imports, and its manifest from `describe`.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use wasmtime::Engine;
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, InstancePre, Linker};

use super::absent;
use super::assets::{AssetError, Assets};
use super::cache::{Cache, sha256, sha256_of_file};
use super::constants;
use super::contract::{self, Fit, HANDLER, JOBS, UI, WASI};
use super::lock::Built;
use super::manifest::{self, ManifestError};

/// Why an artifact cannot be a plugin here. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    /// The file could not be read.
    #[error("its file {0} is missing or cannot be read ({1})")]
    Unreadable(String, std::io::Error),
    /// It is something else.
    #[error("its file is not WebAssembly")]
    NotWasm,
    /// It ends too early.
    #[error("its file is cut short at byte {0}: copy it again")]
    CutShort(usize),
    /// It ends before its exports, or has none.
    #[error("it exports nothing: its file is cut short at byte {0}, or it is not a plugin")]
    Empty(usize),
    /// It was compiled, and not made a component.
    #[error("its file is a WebAssembly module, not a component: `galley plugins build` makes one of it")]
    Module,
    /// It is a broken component.
    #[error("its file is not a WebAssembly component this server can compile: {0}")]
    NotAComponent(String),
    /// It exports no handler of this contract.
    #[error("it does not export {HANDLER}@{has}{found}: {remedy}")]
    NoHandler {
        /// The version that this host has.
        has: &'static str,
        /// What it has instead, in parentheses.
        found: String,
        /// What to do.
        remedy: &'static str,
    },
    /// It imports an interface this host does not have.
    #[error("it imports {wanted}, and this server has {has}: {remedy}")]
    UnknownImport {
        /// The import.
        wanted: String,
        /// The interface that this host has instead.
        has: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The engine of this host runs synchronous functions only.
    #[error(
        "its function {0} is async, and this server calls synchronous functions only: build it without async exports"
    )]
    Async(String),
    /// It was built for component-model async, whatever its functions are.
    #[error(
        "it is built on a runtime for async functions, and this server calls synchronous functions only: build it without \
         async (`--sync` for QuickJS)"
    )]
    AsyncRuntime,
    /// `describe` trapped, took too long, or called the host.
    #[error("its `describe` failed: {0}")]
    Describe(String),
    /// It wants a function that this host's interfaces do not have, or with other types.
    #[error("it needs what this server does not have ({0}): update the server, or build it against this server's SDK")]
    Link(String),
    /// The manifest is not valid.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The files of its part of the pages cannot be served.
    #[error(transparent)]
    Assets(#[from] AssetError),
}

/// A component, and the facts about it that need no call but `describe`.
pub struct Inspected {
    /// Ready to be linked.
    pub component: Component,
    /// The contract it was built against: `galley:plugin/handler@0.1.0`.
    pub contract: String,
    /// Whether it came compiled from the cache.
    pub from_cache: bool,
    /// Whether it was built for version 0.1 of the contract.
    pub is_0_1: bool,
    /// File, hash, imports and manifest.
    pub built: Built,
    /// The files of its part of the pages.
    pub assets: Arc<Assets>,
}

/// Reads an artifact of the plugins folder.
pub fn inspect(engine: &Engine, cache: &Cache, folder: &Path, file: &str) -> Result<Inspected, InspectError> {
    let path = folder.join(file);
    let hash = hash(file, &path)?;
    inspect_file(engine, cache, file, &path, hash)
}

/// Hex SHA-256 of an artifact's file.
pub fn hash(name: &str, path: &Path) -> Result<String, InspectError> {
    sha256_of_file(path).map_err(|error| InspectError::Unreadable(name.to_owned(), error))
}

/// The same for a file anywhere, whose hash is known. It is read as a whole only when it was not compiled before.
pub fn inspect_file(
    engine: &Engine,
    cache: &Cache,
    name: &str,
    path: &Path,
    hash: String,
) -> Result<Inspected, InspectError> {
    let unreadable = |error| InspectError::Unreadable(name.to_owned(), error);
    let whole = || {
        let wasm = std::fs::read(path).map_err(unreadable)?;
        match sha256(&wasm) == hash {
            true => Ok(Cow::Owned(wasm)),
            false => Err(unreadable(std::io::Error::other("it changed while it was read"))),
        }
    };
    inspect_with(engine, cache, name, &whole, &hash)
}

/// The same for bytes that were read and hashed already.
pub fn inspect_bytes(
    engine: &Engine,
    cache: &Cache,
    file: &str,
    wasm: &[u8],
    sha256: String,
) -> Result<Inspected, InspectError> {
    inspect_with(engine, cache, file, &|| Ok(Cow::Borrowed(wasm)), &sha256)
}

/// What an artifact is whose bytes `wasm` reads.
fn inspect_with<'w>(
    engine: &Engine,
    cache: &Cache,
    file: &str,
    wasm: &dyn Fn() -> Result<Cow<'w, [u8]>, InspectError>,
    sha256: &str,
) -> Result<Inspected, InspectError> {
    // wasmtime names where it happened first; the cause is its last error.
    let cause = |error: wasmtime::Error| {
        let cause = error.root_cause().to_string();
        cause.lines().next().unwrap_or_default().to_owned()
    };
    let compiled = cache.compiled(engine, sha256);
    let from_cache = compiled.is_some();
    let component = match compiled {
        Some(component) => component,
        None => {
            let wasm = wasm()?;
            let made = cache.compile(engine, sha256, &contract::adapt(&wasm));
            made.map_err(|error| why_not(&wasm, format!("{error:#}")))?
        }
    };
    if component.component_type().exports(engine).next().is_none() {
        return Err(InspectError::Empty(wasm()?.len()));
    }
    check_handler(engine, &component)?;
    let imports = imports(engine, &component)?;
    let manifest = match cache.manifest(sha256).and_then(|json| manifest::parse(&json).ok()) {
        Some(manifest) => manifest,
        None => {
            let handler = exported(engine, &component, HANDLER).unwrap_or_default();
            let json = constants::describe(engine, &component, &handler);
            let json = json.map_err(|error| InspectError::Describe(cause(error)))?;
            let manifest = manifest::parse(&json)?;
            if let (Some(word), false) = (manifest.subscribed_word(), is_0_1(engine, &component)) {
                return Err(ManifestError::new(format!(
                    "it subscribes to `{word}`, which is no topic of the host; a slot's is `SLOT/{word}`"
                ))
                .into());
            }
            cache.keep_manifest(sha256, &json);
            manifest
        }
    };
    if !manifest.jobs.is_empty() && exported(engine, &component, JOBS).is_none() {
        return Err(ManifestError::new(format!(
            "it lists {} jobs, and the component does not export {JOBS}",
            manifest.jobs.len()
        ))
        .into());
    }
    let assets = match (manifest.ui.is_empty(), exported(engine, &component, UI)) {
        (true, _) => Assets::default(),
        (false, Some(name)) => {
            let files = constants::assets(engine, &component, &name);
            Assets::new(files.map_err(|error| AssetError::Failed(cause(error)))?, &manifest)?
        }
        (false, None) => {
            let parts = manifest.ui.len();
            return Err(ManifestError::new(format!(
                "it lists {parts} parts of the pages in `ui`, and the component does not export {UI}"
            ))
            .into());
        }
    };
    let built = Built {
        file: file.to_owned(),
        sha256: sha256.to_owned(),
        imports,
        manifest,
    };
    Ok(Inspected {
        contract: exported(engine, &component, HANDLER).unwrap_or_default(),
        assets: Arc::new(assets),
        is_0_1: is_0_1(engine, &component),
        component,
        from_cache,
        built,
    })
}

/// Links a component with what the host has. Names of interfaces were compared before; this compares their functions.
pub fn link<T: 'static>(linker: &Linker<T>, component: &Component) -> Result<InstancePre<T>, InspectError> {
    // wasmtime names the interface first, then, as a cause, the function in it.
    let cannot = |error: wasmtime::Error| InspectError::Link(format!("{error:#}"));
    let component_type = component.component_type();
    let mut imports = component_type.imports(linker.engine());
    if !imports.any(|(name, _)| absent::is_missing_wasi(name)) {
        return linker.instantiate_pre(component).map_err(cannot);
    }
    let mut linker = linker.clone();
    absent::define(&mut linker, component, absent::is_missing_wasi).map_err(cannot)?;
    linker.instantiate_pre(component).map_err(cannot)
}

/// The functions a component imports, by interface and without versions; interfaces it names only for their types are left
/// out. WASI is one word.
fn imports(engine: &Engine, component: &Component) -> Result<Vec<String>, InspectError> {
    let mut used = Vec::new();
    for (name, item) in component.component_type().imports(engine) {
        let name = name.to_owned();
        let (interface, version) = name.split_once('@').unwrap_or((&name, ""));
        if absent::is_wasi(&name) {
            used.push(WASI.to_owned());
            continue;
        }
        let fit = contract::fit(interface, version);
        let remedy = match fit {
            Fit::Fits => {
                used.extend(permissions(engine, interface, &item.ty));
                continue;
            }
            Fit::New => UPDATE,
            Fit::Old => REBUILD,
            // Its handler says which side is behind.
            Fit::Unknown => match exported(engine, component, HANDLER).map(|name| handler_fit(&name)) {
                Some(Fit::New) => UPDATE,
                _ => "update the server if a newer one has it, or build the plugin without it",
            },
        };
        let has = match contract::version(interface) {
            Some(own) => format!("{interface}@{own}"),
            None => "no such interface".to_owned(),
        };
        return Err(InspectError::UnknownImport {
            wanted: name,
            has,
            remedy,
        });
    }
    used.sort();
    used.dedup();
    Ok(used)
}

/// What an operator approves for an import: the interface itself if anything of it is called. Version 0.1 had one interface
/// for reading versions and storing them.
fn permissions(engine: &Engine, interface: &str, item: &ComponentItem) -> Vec<String> {
    let ComponentItem::ComponentInstance(instance) = item else {
        return Vec::new();
    };
    if interface != "galley:sites/sites" {
        let used = calls_something(engine, item).then(|| interface.to_owned());
        return used.into_iter().collect();
    }
    let used = |functions: &[&str]| instance.exports(engine).any(|(name, _)| functions.contains(&name));
    let mut permissions = Vec::new();
    if used(&["versions", "live"]) {
        permissions.push("galley:sites/versions".to_owned());
    }
    if used(&["[method]tree.publish", "activate", "remove"]) {
        permissions.push("galley:sites/publishing".to_owned());
    }
    permissions
}

fn calls_something(engine: &Engine, item: &ComponentItem) -> bool {
    match item {
        ComponentItem::ComponentInstance(instance) => instance
            .exports(engine)
            .any(|(_, item)| matches!(item.ty, ComponentItem::ComponentFunc(_))),
        ComponentItem::ComponentFunc(_) => true,
        _ => false,
    }
}

/// Whether the component is of version 0.1 of the contract.
fn is_0_1(engine: &Engine, component: &Component) -> bool {
    exported(engine, component, HANDLER).is_some_and(|name| name.ends_with("@0.1.0"))
}

fn handler_fit(name: &str) -> Fit {
    let (interface, version) = name.split_once('@').unwrap_or((name, ""));
    contract::fit(interface, version)
}

fn check_handler(engine: &Engine, component: &Component) -> Result<(), InspectError> {
    let has = contract::version(HANDLER).unwrap_or_default();
    let Some(name) = exported(engine, component, HANDLER) else {
        return Err(InspectError::NoHandler {
            has,
            found: String::new(),
            remedy: REBUILD,
        });
    };
    let remedy = match handler_fit(&name) {
        Fit::Fits => return Ok(()),
        Fit::New => UPDATE,
        Fit::Old | Fit::Unknown => REBUILD,
    };
    Err(InspectError::NoHandler {
        has,
        found: format!(" (it has {name})"),
        remedy,
    })
}

/// What helps a plugin that is older than the host's contract.
const REBUILD: &str = "rebuild it against this server's SDK";
/// What helps one that is newer.
const UPDATE: &str = "it is newer than this server: update the server";

/// Whether the parser missed the file's end.
fn is_cut(reason: &str) -> bool {
    ["unexpected end", "is out of bounds (bound"]
        .iter()
        .any(|words| reason.contains(words))
}

/// Says what a file is that the engine did not take for a component.
fn why_not(wasm: &[u8], reason: String) -> InspectError {
    const MAGIC: &[u8] = b"\0asm";
    /// The version of core modules, and their layer.
    const MODULE: &[u8] = &[1, 0, 0, 0];
    match wasm.get(..MAGIC.len()) {
        Some(MAGIC) if wasm.get(4..8) == Some(MODULE) => InspectError::Module,
        Some(MAGIC) if wasm.len() < 8 || is_cut(&reason) => InspectError::CutShort(wasm.len()),
        Some(MAGIC) => match contract::async_function(wasm) {
            Some(function) => InspectError::Async(function),
            None if reason.contains("component model async feature") => InspectError::AsyncRuntime,
            None => InspectError::NotAComponent(reason),
        },
        _ => InspectError::NotWasm,
    }
}

/// The name of an exported interface with its version, in whichever it is exported.
fn exported(engine: &Engine, component: &Component, interface: &str) -> Option<String> {
    let component_type = component.component_type();
    let mut names = component_type.exports(engine).map(|(name, _)| name.to_owned());
    names.find(|name| name.split_once('@').is_some_and(|(exported, _)| exported == interface))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_component_is_named() {
        let said = |wasm: &[u8], reason: &str| why_not(wasm, reason.to_owned()).to_string();
        assert!(said(b"hello", "").contains("not WebAssembly"));
        assert!(said(b"", "").contains("not WebAssembly"));
        assert!(said(b"\0asm\x01\0\0\0", "").contains("a WebAssembly module, not a component"));
        assert!(said(b"\0asm\x0d\0\x01", "").contains("cut short at byte 7"));
        let reason = "unexpected end-of-file (at offset 0x9)";
        assert!(said(b"\0asm\x0d\0\x01\0\x01", reason).contains("cut short at byte 9"));
        let reason = "section range 14..394 is out of bounds (bound = 9)";
        assert!(said(b"\0asm\x0d\0\x01\0\x01", reason).contains("cut short at byte 9"));
    }
}
