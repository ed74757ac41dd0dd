//! What is kept for the slots of plugins together.

use super::{Core, CoreError, jobs, outbox};

impl Core {
    /// Forgets the jobs, subscriptions and failed deliveries of all slots but these, in one transaction; then the events that
    /// no slot waits for.
    pub async fn prune_slots(&self, slots: Vec<String>) -> Result<(), CoreError> {
        self.database
            .write(move |rows| {
                outbox::prune(rows, &slots)?;
                jobs::prune(rows, &slots)?;
                Ok(())
            })
            .await
    }
}
