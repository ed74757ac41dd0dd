//! What a component says of itself: its manifest, and the files of its part of the pages. It is asked in an instance without any
//! capability, so that nothing it says depends on anything: WASI is empty, and every other import traps.

use std::future::Future;
use std::task::{Context, Poll, Waker};

use wasmtime::component::{Component, Instance, Linker, ResourceTable};
use wasmtime::{Engine, Store};
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use super::assets::{MAX_FILES, MAX_PATH_BYTES};
use super::ticker::TICKER;
use super::{absent, exception};

/// The most ticks of the engine's clock that the calls may take: one second.
const MAX_TICKS: u64 = 500;

/// The most bytes that they may print; more is a trap.
const MAX_PRINTED: usize = 64 << 10;

/// The manifest, as the export `handler`, named with its version, describes it.
pub fn describe(engine: &Engine, component: &Component, handler: &str) -> wasmtime::Result<Vec<u8>> {
    ask(engine, component, async |store, instance| {
        let describe = function(component, handler, "describe")?;
        let describe = instance.get_typed_func::<(), (Vec<u8>,)>(&mut *store, &describe)?;
        Ok(describe.call_async(store, ()).await?.0)
    })
}

/// The files that the export `ui`, named with its version, has: path and content.
pub fn assets(engine: &Engine, component: &Component, ui: &str) -> wasmtime::Result<Vec<(String, Vec<u8>)>> {
    ask(engine, component, async |store, instance| {
        let list = function(component, ui, "assets")?;
        let list = instance.get_typed_func::<(), (Vec<String>,)>(&mut *store, &list)?;
        let read = function(component, ui, "asset")?;
        let read = instance.get_typed_func::<(&str,), (Option<Vec<u8>>,)>(&mut *store, &read)?;
        let (paths,) = list.call_async(&mut *store, ()).await?;
        if paths.len() > MAX_FILES || paths.iter().any(|path| path.len() > MAX_PATH_BYTES) {
            wasmtime::bail!(
                "it lists {} files, and at most {MAX_FILES} with paths of {MAX_PATH_BYTES} bytes are possible",
                paths.len()
            );
        }
        let mut files = Vec::new();
        for path in paths {
            let (content,) = read.call_async(&mut *store, (&path,)).await?;
            let Some(content) = content else {
                wasmtime::bail!("it lists `{}`, and does not have it", path.escape_debug());
            };
            files.push((path, content));
        }
        Ok(files)
    })
}

fn function(
    component: &Component,
    interface: &str,
    name: &str,
) -> wasmtime::Result<wasmtime::component::ComponentExportIndex> {
    let interface = component.get_export_index(None, interface);
    let function = interface.and_then(|interface| component.get_export_index(Some(&interface), name));
    function.ok_or_else(|| wasmtime::format_err!("`{name}` is missing"))
}

/// Runs calls of one bare instance.
fn ask<T>(
    engine: &Engine,
    component: &Component,
    calls: impl AsyncFnOnce(&mut Store<Bare>, Instance) -> wasmtime::Result<T>,
) -> wasmtime::Result<T> {
    let mut linker: Linker<Bare> = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    absent::define(&mut linker, component, |import| {
        !absent::is_wasi(import) || absent::is_missing_wasi(import)
    })?;
    let pre = linker.instantiate_pre(component)?;
    let mut store = Store::new(engine, Bare::new());
    let _running = TICKER.run();
    store.set_epoch_deadline(MAX_TICKS);
    store.epoch_deadline_trap();
    let printed = store.data().printed.clone();
    let work = async {
        let instance = pre.instantiate_async(&mut store).await?;
        calls(&mut store, instance).await
    };
    // Nothing here waits: a future that is not done after the first poll is a fault of the plugin.
    let mut work = std::pin::pin!(work);
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer.map_err(|error| {
            let printed = exception::text(&String::from_utf8_lossy(&printed.contents()));
            printed.map_or(error, wasmtime::Error::msg)
        }),
        Poll::Pending => Err(wasmtime::format_err!("it waits for something")),
    }
}

/// An empty WASI. What is printed says why a call failed, and is dropped otherwise.
struct Bare {
    context: WasiCtx,
    table: ResourceTable,
    printed: MemoryOutputPipe,
}

impl Bare {
    fn new() -> Self {
        let printed = MemoryOutputPipe::new(MAX_PRINTED);
        Self {
            context: WasiCtx::builder().stderr(printed.clone()).build(),
            table: ResourceTable::new(),
            printed,
        }
    }
}

impl WasiView for Bare {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.context,
            table: &mut self.table,
        }
    }
}
