//! How new a slot's data are: a number that grows with each write, in the write's own transaction.

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

/// What each write does first, once it has the slot's lock.
pub const GROW: &str = "UPDATE public._galley_generation SET value = value + 1";

/// What is asked again and again.
const LOOK: &str = "SELECT value FROM public._galley_generation";

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
