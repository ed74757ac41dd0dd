//! `/projects/:slug`: the review, by two people, a guest and without a mouse, on the real pages.

use data_encoding::BASE64;
use galley_tests::node;
use galley_tests::prelude::*;
use galley_tests::server::ADMIN_TOKEN;

use super::{in_browser, pages_of};

/// A page of the shop with this in it, and a second page.
fn shop(content: &str) -> Vec<u8> {
    let page = |main: &str| {
        format!(
            "<!doctype html><html lang=en><head><meta name=viewport content=\"width=device-width\"><title>Shop</title>\
             <link rel=icon href=\"data:,\"><style>body {{ font: 16px sans-serif; margin: 40px 24px }} \
             button {{ font: inherit; padding: 12px 20px }}</style></head>\
             <body><nav><a href=\"./\">Shop</a> <a href=\"about\">About</a></nav><main>{main}</main></body></html>"
        )
    };
    Bundle::page(&page(&format!(
        "<h1>Blue linen shirt</h1><p>Woven in Porto.</p>{content}"
    )))
    .file("about.html", page("<h1>About us</h1>"))
    .build()
}

/// Plays the whole review; in own-origin mode the prototype is at an address of its own.
fn is_reviewed(own_origin: bool) {
    let (build, origin) = pages_of(Server::build(), own_origin);
    let server = build.public_links(true).anonymous_comments(true).start();
    let admin = server.admin();
    let project = project_with(&admin, "shop", "public-link");
    upload_bytes(&admin, &project, shop("<button id=buy>Buy now</button>")).expect(201);
    let task = json!({
        "origin": origin,
        "ada": server.user("ada").secret(),
        "ed": server.user("ed").secret(),
        "bearer": ADMIN_TOKEN,
        "project": project,
        "moved": BASE64.encode(&shop("<section><p>Moved</p><div><button id=buy>Buy now</button></div></section>")),
        "gone": BASE64.encode(&shop("<p>Sold out</p>")),
    });
    node::run(&in_browser("review.mjs"), &task);
    healthy(&server);
}

#[test]
fn a_prototype_is_reviewed_in_path_mode() {
    is_reviewed(false);
}

#[test]
fn a_prototype_is_reviewed_on_its_own_origin() {
    is_reviewed(true);
}
