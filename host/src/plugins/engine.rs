//! The WebAssembly engine: one for the process, with instances from a pool and a ticking epoch.

use std::time::Duration;

use wasmtime::{Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use super::ticker::{Rest, TICKER};
use crate::storage::priority::TURN;

/// How long guest code runs before it yields to other requests of its thread. In the slow lane it is a turn.
pub const TICK: Duration = TURN;

/// The most instances at the same time, of all plugins together, idle ones included.
pub const MAX_INSTANCES: u32 = 1_000;

/// The largest linear memory any plugin can be granted, in bytes.
pub const MAX_MEMORY: usize = 256 << 20;

/// Guest code and the host functions it calls share a stack; a fiber has both halves.
const MAX_WASM_STACK: usize = 512 << 10;

/// Makes the engine. Instances come from a pool when the kernel lets us reserve its address space; otherwise they are
/// allocated one by one, which makes creating them slower. The log says which.
pub fn engine() -> wasmtime::Result<Engine> {
    let mut pooled = base();
    pooled.allocation_strategy(InstanceAllocationStrategy::Pooling(pool()));
    let engine = match Engine::new(&pooled) {
        Ok(engine) => engine,
        Err(error) => {
            tracing::warn!(
                "plugin instances are made one by one, which is slower: no pool could be reserved ({error})"
            );
            Engine::new(&base())?
        }
    };
    start_ticking(&engine)?;
    Ok(engine)
}

fn base() -> Config {
    let mut config = Config::new();
    config.wasm_component_model(true);
    // Synchronous component functions only: half the cost of a call (see tests/BENCHMARKS.md).
    config.concurrency_support(false);
    config.epoch_interruption(true);
    config.max_wasm_stack(MAX_WASM_STACK);
    config.async_stack_size(2 * MAX_WASM_STACK);
    config.wasm_backtrace_details(wasmtime::WasmBacktraceDetails::Enable);
    config
}

fn pool() -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(MAX_INSTANCES)
        // Components of other toolchains hold several core modules and memories each.
        .total_core_instances(4 * MAX_INSTANCES)
        .total_memories(2 * MAX_INSTANCES)
        .total_tables(4 * MAX_INSTANCES)
        .total_stacks(MAX_INSTANCES)
        .max_core_instances_per_component(32)
        .max_memories_per_component(4)
        .max_tables_per_component(32)
        .table_elements(100_000)
        .max_memory_size(MAX_MEMORY)
        .linear_memory_keep_resident(1 << 20)
        .table_keep_resident(64 << 10)
        .max_unused_warm_slots(16)
        .pagemap_scan(wasmtime::Enabled::Auto);
    pool
}

/// Advances the epoch while guests run, for as long as the engine lives.
fn start_ticking(engine: &Engine) -> wasmtime::Result<()> {
    let weak = engine.weak();
    std::thread::Builder::new().name("epoch".to_owned()).spawn(move || {
        let mut rest = Rest::default();
        while let Some(engine) = weak.upgrade() {
            engine.increment_epoch();
            drop(engine);
            std::thread::sleep(TICK);
            TICKER.rest(&mut rest);
        }
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capabilities::Limits;

    #[test]
    fn limits_take_what_the_pool_has() {
        let most = [
            format!("memory={}MiB", MAX_MEMORY >> 20),
            format!("concurrency={MAX_INSTANCES}"),
        ];
        let more = [
            format!("memory={}MiB", (MAX_MEMORY >> 20) + 1),
            format!("concurrency={}", MAX_INSTANCES + 1),
        ];
        for (most, more) in most.iter().zip(&more) {
            let mut limits = Limits::default();
            assert!(limits.set(most).is_ok() && limits.set(more).is_err(), "{most}");
        }
    }
}
