//! A list of twenty rows in Python and in JavaScript ÷ the same list in Rust.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::Row;
use super::load::{Load, versus};
use crate::cli::run_within;
use crate::languages::{LANGUAGES, Language, with_more};
use crate::operator::Operator;
use crate::prelude::*;

/// A server compiles ten megabytes meanwhile.
const INSTALL_TIMEOUT: Duration = Duration::from_secs(5 * 60);

pub(super) fn measure() -> Result<Vec<Row>> {
    let operator = Operator::start();
    operator.add_guest("twenty");
    operator.approve("twenty");
    let path = |slot: &str| format!("/api/v1/x/{slot}/remarks");
    let in_rust = eventually("the list in Rust answers", || {
        Some(operator.anonymous().get(&path("twenty"))).filter(|answer| answer.status == 200)
    });
    let mut rows = Vec::new();
    for language in LANGUAGES {
        let component = with_more(language);
        let mut install = operator.server.command();
        install.args(["plugins", "install", "--yes"]).arg(&component);
        let started = Instant::now();
        run_within(&mut install, INSTALL_TIMEOUT).expect(0);
        let installed = started.elapsed();
        let theirs = operator.anonymous().get(&path(language.slot())).expect(200);
        ensure!(theirs.json() == in_rust.json(), "both sides must answer the same");

        let load = |slot: &str| Load::of(operator.server.url() + &path(slot));
        let (a, b) = versus(&load(language.slot()), &load("twenty"))?;
        let (what, goal, least) = match language {
            Language::Python => ("list 20 rows in Python ÷ in Rust", "≥ 0.45 of its requests/s", 0.45),
            Language::StarlingMonkey => (
                "list 20 rows in JavaScript (StarlingMonkey) ÷ in Rust",
                "≥ 0.15 of its requests/s",
                0.15,
            ),
            Language::QuickJs => (
                "list 20 rows in JavaScript (QuickJS) ÷ in Rust",
                "≥ 0.2 of its requests/s",
                0.2,
            ),
        };
        let megabytes = component.metadata()?.len() as f64 / 1e6;
        rows.push(Row {
            what: what.into(),
            goal,
            result: format!("{:.2}", a / b),
            detail: format!(
                "{a:.0}/s ÷ {b:.0}/s; {megabytes:.1} MB, installed in {:.1} s",
                installed.as_secs_f64()
            ),
            reached: Some(a / b >= least),
        });
    }
    Ok(rows)
}
