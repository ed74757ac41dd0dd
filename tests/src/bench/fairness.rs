//! The requests of others beside a plugin that takes what it can.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;

use super::Row;
use super::load::{Figures, Load, median};
use crate::operator::Operator;
use crate::prelude::*;

/// Connections that do the deed.
const HOSTILE: usize = 16;
/// How often each side is measured.
const TURNS: usize = 3;
/// Milliseconds that a call of the hostile plugin may take.
const DEADLINE: u32 = 5_000;

/// What is done, and whether such a call fails. Half a slot's calls failing would switch it off, and harm nobody.
const DEEDS: [(&str, &str, bool); 5] = [
    ("loop", "spin", true),
    ("allocate", "allocate", true),
    ("flood the log", "flood?times=9000", false),
    ("compute 200 ms", "compute?times=200", false),
    ("read without end", "endless-query", true),
];

pub(super) fn measure() -> Result<Vec<Row>> {
    let operator = Operator::of(Server::build().public_links(true));
    operator.add_guest("hostile");
    operator.approve("hostile");
    operator.limit("hostile", "deadline-ms", DEADLINE);
    eventually("the guest's routes answer", || {
        (operator.anonymous().get("/api/v1/x/hostile/nothing").status == 200).then_some(())
    });
    let shop = project_with(&operator.server.user("ed"), "shop", "public-link");
    for number in 0..20 {
        comment(&operator.server.user("vic"), &shop, &format!("Comment {number}"));
    }
    let url = operator.server.url() + &comments(&shop);
    others(&url)?;
    DEEDS.iter().map(|deed| beside(&operator, &url, *deed)).collect()
}

fn beside(operator: &Operator, url: &str, (what, deed, fails): (&str, &str, bool)) -> Result<Row> {
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    for _ in 0..TURNS {
        alone.push(others(url)?);
        stop.store(false, Ordering::Relaxed);
        let measured = std::thread::scope(|scope| {
            for _ in 0..HOSTILE {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        operator.anonymous().get(&format!("/api/v1/x/hostile/{deed}"));
                        done.fetch_add(1, Ordering::Relaxed);
                        for _ in 0..if fails { 2 } else { 0 } {
                            operator.anonymous().get("/api/v1/x/hostile/nothing");
                        }
                    }
                });
            }
            std::thread::sleep(Duration::from_millis(500));
            let measured = others(url);
            stop.store(true, Ordering::Relaxed);
            measured
        });
        beside.push(measured?);
    }
    let of = |turns: &[Figures], figure: fn(&Figures) -> f64| median(&mut turns.iter().map(figure).collect::<Vec<_>>());
    let rates = [&alone, &beside].map(|turns| of(turns, |figures| figures.rate));
    let tails = [&alone, &beside].map(|turns| of(turns, |figures| figures.p99));
    let (rate, tail) = (rates[1] / rates[0], tails[1] / tails[0]);
    Ok(Row {
        what: format!("list 20 comments beside {HOSTILE} connections that {what} ÷ alone"),
        goal: "requests/s ≥ 0.5, p99 ≤ 3",
        result: format!("{rate:.2}, p99 {tail:.1}"),
        detail: format!(
            "{:.0}/s ÷ {:.0}/s, {:.1} ÷ {:.1} ms; {} hostile calls ended",
            rates[1],
            rates[0],
            tails[1],
            tails[0],
            done.load(Ordering::Relaxed)
        ),
        reached: Some(rate >= 0.5 && tail <= 3.0),
    })
}

/// What others get.
fn others(url: &str) -> Result<Figures> {
    let load = Load {
        connections: 4,
        ..Load::of(url)
    };
    let figures = load.figures()?;
    anyhow::ensure!(figures.failed == 0, "others are refused {} times", figures.failed);
    Ok(figures)
}
