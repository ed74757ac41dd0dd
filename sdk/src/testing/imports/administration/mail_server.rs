//! `galley:administration/mail-server`.

use serde_json::json;

use super::{administer, record};
use crate::administration::mail_server::{Server, Status, Trial};
use crate::error::Problem;
use crate::people::email;
use crate::testing::problem;
use crate::testing::world::World;

impl World {
    pub(crate) fn mail_is_configured(&self) -> bool {
        self.administration.mail_by_environment || self.administration.mail.is_some()
    }
}

fn status(world: &World) -> Status {
    let by_environment = world.administration.mail_by_environment.then(|| Server {
        host: "mail.galley.test".into(),
        port: 587,
        user: "galley".into(),
        pass: "secret".into(),
        from: "galley@galley.test".into(),
    });
    let source = match (&by_environment, &world.administration.mail) {
        (Some(_), _) => "environment",
        (None, Some(_)) => "database",
        (None, None) => "none",
    };
    let server = by_environment.or_else(|| world.administration.mail.clone());
    Status {
        configured: server.is_some(),
        source: source.into(),
        has_password: server.as_ref().is_some_and(|server| !server.pass.is_empty()),
        port: server.as_ref().map(|server| server.port),
        host: server.as_ref().map(|server| server.host.clone()),
        user: server.as_ref().map(|server| server.user.clone()),
        from: server.map(|server| server.from),
    }
}

fn check(world: &World) -> Result<(), Problem> {
    if world.administration.mail_by_environment {
        return problem("set-by-environment", "The mail server is set by environment variables.");
    }
    Ok(())
}

pub(crate) fn get() -> Result<Status, Problem> {
    administer(|world| Ok(status(world)))
}

pub(crate) fn set(server: &Server) -> Result<Status, Problem> {
    administer(|world| {
        check(world)?;
        if server.host.is_empty() {
            return problem("bad-server", "`host` must be a host name or an address");
        }
        world.administration.mail = Some(server.clone());
        record(world, "mail-server-set", "mail-server", json!({ "host": server.host }));
        Ok(status(world))
    })
}

pub(crate) fn test(to: Option<&str>) -> Result<Trial, Problem> {
    administer(|world| {
        if !world.mail_is_configured() {
            return problem("not-configured", "No mail server is set.");
        }
        let own = world.caller.described.email.clone();
        let Some(to) = own.or(to.and_then(email::parse)) else {
            return problem("bad-to", "`to` must be an email address");
        };
        record(world, "mail-tested", "mail-server", json!({ "to": to }));
        Ok(Trial {
            sent: true,
            error: None,
        })
    })
}

pub(crate) fn clear() -> Result<(), Problem> {
    administer(|world| {
        check(world)?;
        if world.administration.mail.take().is_some() {
            record(world, "mail-server-cleared", "mail-server", json!({}));
        }
        Ok(())
    })
}
