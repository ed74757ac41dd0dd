//! One connection to a mail server, with time limits, and what its refusals mean.

use std::future::Future;
use std::time::Duration;

use lettre::Message;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use tokio::net::TcpStream;

use super::server::{Server, Tls};

/// An error before the server accepted mail, for the log.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// Time limits of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timeouts {
    /// For connecting, encrypting and signing in together.
    pub connect: Duration,
    /// For sending one mail.
    pub send: Duration,
}

impl Timeouts {
    /// The limits in use. A mail server that exceeds them counts as down.
    pub const DEFAULT: Self = Self {
        connect: Duration::from_secs(20),
        send: Duration::from_secs(120),
    };
}

/// Why a mail was not sent. The texts are for the log.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// A temporary refusal.
    Later(String),
    /// A permanent refusal.
    Never(String),
    /// The connection ended or timed out. It is unknown whether the server accepted the mail.
    Lost(String),
    /// The server cannot be reached, or refused the sign-in.
    Server(String),
}

/// A connection, ready to send mail.
pub(super) struct Connection {
    smtp: AsyncSmtpConnection,
    timeouts: Timeouts,
}

impl Connection {
    /// Connects, encrypts and signs in.
    pub async fn open(server: &Server, name: &ClientId, timeouts: Timeouts) -> Result<Self, Failure> {
        match limited(timeouts.connect, connect(server, name, timeouts)).await {
            Ok(Ok(smtp)) => Ok(Self { smtp, timeouts }),
            Ok(Err(error)) => Err(Failure::Server(error.to_string())),
            Err(late) => Err(Failure::Server(late)),
        }
    }

    /// Sends one mail. After a failure the connection must not be used again.
    pub async fn send(&mut self, message: &Message) -> Result<(), Failure> {
        let formatted = message.formatted();
        let sending = self.smtp.send(message.envelope(), &formatted);
        let error = match limited(self.timeouts.send, sending).await {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(error)) => error,
            Err(late) => return Err(Failure::Lost(late)),
        };
        let text = error.to_string();
        Err(match error.status().map(u16::from) {
            // RFC 4954: we are not signed in well enough. RFC 5321, 3.8: the server goes down, and may say so at any time.
            Some(530 | 534 | 535 | 538 | 421) => Failure::Server(text),
            _ if error.is_permanent() || error.is_client() => Failure::Never(text),
            _ if error.is_transient() => Failure::Later(text),
            _ => Failure::Lost(text),
        })
    }

    /// Says goodbye.
    pub async fn close(mut self) {
        let _ = tokio::time::timeout(Duration::from_secs(2), self.smtp.quit()).await;
    }
}

async fn connect(server: &Server, name: &ClientId, timeouts: Timeouts) -> Result<AsyncSmtpConnection, Error> {
    let parameters = || TlsParameters::new(server.host.clone());
    let address = (server.host.trim_matches(['[', ']']), server.port);
    let mut smtp = match server.tls {
        Tls::FromStart => {
            let tls = Some(parameters()?);
            AsyncSmtpConnection::connect_tokio1(address, Some(timeouts.connect), name, tls, None).await?
        }
        Tls::Upgraded | Tls::UpgradedIfOffered | Tls::None => {
            let stream = TcpStream::connect(address).await?;
            // A mail is sent in two writes. With Nagle's algorithm the second would wait until the first is acknowledged.
            stream.set_nodelay(true)?;
            AsyncSmtpConnection::connect_with_transport(Box::new(stream), name).await?
        }
    };
    let upgrade = match server.tls {
        Tls::Upgraded => true,
        Tls::UpgradedIfOffered => smtp.can_starttls(),
        Tls::FromStart | Tls::None => false,
    };
    if upgrade {
        smtp.starttls(parameters()?, name).await?;
    }
    if !server.user.is_empty() {
        let credentials = Credentials::new(server.user.clone(), server.pass.expose().to_owned());
        smtp.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await?;
    }
    Ok(smtp)
}

async fn limited<T>(limit: Duration, work: impl Future<Output = T>) -> Result<T, String> {
    tokio::time::timeout(limit, work)
        .await
        .map_err(|_| format!("the mail server did not answer within {} s", limit.as_secs()))
}
