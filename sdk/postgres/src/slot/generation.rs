//! How new a slot's data are: a number that grows with each write, in the write's own transaction.
//!
//! Its upper bits are the data's edition: the number of the approvals for which they were changed last in such a way that plugins from before
//! cannot use them. A database that was opened in an earlier edition is told so ([`Failure::Superseded`]), on whatever server.

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::failure::Failure;
use crate::address::Address;
use crate::failure::Failure as Common;
use crate::probe::Probe;

/// The table of the number.
pub const TABLE: &str = r#"
    CREATE TABLE IF NOT EXISTS public._galley_generation ("only" int8 PRIMARY KEY CHECK ("only" = 1), value int8 NOT NULL);
    INSERT INTO public._galley_generation ("only", value) VALUES (1, 0) ON CONFLICT DO NOTHING"#;

/// The lower bits of the number, which count writes.
const WRITES_BITS: u32 = 40;

/// The writes in a row of the table, as statements have it.
pub const WRITES: &str = "(value & ((1::int8 << 40) - 1))";

/// The largest edition. No operator gets there.
const MAX_EDITION: i64 = (1 << (i64::BITS - 1 - WRITES_BITS)) - 1;

/// The edition in a generation.
pub fn edition(generation: i64) -> i64 {
    generation >> WRITES_BITS
}

/// How many writes there were ever in a generation.
pub fn writes(generation: i64) -> i64 {
    generation & ((1 << WRITES_BITS) - 1)
}

/// What a transaction that writes notes.
#[derive(Debug, Clone, Copy)]
pub struct Noted {
    /// How many writes of the plugin are in it.
    pub writes: usize,
    /// In which edition it may happen.
    pub edition: i64,
}

/// What each transaction that writes does first, once it has the slot's lock: it counts its writes and leaves a receipt, which it answers. It
/// answers none when the edition is another one.
pub fn grow(noted: Noted, receipts: &str) -> String {
    let Noted { writes, edition } = noted;
    format!(
        "WITH grown AS (UPDATE public._galley_generation SET value = value + {writes} WHERE value >> {WRITES_BITS} = {edition} RETURNING 1)
         INSERT INTO {receipts} (token) SELECT gen_random_uuid()::text FROM grown
         RETURNING pg_current_xact_id()::text || ' ' || token"
    )
}

/// Begins an edition: nobody who opened the database before writes to it or reads from it any more. Answers no row when there is a later one.
pub fn begin_edition(edition: i64) -> String {
    let edition = edition.min(MAX_EDITION);
    format!(
        "UPDATE public._galley_generation
         SET value = ({edition}::int8 << {WRITES_BITS}) | {WRITES} WHERE value >> {WRITES_BITS} <= {edition} RETURNING 1"
    )
}

/// Makes the data newer by a change that is no write of the plugin's.
pub const CHANGE: &str = "UPDATE public._galley_generation SET value = value + 1;
    UPDATE public._galley_copies SET since = since + 1; UPDATE public._galley_use SET since = since + 1";

/// What is asked again and again.
pub const LOOK: &str = "SELECT value FROM public._galley_generation";

/// An answer, for one of those who wait for it.
type Asker = oneshot::Sender<Result<i64, Common>>;

/// Asks for the number. One question answers all who asked before it was sent.
pub struct Generation {
    askers: mpsc::UnboundedSender<Asker>,
}

impl Generation {
    /// Nothing is connected until somebody asks.
    pub fn new(address: &Address) -> Self {
        let (askers, inbox) = mpsc::unbounded_channel();
        tokio::spawn(answer(Probe::new(address.clone(), LOOK), inbox));
        Self { askers }
    }

    /// The number of a moment between this call and its answer: all writes that were acknowledged before the call are counted.
    pub async fn now(&self, until: Instant) -> Result<i64, Failure> {
        let closed = || Common::Unavailable("it is closed".to_owned());
        let (asker, answer) = oneshot::channel();
        self.askers.send(asker).map_err(|_| closed())?;
        let answered = timeout_at(until, answer).await.map_err(|_| Failure::Interrupted)?;
        Ok(answered.map_err(|_| closed())??)
    }
}

/// Answers until nobody can ask any more.
async fn answer(mut probe: Probe, mut inbox: mpsc::UnboundedReceiver<Asker>) {
    let mut waiting = Vec::new();
    while inbox.recv_many(&mut waiting, usize::MAX).await > 0 {
        let answer = probe.ask().await;
        for asker in waiting.drain(..) {
            // It may have gone away meanwhile.
            let _ = asker.send(answer.clone());
        }
    }
}
