//! Where a database is, as an operator writes it, and how connections to it are encrypted.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{CancelToken, Client, Config, Connection, Socket};

use crate::failure::Failure;
use crate::hosts::Hosts;
use crate::pulse::{Connect, Connecting, Pulse};
use crate::tls::{Encrypted, Encryption, Trust};

/// What is spoken with a server.
pub(crate) type Spoken = Connection<Socket, Encrypted<Socket>>;

/// Where a database is: `postgresql://user:password@host:5432/name?sslmode=verify-full`.
#[derive(Clone)]
pub struct Address {
    config: Config,
    hosts: Hosts,
    encryption: Encryption,
    is_checked: bool,
    /// That of the server: clones share it, and so do addresses of its other databases.
    pulse: Arc<Pulse>,
}

/// Without the password, which no log may show.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown())
    }
}

impl Address {
    /// Reads an address. Its `sslmode` is `disable`, `prefer` (the default: encrypted where the server can), `require`
    /// (encrypted, whoever the server is) or `verify-full` (encrypted, and the certificate is the server's). With a PEM text of
    /// `authorities` certificates are always checked, by these authorities alone; without one, by the system's.
    pub fn parse(text: &str, authorities: Option<&[u8]>) -> Result<Self, Failure> {
        // What is wrong with it is not told further: the text may hold a password.
        let is_url = ["postgresql://", "postgres://"]
            .iter()
            .any(|scheme| text.starts_with(scheme));
        let (text, mode) = match is_url {
            true => without_mode(text)?,
            false => return Err(Failure::Address),
        };
        let mut config: Config = text.parse().map_err(|_| Failure::Address)?;
        if config.get_hosts().is_empty() {
            return Err(Failure::Address);
        }
        let (level, trust) = match (mode.as_deref(), authorities) {
            (Some("disable"), None) => (SslMode::Disable, Trust::Anybody),
            (Some("disable"), Some(_)) => return Err(Failure::Address),
            (_, Some(pem)) => (SslMode::Require, Trust::Authorities(pem)),
            (None | Some("prefer"), None) => (SslMode::Prefer, Trust::Anybody),
            (Some("require"), None) => (SslMode::Require, Trust::Anybody),
            (Some("verify-full"), None) => (SslMode::Require, Trust::System),
            (Some(_), _) => return Err(Failure::Address),
        };
        config.ssl_mode(level);
        if config.get_application_name().is_none() {
            config.application_name("galley");
        }
        Ok(Self {
            config,
            hosts: Hosts::default(),
            is_checked: !matches!(trust, Trust::Anybody),
            encryption: Encryption::new(trust)?,
            pulse: Arc::default(),
        })
    }

    /// The same with this password.
    pub fn with_password(mut self, password: &str) -> Self {
        self.config.password(password);
        self
    }

    /// Another database of the same server, as the role of this name.
    pub fn with_database(mut self, name: &str, role: &str, password: &str) -> Self {
        self.pulse.settle_on(|| self.connector());
        self.config.dbname(name).user(role).password(password);
        self
    }

    /// Another database of the same server, as the same role.
    pub(crate) fn beside(mut self, name: &str) -> Self {
        self.pulse.settle_on(|| self.connector());
        self.config.dbname(name);
        self
    }

    /// Where it is, without user and password: for logs and messages.
    pub fn shown(&self) -> String {
        let ports = self.config.get_ports();
        let port = |at: usize| ports.get(at).or(ports.first()).copied().unwrap_or(5432);
        let hosts = self.config.get_hosts().iter().enumerate().map(|(at, host)| match host {
            Host::Tcp(name) => format!("{name}:{}", port(at)),
            Host::Unix(folder) => folder.display().to_string(),
        });
        let hosts = hosts.collect::<Vec<_>>().join(",");
        format!("postgresql://{hosts}/{}", self.config.get_dbname().unwrap_or_default())
    }

    /// Whether somebody between here and the server could pretend to be it: it is on another machine, and its certificate is not
    /// checked.
    pub fn is_open_to_others(&self) -> bool {
        let is_elsewhere = |host: &Host| match host {
            Host::Tcp(name) => {
                let address = name.parse::<std::net::IpAddr>();
                name != "localhost" && !address.is_ok_and(|address| address.is_loopback())
            }
            Host::Unix(_) => false,
        };
        !self.is_checked && self.config.get_hosts().iter().any(is_elsewhere)
    }

