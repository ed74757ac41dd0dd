//! The mail server: the routes `…/instance/email`.

use galley_sdk::administration::mail_server::{self, Server};
use galley_sdk::prelude::*;
use galley_sdk::{Bytes, json};
use serde::{Deserialize, Serialize};

/// The mail server in the API's format, without its password.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Email {
    configured: bool,
    source: String,
    host: Option<String>,
    port: Option<u16>,
    user: Option<String>,
    pub(crate) from: Option<String>,
    has_password: bool,
}

impl From<mail_server::Status> for Email {
    fn from(status: mail_server::Status) -> Email {
        Email {
            configured: status.configured,
            source: status.source,
            host: status.host,
            port: status.port,
            user: status.user,
            from: status.from,
            has_password: status.has_password,
        }
    }
}

/// The body of a mail server.
#[derive(Deserialize)]
pub struct MailServerBody {
    host: String,
    port: u16,
    user: String,
    pass: String,
    from: String,
}

/// PUT `…/email`: 200 with the mail server.
pub fn set(Json(body): Json<MailServerBody>) -> Result<Json<Email>> {
    let server = Server {
        host: body.host,
        port: body.port,
        user: body.user,
        pass: body.pass,
        from: body.from,
    };
    let status = mail_server::set(&server).map_err(refused)?;
    Ok(Json(status.into()))
}

/// The body of a test mail. `to` counts only for the admin bearer, which has no address of its own.
#[derive(Debug, Default, Deserialize)]
pub struct Test {
    to: Option<String>,
}

/// What became of a test mail.
#[derive(Debug, Serialize)]
pub struct Tested {
    sent: bool,
    /// What the mail server said.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// POST `…/mail/test`: 200, also when the mail server did not take the mail. The body may be left out.
pub fn test(Bytes(body): Bytes) -> Result<Json<Tested>> {
    let test: Test = match body.is_empty() {
        true => Test::default(),
        false => json::from_slice(&body)?,
    };
    let trial = mail_server::test(test.to.as_deref()).map_err(refused)?;
    Ok(Json(Tested {
        sent: trial.sent,
        error: trial.error,
    }))
}

/// DELETE `…/email`: 204, also when there is none.
pub fn clear() -> Result<NoContent> {
    mail_server::clear().map_err(refused)?;
    Ok(NoContent)
}

fn refused(problem: Problem) -> Error {
    match problem.code.as_str() {
        "set-by-environment" => {
            Error::conflict("The mail server is set by environment variables (SERVICE_SMTP_…): change it there")
        }
        "not-configured" => Error::unavailable("No mail server is set: set one first"),
        "bad-to" => Error::bad_request("`to` must be an email address: the admin bearer has none of its own"),
        "bad-server" => Error::bad_request(problem.message),
        _ => problem.into(),
    }
}
