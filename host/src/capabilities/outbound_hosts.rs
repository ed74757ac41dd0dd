//! `galley:outbound` to the hosts of the manifest, with the operator's secrets.

use std::sync::Arc;
use std::time::Duration;

use galley_manifest::HostRule;

use super::contract::galley::outbound::outbound::{Request, Response};
use super::counters::count;
use super::outbound_request::{checked, time_left};
use super::{Problem, Services, State, problem};
use crate::outside::{Answer, Budget, Credential, Outgoing, OutsideError};

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
        let (method, headers) = checked(request, rule)?;
        Ok(Ready {
            outgoing: Outgoing {
                method,
                host: host.to_owned(),
                path: request.path.clone(),
                headers,
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
