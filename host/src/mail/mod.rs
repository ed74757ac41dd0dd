//! Mail: rendering, the outbox, and the mail server.
//!
//! A mail is queued as one row in `core.db`, durable when the call returns. One task ([`run`]) sends the mails that are due.
//! Delivery is at least once: when the server dies between the receiver's acceptance and the row that records it, the mail
//! is sent again after the next start, with the same `Message-ID`, by which mail programs recognise the copy. Otherwise a
//! mail is sent once: it has a key, and a key is queued once.

mod addressee;
mod attempts;
mod error;
mod letter;
mod note;
mod outgoing;
mod sender;
mod server;
mod smtp;
mod trial;
mod unsubscribe;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use galley_people::email;
use tokio::sync::Notify;

use crate::accounts::{Actor, MAGIC_LINK_LENGTH, MailKind, NewMail};
use crate::config::{Config, host_of};
use crate::core::{Core, CoreError, Topic};
use crate::storage::id::{hash_secret, new_id, now_ms};
use crate::storage::seal::Sealer;
use crate::storage::sqlite::StorageError;

pub use addressee::Addressee;
pub use error::MailError;
pub use note::{About, Note};
pub use sender::run;
pub use server::{MailServer, MailSource, MailStatus};

use attempts::Attempts;
use letter::Letter;
use server::Server;
use unsubscribe::Unsubscribe;

/// How long sending a mail is tried. A mail with a link is tried only while the link works.
const SEND_TIMEOUT: Duration = Duration::from_secs(48 * 3600);

/// An invitation to the instance, to be mailed.
#[derive(Debug, Clone, Copy)]
pub struct Invitation<'i> {
    /// The id of the invite, which is `emailed` once the mail server took this.
    pub invite: &'i str,
    /// An address.
    pub to: &'i str,
    /// The invite's present link.
    pub url: &'i str,
    /// The name of the person who invites.
    pub by: Option<&'i str>,
}

/// Queues mail, and knows the server it goes through.
pub struct Mailer {
    core: Arc<Core>,
    sealer: Arc<Sealer>,
    public_url: String,
    unsubscribe: Option<Unsubscribe>,
    /// Whether the environment sets the server.
    by_environment: bool,
    server: ArcSwapOption<Server>,
    /// Rung when a mail was queued.
    queued: Notify,
    /// Rung when the server changed.
    changed: Notify,
    /// Callers that wait for a first attempt.
    attempts: Attempts,
}

impl Mailer {
    /// Takes the mail server from the environment, else the one that an admin set. [`run`] sends.
    pub async fn open(config: &Config, core: Arc<Core>, sealer: Arc<Sealer>) -> Result<Self, MailError> {
        let server = match &config.smtp {
            Some(smtp) => Some(Server::from_environment(smtp)?),
            // A password that cannot be read keeps mail off, not the whole server.
            None => match Server::stored(&core, &sealer).await {
                Err(MailError::Unsealable(error)) => {
                    tracing::error!("mail is off: {}", MailError::Unsealable(error));
                    None
                }
                server => server?,
            },
        };
        Ok(Self {
            core,
            sealer,
            public_url: config.public_url.clone(),
            unsubscribe: config.unsubscribe_secret.as_ref().map(Unsubscribe::new),
            by_environment: config.smtp.is_some(),
            server: ArcSwapOption::new(server.map(Arc::new)),
            queued: Notify::new(),
            changed: Notify::new(),
            attempts: Attempts::default(),
        })
    }

    /// Follows the servers beside this one: what they queue and send, and the mail server that an admin sets there.
    pub fn follow(self: &Arc<Self>) {
        self.follow_mails();
        if self.by_environment {
            return;
        }
        let mailer = Arc::downgrade(self);
        self.core.follow_mail_server(move |stored| {
            let Some(mailer) = mailer.upgrade() else {
                return;
            };
            let server = stored
                .map(|stored| Server::of_stored(stored, &mailer.sealer))
                .transpose();
            let server = server.unwrap_or_else(|error| {
                tracing::error!("mail is off: {error}");
                None
            });
            mailer.server.store(server.map(Arc::new));
            mailer.changed.notify_one();
        });
    }

    fn follow_mails(self: &Arc<Self>) {
        let Some(wakes) = self.core.wakes() else {
            return;
        };
        let mailer = Arc::downgrade(self);
        wakes.hear(Topic::Mails, move |_| {
            if let Some(mailer) = mailer.upgrade() {
                mailer.queued.notify_one();
            }
        });
        let mailer = Arc::downgrade(self);
        wakes.hear(Topic::MailAttempts, move |made| {
            if let (Some(mailer), Some(made)) = (mailer.upgrade(), made) {
                mailer.attempts.made_elsewhere(made);
            }
        });
    }

    /// Whether there is a mail server.
    pub fn is_configured(&self) -> bool {
        self.server.load().is_some()
    }

    /// The mail server as admins see it.
    pub fn status(&self) -> MailStatus {
        let source = match (self.by_environment, self.is_configured()) {
            (true, _) => MailSource::Environment,
            (false, true) => MailSource::Database,
            (false, false) => MailSource::None,
        };
        MailStatus::of(self.server.load().as_deref(), source)
    }

