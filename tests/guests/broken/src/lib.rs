//! Fails when it is started: its slot must answer 503, and the server must not care.

use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// The plugin of the slot `broken`.
pub fn plugin() -> Plugin {
    Plugin::new("broken", env!("CARGO_PKG_VERSION"))
        .on_start(|| Err(Error::conflict("broken on purpose")))
        .route(get("/api/v1/broken", answer).guard(Guard::public()))
}

fn answer() -> Json<bool> {
    Json(true)
}
