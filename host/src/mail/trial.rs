//! A test mail: sent at once, without the outbox, so that an admin sees the mail server's answer.

use std::time::Duration;

use galley_people::email;

use super::letter::{Letter, line};
use super::outgoing::message;
use super::sender::client_name;
use super::server::Server;
use super::smtp::{Connection, Failure, Timeouts};
use super::{MailError, Mailer};
use crate::accounts::{Actor, MailKind, WaitingMail};
use crate::config::host_of;
use crate::core::CoreError;
use crate::storage::id::{new_id, now_ms};

/// The most characters of a mail server's answer that are shown.
const MAX_REASON: usize = 300;

impl Mailer {
    /// Sends a test mail to an address. `None` when the mail server took it within `timeout`, else the server's answer, in
    /// one line and without the password. The audit log records it. [`CoreError::NoMailServer`] when none is set.
    pub async fn test(&self, actor: &Actor, to: &str, timeout: Duration) -> Result<Option<String>, MailError> {
        let server = self.server.load_full().ok_or(CoreError::NoMailServer)?;
        let to = email::parse(to).ok_or_else(|| MailError::Invalid("`to` must be an email address".to_owned()))?;
        self.core.note_mail_test(actor, &to).await?;
        let sent = tokio::time::timeout(timeout, self.try_server(&server, to, timeout)).await;
        Ok(match sent {
            Ok(Ok(())) => None,
            Ok(Err(reason)) => Some(without_secrets(&reason, &server)),
            Err(_) => Some(format!(
                "the mail server did not answer within {:.1} s",
                timeout.as_secs_f32()
            )),
        })
    }

    async fn try_server(&self, server: &Server, to: String, timeout: Duration) -> Result<(), String> {
        let mail = WaitingMail {
            id: 0,
            key: String::new(),
            message_id: format!("<{}@{}>", new_id(), host_of(&self.public_url)),
            kind: MailKind::Link,
            recipient: to,
            sealed: Vec::new(),
            attempts: 0,
            created_at: now_ms(),
            give_up_at: 0,
        };
        let message = message(&mail, Letter::test(&self.public_url), &server.from)?;
        let timeouts = Timeouts {
            connect: timeout,
            send: timeout,
        };
        let said = |failure| match failure {
            Failure::Later(said) | Failure::Never(said) | Failure::Lost(said) | Failure::Server(said) => said,
        };
        let open = Connection::open(server, &client_name(&self.public_url), timeouts).await;
        let mut connection = open.map_err(said)?;
        connection.send(&message).await.map_err(said)?;
        // The mail was taken: a goodbye that fails changes nothing.
        tokio::spawn(connection.close());
        Ok(())
    }
}

/// What a mail server said, in one line. A server may repeat what it was sent: the password never leaves the host.
fn without_secrets(reason: &str, server: &Server) -> String {
    let pass = server.pass.expose();
    let mut shown = line(reason);
    if !pass.is_empty() {
        let plain = format!("\0{}\0{pass}", server.user);
        for secret in [
            pass.to_owned(),
            data_encoding::BASE64.encode(pass.as_bytes()),
            data_encoding::BASE64.encode(plain.as_bytes()),
        ] {
            shown = shown.replace(&secret, "(the password)");
        }
    }
    shown.chars().take(MAX_REASON).collect()
}
