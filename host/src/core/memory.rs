//! What is held in memory beside the database.

use parking_lot::RwLock;
use tokio::sync::Notify;

use super::approvals::ApprovalChanges;
use super::changes::News;
use super::index::Index;
use super::settings::Settings;
use super::subscriptions::Subscriptions;
use super::wakes::{Topic, Wakes};

/// The state in memory beside the database. Only the steps after commits change it, in the order of the commits; where others
/// write the database, too, only checks do ([`Freshness`](super::Freshness)).
#[derive(Default)]
pub(crate) struct Memory {
    pub index: RwLock<Index>,
    pub settings: RwLock<Settings>,
    /// Only where others write the database, too.
    pub(super) subscriptions: RwLock<Subscriptions>,
    pub published: Notify,
    pub approvals: ApprovalChanges,
}

impl Memory {
    /// Says that events were published, here and to the servers beside this one.
    pub(super) fn publish(&self, wakes: Option<&Wakes>) {
        self.published.notify_waiters();
        if let Some(wakes) = wakes {
            wakes.wake(Topic::Events, "");
        }
    }

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
        if let Some(subscriptions) = news.subscriptions {
            *self.subscriptions.write() = subscriptions;
        }
        if news.approvals {
            self.approvals.change();
        }
    }
}
