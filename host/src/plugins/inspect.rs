//! Inspects a component without granting it anything: its imports, and its manifest from `describe`.

use std::future::Future as _;
use std::path::Path;

use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Store};

use super::cache::{Cache, sha256};
use super::lock::Built;
use super::manifest::{self, ManifestError};

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
    /// It is not a component, or a broken one.
    #[error("its file is not a WebAssembly component this server can compile: {0}")]
    NotAComponent(String),
    /// It exports no handler of this contract.
    #[error("it does not export galley:plugin/handler@{CONTRACT}.x{0}: build it against this server's SDK")]
    NoHandler(String),
    /// It imports an interface this host does not have.
    #[error("it imports {wanted}, and this server has {has}: build it against this server's SDK")]
    UnknownImport {
        /// The import.
        wanted: String,
        /// The interface that this host has instead.
        has: String,
    },
    /// `describe` trapped, took too long, or called the host.
    #[error("its `describe` failed: {0}")]
    Describe(String),
    /// The manifest is not valid.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}

/// A component, and the facts about it that need no call but `describe`.
pub struct Inspected {
    /// Ready to be linked.
    pub component: Component,
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
        .map_err(|error| InspectError::NotAComponent(first_line(error)))?;
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
        component,
        from_cache,
        built,
    })
}

/// Interfaces of the contract, with the version this host has of each. All are 0.1 today.
const INTERFACES: [&str; 25] = [
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
    "galley:http/context",
    "galley:http/types",
    "galley:log/log",
    "galley:logs/logs",
    "galley:mail/mail",
    "galley:outbound/outbound",
    "galley:projects/projects",
    "galley:random/random",
    "galley:settings/settings",
    "galley:sites/sites",
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
            return Err(InspectError::UnknownImport { wanted: name, has });
        }
        if !wasi && !compatible(version) {
            let has = format!("{interface}@{CONTRACT}.x");
            return Err(InspectError::UnknownImport { wanted: name, has });
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
        Some(name) if compatible(name.split_once('@').map_or("", |(_, version)| version)) => Ok(()),
        Some(name) => Err(InspectError::NoHandler(format!(" (it has {name})"))),
        None => Err(InspectError::NoHandler(String::new())),
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
