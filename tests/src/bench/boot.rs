//! From the start of the program to the first healthy answer, with everything compiled before; and its memory then.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::Row;
use super::load::median;
use crate::http::Request;
use crate::poll::within;
use crate::process::Process;
use crate::server::{Server, resident};
use galley_harness::ports::free_port;

/// How often it is started.
pub(super) const BOOTS: usize = 11;

pub(super) fn measure() -> Result<Vec<Row>> {
    // A server on a copy of the template has everything in its cache.
    let mut server = Server::start();
    server.stop();
    let (time, size) = boots(&server)?;
    Ok(vec![Row {
        what: "boot to first healthy answer, warm cache; resident memory then".into(),
        goal: "≤ 150 ms, ≤ 60 MB",
        result: format!("{time:.0} ms, {size:.0} MB"),
        detail: format!("median of {BOOTS}"),
        reached: Some(time <= 150.0 && size <= 60.0),
    }])
}

/// Milliseconds from the start of a server that was stopped to its first healthy answer, and its memory then in MB: the medians of
/// [`BOOTS`].
pub(super) fn boots(server: &Server) -> Result<(f64, f64)> {
    let (mut times, mut sizes) = (Vec::new(), Vec::new());
    for _ in 0..BOOTS {
        let port = free_port();
        let address = std::net::SocketAddr::from(([127, 0, 0, 1], port));
        let started = Instant::now();
        let mut process = Process::start(server.command().arg("serve").env("SERVICE_LISTEN", address.to_string()));
        let health = Request::new(address, "GET", "/api/v1/health");
        loop {
            if health.try_send().is_ok_and(|answer| answer.status == 200) {
                break;
            }
            anyhow::ensure!(
                started.elapsed() < Duration::from_secs(30),
                "no healthy answer: {}",
                process.stderr()
            );
            std::thread::sleep(Duration::from_micros(500));
        }
        times.push(started.elapsed().as_secs_f64() * 1e3);
        sizes.push(resident(process.id()) as f64 / f64::from(1 << 20));
        process.signal("TERM");
        within(Duration::from_secs(20), || process.ended()).context("the server does not end")?;
    }
    Ok((median(&mut times), median(&mut sizes)))
}
