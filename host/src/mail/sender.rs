//! The task that sends the mails that are due. There is one such task: one server uses a data folder, and of servers that share a
//! database one has the lease. So a waiting row needs no lock. Waiting mails survive a crash.

use std::sync::Arc;
use std::time::Duration;

use lettre::transport::smtp::extension::ClientId;
use tokio::sync::watch;

use super::letter::Letter;
use super::outgoing::message;
use super::server::Server;
use super::smtp::{Connection, Failure, Timeouts};
use super::{Addressee, Mailer};
use crate::accounts::{MailKind, MailOutcome, WaitingMail};
use crate::config::host_of;
use crate::core::{Core, CoreError, Lease, Topic, Work};
use crate::storage::id::{hash_secret, now_ms};

/// The most mails read at once.
const BATCH: u32 = 50;
/// How often it is looked whether the server that sends mail is gone, and for mails of which no wake was heard.
const LOOK: Duration = Duration::from_secs(1);
/// The pause while the database is away.
const AWAY_PAUSE: Duration = Duration::from_secs(2);
/// How often old rows are deleted.
const PRUNE: Duration = Duration::from_secs(600);
/// How long the row of a finished mail is kept, in milliseconds. A mail with the same key is not queued while it is kept.
const REMEMBER: i64 = 90 * 24 * 3600 * 1000;

/// The first pauses after a failure, and the longest ones.
const MAIL_PAUSES: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(3600));
const SERVER_PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// Sends the mails that are due until the server stops. A mail that is being sent at that moment is finished.
pub async fn run(mailer: Arc<Mailer>, stop: watch::Receiver<bool>) {
    run_with(mailer, stop, Timeouts::DEFAULT).await;
}

pub(super) async fn run_with(mailer: Arc<Mailer>, mut stop: watch::Receiver<bool>, timeouts: Timeouts) {
    let mut failures = 0;
    let mut work = Work::new(mailer.core.clone(), "mail".to_owned());
    loop {
        let (rest, news) = match rounds(&mailer, &mut work, &stop, timeouts).await {
            Ok(rest) => {
                failures = 0;
                (rest, true)
            }
            Err(Trouble::Server(reason)) => {
                mailer.attempts.none_can_be_made();
                failures += 1;
                let rest = pause(SERVER_PAUSES, failures);
                let ms = rest.as_millis();
                tracing::warn!("mail cannot be sent and is tried again in {ms} ms: {reason}");
                // A new mail does not shorten the pause after a server did not answer.
                (rest, false)
            }
            Err(Trouble::Core(error)) if error.is_passing() => {
                error.tell("the outbox of mails cannot be used now");
                (AWAY_PAUSE, false)
            }
            Err(Trouble::Core(error)) => {
                tracing::error!("the outbox of mails cannot be used: {error}");
                (SERVER_PAUSES.1, false)
            }
        };
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = mailer.changed.notified() => {}
            () = mailer.queued.notified(), if news => {}
            () = tokio::time::sleep(rest) => {}
        }
    }
}

enum Trouble {
    Server(String),
    Core(CoreError),
}

impl From<CoreError> for Trouble {
    fn from(error: CoreError) -> Self {
        Self::Core(error)
    }
}

/// The same, while no other server of the database sends mail.
async fn rounds(
    mailer: &Mailer,
    work: &mut Work,
    stop: &watch::Receiver<bool>,
    timeouts: Timeouts,
) -> Result<Duration, Trouble> {
    let Some(lease) = work.lease().await? else {
        return Ok(LOOK);
    };
    let rest = work.during(round(mailer, &lease, stop, timeouts)).await?;
    Ok(match mailer.core.freshness() {
        None => rest,
        // A server that ended right after it queued one has woken nobody.
        Some(_) => rest.min(LOOK),
    })
}

/// Sends all mails that are due, and answers how long to wait for the next one.
async fn round(
    mailer: &Mailer,
    lease: &Lease,
    stop: &watch::Receiver<bool>,
    timeouts: Timeouts,
) -> Result<Duration, Trouble> {
    let dropped = mailer.core.prune_mails(now_ms() - REMEMBER).await?;
    if dropped > 0 {
        tracing::warn!("{dropped} mails were not sent in time and are dropped");
    }
    loop {
        let Some(server) = mailer.server.load_full() else {
            return Ok(PRUNE);
        };
        let due = mailer.core.due_mails(BATCH).await?;
        if due.is_empty() {
            let next = mailer.core.next_mail_at().await?.map_or(i64::MAX, |at| at - now_ms());
            return Ok(PRUNE.min(Duration::from_millis(next.max(0).unsigned_abs())));
        }
        let mut batch = Batch {
            mailer,
            server: &server,
            timeouts,
            connection: None,
        };
        let mut result = Ok(());
        for mail in due {
            // Each round uses the mail server that is set now.
            let replaced = !mailer.server.load_full().is_some_and(|now| Arc::ptr_eq(&now, &server));
            // A server that stood still finds its batch sent by another one.
            if *stop.borrow() || replaced || !lease.is_held() {
                break;
            }
            result = batch.send(mail).await;
            if result.is_err() {
                break;
            }
        }
        if let Some(connection) = batch.connection {
            connection.close().await;
        }
        result?;
        if *stop.borrow() || !lease.is_held() {
            return Ok(Duration::ZERO);
        }
    }
}

