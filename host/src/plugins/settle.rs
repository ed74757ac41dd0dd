//! Which plugins get their routes, and what serves in place of one that cannot.

use std::sync::Arc;

use super::claims::Claims;
use super::entry::Entry;
use super::factory::{Factory, Linked};
use super::inspect::InspectError;
use super::load_error::LoadError;
use super::lock::Bundle;
use super::places::Places;
use super::plugin::Plugin;
use super::registry::{Registry, Slot, SlotStatus};

/// A plugin on its way.
pub enum Stage {
    /// It serves already and did not change.
    Serving(Arc<Plugin>),
    /// It was read and linked; nothing of it has run but `describe`.
    Linked(Box<Linked>),
    /// It does not serve.
    Refused(LoadError),
}

/// Gives each slot its routes. Who serves already comes first, then what came with the program; a slot that cannot have its
/// routes is refused, and the others serve.
pub fn settle(entries: &[Entry], stages: &mut [Stage], before: &Registry, claims: &mut Claims, places: &Places) {
    // What goes on when its successor fails keeps its routes until the successor serves.
    for plugin in before.ready() {
        let slot = &plugin.state.name;
        if entries.iter().any(|entry| entry.slot == *slot) {
            // They had their routes side by side before.
            let _ = claims.take(slot, &plugin.manifest);
        }
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&index| !entries[index].bundled);
    for index in order {
        let Stage::Linked(linked) = &stages[index] else {
            continue;
        };
        let taken = places
            .check_approved(&entries[index], &linked.inspected)
            .and_then(|()| claims.take(&entries[index].slot, &linked.inspected.built.manifest));
        if let Err(error) = taken {
            stages[index] = Stage::Refused(error.into());
        }
    }
}

/// What serves instead of a plugin that cannot: the one before, or answers that name the slot. Where other servers serve the approved
/// one, the data are that one's: the one before does not go on.
pub fn fall_back(
    factory: &Factory,
    entry: Entry,
    error: &LoadError,
    before: &Registry,
    bundle: &Bundle,
    claims: &mut Claims,
) -> Slot {
    let slot = entry.slot.as_str();
    let is_shared = factory.is_shared();
    let status = match before.plugin(slot).filter(|_| !is_shared) {
        Some(plugin) if claims.take(slot, &plugin.manifest).is_ok() => {
            let version = &plugin.manifest.version;
            tracing::error!(
                slot,
                "the plugin `{slot}` {} does not serve, and {version} goes on: {error}",
                entry.version
            );
            SlotStatus::Ready(plugin.clone())
        }
        _ => {
            tracing::error!(slot, "the plugin `{slot}` does not serve: {error}");
            let manifest = match error {
                LoadError::Claim(_) => None,
                _ => factory.known_manifest(&entry, bundle),
            };
            let manifest = manifest.filter(|manifest| claims.take(slot, manifest).is_ok());
            SlotStatus::Failed {
                manifest: manifest.map(Box::new),
                told: matches!(error, LoadError::OtherEngine).then(|| error.to_string()),
            }
        }
    };
    Slot {
        problem: Some(error.to_string()),
        start_failed: error.is_passing() || is_shared && others_may_mend(error),
        entry,
        status,
    }
}

/// Whether the object store, the database or another server may do away with the reason.
fn others_may_mend(error: &LoadError) -> bool {
    matches!(
        error,
        LoadError::Inspect(InspectError::Unreadable(..))
            | LoadError::Start(_)
            | LoadError::Data(_)
            | LoadError::Other(_)
    )
}