    /// How the pulse connects. It has none itself, so that it ends with the last address.
    fn connector(&self) -> Connect {
        let address = Self {
            pulse: Arc::default(),
            ..self.clone()
        };
        Arc::new(move |timeout: Duration| -> Connecting {
            let address = address.clone();
            Box::pin(async move { address.connect(timeout).await })
        })
    }

    /// How often the server was found not to answer: a connection from before the last time is not to be used again.
    pub(crate) fn losses(&self) -> u64 {
        self.pulse.losses()
    }

    /// Waits for work of the server here, for as long as it answers anything at all: it is found out within 2 s when it does not.
    pub(crate) async fn patiently<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        self.pulse.patiently(|| self.connector(), work).await
    }

    /// What stops the work of a connection to here.
    pub(crate) fn canceller(&self, client: &Client) -> Canceller {
        Canceller {
            token: client.cancel_token(),
            encryption: self.encryption.clone(),
        }
    }

    /// A connection, and the task that speaks with the server.
    pub(crate) async fn connect(&self, timeout: Duration) -> Result<(Client, AbortHandle), Failure> {
        let (client, connection) = self.open(timeout).await?;
        // It ends with the client; why it ended is told to whoever waits for an answer.
        Ok((client, tokio::spawn(connection).abort_handle()))
    }

    /// A connection, with which the caller speaks with the server.
    pub(crate) async fn open(&self, timeout: Duration) -> Result<(Client, Spoken), Failure> {
        let mut config = self.config.clone();
        config.connect_timeout(timeout);
        let connect = |config: Config| {
            let encryption = self.encryption.clone();
            async move { config.connect(encryption).await }
        };
        match tokio::time::timeout(timeout, self.hosts.connect(&config, connect)).await {
            Ok(connected) => Ok(connected?),
            Err(_) => Err(Failure::Unavailable("it did not answer in time".to_owned())),
        }
    }
}

/// Stops what a connection runs.
#[derive(Clone)]
pub(crate) struct Canceller {
    token: CancelToken,
    encryption: Encryption,
}

impl Canceller {
    /// Asks the server to stop. Whether it did is not told.
    pub async fn cancel(self) {
        let _ = self.token.cancel_query(self.encryption).await;
    }
}

/// The address without its `sslmode`, of which the library knows fewer than its makers do.
fn without_mode(text: &str) -> Result<(String, Option<String>), Failure> {
    let Some((place, query)) = text.split_once('?') else {
        return Ok((text.to_owned(), None));
    };
    let is_mode = |part: &&str| part.starts_with("sslmode=");
    let mut modes = query.split('&').filter(is_mode);
    let mode = modes
        .next()
        .and_then(|part| part.split_once('='))
        .map(|(_, mode)| mode.to_owned());
    if modes.next().is_some() {
        return Err(Failure::Address);
    }
    let rest: Vec<_> = query.split('&').filter(|part| !is_mode(part)).collect();
    Ok(match rest.is_empty() {
        true => (place.to_owned(), mode),
        false => (format!("{place}?{}", rest.join("&")), mode),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Address, Failure> {
        Address::parse(text, None)
    }

    #[test]
    fn an_address_is_shown_without_user_and_password() {
        let address = parse("postgresql://ann:hush%40@db.example.org,10.0.0.2:5433/galley?sslmode=require").unwrap();
        assert_eq!(address.shown(), "postgresql://db.example.org:5432,10.0.0.2:5433/galley");
        assert_eq!(format!("{address:?}"), address.shown());
        let changed = address.with_password("louder");
        assert!(!format!("{changed:?}").contains("louder"));
    }

    #[test]
    fn what_is_no_address_is_refused_and_not_repeated() {
        for text in [
            "hush",
            "mysql://ann:hush@db/galley",
            "postgresql:///galley",
            "postgresql://ann:hush@db/galley?sslmode=verify",
            "postgresql://ann:hush@db/galley?sslmode=require&sslmode=disable",
            "postgresql://ann:hush@db:port/galley",
            "host=db password=hush",
        ] {
            let refused = parse(text).unwrap_err();
            assert_eq!(refused, Failure::Address, "{text}");
            assert!(!refused.to_string().contains("hush"));
        }
    }

    #[test]
    fn a_server_elsewhere_whose_certificate_is_not_checked_is_open_to_others() {
        for (text, is_open) in [
            ("postgresql://g@127.0.0.1/g", false),
            ("postgresql://g@localhost/g", false),
            ("postgresql://g@db/g", true),
            ("postgresql://g@db/g?sslmode=require", true),
            ("postgresql://g@db/g?sslmode=verify-full", false),
        ] {
            assert_eq!(parse(text).unwrap().is_open_to_others(), is_open, "{text}");
        }
    }
}