/// Mails that are sent over one connection.
struct Batch<'b> {
    mailer: &'b Mailer,
    server: &'b Server,
    timeouts: Timeouts,
    connection: Option<Connection>,
}

impl Batch<'_> {
    /// Sends one mail, and records the result.
    async fn send(&mut self, mail: WaitingMail) -> Result<(), Trouble> {
        let core = &self.mailer.core;
        let name = &mail.message_id;
        let letter = Letter::unseal(&self.mailer.sealer, &mail.key, &mail.sealed);
        if let Ok(letter) = &letter
            && let Some(why) = unwanted(core, &mail, letter).await?
        {
            tracing::info!("mail {name} is dropped: {why}");
            return Ok(core.settle_mail(mail.id, MailOutcome::Dropped).await?);
        }
        let attempt = match letter {
            Ok(letter) => self.attempt(&mail, letter).await,
            Err(error) => Err(Failure::Never(error.to_string())),
        };
        let (outcome, trouble) = match attempt {
            Ok(()) => {
                tracing::info!("mail {name} was sent");
                (MailOutcome::Sent, Ok(()))
            }
            Err(Failure::Never(reason)) => {
                tracing::warn!("mail {name} is dropped: {}", shown(&reason, &mail));
                (MailOutcome::Dropped, Ok(()))
            }
            Err(Failure::Later(reason)) => {
                let rest = pause(MAIL_PAUSES, mail.attempts + 1);
                let seconds = rest.as_secs();
                tracing::info!("mail {name} is tried again in {seconds} s: {}", shown(&reason, &mail));
                (MailOutcome::Later(now_ms() + rest.as_millis() as i64), Ok(()))
            }
            // The mail itself may be the cause, so the others are tried before it is tried again.
            Err(Failure::Lost(reason)) => {
                let rest = pause(MAIL_PAUSES, mail.attempts + 1);
                let trouble = Trouble::Server(format!("mail {name}: {}", shown(&reason, &mail)));
                (MailOutcome::Later(now_ms() + rest.as_millis() as i64), Err(trouble))
            }
            // This does not count as an attempt of the mail.
            Err(Failure::Server(reason)) => return Err(Trouble::Server(shown(&reason, &mail))),
        };
        core.settle_mail(mail.id, outcome).await?;
        self.mailer.attempts.made(&mail.key);
        if let Some(wakes) = core.wakes() {
            wakes.wake(Topic::MailAttempts, &hash_secret(&mail.key));
        }
        trouble
    }

    async fn attempt(&mut self, mail: &WaitingMail, letter: Letter) -> Result<(), Failure> {
        let message = message(mail, letter, &self.server.from).map_err(Failure::Never)?;
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.server, &client_name(&self.mailer.public_url), self.timeouts).await?,
        };
        connection.send(&message).await?;
        // The connection is kept only after a mail was sent over it.
        self.connection = Some(connection);
        Ok(())
    }
}

/// Why a mail is not for its addressee any more: it may have waited for days, and rights end meanwhile.
async fn unwanted(core: &Core, mail: &WaitingMail, letter: &Letter) -> Result<Option<&'static str>, CoreError> {
    if mail.kind == MailKind::Note && core.is_unsubscribed(&mail.recipient).await? {
        return Ok(Some("its addressee unsubscribed"));
    }
    let Some(about) = &letter.about else {
        return Ok(None);
    };
    // What another server acknowledged counts, too.
    if let Some(freshness) = core.freshness() {
        freshness.check().await?;
    }
    let Some(project) = core.project(&about.project) else {
        return Ok(Some("its project was deleted"));
    };
    Ok(match Addressee::of(core, &mail.recipient, &project).await? {
        Addressee::Reader => None,
        Addressee::Stranger if !about.for_readers => None,
        Addressee::Stranger | Addressee::Shut => Some("its addressee may not read the project any more"),
    })
}

/// The name in our EHLO: the public host name, or the machine's when the public one is an IP address.
pub(super) fn client_name(public_url: &str) -> ClientId {
    let host = host_of(public_url);
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    match url::Host::parse(host) {
        Ok(url::Host::Domain(domain)) => ClientId::Domain(domain),
        _ => ClientId::default(),
    }
}

/// A server's answer as one line for the log, without the recipient's address.
fn shown(reason: &str, mail: &WaitingMail) -> String {
    let plain: String = super::letter::line(reason).chars().take(300).collect();
    plain.replace(&mail.recipient, "(the recipient)")
}

/// The pause after this many failures: three times as long each time, and a quarter more or less, so that what failed
/// together does not come back together.
fn pause((first, longest): (Duration, Duration), failures: u32) -> Duration {
    let pause = first
        .saturating_mul(3_u32.saturating_pow(failures.saturating_sub(1)))
        .min(longest);
    pause.mul_f64(rand::RngExt::random_range(&mut rand::rng(), 0.75..1.25))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_stay_bounded_and_differ() {
        let around = |pause: Duration, seconds: f64| (0.75..=1.25).contains(&(pause.as_secs_f64() / seconds));
        assert!(around(pause(MAIL_PAUSES, 1), 2.0));
        assert!(around(pause(MAIL_PAUSES, 3), 18.0));
        assert!(around(pause(MAIL_PAUSES, 1_000), 3600.0));
        assert!((0..50).any(|_| pause(MAIL_PAUSES, 5) != pause(MAIL_PAUSES, 5)));
    }
}
