//! Claims the list of comments for a slot of its own, with other names for the parts of the path.

use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// The plugin of the slot `clash`.
pub fn plugin() -> Plugin {
    let route = get("/api/v1/projects/{id}/comments", list).guard(Guard::project_read().project_param("id"));
    Plugin::new("clash", env!("CARGO_PKG_VERSION")).route(route)
}

fn list() -> Json<bool> {
    Json(true)
}