    /// Sets the mail server, which is used at once. Waiting mails are tried again.
    pub async fn set_server(self: &Arc<Self>, actor: &Actor, server: MailServer) -> Result<MailStatus, MailError> {
        if self.by_environment {
            return Err(MailError::ByEnvironment);
        }
        let (stored, server) = server.checked(&self.sealer)?;
        self.replace(actor, Some(stored), Some(Arc::new(server))).await?;
        Ok(self.status())
    }

    /// Turns mail off, and deletes the stored password. Waiting mails stay until their time is over.
    pub async fn clear_server(self: &Arc<Self>, actor: &Actor) -> Result<(), MailError> {
        if self.by_environment {
            return Err(MailError::ByEnvironment);
        }
        Ok(self.replace(actor, None, None).await?)
    }

    async fn replace(
        self: &Arc<Self>,
        actor: &Actor,
        stored: Option<crate::accounts::StoredMailServer>,
        server: Option<Arc<Server>>,
    ) -> Result<(), CoreError> {
        let mailer = self.clone();
        let follow = move || {
            mailer.server.store(server);
            mailer.changed.notify_one();
        };
        self.core.set_mail_server(actor, stored, follow).await
    }

    /// Mails an invitation to the instance, and waits at most `timeout` for the first attempt: whether the mail server took
    /// it by then. If not, sending is tried again later. [`CoreError::NoMailServer`] when no mail server is set.
    pub async fn invite(&self, invitation: &Invitation<'_>, timeout: Duration) -> Result<bool, CoreError> {
        let Invitation { invite, to, url, by } = *invitation;
        let letter = Letter::invite(&self.public_url, url, by);
        let mut mail = self.mail(
            MailKind::Link,
            format!("invite:{}", hash_secret(url)),
            to,
            &letter,
            SEND_TIMEOUT,
        )?;
        mail.invite = Some(invite.to_owned());
        let attempt = self.attempts.expect(&mail.key);
        self.queue(mail).await?;
        attempt.made_within(timeout).await;
        self.core.is_emailed(invite).await
    }

    /// Queues a sign-in link. The same address and `url` are queued once. [`CoreError::NoMailServer`] when none is set.
    pub async fn magic_link(&self, to: &str, url: &str) -> Result<(), CoreError> {
        let letter = Letter::magic_link(&self.public_url, url);
        let key = format!("sign-in:{}", hash_secret(url));
        self.queue(self.mail(MailKind::Link, key, to, &letter, MAGIC_LINK_LENGTH)?)
            .await
    }

    /// Queues a note, unless its addressee unsubscribed.
    pub async fn note(&self, note: Note) -> Result<(), CoreError> {
        let to = email::normal(&note.to);
        if self.core.is_unsubscribed(&to).await? {
            return Ok(());
        }
        let letter = Letter::note(&self.public_url, &note, self.unsubscribe_url(&to));
        let mut mail = self.mail(MailKind::Note, format!("note:{}", note.key), &to, &letter, SEND_TIMEOUT)?;
        mail.sender = note.sender;
        self.queue(mail).await
    }

    /// A mail to queue; `key` is what it is within those to its recipient.
    fn mail(
        &self,
        kind: MailKind,
        key: String,
        to: &str,
        letter: &Letter,
        give_up: Duration,
    ) -> Result<NewMail, CoreError> {
        let recipient = email::normal(to);
        let key = format!("{key}:{recipient}");
        Ok(NewMail {
            message_id: format!("<{}@{}>", new_id(), host_of(&self.public_url)),
            kind,
            sealed: letter
                .seal(&self.sealer, &key)
                .map_err(|error| StorageError::Commit(error.to_string()))?,
            recipient,
            key,
            invite: None,
            sender: None,
            give_up_at: now_ms() + give_up.as_millis() as i64,
        })
    }

    async fn queue(&self, mail: NewMail) -> Result<(), CoreError> {
        if !self.is_configured() {
            return Err(CoreError::NoMailServer);
        }
        if self.core.queue_mail(mail).await? {
            self.queued.notify_one();
            if let Some(wakes) = self.core.wakes() {
                wakes.wake(Topic::Mails, "");
            }
        }
        Ok(())
    }

    /// The page where the owner of this address unsubscribes from notes; `None` without SERVICE_UNSUBSCRIBE_SECRET.
    fn unsubscribe_url(&self, address: &str) -> Option<String> {
        let token = self.unsubscribe.as_ref()?.token(address);
        Some(format!("{}/api/v1/unsubscribe?token={token}", self.public_url))
    }

    /// Whether mails have an unsubscribe link: whether SERVICE_UNSUBSCRIBE_SECRET is set.
    pub fn can_unsubscribe(&self) -> bool {
        self.unsubscribe.is_some()
    }

    /// The address an unsubscribe token was made for; `None` for an invalid token.
    pub fn unsubscribe_address(&self, token: &str) -> Option<String> {
        self.unsubscribe.as_ref()?.address(token)
    }
}
