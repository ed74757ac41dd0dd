//! Putting another plugin into a slot: install, update, rollback.

use galley_manifest::HostRule;
use serde_json::json;

use super::{Artifact, Kind, Operations, Outcome, Refused};
use crate::accounts::Actor;
use crate::plugins::approvals::{Act, Known};
use crate::plugins::artifacts;
use crate::plugins::beside;
use crate::plugins::entry::{Entry, Filling};
use crate::plugins::inspect::{InspectError, Inspected};
use crate::plugins::lock::Bundle;
use crate::plugins::registry::Slot;
use crate::plugins::review::{Present, Review};
use crate::plugins::shared_data;
use crate::plugins::signature::{self, Signed};
use crate::storage::id::{now_ms, rfc3339};
use crate::storage::slot_data::{self, DataChoice};

/// A plugin on its way into a slot.
struct Candidate {
    entry: Entry,
    inspected: Inspected,
    review: Review,
}

impl Operations {
    pub(super) async fn install(
        &self,
        artifact: Artifact,
        replaces: Option<String>,
        actor: &Actor,
    ) -> Result<Outcome, Refused> {
        let known = self.known().await?;
        let inspected = self.inspect(&artifact).await?;
        let slot = inspected.built.manifest.slot.clone();
        let present = known.lock.plugins.iter().find(|entry| entry.slot == slot);
        match (present, replaces) {
            (_, Some(named)) if named != slot => {
                let message = format!(
                    "{} is for the slot `{slot}`, it cannot replace `{named}`",
                    artifact.name()
                );
                return Err(Refused::new(Kind::Conflict, message));
            }
            (Some(present), None) if present.sha256 != artifact.sha256 => {
                let message = format!(
                    "the slot `{slot}` is filled by {} {}: add --replaces {slot} to put {} {} there",
                    present.id(),
                    present.version,
                    inspected.built.manifest.id(),
                    inspected.built.manifest.version
                );
                return Err(Refused::new(Kind::Conflict, message));
            }
            (None, Some(named)) => {
                let message = format!("there is nothing to replace in the slot `{named}`: leave out --replaces");
                return Err(Refused::new(Kind::Conflict, message));
            }
            _ => {}
        }
        self.put(known, inspected, artifact, ("plugin-installed", "is installed"), actor)
            .await
    }

    pub(super) async fn update(&self, slot: &str, artifact: Artifact, actor: &Actor) -> Result<Outcome, Refused> {
        let mut known = self.known().await?;
        let present = known.entry(slot)?.clone();
        let inspected = self.inspect(&artifact).await?;
        let manifest = &inspected.built.manifest;
        if manifest.slot != slot {
            let message = format!(
                "{} is for the slot `{}`, not for `{slot}`",
                artifact.name(),
                manifest.slot
            );
            return Err(Refused::new(Kind::Conflict, message));
        }
        if manifest.id() != present.id() {
            let message = format!(
                "{} is the plugin `{}`, and `{slot}` has `{}`: `galley plugins install --replaces {slot}` puts another \
                 plugin there",
                artifact.name(),
                manifest.id(),
                present.id()
            );
            return Err(Refused::new(Kind::Conflict, message));
        }
        self.put(known, inspected, artifact, ("plugin-updated", "is updated"), actor)
            .await
    }

    pub(super) async fn rollback(
        &self,
        slot: &str,
        bundled: bool,
        lose_writes: bool,
        actor: &Actor,
    ) -> Result<Outcome, Refused> {
        let mut known = self.known().await?;
        let present = known.entry(slot)?.clone();
        let built = built(&known.bundle, slot);
        let mut entry = present.clone();
        if bundled {
            let Some(built) = built else {
                let message = format!("the program does not come with a plugin for `{slot}`");
                return Err(Refused::new(Kind::Conflict, message));
            };
            // That of another server's program is another one.
            if present.bundled && present.sha256 == built.sha256 {
                let message = format!("`{slot}` has the plugin that came with the program already");
                return Err(Refused::new(Kind::Conflict, message));
            }
            entry.remember();
            let filling = built.entry(true).filling();
            entry.fill(filling, Some(&built.file));
        } else {
            if entry.before.is_empty() {
                let message = format!("nothing filled `{slot}` before: there is nothing to go back to");
                return Err(Refused::new(Kind::Conflict, message));
            }
            let filling = entry.before.remove(0);
            let same = built.filter(|built| filling.bundled && built.sha256 == filling.sha256);
            entry.fill(filling, same.map(|built| built.file.as_str()));
        }
        self.keep_artifact(&present).await?;
        entry.data = lose_writes.then_some(DataChoice::LoseWrites);
        let version = entry.version.clone();
        let details = json!({ "from": present.version, "to": version, "sha256": entry.sha256 });
        let act = Act {
            actor,
            action: "plugin-rolled-back",
            details,
        };
        let was = self.schema(slot);
        self.serve(entry, act).await?;
        let left = self.left_behind(was, slot).await;
        Ok(Outcome {
            message: format!("{slot} is back at {version} and serves{left}"),
            details: json!({ "slot": slot, "version": version, "from": present.version, "state": "serving" }),
            review: None,
        })
    }

