//! `galley:outbound` with credentials of the code host.

use std::sync::Arc;
use std::time::Duration;

use ::http::{HeaderName, StatusCode};
use galley_manifest::HostRule;

use super::contract::galley::outbound::outbound::{Request, Response};
use super::outbound_request::{checked, time_left};
use super::{Problem, Services, State, problem};
use crate::codehost::{Answer, CodeHostApp, CodeHostError, Installation, Outgoing, People, Secret};
use crate::identity::Caller;

/// Headers that a plugin gets, beside those about rate limits.
const SEEN: [&str; 4] = ["content-type", "etag", "link", "retry-after"];

/// A parsed credential name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Credential {
    Caller,
    App,
    Installation(Installation),
}

impl Credential {
    fn parse(name: &str) -> Option<Self> {
        match name.split_once(':') {
            None if name == "codehost-caller" => Some(Self::Caller),
            None if name == "codehost-app" => Some(Self::App),
            Some(("codehost-installation", id)) if id.bytes().all(|byte| byte.is_ascii_digit()) => {
                id.parse().ok().map(Self::Installation)
            }
            _ => None,
        }
    }
}

/// A secret to attach, and its origin.
enum Attached {
    Caller {
        people: Arc<People>,
        account: String,
        token: Secret,
    },
    App(Secret),
    Installation(Secret),
}

impl Attached {
    fn secret(&self) -> &Secret {
        match self {
            Self::Caller { token: secret, .. } | Self::App(secret) | Self::Installation(secret) => secret,
        }
    }
}

impl State {
    /// The credential the current caller may use by this name, and the rule that grants it.
    fn credential(&self, name: &str) -> Result<(Credential, &HostRule<String>), Problem> {
        let denied = |message: String| Err(problem("denied", message));
        let group = name.split(':').next().unwrap_or_default();
        let Some(credential) = Credential::parse(name) else {
            return denied(format!("There is no credential `{group}`."));
        };
        let Some(rule) = self.slot.hosts.iter().find(|approved| approved.name() == group) else {
            return denied(format!(
                "The plugin `{}` was not granted the credential `{group}`.",
                self.slot.name
            ));
        };
        let by_host = self.call.system || matches!(self.call.caller, Caller::Admin);
        if credential != Credential::Caller && !by_host {
            return denied(format!(
                "The credential `{group}` is for the admin bearer and the server itself."
            ));
        }
        Ok((credential, rule))
    }

    /// The request, with everything that is needed to send it without this state.
    pub(super) fn prepare_codehost(&self, request: &Request) -> Result<Ready, Problem> {
        let (credential, rule) = self.credential(&request.credential)?;
        let (method, headers) = checked(request, rule)?;
        Ok(Ready {
            credential,
            outgoing: Outgoing {
                method,
                path: request.path.clone(),
                headers,
                body: request.body.clone(),
            },
            account: self.call.caller.account().map(|account| account.id.clone()),
            services: self.slot.services.clone(),
            time: time_left(self.call.deadline),
        })
    }
}

/// A request that was checked.
pub(super) struct Ready {
    credential: Credential,
    outgoing: Outgoing,
    /// The caller's account.
    account: Option<String>,
    services: Arc<Services>,
    /// The time limit.
    time: Duration,
}

impl Ready {
    pub(super) async fn send(self) -> Result<Response, Problem> {
        let Some(app) = self.services.code_host.clone() else {
            return Err(problem("unconfigured", "This server has no app at a code host."));
        };
        let time = self.time;
        let work = async {
            let attached = self.attach(&app).await?;
            let answer = app.api().send(self.outgoing, Some(attached.secret())).await?;
            if answer.status == StatusCode::UNAUTHORIZED {
                return refused(&app, attached, answer).await;
            }
            Ok(answer)
        };
        match tokio::time::timeout(time, work).await {
            Ok(answer) => answer.map(describe).map_err(explain),
            Err(_) => Err(problem("unreachable", "The code host did not answer in time.")),
        }
    }

    async fn attach(&self, app: &CodeHostApp) -> Result<Attached, CodeHostError> {
        match self.credential {
            Credential::App => app.signature().map(Attached::App),
            Credential::Installation(id) => app.installation_token(id).await.map(Attached::Installation),
            Credential::Caller => {
                let people = self.services.people.clone().ok_or(CodeHostError::NotLinked)?;
                let account = self.account.clone().ok_or(CodeHostError::NotLinked)?;
                let token = people.token(&account).await?;
                Ok(Attached::Caller { people, account, token })
            }
        }
    }
}

/// A credential that is not accepted any more is forgotten, so that the next request gets a new one.
async fn refused(app: &CodeHostApp, attached: Attached, answer: Answer) -> Result<Answer, CodeHostError> {
    match attached {
        Attached::Caller { people, account, token } => {
            people.forget(&account, &token).await?;
            Err(CodeHostError::NotLinked)
        }
        Attached::Installation(token) => {
            app.forget(&token);
            Ok(answer)
        }
        Attached::App(_) => Ok(answer),
    }
}

fn describe(answer: Answer) -> Response {
    let seen = |name: &HeaderName| SEEN.contains(&name.as_str()) || name.as_str().starts_with("x-ratelimit-");
    let headers = answer.headers.iter().filter(|(name, _)| seen(name));
    let headers = headers.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
    Response {
        status: answer.status.as_u16(),
        headers: headers.collect(),
        body: answer.body.to_vec(),
    }
}

/// Errors as the contract's codes. Causes that only the operator can fix go to the log.
fn explain(error: CodeHostError) -> Problem {
    match error {
        CodeHostError::NotLinked => problem("not-linked", "This account did not sign in through the code host."),
        CodeHostError::NotFound => problem("not-found", "The app has no such installation."),
        CodeHostError::Forbidden(message) => problem("bad-request", message),
        CodeHostError::Unreachable(_) | CodeHostError::Unexpected(_) => {
            tracing::warn!("{error}");
            problem("unreachable", "The code host cannot be reached.")
        }
        error @ (CodeHostError::Refused(_)
        | CodeHostError::Configuration(_)
        | CodeHostError::Storage(_)
        | CodeHostError::Sealed(_)) => {
            tracing::error!("{error}");
            problem(
                "unreachable",
                "The code host does not accept this server's app. The reason is in the server's log.",
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_credentials_are_exact() {
        assert_eq!(Credential::parse("codehost-caller"), Some(Credential::Caller));
        assert_eq!(Credential::parse("codehost-app"), Some(Credential::App));
        assert_eq!(
            Credential::parse("codehost-installation:42"),
            Some(Credential::Installation(42))
        );
        for name in [
            "",
            "codehost",
            "codehost-app:1",
            "codehost-caller:ed",
            "codehost-installation",
            "codehost-installation:",
            "codehost-installation:+1",
            "codehost-installation:1/../2",
            "codehost-installation:99999999999999999999",
        ] {
            assert_eq!(Credential::parse(name), None, "{name:?}");
        }
    }
}
