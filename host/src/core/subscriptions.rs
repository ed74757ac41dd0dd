//! Which topics the slots are subscribed to. Where several servers write the database they are held in memory: each write of a plugin
//! asks whether anybody awaits its event, and asks with all others that come at once.

use std::collections::HashSet;

use galley_manifest::HOST_TOPICS;

use super::error::CoreError;
use crate::storage::engine::Rows;

/// The topics of all slots, also of those that are disabled: whole ones, and words as components of the contract's version 0.1
/// subscribe to them.
#[derive(Debug, Default)]
pub(super) struct Subscriptions(HashSet<String>);

impl Subscriptions {
    /// Reads them.
    pub(super) fn load(rows: &mut Rows<'_>) -> Result<Self, CoreError> {
        let all: Vec<String> = rows.fetch_all("SELECT topics FROM cursors", (), |row| row.get(0))?;
        // What is no list of texts was not written by a server, and awaits nothing.
        let lists = all
            .iter()
            .filter_map(|topics| serde_json::from_str::<Vec<String>>(topics).ok());
        Ok(Self(lists.flatten().collect()))
    }

    /// Whether any of them is a topic of `slot`, given whole or as its word.
    pub(super) fn await_topic(&self, slot: &str, topic: &str) -> bool {
        let word = topic.split_once('/').map_or(topic, |(_, word)| word);
        let is_word = !word.contains('/') && !HOST_TOPICS.contains(&word) && self.0.contains(word);
        is_word || self.0.contains(&format!("{slot}/{word}"))
    }
}