    /// The name of the schema whose data a slot uses now. Nothing is kept of the plugin: a change waits until nobody has it.
    fn schema(&self, slot: &str) -> Option<String> {
        let present = self.present();
        let manifest = present.slot(slot).and_then(Slot::manifest);
        manifest.map(|manifest| manifest.schema_name().to_owned())
    }

    /// What is said of writes to data that another plugin had taken over, and that are not in the data of the one that serves now;
    /// `was` is the other one's schema. They are not lost: it finds them again.
    async fn left_behind(&self, was: Option<String>, slot: &str) -> String {
        let now = self.schema(slot);
        let Some(was) = was.filter(|was| now.as_ref() != Some(was)) else {
            return String::new();
        };
        let services = self.loader.services();
        let writes = match &services.config.cluster {
            None => {
                let folder = slot_data::folder(self.loader.data_dir());
                slot_data::writes_since_taken_over(&folder, slot, &was)
            }
            Some(cluster) => match Box::pin(shared_data::find(services, cluster, slot, &was)).await {
                Ok(Some(place)) => Box::pin(slot_data::writes_since(&place)).await.ok().flatten(),
                _ => None,
            },
        };
        match writes {
            None | Some(0) => String::new(),
            Some(1) => format!("; 1 write since `{was}` took the data over is in its data only"),
            Some(writes) => format!("; {writes} writes since `{was}` took the data over are in its data only"),
        }
    }

