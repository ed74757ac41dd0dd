//! Requests whose answer has to have a status.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use galley_harness::http::{Request, Response};
use galley_harness::poll::within;
use serde_json::Value;

/// How long a server may take to serve, after it was started.
const SERVING_TIMEOUT: Duration = Duration::from_secs(180);

/// How long it may take to say how it is.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(3);

/// Sends a request and gives the answer, which has to have this status.
pub fn answer(status: u16, request: &Request) -> Result<Response> {
    let place = || format!("{} {} at {}", request.method, request.target, request.to);
    let answer = request.try_send().with_context(place)?;
    ensure!(
        answer.status == status,
        "{}: {} {}",
        place(),
        answer.status,
        answer.text()
    );
    Ok(answer)
}

/// The same, and gives its JSON.
pub fn json(status: u16, request: &Request) -> Result<Value> {
    Ok(serde_json::from_slice(&answer(status, request)?.body)?)
}

/// Waits until a server serves.
pub fn until_it_serves(server: SocketAddr) -> Result<()> {
    let health = Request::new(server, "GET", "/api/v1/health").within(HEALTH_TIMEOUT);
    let healthy = || health.try_send().ok().filter(|answer| answer.status == 200);
    within(SERVING_TIMEOUT, healthy).with_context(|| format!("{server} does not serve"))?;
    Ok(())
}

/// Tries until there is an answer, and gives the last error otherwise.
pub fn tried<T>(time: Duration, mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    let mut last = None;
    let answer = within(time, || attempt().map_err(|error| last = Some(error)).ok());
    match (answer, last) {
        (Some(answer), _) => Ok(answer),
        (None, Some(error)) => Err(error),
        (None, None) => bail!("no answer"),
    }
}
