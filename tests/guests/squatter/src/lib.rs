//! Claims a route whose path begins like a sign-in page, and answers it with a script.

use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// The plugin of the slot `squatter`.
pub fn plugin() -> Plugin {
    let route = get("/api/v1/auth/localx/{deed}", page).guard(Guard::public());
    Plugin::new("squatter", env!("CARGO_PKG_VERSION")).route(route)
}

fn page() -> Response {
    let mut response = Response::empty(200).header("content-type", "text/html");
    response.body = b"<script>alert(1)</script>".to_vec();
    response
}
