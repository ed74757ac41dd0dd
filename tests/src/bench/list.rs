//! Twenty comments through the plugin ÷ the same handler by hand.

use anyhow::{Context, Result, ensure};

use super::load::{Load, versus};
use super::{Row, peer_of};
use crate::prelude::*;

pub(super) fn measure() -> Result<Vec<Row>> {
    let mut server = Server::build().public_links(true).start();
    let shop = project_with(&server.user("ed"), "shop", "public-link");
    for number in 0..20 {
        let text = format!("Comment {number}: the spacing above the price is off by a few pixels on small screens.");
        comment(&server.user("vic"), &shop, &text);
    }
    // The peer reads a copy, taken while nobody writes.
    server.stop();
    let copy = tempfile::tempdir()?;
    crate::disk::copy(&server.data_dir().join("slots"), copy.path());
    server.again();
    let (_peer, address) = peer_of(&["peer".as_ref(), copy.path().join("comments.db").as_os_str()])?;

    let path = comments(&shop);
    let ours = server.anonymous().get(&path).expect(200);
    let peers = address.strip_prefix("http://").context("an address")?.parse()?;
    let theirs = crate::http::Request::new(peers, "GET", &path).send().expect(200);
    ensure!(ours.json() == theirs.json(), "both sides must answer the same");

    let (a, b) = versus(&Load::of(server.url() + &path), &Load::of(address + &path))?;
    Ok(vec![Row {
        what: "list 20 comments through the plugin ÷ the same handler in plain axum + rusqlite".into(),
        goal: "≥ 0.9 of its requests/s",
        result: format!("{:.2}", a / b),
        detail: format!("{a:.0}/s ÷ {b:.0}/s"),
        reached: Some(a / b >= 0.9),
    }])
}