    /// Reviews an artifact, and lets it serve when its permissions are approved.
    async fn put(
        &self,
        mut known: Known,
        inspected: Inspected,
        artifact: Artifact,
        (action, done): (&'static str, &str),
        actor: &Actor,
    ) -> Result<Outcome, Refused> {
        let Candidate {
            entry,
            inspected,
            review,
        } = {
            let publisher = self.publisher(&mut known, &inspected, &artifact).await?;
            self.candidate(&mut known, inspected, &artifact, publisher)?
        };
        if review.needs_approval() && !artifact.approved {
            let asks = match review.additions() {
                none if none.is_empty() => "it asks for no permission, and is new here".to_owned(),
                additions => format!("it {additions}"),
            };
            return Err(Refused {
                kind: Kind::NeedsApproval,
                message: format!(
                    "{} {} is not approved: {asks}. Add --yes to approve it",
                    review.id, review.version
                ),
                review: Some(Box::new(review)),
            });
        }
        let present = known.lock.entry(&entry.slot).cloned();
        if let Some(present) = &present {
            self.keep_artifact(present).await?;
        }
        let (slot, version) = (entry.slot.clone(), entry.version.clone());
        let details = json!({
            "id": entry.id(), "version": version, "sha256": entry.sha256, "source": entry.source,
            "from": present.as_ref().map(|present| &present.version),
        });
        drop(inspected);
        let (was, adopts) = (self.schema(&slot), entry.data == Some(DataChoice::Adopt));
        self.serve(entry, Act { actor, action, details }).await?;
        let left = match adopts {
            true => String::new(),
            false => self.left_behind(was, &slot).await,
        };
        Ok(Outcome {
            message: format!("{slot} {version} {done} and serves{left}"),
            details: json!({
                "slot": slot, "version": version, "from": present.map(|present| present.version), "state": "serving",
            }),
            review: Some(review),
        })
    }

    /// The key of who made the artifact. The key that is pinned for a plugin holds for its later versions.
    async fn publisher(
        &self,
        known: &mut Known,
        inspected: &Inspected,
        artifact: &Artifact,
    ) -> Result<Option<String>, Refused> {
        let manifest = &inspected.built.manifest;
        let present = known.lock.entry(&manifest.slot);
        let present = present.filter(|present| present.id() == manifest.id());
        let pinned = present.and_then(|present| present.publisher.clone());
        let bad = |error: &dyn std::fmt::Display| {
            Refused::new(Kind::BadFile, format!("{} cannot be used: {error}", artifact.name()))
        };
        if let (Some(pinned), Some(given)) = (&pinned, &artifact.publisher)
            && pinned != given
        {
            let id = |key: &str| signature::key_id(key).unwrap_or_else(|| key.to_owned());
            let (pinned, given) = (id(pinned), id(given));
            let plugin = manifest.id();
            return Err(bad(&format!(
                "the publisher's key of `{plugin}` is {pinned}, and {given} was given"
            )));
        }
        let Some(key) = pinned.or_else(|| artifact.publisher.clone()) else {
            return Ok(None);
        };
        let path = artifacts::path(self.loader.data_dir(), &inspected.built.sha256);
        let wasm = tokio::fs::read(path).await.map_err(|error| Refused::failed(&error))?;
        let signed = Signed {
            id: manifest.id(),
            version: &manifest.version,
            sha256: &inspected.built.sha256,
        };
        let checked = signature::check(&wasm, &signed, artifact.signature.as_deref(), &key);
        checked.map(|()| Some(key)).map_err(|error| bad(&error))
    }

    fn candidate(
        &self,
        known: &mut Known,
        inspected: Inspected,
        artifact: &Artifact,
        publisher: Option<String>,
    ) -> Result<Candidate, Refused> {
        let built = &inspected.built;
        let slot = built.manifest.slot.as_str();
        let present = known.lock.entry(slot).cloned();
        let mut entry = present.clone().unwrap_or_else(|| Entry::empty(slot));
        if present.as_ref().is_some_and(|present| present.sha256 != built.sha256) {
            entry.remember();
        }
        let filling = Filling {
            id: built.manifest.id.clone(),
            version: built.manifest.version.clone(),
            sha256: built.sha256.clone(),
            source: artifact.source.clone(),
            publisher,
            bundled: false,
            imports: built.imports.clone(),
            hosts: built.manifest.hosts.iter().map(HostRule::approval).collect(),
            since: Some(rfc3339(now_ms())),
        };
        entry.fill(filling, None);
        entry.data = artifact.data;
        // What servers did for this approval, or are about to do, is not done once more.
        if let Some(present) = present.as_ref().filter(|present| present.sha256 == built.sha256)
            && self.loader.approvals().is_shared()
            && entry.data == Some(DataChoice::Adopt)
        {
            entry.data = present.data;
            entry.since = present.since.clone();
        }
        let registry = self.present();
        let manifest = registry.slot(slot).and_then(Slot::manifest);
        let now = present.as_ref().map(|entry| Present { entry, manifest });
        let path = artifacts::path(self.loader.data_dir(), &built.sha256);
        let size = std::fs::metadata(path).map_or(0, |facts| facts.len());
        let review = Review::of(&inspected, &entry, size, now.as_ref());
        Ok(Candidate {
            entry,
            inspected,
            review,
        })
    }

    pub(super) async fn inspect(&self, artifact: &Artifact) -> Result<Inspected, Refused> {
        let is_hash = artifact.sha256.len() == 64 && artifact.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hash {
            let message = format!("`{}` is no SHA-256 of a staged artifact", artifact.sha256);
            return Err(Refused::new(Kind::Invalid, message));
        }
        let (loader, sha256, name) = (self.loader.clone(), artifact.sha256.clone(), artifact.name().to_owned());
        let reading = beside::spawn(self.present().serves(), move || {
            loader.factory().inspect(&sha256, &name)
        });
        let read = reading.await.map_err(|error| Refused::failed(&error))?;
        read.map_err(|error| {
            let kind = match error {
                InspectError::Unreadable(..) => Kind::Conflict,
                _ => Kind::BadFile,
            };
            Refused::new(kind, format!("{} cannot be used: {error}", artifact.name()))
        })
    }

    /// Copies an artifact of the plugins folder into the data folder, so that there is a way back when that folder changes. What
    /// several servers run is kept for all of them already.
    async fn keep_artifact(&self, entry: &Entry) -> Result<(), Refused> {
        if self.loader.approvals().is_shared() {
            return Ok(());
        }
        let path = entry.path(self.loader.plugins_dir(), self.loader.data_dir());
        match tokio::fs::read(&path).await {
            Ok(wasm) => {
                let data_dir = self.loader.data_dir().to_owned();
                let keeping = beside::spawn(self.present().serves(), move || artifacts::keep(&data_dir, &wasm));
                let kept = keeping.await.map_err(|error| Refused::failed(&error))?;
                kept.map(drop).map_err(|error| Refused::failed(&error))
            }
            // It serves from memory, and there is no way back to it anyway.
            Err(_) => Ok(()),
        }
    }
}

impl Artifact {
    /// What people call it.
    fn name(&self) -> &str {
        self.source.as_deref().unwrap_or(&self.sha256)
    }
}

/// What the program comes with for a slot.
fn built<'b>(bundle: &'b Bundle, slot: &str) -> Option<&'b crate::plugins::lock::Built> {
    bundle.plugins.iter().find(|built| built.manifest.slot == slot)
}
