//! `galley:outbound` to the hosts of the manifest, with the operator's secrets.

use std::sync::Arc;
use std::time::Duration;

use ::http::{HeaderMap, HeaderName, HeaderValue};
use galley_manifest::{HostRule, may_send_header};

use super::contract::galley::outbound::outbound::{Request, Response};
use super::counters::count;
use super::outbound_request::{check_body, method, time_left};
use super::{Problem, Services, State, problem};
use crate::outside::{Answer, Budget, Credential, Outgoing, OutsideError};
use crate::telemetry;

/// The most headers of a request, and their bytes.
const MAX_HEADERS: usize = 32;
const MAX_HEADER_BYTES: usize = 16 << 10;
/// Headers of an answer that are no business of a plugin: cookies, and those of the connection.
const UNSEEN: [&str; 10] = [
    "connection",
    "content-length",
    "keep-alive",
    "proxy-authenticate",
    "set-cookie",
    "set-cookie2",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A request to a host that was checked.
pub(super) struct Ready {
    outgoing: Outgoing,
    services: Arc<Services>,
    /// The time limit.
    time: Duration,
}

impl State {
    /// Whether the name of a credential is that of a host: credentials of the server have no dot.
    pub(super) fn is_host(&self, credential: &str) -> bool {
        credential.contains('.') && !credential.contains(':')
    }

    /// The request, with everything that is needed to send it without this state.
    pub(super) fn prepare_host(&self, request: &Request) -> Result<Ready, Problem> {
        let host = request.credential.as_str();
        let Some(rule) = self
            .slot
            .hosts
            .iter()
            .find(|rule| rule.is_host() && rule.name() == host)
        else {
            count(&self.slot.counters.denied);
            return Err(problem(
                "denied",
                format!(
                    "The manifest of the plugin `{}` does not list the host `{}`.",
                    self.slot.name,
                    host.escape_debug()
                ),
            ));
        };
        check_body(request)?;
        Ok(Ready {
            outgoing: Outgoing {
                method: method(request)?,
                host: host.to_owned(),
                path: request.path.clone(),
                headers: headers(request, rule)?,
                body: request.body.clone(),
                credential: self.secret_for(rule)?,
            },
            services: self.slot.services.clone(),
            time: time_left(self.call.deadline),
        })
    }

    fn secret_for(&self, rule: &HostRule<String>) -> Result<Option<Credential>, Problem> {
        let Some(key) = rule.secret() else { return Ok(None) };
        let Some(secret) = self.slot.secret(&self.slot.services.sealer, key) else {
            let slot = &self.slot.name;
            return Err(problem(
                "unconfigured",
                format!("The secret `{key}` is not set: `galley plugins config {slot} --secret {key}` sets it."),
            ));
        };
        let header = rule.header().map(str::to_owned);
        Ok(Some(Credential { secret, header }))
    }
}

/// The headers that the plugin sends.
fn headers(request: &Request, rule: &HostRule<String>) -> Result<HeaderMap, Problem> {
    let bad = |message: String| problem("bad-request", message);
    let bytes: usize = request
        .headers
        .iter()
        .map(|(name, value)| name.len() + value.len())
        .sum();
    if request.headers.len() > MAX_HEADERS || bytes > MAX_HEADER_BYTES {
        return Err(bad(format!(
            "A request has at most {MAX_HEADERS} headers with {MAX_HEADER_BYTES} bytes."
        )));
    }
    let mut headers = HeaderMap::new();
    for (name, value) in &request.headers {
        let lower = name.to_ascii_lowercase();
        let may_send = may_send_header(&lower) && rule.header() != Some(lower.as_str());
        let header = may_send.then(|| HeaderName::try_from(lower).ok()).flatten();
        let Some((header, value)) = header.zip(HeaderValue::try_from(value).ok()) else {
            return Err(bad(format!("The header `{}` cannot be sent.", name.escape_debug())));
        };
        headers.append(header, value);
    }
    telemetry::inject(&mut headers);
    Ok(headers)
}

impl Ready {
    pub(super) async fn send(self, budget: &Budget) -> Result<Response, Problem> {
        let host = self.outgoing.host.clone();
        let sent = self.services.outside.send(self.outgoing, budget);
        match tokio::time::timeout(self.time, sent).await {
            Ok(Ok(answer)) => Ok(describe(&answer)),
            Ok(Err(error)) => Err(explain(&host, &error)),
            Err(_) => Err(problem("unreachable", format!("`{host}` did not answer in time."))),
        }
    }
}

fn describe(answer: &Answer) -> Response {
    let seen = answer
        .headers
        .iter()
        .filter(|(name, _)| !UNSEEN.contains(&name.as_str()));
    Response {
        status: answer.status.as_u16(),
        headers: seen
            .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())))
            .collect(),
        body: answer.body.to_vec(),
    }
}

/// Errors as the contract's codes. What only the operator can mend goes to the log.
fn explain(host: &str, error: &OutsideError) -> Problem {
    match error {
        OutsideError::Bad(message) => problem("bad-request", format!("The request to `{host}`: {message}.")),
        OutsideError::Unreachable(message) => {
            tracing::warn!("the host {host} cannot be asked: {message}");
            problem("unreachable", format!("`{host}` cannot be asked: {message}."))
        }
        OutsideError::Configuration(message) => {
            tracing::error!("the host {host} cannot be asked: {message}");
            problem(
                "unreachable",
                format!("`{host}` cannot be asked. The reason is in the server's log."),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_does_not_say_who_asks() {
        let rule = HostRule::WithSecret {
            host: "api.example.com".to_owned(),
            secret: "token".to_owned(),
            header: Some("x-api-key".to_owned()),
        };
        let request = |name: &str, times: usize| Request {
            credential: "api.example.com".into(),
            method: "GET".into(),
            path: "/".into(),
            headers: vec![(name.into(), "x".into()); times],
            body: Vec::new(),
        };
        assert!(headers(&request("X-Anything", 32), &rule).is_ok());
        for (name, times) in [
            ("Authorization", 1),
            ("Host", 1),
            ("cookie", 1),
            ("X-Api-Key", 1),
            ("proxy-authorization", 1),
            ("x-forwarded-for", 1),
            ("transfer-encoding", 1),
            ("content-length", 1),
            ("a b", 1),
            ("x\r\ny", 1),
            ("x-many", 33),
        ] {
            assert_eq!(
                headers(&request(name, times), &rule).unwrap_err().code,
                "bad-request",
                "{name}"
            );
        }
    }
}
