//! The output of successful builds, from the build to whoever takes it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::running::{StopHandle, key};
use super::{Builds, TreeError};
use crate::core::CoreError;
use crate::projects::{BuildEnd, QueuedBuild};
use crate::storage::blocking::blocking;
use crate::storage::objects::is_away;
use crate::storage::sites::{StagedTree, TreeStore};

/// How long an object store that is away is waited for.
pub(super) const STORE_TIMEOUT: Duration = Duration::from_secs(60);
/// The pause between two tries.
pub(super) const STORE_PAUSE: Duration = Duration::from_secs(2);

impl Builds {
    /// Keeps the output of a build that is about to end. Where servers share an object store it is there when this returns, or the
    /// build has failed.
    pub(super) async fn keep(&self, build: &QueuedBuild, handle: &StopHandle, tree: StagedTree, end: &mut BuildEnd) {
        let Some(store) = &self.trees.shared else {
            self.trees.here.lock().insert(key(build), Some(tree));
            return;
        };
        let name = format!("{}/{}.{}", build.slot, build.id, build.seq);
        match upload(store, tree, &name, handle).await {
            Ok(()) => end.tree = Some(name),
            Err(error) => {
                let reason = format!("The output could not be stored: {error}");
                self.transcript(build, handle).say(&reason);
                end.reason = Some(reason);
            }
        }
    }

    /// Takes the output of a successful build: `None` when it was published, or is taken by another call of this server.
    pub async fn take_tree(&self, slot: &str, id: &str) -> Result<Option<StagedTree>, TreeError> {
        let Some(store) = self.trees.shared.clone() else {
            let mut here = self.trees.here.lock();
            return Ok(here.get_mut(&(slot.to_owned(), id.to_owned())).and_then(Option::take));
        };
        let Some(name) = self.core.built_tree(slot, id).await? else {
            return Ok(None);
        };
        match blocking(move || store.open_tree(&name)).await {
            Ok(tree) => Ok(Some(tree)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns output that was taken and not used. It is dropped when the build was forgotten meanwhile.
    pub fn give_back(&self, slot: &str, id: &str, tree: StagedTree) {
        if let Some(place) = self.trees.here.lock().get_mut(&(slot.to_owned(), id.to_owned())) {
            *place = Some(tree);
        }
    }

    /// The output of a build was published: it is not taken again.
    pub async fn spend_tree(&self, slot: &str, id: &str) {
        if self.trees.shared.is_some()
            && let Err(error) = self.core.spend_built_tree(slot, id).await
        {
            tracing::warn!(
                slot,
                "the output of the build {id} stays until the build is forgotten: {error}"
            );
        }
    }

    /// Deletes the record and the output of an ended build.
    pub async fn forget(&self, slot: &str, id: &str) -> Result<(), CoreError> {
        self.trees.here.lock().remove(&(slot.to_owned(), id.to_owned()));
        let tree = self.core.forget_build(slot, id).await?;
        if let (Some(tree), Some(store)) = (tree, self.trees.shared.clone()) {
            // Nobody waits for it: what stays is swept.
            let slot = slot.to_owned();
            tokio::spawn(async move {
                let (name, removing) = (tree.clone(), blocking(move || store.remove_tree(&tree)));
                if let Err(error) = removing.await {
                    tracing::warn!(slot, "the output {name} of a build is left for a sweep: {error}");
                }
            });
        }
        Ok(())
    }

    /// Deletes output in the object store that belongs to no build and was stored before a time, in milliseconds since 1970. Answers
    /// how much.
    pub async fn sweep_trees(&self, before: i64) -> Result<usize, TreeError> {
        let Some(store) = self.trees.shared.clone() else {
            return Ok(0);
        };
        // In this order: the row of one that was stored long before is there when the rows are read.
        let stored = store.clone();
        let stored = blocking(move || stored.trees_before(before)).await?;
        let known = self.core.built_trees().await?;
        let nobodys: Vec<String> = stored.into_iter().filter(|name| !known.contains(name)).collect();
        let count = nobodys.len();
        blocking(move || nobodys.iter().try_for_each(|name| store.remove_tree(name))).await?;
        Ok(count)
    }
}

/// Stores a tree. A store that is away is waited for, unless the build has to stop.
async fn upload(store: &Arc<TreeStore>, tree: StagedTree, name: &str, handle: &StopHandle) -> io::Result<()> {
    let until = Instant::now() + STORE_TIMEOUT;
    let mut sealed = blocking(move || tree.seal()).await?;
    loop {
        let (own, own_name) = (store.clone(), name.to_owned());
        let tried = blocking(move || {
            let placed = own.place(&mut sealed, &own_name);
            Ok((sealed, placed))
        });
        let (again, placed) = tried.await?;
        match placed {
            Err(error) if is_away(&error) && Instant::now() < until && !*handle.stopped().borrow() => {
                sealed = again;
                tokio::time::sleep(STORE_PAUSE).await;
            }
            placed => return placed,
        }
    }
}
