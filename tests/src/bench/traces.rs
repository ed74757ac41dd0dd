//! A list of twenty comments with traces sent to a collector, beside the same without.

use anyhow::Result;

use super::Row;
use super::load::{Load, versus};
use crate::collector::Collector;
use crate::prelude::*;

const GOAL: f64 = 1.1;

pub(super) fn measure() -> Result<Vec<Row>> {
    let collector = Collector::start();
    let off = Server::build().public_links(true);
    let on = Server::build()
        .public_links(true)
        .env("SERVICE_OTLP_ENDPOINT", collector.endpoint());
    let [(off, without), (on, with)] = [off, on].map(|build| {
        let server = build.start();
        let shop = project_with(&server.user("ed"), "shop", "public-link");
        for number in 0..20 {
            comment(&server.user("vic"), &shop, &format!("Comment {number}"));
        }
        let url = server.url() + &comments(&shop);
        (server, url)
    });
    let (plain, traced) = versus(&Load::of(without), &Load::of(with))?;
    drop((off, on));
    let spans = collector.spans().len();
    Ok(vec![Row {
        what: "list 20 comments, traces on ÷ off".into(),
        goal: "≤ 1.1 of the time",
        result: format!("{:.2}", plain / traced),
        detail: format!("{plain:.0}/s ÷ {traced:.0}/s, {spans} spans arrived"),
        reached: Some(plain / traced <= GOAL),
    }])
}
