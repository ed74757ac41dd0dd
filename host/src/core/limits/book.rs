//! What one server counts.

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::places::Places;
use super::uses::Uses;

/// What is counted here, and who waits for the others' counts.
#[derive(Default)]
pub(super) struct Book {
    pub uses: Mutex<Uses>,
    pub places: Mutex<Places>,
    /// Rung when somebody waits for an exchange.
    pub urgent: Notify,
    /// Rung when there is something to exchange.
    pub soon: Notify,
}
