//! One route that does nothing: what a call costs by itself.

use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// The plugin of the slot `empty`.
pub fn plugin() -> Plugin {
    Plugin::new("empty", env!("CARGO_PKG_VERSION"))
        .setting("colour", "blue", "For tests of settings")
        .route(get("/api/v1/x/empty", empty).guard(Guard::public()))
}

fn empty() -> Json<bool> {
    Json(true)
}
