//! Inspects a component without granting it anything: its imports, and its manifest from `describe`.

use std::future::Future as _;
use std::path::Path;

use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, InstancePre, Linker};
use wasmtime::{Engine, Store};

use super::cache::{Cache, sha256};
use super::lock::Built;
use super::manifest::{self, ManifestError};
use super::ticker::TICKER;

/// The version of the contract that this host implements.
pub const CONTRACT: &str = "0.1";

/// The most ticks of the engine's clock that `describe` may take: one second.
const MAX_DESCRIBE_TICKS: u64 = 500;

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
    /// It was compiled, and not made a component.
    #[error("its file is a WebAssembly module, not a component: `wasm-tools component new` makes one of it")]
    Module,
    /// It is a broken component.
    #[error("its file is not a WebAssembly component this server can compile: {0}")]
    NotAComponent(String),
    /// It exports no handler of this contract.
    #[error("it does not export galley:plugin/handler@{CONTRACT}.x{found}: {remedy}")]
    NoHandler {
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
    /// `describe` trapped, took too long, or called the host.
    #[error("its `describe` failed: {0}")]
    Describe(String),
    /// It wants a function that this host's interfaces do not have, or with other types.
    #[error("it needs what this server does not have ({0}): update the server, or build it against this server's SDK")]
    Link(String),
    /// The manifest is not valid.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}

/// A component, and the facts about it that need no call but `describe`.
pub struct Inspected {
    /// Ready to be linked.
    pub component: Component,
    /// The contract it was built against: `galley:plugin/handler@0.1.0`.
    pub contract: String,
    /// Whether it came compiled from the cache.
    pub from_cache: bool,
    /// File, hash, imports and manifest.
    pub built: Built,
}

/// Reads an artifact of the plugins folder.
pub fn inspect(engine: &Engine, cache: &Cache, folder: &Path, file: &str) -> Result<Inspected, InspectError> {
    let wasm = std::fs::read(folder.join(file)).map_err(|error| InspectError::Unreadable(file.to_owned(), error))?;
    inspect_bytes(engine, cache, file, &wasm, sha256(&wasm))
}

/// The same for bytes that were read and hashed already.
pub fn inspect_bytes(
    engine: &Engine,
    cache: &Cache,
    file: &str,
    wasm: &[u8],
    sha256: String,
) -> Result<Inspected, InspectError> {
    let first_line = |error: wasmtime::Error| error.to_string().lines().next().unwrap_or_default().to_owned();
    let (component, from_cache) = cache
        .component(engine, &sha256, wasm)
        .map_err(|error| why_not(wasm, format!("{error:#}")))?;
    let imports = imports(engine, &component)?;
    check_handler(engine, &component)?;
    let manifest = match cache.manifest(&sha256).and_then(|json| manifest::parse(&json).ok()) {
        Some(manifest) => manifest,
        None => {
            let json = describe(engine, &component).map_err(|error| InspectError::Describe(first_line(error)))?;
            let manifest = manifest::parse(&json)?;
            cache.keep_manifest(&sha256, &json);
            manifest
        }
    };
    let built = Built {
        file: file.to_owned(),
        sha256,
        imports,
        manifest,
    };
    Ok(Inspected {
        contract: handler_name(engine, &component).unwrap_or_default(),
        component,
        from_cache,
        built,
    })
}

/// Links a component with what the host has. Names of interfaces were compared before; this compares their functions.
pub fn link<T: 'static>(linker: &Linker<T>, component: &Component) -> Result<InstancePre<T>, InspectError> {
    // wasmtime names the interface first, then, as a cause, the function in it.
    linker
        .instantiate_pre(component)
        .map_err(|error| InspectError::Link(format!("{error:#}")))
}

/// Interfaces of the contract, with the version this host has of each. All are 0.1 today.
pub(super) const INTERFACES: [&str; 28] = [
    "galley:accounts/accounts",
    "galley:administration/audit",
    "galley:administration/domain-rules",
    "galley:administration/instance-settings",
    "galley:administration/invites",
    "galley:administration/mail-server",
    "galley:administration/members",
    "galley:attachments/attachments",
    "galley:bells/bells",
    "galley:blobs/blobs",
    "galley:builds/builds",
    "galley:clock/clock",
    "galley:errors/errors",
    "galley:events/events",
    "galley:events/types",
    "galley:files/tree",
    "galley:http/context",
    "galley:http/types",
    "galley:log/log",
    "galley:logs/logs",
    "galley:mail/mail",
    "galley:outbound/outbound",
    "galley:projects/projects",
    "galley:random/random",
    "galley:settings/settings",
    "galley:sites/publishing",
    "galley:sites/versions",
    "galley:sql/sql",
];

