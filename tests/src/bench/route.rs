//! A route that does nothing ÷ a component that does nothing under `wasmtime serve`.
//!
//! The contracts differ, so the component of the other side is written in the text format beside this file: as small as
//! a component for `wasi:http` can be.

use std::process::Command;

use anyhow::Result;

use super::Row;
use super::load::{Load, versus};
use crate::http::Request;
use crate::operator::Operator;
use crate::prelude::*;
use crate::process::Process;
use galley_harness::ports::free_port;

const WHAT: &str = "an empty plugin route ÷ an empty component under `wasmtime serve`";
const GOAL: &str = "≥ 2";
const COMPONENT: &str = include_str!("empty-wasi-http.wat");

pub(super) fn measure() -> Result<Vec<Row>> {
    let version = Command::new("wasmtime").arg("--version").output();
    let Ok(version) = version else {
        return Ok(vec![Row::skipped(
            WHAT,
            GOAL,
            "`wasmtime` is not on the PATH: `cargo install wasmtime-cli@48`",
        )]);
    };
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();

    let operator = Operator::start();
    operator.add_guest("empty");
    operator.approve("empty");
    let ours = format!("{}/api/v1/x/empty", operator.server.url());
    eventually("the empty route answers", || {
        (operator.anonymous().get("/api/v1/x/empty").status == 200).then_some(())
    });

    let folder = tempfile::tempdir()?;
    let file = folder.path().join("empty.wat");
    std::fs::write(&file, COMPONENT)?;
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], free_port()));
    let mut serve = Command::new("wasmtime");
    serve.arg("serve").arg("--addr").arg(address.to_string()).arg(&file);
    let process = Process::start(&mut serve);
    let ask = || {
        Request::new(address, "GET", "/")
            .try_send()
            .ok()
            .filter(|answer| answer.status == 200)
    };
    if crate::poll::within(crate::poll::WAIT_TIMEOUT, ask).is_none() {
        anyhow::bail!("`wasmtime serve` does not answer: {}", process.stderr());
    }
    let (a, b) = versus(&Load::of(ours), &Load::of(format!("http://{address}/")))?;
    Ok(vec![Row {
        what: WHAT.into(),
        goal: GOAL,
        result: format!("{:.2}", a / b),
        detail: format!("{a:.0}/s ÷ {b:.0}/s ({version})"),
        reached: Some(a / b >= 2.0),
    }])
}
