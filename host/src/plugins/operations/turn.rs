//! One operation at a time, over all servers that share the approvals: who has the turn keeps the others waiting.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Kind, Operations, Outcome, Refused};
use crate::core::Work;

/// The name of the lease.
const TURN: &str = "plugins";
/// How long an operation waits for one of another server. Longer than the lease of a server that was killed.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);
/// How often it is looked whether that has ended.
const TURN_INTERVAL: Duration = Duration::from_millis(100);

impl Operations {
    /// Does something while no other server changes a slot. A server alone has always its turn.
    pub(super) async fn in_turn(
        &self,
        doing: impl Future<Output = Result<Outcome, Refused>>,
    ) -> Result<Outcome, Refused> {
        let mut turn = Work::new(self.services().core.clone(), TURN.to_owned());
        let until = Instant::now() + TURN_TIMEOUT;
        while turn.lease().await?.is_none() {
            if Instant::now() >= until {
                let message = "another server changes a plugin at this moment, and nothing was changed here: try again when it is done";
                return Err(Refused::new(Kind::Conflict, message));
            }
            tokio::time::sleep(TURN_INTERVAL).await;
        }
        let done = turn.during(doing).await;
        if let Err(error) = turn.give_up().await {
            error.tell("changes of plugins at other servers wait a moment");
        }
        done
    }

    /// Deletes components that all servers find and nothing names, unless another server changes something. For servers that share
    /// the approvals.
    pub async fn tidy(self: Arc<Self>) {
        let _changing = self.changing.lock().await;
        let mut turn = Work::new(self.services().core.clone(), TURN.to_owned());
        // Whoever has the turn tidies up behind it.
        if !matches!(turn.lease().await, Ok(Some(_))) {
            return;
        }
        match turn.during(self.loader.approvals().sweep()).await {
            Ok(0) => {}
            Ok(count) => tracing::info!("deleted {count} components from the object store that nothing names"),
            Err(error) => tracing::warn!("{error}"),
        }
        if let Err(error) = turn.give_up().await {
            tracing::warn!("changes of plugins at other servers wait a moment: {error}");
        }
    }
}
