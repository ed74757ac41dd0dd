//! `galley:administration/mail-server`.

use super::a::mail_server::{Host, Server, Status, Trial};
use super::{administered, describe};
use crate::capabilities::{Problem, State, internal, problem};
use crate::config::Secret;
use crate::core::CoreError;
use crate::mail::{MailError, MailServer, MailStatus};

impl From<MailStatus> for Status {
    fn from(status: MailStatus) -> Self {
        Self {
            configured: status.configured,
            source: status.source.as_str().to_owned(),
            host: status.host,
            port: status.port,
            user: status.user,
            from: status.from,
            has_password: status.has_password,
        }
    }
}

fn refused(error: MailError) -> Problem {
    match error {
        MailError::ByEnvironment => problem("set-by-environment", "The mail server is set by the environment."),
        MailError::Invalid(message) => problem("bad-server", message),
        MailError::Core(CoreError::NoMailServer) => problem("not-configured", "No mail server is set."),
        MailError::Core(error) => describe(error),
        error @ MailError::Unsealable(_) => internal("the mail server could not be changed", &error),
    }
}

impl Host for State {
    fn get(&mut self) -> wasmtime::Result<Result<Status, Problem>> {
        administered!(self, MailServer);
        Ok(Ok(self.slot.services.mail.status().into()))
    }

    async fn set(&mut self, server: Server) -> wasmtime::Result<Result<Status, Problem>> {
        let actor = administered!(self, MailServer);
        let server = MailServer {
            host: server.host,
            port: server.port,
            user: server.user,
            pass: Secret::new(server.pass),
            from: server.from,
        };
        let set = self.slot.services.mail.set_server(&actor, server).await;
        Ok(set.map(Status::from).map_err(refused))
    }

    async fn test(&mut self, to: Option<String>) -> wasmtime::Result<Result<Trial, Problem>> {
        let actor = administered!(self, MailServer);
        // An admin learns whether mail works for them; nobody is written to in their name.
        let own = self.call.caller.account().map(|account| account.email.clone());
        let Some(to) = own.or(to) else {
            return Ok(Err(problem("bad-to", "`to` must be an email address")));
        };
        let tried = self.slot.services.mail.test(&actor, &to, self.mail_timeout()).await;
        Ok(match tried {
            Ok(error) => Ok(Trial {
                sent: error.is_none(),
                error,
            }),
            Err(MailError::Invalid(message)) => Err(problem("bad-to", message)),
            Err(error) => Err(refused(error)),
        })
    }

    async fn clear(&mut self) -> wasmtime::Result<Result<(), Problem>> {
        let actor = administered!(self, MailServer);
        Ok(self.slot.services.mail.clear_server(&actor).await.map_err(refused))
    }
}
