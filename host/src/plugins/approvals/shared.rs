//! The approvals of servers that share a database: one row with the text and a number, which grows with each change.
//!
//! A change is a transaction of its own, which looks whether the number is still the one that it was decided by. So of two servers that change
//! something at once, one is told so, and neither undoes what the other did.

use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::bundles::Offer;
use super::terms::{Act, Edition, Known, Written, ended_badly};
use crate::accounts::audit;
use crate::config::pause::{self, Step};
use crate::core::Core;
use crate::plugins::cache::Cache;
use crate::plugins::components::Components;
use crate::plugins::entry::Entry;
use crate::plugins::lock::{Bundle, Lock, LockError};
use crate::storage::engine::Rows;
use crate::storage::slot_data::DataChoice;
use crate::storage::sqlite::StorageError;

/// The row of a database.
#[derive(Clone)]
pub struct Shared {
    core: Arc<Core>,
    components: Components,
    cache: Cache,
}

/// The manifest of a component, by its hash.
type Described = (String, String);

impl Shared {
    /// That of the core's database. What it names lies among the components.
    pub fn new(core: Arc<Core>, components: Components, cache: Cache) -> Self {
        Self {
            core,
            components,
            cache,
        }
    }

    pub(super) async fn edition(&self) -> Result<Edition, LockError> {
        let read = |rows: &mut Rows<'_>| Ok::<_, LockError>(present(rows)?.map_or(0, |(number, _)| number));
        Ok(Edition::Number(self.core.database.read(read).await?))
    }

    pub(super) async fn follow(&self, bundle: Bundle) -> Result<Known, LockError> {
        let (number, lock) = self.followed(&bundle, Offer::of(&bundle)).await?;
        self.learn(&lock).await?;
        let (components, named) = (self.components.clone(), lock.clone());
        let swept = spawn_blocking(move || components.sweep_here(&named.artifacts())).await;
        swept.map_err(|error| ended_badly(&error))?;
        Ok(Known {
            lock,
            bundle: Arc::new(bundle),
            edition: Edition::Number(number),
        })
    }

    /// The approvals, and their number, once they follow what came with this program, if they should.
    pub(super) async fn followed(&self, bundle: &Bundle, offer: Offer) -> Result<(i64, Lock), LockError> {
        let asked = offer.clone();
        let look = move |rows: &mut Rows<'_>| Ok::<_, LockError>((read(rows)?, asked.is_due(rows)?));
        let ((number, lock), is_due) = self.core.database.read(look).await?;
        if !is_due {
            return Ok((number, lock));
        }
        match self.store(bundle).await {
            Ok(()) => {}
            // Who begins has nothing else to serve.
            Err(error) if number == 0 => return Err(error),
            Err(error) => {
                tracing::error!(
                    "the plugins that came with this program are not followed yet, those of the other servers are: {error}"
                );
                return Ok((number, lock));
            }
        }
        let manifests = bundle.plugins.iter().filter_map(|built| {
            let described = serde_json::to_string(&built.manifest).ok();
            Some((built.sha256.clone(), self.described(&built.sha256).or(described)?))
        });
        let (bundle, manifests): (_, Vec<Described>) = (bundle.clone(), manifests.collect());
        let write = move |rows: &mut Rows<'_>| {
            let (number, mut lock) = read(rows)?;
            // Another server may have been as quick.
            if !offer.is_due(rows)? {
                return Ok((number, lock));
            }
            offer.note(rows)?;
            if !lock.follow(&bundle) {
                return Ok((number, lock));
            }
            write(rows, number + 1, &lock, &manifests)?;
            Ok::<_, LockError>((number + 1, lock))
        };
        self.core.change_approvals(write).await
    }

    /// Puts the components that came with the program where all servers find them.
    async fn store(&self, bundle: &Bundle) -> Result<(), LockError> {
        let (components, bundle) = (self.components.clone(), bundle.clone());
        let stored = spawn_blocking(move || {
            for built in &bundle.plugins {
                let stored = components.publish(&built.entry(true));
                stored.map_err(|error| unstored(&built.manifest.slot, error))?;
            }
            Ok(())
        });
        stored.await.map_err(|error| ended_badly(&error))?
    }

    pub(super) async fn write_down(
        &self,
        followed: Option<&Edition>,
        slot: &str,
        entry: Option<Entry>,
        act: Act<'_>,
    ) -> Result<Written, LockError> {
        let followed = followed.cloned();
        if let Some(entry) = &entry {
            self.offer(entry).await?;
        }
        pause::wait_at(Step::Lock).await;
        let manifest = entry.as_ref().and_then(|entry| {
            let described = self.described(&entry.sha256)?;
            Some((entry.sha256.clone(), described))
        });
        let manifests = Vec::from_iter(manifest);
        let (actor, action, details, slot) = (act.actor.clone(), act.action, act.details, slot.to_owned());
        let write = move |rows: &mut Rows<'_>| {
            audit::record(rows, &actor, action, &slot, details.clone())?;
            let (number, mut lock) = read(rows)?;
            let before = Some(Edition::Number(number));
            if before != followed {
                return Err(LockError::Superseded);
            }
            lock.put(&slot, entry.clone());
            write(rows, number + 1, &lock, &manifests)?;
            let after = Edition::Number(number + 1);
            Ok(Written { before, after })
        };
        self.core.change_approvals(write).await
    }

    /// Puts an entry's component where all servers find it, before the entry is there. One that the approvals name is there.
    async fn offer(&self, entry: &Entry) -> Result<(), LockError> {
        let sha256 = entry.sha256.clone();
        let is_named = move |rows: &mut Rows<'_>| is_described(rows, &sha256).map_err(LockError::from);
        if self.core.database.read(is_named).await? {
            return Ok(());
        }
        let (components, entry) = (self.components.clone(), entry.clone());
        let stored = spawn_blocking(move || {
            let stored = components.publish(&entry);
            stored.map_err(|error| unstored(&entry.slot, error))
        });
        stored.await.map_err(|error| ended_badly(&error))?
    }

    /// Forgets what the core keeps for slots without an entry. The entries are read in the same transaction: they may be newer than
    /// those that this server follows.
    pub(super) async fn prune(&self) -> Result<(), LockError> {
        let slots = |rows: &mut Rows<'_>| {
            let lock = present(rows)?.and_then(|(_, text)| Lock::parse(&text).ok());
            Ok(lock.map(|lock| lock.plugins.into_iter().map(|entry| entry.slot).collect()))
        };
        Ok(self.core.prune_slots_but(slots).await?)
    }

    pub(super) async fn sweep(&self) -> Result<usize, LockError> {
        let unswept = |source: std::io::Error| LockError::Components {
            what: "components that nothing names are not deleted".to_owned(),
            source,
        };
        let components = self.components.clone();
        let old = spawn_blocking(move || components.old()).await;
        let old = old.map_err(|error| ended_badly(&error))?.map_err(unswept)?;
        if old.is_empty() {
            return Ok(0);
        }
        // After the listing: what was named meanwhile stays.
        let (_, lock) = self.core.database.read(read).await?;
        let components = self.components.clone();
        let swept = spawn_blocking(move || components.remove_unnamed(old, &lock.artifacts())).await;
        swept.map_err(|error| ended_badly(&error))?.map_err(unswept)
    }

    /// Keeps what the approved components say of themselves, for those that cannot be fetched: their routes are known then.
    async fn learn(&self, lock: &Lock) -> Result<(), LockError> {
        // Whose data are taken over has to be known, too.
        let adopted = lock
            .plugins
            .iter()
            .filter(|entry| entry.data == Some(DataChoice::Adopt));
        let adopted = adopted
            .filter_map(|entry| entry.before.first())
            .map(|before| &before.sha256);
        let named = lock.plugins.iter().map(|entry| &entry.sha256).chain(adopted).cloned();
        let unknown: Vec<String> = named.filter(|sha256| self.cache.manifest(sha256).is_none()).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let find = move |rows: &mut Rows<'_>| {
            let sql = "SELECT sha256, manifest FROM manifests WHERE sha256 = ?1";
            let found = unknown.iter().map(|sha256| {
                rows.fetch_optional(sql, [sha256], |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)))
            });
            Ok::<Vec<Option<Described>>, LockError>(found.collect::<Result<_, StorageError>>()?)
        };
        for (sha256, manifest) in self.core.database.read(find).await?.into_iter().flatten() {
            self.cache.keep_manifest(&sha256, manifest.as_bytes());
        }
        Ok(())
    }

    fn described(&self, sha256: &str) -> Option<String> {
        String::from_utf8(self.cache.manifest(sha256)?).ok()
    }
}

