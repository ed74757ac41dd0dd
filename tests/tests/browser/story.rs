//! From the first sign-in to an approval, by the pages alone: an admin, an editor who was invited, and a guest.

use data_encoding::BASE64;
use galley_tests::node;
use galley_tests::prelude::*;

use super::{in_browser, pages_of};

/// A page of the shop with this in it.
fn shop(content: &str) -> String {
    let page = format!(
        "<!doctype html><html lang=en><head><meta name=viewport content=\"width=device-width\"><title>Shop</title>\
         <link rel=icon href=\"data:,\"><style>body {{ font: 16px sans-serif; margin: 40px 24px }} \
         button {{ font: inherit; padding: 12px 20px }}</style></head>\
         <body><main><h1>Blue linen shirt</h1><p>Woven in Porto.</p>{content}</main></body></html>"
    );
    BASE64.encode(&Bundle::page(&page).build())
}

fn play(own_origin: bool) {
    let (build, origin) = pages_of(Server::build().fresh().without("SERVICE_ADMIN_TOKEN"), own_origin);
    let server = build.start();
    let link = eventually("a one-time link in the log", || server.local_link());
    let task = json!({
        "origin": origin,
        "link": format!("{origin}{link}"),
        "first": shop("<button id=buy>Buy now</button>"),
        "moved": shop("<section><p>Moved</p><div><button id=buy>Buy now</button></div></section>"),
        "gone": shop("<p>Sold out</p>"),
    });
    node::run(&in_browser("story.mjs"), &task);
    healthy(&server);
}

#[test]
fn people_review_a_prototype_from_the_first_sign_in_on_in_path_mode() {
    play(false);
}

#[test]
fn people_review_a_prototype_from_the_first_sign_in_on_on_its_own_origin() {
    play(true);
}
