//! Boot with warm caches: from starting the program to its first healthy answer, and the memory it holds then.

use std::time::Instant;

use galley_tests::prelude::*;

use crate::{Row, median};

pub fn measure() -> Vec<Row> {
    let mut server = Server::start();
    let (mut times, mut resident) = (Vec::new(), 0);
    for _ in 0..9 {
        server.stop();
        let started = Instant::now();
        server.again();
        server.anonymous().get("/api/v1/health").expect(200);
        times.push(started.elapsed().as_secs_f64() * 1000.0);
        resident = server.resident();
    }
    let (time, megabytes) = (median(times), resident as f64 / (1 << 20) as f64);
    vec![Row {
        what: "boot to the first healthy answer, warm cache; resident memory then".into(),
        goal: "≤ 150 ms, ≤ 60 MB",
        measured: format!("{time:.0} ms, {megabytes:.0} MB"),
        reached: time <= 150.0 && megabytes <= 60.0,
    }]
}