fn unstored(slot: &str, source: std::io::Error) -> LockError {
    LockError::Components {
        what: format!("the component of `{slot}` cannot be put where all servers find it"),
        source,
    }
}

/// The number and the text; `None` before the first server wrote them.
fn present(rows: &mut Rows<'_>) -> Result<Option<(i64, String)>, StorageError> {
    let sql = "SELECT number, document FROM approvals";
    rows.fetch_optional(sql, (), |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The number, and what the text says.
fn read(rows: &mut Rows<'_>) -> Result<(i64, Lock), LockError> {
    match present(rows)? {
        None => Ok((0, Lock::default())),
        Some((number, text)) => Ok((number, Lock::parse(&text).map_err(LockError::Unknown)?)),
    }
}

fn is_described(rows: &mut Rows<'_>, sha256: &str) -> Result<bool, StorageError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM manifests WHERE sha256 = ?1)";
    rows.fetch_one(sql, [sha256], |row| row.get(0))
}

/// Writes the approvals, and what the components that they name say of themselves.
fn write(rows: &mut Rows<'_>, number: i64, lock: &Lock, manifests: &[Described]) -> Result<(), LockError> {
    let text = lock.to_text().map_err(LockError::Unknown)?;
    let sql = "INSERT INTO approvals (\"only\", number, document) VALUES (1, ?1, ?2)
               ON CONFLICT (\"only\") DO UPDATE SET number = excluded.number, document = excluded.document";
    rows.execute(sql, (number, text))?;
    let named = lock.artifacts();
    let known: Vec<String> = rows.fetch_all("SELECT sha256 FROM manifests", (), |row| row.get(0))?;
    for gone in known.iter().filter(|known| !named.contains(known.as_str())) {
        rows.execute("DELETE FROM manifests WHERE sha256 = ?1", [gone])?;
    }
    for (sha256, manifest) in manifests.iter().filter(|(sha256, _)| named.contains(sha256.as_str())) {
        let sql = "INSERT INTO manifests (sha256, manifest) VALUES (?1, ?2) ON CONFLICT (sha256) DO NOTHING";
        rows.execute(sql, (sha256, manifest))?;
    }
    Ok(())
}
