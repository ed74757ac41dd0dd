//! What all outbound requests share, whoever answers them.

use std::time::{Duration, Instant};

use ::http::Method;

use super::contract::galley::outbound::outbound::Request;
use super::{Problem, problem};

/// The longest body, in bytes.
const MAX_BODY: usize = 1 << 20;
/// The time before the call's deadline that is left for the plugin to report a missing answer.
const REST: Duration = Duration::from_millis(500);

/// The method of a request.
pub(super) fn method(request: &Request) -> Result<Method, Problem> {
    match request.method.as_str() {
        "GET" => Ok(Method::GET),
        "POST" => Ok(Method::POST),
        "PUT" => Ok(Method::PUT),
        "PATCH" => Ok(Method::PATCH),
        "DELETE" => Ok(Method::DELETE),
        other => Err(problem("bad-request", format!("A request has no method `{other}`."))),
    }
}

/// Refuses a body that is too long.
pub(super) fn check_body(request: &Request) -> Result<(), Problem> {
    match request.body.len() > MAX_BODY {
        true => Err(problem("bad-request", format!("A body has at most {MAX_BODY} bytes."))),
        false => Ok(()),
    }
}

/// How long a request may take.
pub(super) fn time_left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now()).saturating_sub(REST)
}
