//! What is held in memory beside the database.

use parking_lot::RwLock;
use tokio::sync::Notify;

use super::changes::News;
use super::index::Index;
use super::settings::Settings;

/// The state in memory beside the database. Only the steps after commits change it, in the order of the commits; where others
/// write the database, too, only checks do ([`Freshness`](super::Freshness)).
#[derive(Default)]
pub(crate) struct Memory {
    pub index: RwLock<Index>,
    pub settings: RwLock<Settings>,
    pub published: Notify,
}

impl Memory {
    /// Takes what has changed.
    pub(super) fn take(&self, news: News) {
        let mut index = self.index.write();
        if let Some(whole) = news.index {
            *index = whole;
        }
        for (id, entry) in news.projects {
            index.replace(&id, entry);
        }
        drop(index);
        if let Some(settings) = news.settings {
            *self.settings.write() = settings;
        }
    }
}
