//! Parts of the pages that plugins bring: the panel of approvals, and one that tries to get out of its frame.

use data_encoding::BASE64;
use galley_tests::node;
use galley_tests::operator::Operator;
use galley_tests::prelude::*;
use galley_tests::server::ADMIN_TOKEN;

use super::{in_browser, pages_of};

fn play(own_origin: bool, intruder: bool) {
    let (build, origin) = pages_of(Server::build(), own_origin);
    let operator = Operator::of(build.public_links(true));
    if intruder {
        operator.add_guest("intruder");
        operator.approve("intruder");
        eventually("the intruder's panel is there", || {
            let ui = operator.server.anonymous().get("/api/v1/ui").expect(200);
            String::from_utf8_lossy(&ui.body).contains("\"Intruder\"").then_some(())
        });
    }
    let admin = operator.server.admin();
    let project = project_with(&admin, "shop", "public-link");
    let shop = |heading: &str| Bundle::page(&format!("<!doctype html><title>Shop</title><h1>{heading}</h1>")).build();
    upload_bytes(&admin, &project, shop("Shop")).expect(201);
    let ed = operator.server.user("ed");
    node::run(
        &in_browser("plugin_ui.mjs"),
        &json!({
            "origin": origin,
            "ed": ed.secret(),
            "bearer": ADMIN_TOKEN,
            "intruder": intruder,
            "project": project,
            "next": BASE64.encode(&shop("The next shop")),
        }),
    );
    healthy(&operator.server);
}

#[test]
fn people_approve_a_version_in_the_panel_of_a_plugin() {
    play(false, false);
}

#[test]
fn a_hostile_panel_stays_in_its_frame() {
    play(false, true);
}

#[test]
fn a_hostile_panel_stays_in_its_frame_beside_prototypes_of_their_own_origin() {
    play(true, true);
}