/// The functions a component imports, by interface and without versions; interfaces it names only for their types need
/// no approval and are left out.
fn imports(engine: &Engine, component: &Component) -> Result<Vec<String>, InspectError> {
    let mut used = Vec::new();
    for (name, item) in component.component_type().imports(engine) {
        let name = name.to_owned();
        let (interface, version) = name.split_once('@').unwrap_or((&name, ""));
        let wasi = interface.starts_with("wasi:") && version.starts_with("0.2");
        if !wasi && !INTERFACES.contains(&interface) {
            let has = "no such interface".to_owned();
            let remedy = remedy(version);
            return Err(InspectError::UnknownImport {
                wanted: name,
                has,
                remedy,
            });
        }
        if !wasi && !compatible(version) {
            let (has, remedy) = (format!("{interface}@{CONTRACT}.x"), remedy(version));
            return Err(InspectError::UnknownImport {
                wanted: name,
                has,
                remedy,
            });
        }
        if calls_something(engine, &item.ty) {
            used.push(interface.to_owned());
        }
    }
    used.sort();
    used.dedup();
    Ok(used)
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

fn compatible(version: &str) -> bool {
    version.strip_prefix(CONTRACT).is_some_and(|rest| rest.starts_with('.'))
}

fn check_handler(engine: &Engine, component: &Component) -> Result<(), InspectError> {
    match handler_name(engine, component) {
        Some(name) => {
            let version = name.split_once('@').map_or("", |(_, version)| version);
            if compatible(version) {
                return Ok(());
            }
            Err(InspectError::NoHandler {
                remedy: remedy(version),
                found: format!(" (it has {name})"),
            })
        }
        None => Err(InspectError::NoHandler {
            found: String::new(),
            remedy: REBUILD,
        }),
    }
}

const REBUILD: &str = "build it against this server's SDK";

/// What helps against a version of the contract that this host does not have.
fn remedy(version: &str) -> &'static str {
    let numbers = |version: &str| -> Vec<u32> { version.split('.').map_while(|part| part.parse().ok()).collect() };
    if numbers(version) > numbers(CONTRACT) && !compatible(version) {
        "it is newer than this server: update the server"
    } else {
        REBUILD
    }
}

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
        Some(MAGIC) => InspectError::NotAComponent(reason),
        _ => InspectError::NotWasm,
    }
}

/// The exported handler's name with its version.
fn handler_name(engine: &Engine, component: &Component) -> Option<String> {
    let component_type = component.component_type();
    let mut names = component_type.exports(engine).map(|(name, _)| name.to_owned());
    names.find(|name| name.starts_with("galley:plugin/handler@"))
}

/// Calls `describe` in an instance without any capability: every import traps.
fn describe(engine: &Engine, component: &Component) -> wasmtime::Result<Vec<u8>> {
    let mut linker: Linker<()> = Linker::new(engine);
    linker.define_unknown_imports_as_traps(component)?;
    let pre = linker.instantiate_pre(component)?;
    let missing = || wasmtime::format_err!("it is missing");
    let handler = component.get_export_index(None, &handler_name(engine, component).ok_or_else(missing)?);
    let describe = component
        .get_export_index(Some(&handler.ok_or_else(missing)?), "describe")
        .ok_or_else(missing)?;
    let mut store = Store::new(engine, ());
    let _running = TICKER.run();
    store.set_epoch_deadline(MAX_DESCRIBE_TICKS);
    store.epoch_deadline_trap();
    // Nothing here waits: a future that is not done after the first poll is a fault of the plugin.
    let work = async {
        let instance = pre.instantiate_async(&mut store).await?;
        let describe = instance.get_typed_func::<(), (Vec<u8>,)>(&mut store, &describe)?;
        describe.call_async(&mut store, ()).await.map(|(json,)| json)
    };
    let mut work = std::pin::pin!(work);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match work.as_mut().poll(&mut context) {
        std::task::Poll::Ready(answer) => answer,
        std::task::Poll::Pending => Err(wasmtime::format_err!("it waits for something")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_is_for_the_side_that_is_behind() {
        assert_eq!(remedy("0.0.9"), REBUILD);
        assert_eq!(remedy(""), REBUILD);
        for newer in ["0.2.0", "1.0.0"] {
            assert!(remedy(newer).contains("update the server"), "{newer}");
        }
    }

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
