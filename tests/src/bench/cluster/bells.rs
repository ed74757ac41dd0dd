//! How soon a write at one node rings at another.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::super::Row;
use super::super::load::quantile;
use super::{cluster, node};
use crate::client::Client;
use crate::prelude::*;

/// Writes that ring.
const RINGS: usize = 300;
/// How long a stream may be silent.
const STREAM_TIMEOUT: Duration = Duration::from_secs(30);

pub(super) fn measure() -> Result<Vec<Row>> {
    let cluster = cluster();
    let (one, other) = (node(&cluster), node(&cluster));
    let row = between(&one, &other)?;
    drop((one, other));
    cluster.delete();
    Ok(vec![row])
}

/// From the request of a write to the bell at streams of the same node and of another one.
fn between(one: &Server, other: &Server) -> Result<Row> {
    let shop = project_with(&one.user("ed"), "bells", "public-link");
    let path = format!("{}/stream", comments(&shop));
    let writer = one.user("vic");
    let listen = |client: Client| {
        let stream = client.stream(&path);
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            while let Ok(Some(event)) = stream.next_within(STREAM_TIMEOUT) {
                if event.data.contains("changed") && tell.send(Instant::now()).is_err() {
                    return;
                }
            }
        });
        told
    };
    let (here, there) = (listen(one.anonymous()), listen(other.anonymous()));
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for ring in 0..RINGS {
        let began = Instant::now();
        comment(&writer, &shop, &format!("Ring {ring}"));
        for (heard, times) in [(&here, &mut near), (&there, &mut far)] {
            let at = heard
                .recv_timeout(Duration::from_secs(10))
                .context("a stream was not rung")?;
            times.push((at - began).as_secs_f64() * 1e3);
        }
    }
    let (near, far) = (quantile(&mut near, 0.99), quantile(&mut far, 0.99));
    Ok(Row {
        what: "a write's bell at another node ÷ at the same, p99".into(),
        goal: "≤ 2",
        result: format!("{:.2}", far / near),
        detail: format!("{far:.1} ÷ {near:.1} ms over {RINGS} writes, the write included"),
        reached: Some(far / near <= 2.0),
    })
}
