//! What is kept for the slots of plugins together.

use super::{Core, CoreError, Subject, jobs, outbox};
use crate::storage::engine::Rows;

impl Core {
    /// Forgets the jobs, subscriptions and failed deliveries of all slots but these, in one transaction; then the events that
    /// no slot waits for.
    pub async fn prune_slots(&self, slots: Vec<String>) -> Result<(), CoreError> {
        self.prune_slots_but(move |_| Ok(Some(slots.clone()))).await
    }

    /// The same where the slots stand in the database: they are read in the transaction. Nothing is forgotten when they are not known.
    pub(crate) async fn prune_slots_but(
        &self,
        mut slots: impl FnMut(&mut Rows<'_>) -> Result<Option<Vec<String>>, CoreError> + Send + 'static,
    ) -> Result<(), CoreError> {
        let write = move |rows: &mut Rows<'_>| {
            let Some(slots) = slots(rows)? else { return Ok(false) };
            jobs::prune(rows, &slots)?;
            Ok::<_, CoreError>(outbox::prune(rows, &slots)?)
        };
        if self.database.write(write).await? {
            // Seldom, and by itself: this is run by each server when it begins. Until then events are kept that nobody awaits.
            self.change(|_| Ok(()), |()| Subject::Subscriptions, |_, ()| {}).await?;
        }
        Ok(())
    }
}
