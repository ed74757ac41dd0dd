//! The mail server: set by the environment or by an admin, checked, and shown to admins.

use lettre::message::Mailbox;

use super::MailError;
use crate::accounts::StoredMailServer;
use crate::config::{Secret, Smtp, SmtpTls};
use crate::core::Core;
use crate::storage::seal::Sealer;

/// The purpose that the stored password is encrypted for.
const PURPOSE: &str = "the mail server's password";

/// A mail server as an admin sets it. Port 465 is encrypted from the start, other ports by STARTTLS. A server on this machine
/// that offers no STARTTLS is used without encryption.
#[derive(Debug, Clone)]
pub struct MailServer {
    /// A name or an address.
    pub host: String,
    /// 1 to 65535.
    pub port: u16,
    /// Empty for a server that asks for none.
    pub user: String,
    /// Empty for a server that asks for none.
    pub pass: Secret,
    /// Who mails are from: `review@example.org` or `Galley <review@example.org>`.
    pub from: String,
}

/// Where the mail server is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailSource {
    /// SERVICE_SMTP_HOST and its group.
    Environment,
    /// An admin set it.
    Database,
    /// No mail server is set.
    None,
}

impl MailSource {
    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Environment => "environment",
            Self::Database => "database",
            Self::None => "none",
        }
    }
}

/// The mail server as admins see it: everything but the password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailStatus {
    /// Whether mail is sent.
    pub configured: bool,
    /// Where it is set.
    pub source: MailSource,
    /// A name or an address; `None` without a server, as what follows.
    pub host: Option<String>,
    /// 1 to 65535.
    pub port: Option<u16>,
    /// Empty for a server that asks for none.
    pub user: Option<String>,
    /// Who mails are from.
    pub from: Option<String>,
    /// Whether there is a password.
    pub has_password: bool,
}

impl MailStatus {
    pub(super) fn of(server: Option<&Server>, source: MailSource) -> Self {
        Self {
            configured: server.is_some(),
            source,
            host: server.map(|server| server.host.clone()),
            port: server.map(|server| server.port),
            user: server.map(|server| server.user.clone()),
            from: server.map(|server| server.from_text.clone()),
            has_password: server.is_some_and(|server| !server.pass.expose().is_empty()),
        }
    }
}

/// How a connection becomes encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tls {
    /// From the start.
    FromStart,
    /// By STARTTLS; without it nothing is sent.
    Upgraded,
    /// By STARTTLS when it is offered: a server on this machine.
    UpgradedIfOffered,
    /// Never: a server on this machine.
    None,
}

/// A checked mail server, ready for connections.
#[derive(Debug)]
pub(super) struct Server {
    pub host: String,
    pub port: u16,
    pub user: String,
    pub pass: Secret,
    pub from: Mailbox,
    /// As it was written.
    from_text: String,
    pub tls: Tls,
}

impl Server {
    /// The environment's.
    pub fn from_environment(smtp: &Smtp) -> Result<Self, MailError> {
        Ok(Self {
            host: smtp.host.clone(),
            port: smtp.port,
            user: smtp.user.clone(),
            pass: smtp.pass.clone(),
            from: mailbox("SERVICE_SMTP_FROM", &smtp.from)?,
            from_text: smtp.from.clone(),
            tls: match smtp.tls {
                SmtpTls::StartTls => Tls::Upgraded,
                SmtpTls::Tls => Tls::FromStart,
                SmtpTls::None => Tls::None,
            },
        })
    }

    /// The one an admin set.
    pub async fn stored(core: &Core, sealer: &Sealer) -> Result<Option<Self>, MailError> {
        let stored = core.mail_server().await?;
        stored.map(|stored| Self::of_stored(stored, sealer)).transpose()
    }

    /// One that an admin set.
    pub fn of_stored(stored: StoredMailServer, sealer: &Sealer) -> Result<Self, MailError> {
        let pass = match &stored.sealed_pass {
            Some(sealed) => String::from_utf8_lossy(&sealer.unseal(PURPOSE, sealed)?).into_owned(),
            None => String::new(),
        };
        Ok(Self {
            tls: tls_of(&stored.host, stored.port),
            from: mailbox("from", &stored.from)?,
            host: stored.host,
            port: stored.port,
            user: stored.user,
            pass: Secret::new(pass),
            from_text: stored.from,
        })
    }
}

impl MailServer {
    /// Checks every field, and gives the form that is stored and the one that is used.
    pub(super) fn checked(self, sealer: &Sealer) -> Result<(StoredMailServer, Server), MailError> {
        let invalid = |message: &str| MailError::Invalid(message.to_owned());
        let host = self.host.trim().to_lowercase();
        let plain = |text: &str| !text.chars().any(char::is_control);
        if url::Host::parse(&host).is_err() && host.parse::<std::net::IpAddr>().is_err() {
            return Err(invalid("`host` must be a host name or an address"));
        }
        if self.port == 0 {
            return Err(invalid("`port` must be a port from 1 to 65535"));
        }
        if !plain(&self.user) || self.user.len() > 320 {
            return Err(invalid("`user` must be one line of at most 320 characters"));
        }
        let pass = self.pass.expose();
        if !plain(pass) || pass.len() > 1000 {
            return Err(invalid("`pass` must be one line of at most 1000 characters"));
        }
        if self.user.is_empty() && !pass.is_empty() {
            return Err(invalid("`user` must name whose password `pass` is"));
        }
        let stored = StoredMailServer {
            host: host.clone(),
            port: self.port,
            user: self.user.clone(),
            sealed_pass: match pass {
                "" => None,
                pass => Some(sealer.seal(PURPOSE, pass.as_bytes())?),
            },
            from: self.from.trim().to_owned(),
        };
        let server = Server {
            tls: tls_of(&host, self.port),
            from: mailbox("from", &self.from)?,
            host,
            port: self.port,
            user: self.user,
            pass: self.pass,
            from_text: stored.from.clone(),
        };
        Ok((stored, server))
    }
}

fn tls_of(host: &str, port: u16) -> Tls {
    let here = host == "localhost"
        || host
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    match (port, here) {
        (465, _) => Tls::FromStart,
        (_, true) => Tls::UpgradedIfOffered,
        (_, false) => Tls::Upgraded,
    }
}

/// An address with or without a name before it.
fn mailbox(field: &str, text: &str) -> Result<Mailbox, MailError> {
    let plain = !text.chars().any(char::is_control) && text.len() <= 320;
    text.trim().parse().ok().filter(|_| plain).ok_or_else(|| {
        MailError::Invalid(format!(
            "`{field}` must be an address such as Galley <review@example.org>"
        ))
    })
}
