//! What all outbound requests share, whoever answers them.

use std::time::{Duration, Instant};

use ::http::{HeaderMap, HeaderName, HeaderValue, Method};
use galley_manifest::{HostRule, OutboundRequest};

use super::contract::galley::outbound::outbound::Request;
use super::{Problem, problem};
use crate::telemetry;

/// The time before the call's deadline that is left for the plugin to report a missing answer.
const REST: Duration = Duration::from_millis(500);

/// Checks a request against the rule that allows its host; gives its method and its headers.
pub(super) fn checked(request: &Request, rule: &HostRule<String>) -> Result<(Method, HeaderMap), Problem> {
    let bad = |message: String| problem("bad-request", message);
    let parts = OutboundRequest {
        method: &request.method,
        path: &request.path,
        headers: &request.headers,
        body: request.body.len(),
    };
    parts.check(rule).map_err(bad)?;
    let method = Method::from_bytes(request.method.as_bytes());
    let method = method.map_err(|_| bad("A request has no such method.".to_owned()))?;
    let mut headers = HeaderMap::new();
    for (name, value) in &request.headers {
        let header = HeaderName::try_from(name).ok().zip(HeaderValue::try_from(value).ok());
        let Some((name, value)) = header else {
            return Err(bad(format!("The header `{}` cannot be sent.", name.escape_debug())));
        };
        headers.append(name, value);
    }
    telemetry::inject(&mut headers);
    Ok((method, headers))
}

/// How long a request may take.
pub(super) fn time_left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now()).saturating_sub(REST)
}
