//! From the first sign-in to an approval, by the pages alone: an admin, an editor who was invited, and a guest.

use galley_tests::node;
use galley_tests::prelude::*;

use super::apps::{FIRST, GONE, MOVED, SHOP};
use super::{in_browser, pages_of};

fn play(own_origin: bool) {
    let (build, origin) = pages_of(Server::build().fresh().without("SERVICE_ADMIN_TOKEN"), own_origin);
    let server = build.start();
    let link = eventually("a one-time link in the log", || server.local_link());
    let task = json!({
        "origin": origin,
        "link": format!("{origin}{link}"),
        "first": SHOP.archive(FIRST),
        "moved": SHOP.archive(MOVED),
        "gone": SHOP.archive(GONE),
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
