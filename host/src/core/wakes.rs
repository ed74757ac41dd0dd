//! What the servers of one database tell each other as soon as it is durable: that there is something new to look at. A wake carries
//! nothing but a name; who hears it looks into the database. Whoever was cut off hears that anything may be new.
//!
//! A server alone tells nobody: [`Core::wakes`](super::Core::wakes) is `None` there, and whoever is to be woken is woken in memory.

use std::sync::Arc;

use parking_lot::RwLock;

use crate::storage::engine::{Channel, Heard, Shared};

/// The name of the channel.
const CHANNEL: &str = "galley_wakes";
/// What stands between a topic and a name.
const SEPARATOR: char = '/';

/// What a wake is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// A bell of a slot: `SLOT/TOPIC`.
    Bells,
    /// Builds were queued, or are to be cancelled.
    Builds,
    /// Events were published.
    Events,
    /// Mails were queued.
    Mails,
    /// The first attempt to send a mail was made: the hash of its key.
    MailAttempts,
}

impl Topic {
    /// As servers of other versions know it.
    fn word(self) -> &'static str {
        match self {
            Self::Bells => "bells",
            Self::Builds => "builds",
            Self::Events => "events",
            Self::Mails => "mails",
            Self::MailAttempts => "mail-attempts",
        }
    }
}

/// Hears a name, or `None` when any name may have been rung.
type Hearer = Box<dyn Fn(Option<&str>) + Send + Sync>;

/// Those who hear, each of one topic.
#[derive(Default)]
struct Hearers(RwLock<Vec<(Topic, Hearer)>>);

/// The wakes of one server.
pub struct Wakes {
    channel: Channel,
    hearers: Arc<Hearers>,
}

impl Wakes {
    pub(super) fn start(database: &Shared) -> Arc<Self> {
        let hearers = Arc::new(Hearers::default());
        let hearing = hearers.clone();
        let channel = database.channel(CHANNEL, move |heard| hearing.hear(heard));
        Arc::new(Self { channel, hearers })
    }

    /// Wakes the other servers. It waits for nothing, so what it is about must be durable already. What is woken here is the caller's
    /// to wake.
    pub fn wake(&self, topic: Topic, name: &str) {
        self.channel.ring(&format!("{}{SEPARATOR}{name}", topic.word()));
    }

    /// Hears what others wake, from now on. `hearer` must be short, and hold nothing that holds the core.
    pub fn hear(&self, topic: Topic, hearer: impl Fn(Option<&str>) + Send + Sync + 'static) {
        self.hearers.0.write().push((topic, Box::new(hearer)));
    }

    /// Tells everybody here that anything may be new: a server that ended may have woken nobody for the last that it wrote.
    pub(super) fn all_here(&self) {
        self.hearers.hear(Heard::All);
    }
}

impl Hearers {
    fn hear(&self, heard: Heard<'_>) {
        let heard = match heard {
            Heard::All => None,
            // What a newer server tells beside this is about nothing that is here.
            Heard::Name(name) => match name.split_once(SEPARATOR) {
                Some(heard) => Some(heard),
                None => return,
            },
        };
        for (topic, hearer) in self.0.read().iter() {
            match heard {
                None => hearer(None),
                Some((word, name)) if word == topic.word() => hearer(Some(name)),
                Some(_) => {}
            }
        }
    }
}
