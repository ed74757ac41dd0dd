//! Twenty comments through the plugin ÷ the same handler by hand.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::Row;
use super::load::{Load, versus};
use crate::poll::within;
use crate::prelude::*;
use crate::process::Process;

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
    let program = std::env::current_exe()?;
    let peer = Process::start(Command::new(program).arg("peer").arg(copy.path().join("comments.db")));
    let address = within(Duration::from_secs(10), || {
        peer.stdout().lines().next().map(str::to_owned)
    });
    let address = address.with_context(|| format!("the peer does not start: {}", peer.stderr()))?;

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
