//! One route for each guard of the table: it answers 204 to whoever passes.

use galley_guard_table::GUARDS;
use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// The plugin of the slot `guards`.
pub fn plugin() -> Plugin {
    let plugin = Plugin::new("guards", env!("CARGO_PKG_VERSION"))
        .route(get("/api/v1/x/guards/nothing", passed).guard(Guard::public()));
    GUARDS.into_iter().fold(plugin, |plugin, (path, guard)| {
        plugin.route(get(path, passed).guard(Guard::from(guard)))
    })
}

fn passed() -> NoContent {
    NoContent
}
