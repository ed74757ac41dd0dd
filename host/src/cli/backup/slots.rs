//! The data of slots on their way into a cluster and out of it.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use galley_manifest::Engine;
use galley_postgres::slot::Provision;

use super::progress::Progress;
use super::schemas::Schemas;
use crate::capabilities::events;
use crate::cli::output;
use crate::config::ClusterConfig;
use crate::core::{Import, SlotData};
use crate::plugins::manifest::{self, Manifest};
use crate::storage::backup::Checked;
use crate::storage::slot_data;

/// What a backup has for a cluster's slots, decided before anything is written.
pub struct Arrivals {
    /// In the order of their files' names.
    coming: Vec<Arrival>,
    /// Files that stay behind, and why.
    pub left_out: Vec<String>,
}

struct Arrival {
    file: PathBuf,
    slot: String,
    manifest: Manifest,
    /// The last step of its schema that ran.
    version: u32,
}

impl Arrivals {
    /// Looks at the data of a backup and at the plugins that use them. A plugin in use that cannot run on PostgreSQL is a refusal.
    pub fn of(backup: &Checked, schemas: &Schemas) -> anyhow::Result<Self> {
        for entry in schemas.lock.plugins.iter().filter(|entry| entry.enabled) {
            let manifest = schemas.present(entry)?;
            ensure!(
                manifest.migrations.is_empty() || manifest.runs_on(Engine::Postgres),
                "the plugin of the slot `{}` ({} {}) cannot run in a cluster: its SQL is for SQLite only. Update it to a version whose \
                 manifest names `postgres`, or disable it, and make another backup",
                entry.slot,
                entry.id(),
                entry.version
            );
        }
        let mut arrivals = Self {
            coming: Vec::new(),
            left_out: Vec::new(),
        };
        for name in backup.names() {
            let Some(data) = name.strip_prefix("slots/").and_then(|name| name.strip_suffix(".db")) else {
                continue;
            };
            let slot = data.split('@').next().unwrap_or_default();
            if data.starts_with("copies/") {
                let why = "a copy from before an update, which is not taken along";
                arrivals.left_out.push(format!("{name}: {why}"));
                continue;
            }
            match arrival(backup.path(name), slot, schemas).with_context(|| name.to_owned())? {
                Some(Ok(arrival)) => arrivals.coming.push(arrival),
                Some(Err(why)) => arrivals.left_out.push(format!("{name}: {why}")),
                None => {}
            }
        }
        Ok(arrivals)
    }

    /// Makes the databases and fills them. What was there for slots before goes. Answers how many rows there are.
    pub async fn fill(&self, import: &Import, cluster: &ClusterConfig) -> anyhow::Result<u64> {
        let provision = |name: String, password: String| Provision {
            address: cluster.database.clone(),
            name,
            password,
        };
        for name in import.slot_databases().await? {
            provision(name.clone(), String::new()).delete().await?;
            import.forget_slot_database(&name).await?;
        }
        let mut rows = 0;
        for arrival in &self.coming {
            let Arrival {
                file,
                slot,
                manifest,
                version,
            } = arrival;
            let schema = manifest::schema(manifest);
            let database = import.slot_database(slot, schema.name).await?;
            let address = provision(database.name, database.password).run().await;
            let address = address.with_context(|| format!("the database of the slot `{slot}` cannot be made"))?;
            let progress = Progress::shared("rows");
            let told = progress.clone();
            let copied =
                slot_data::import_rows(file.clone(), &address, &schema, *version, move |rows| told.so_far(rows));
            let copied = copied.await.with_context(|| format!("the slot `{slot}`"))?;
            progress.end(&format!(
                "the slot `{slot}`: {} rows of {} tables",
                copied.rows, copied.tables
            ));
            rows += copied.rows;
        }
        Ok(rows)
    }
}

/// Data that can be taken over; `None` for a file without any, `Some(Err)` for one of a plugin that is not in use.
fn arrival(file: PathBuf, slot: &str, schemas: &Schemas) -> anyhow::Result<Option<Result<Arrival, String>>> {
    let found = slot_data::found(&file)?;
    if found.version == 0 {
        return Ok(None);
    }
    let Some(entry) = schemas.lock.plugins.iter().find(|entry| entry.slot == slot) else {
        return Ok(Some(Err("no plugin is approved for the slot".to_owned())));
    };
    let present = schemas.present(entry)?;
    // Files from before there were labels are of the slot's first plugin.
    let name = found.schema.unwrap_or_else(|| present.schema_name().to_owned());
    let is_in_use = entry.enabled && name == present.schema_name();
    let version = found.version;
    let manifest = schemas.find(slot, &name, version)?;
    match manifest.filter(|manifest| manifest.runs_on(Engine::Postgres)) {
        Some(manifest) => Ok(Some(Ok(Arrival {
            file,
            slot: slot.to_owned(),
            manifest,
            version,
        }))),
        None if is_in_use => bail!(
            "the data have version {version} of the schema `{name}`, and the plugin of the slot `{slot}` knows {}: take the newer \
             plugin, and make another backup",
            present.schema_version()
        ),
        None => Ok(Some(Err(format!(
            "no approved plugin knows version {version} of the schema `{name}` on PostgreSQL"
        )))),
    }
}

/// Copies the data of slots into files of a backup.
pub async fn export(
    slots: Vec<SlotData>,
    schemas: &Schemas,
    cluster: &ClusterConfig,
    folder: &Path,
) -> anyhow::Result<()> {
    let folder = folder.join("slots");
    for data in slots {
        let SlotData {
            slot,
            schema,
            database,
            relayed,
        } = data;
        let address = cluster
            .database
            .clone()
            .with_database(&database.name, &database.name, &database.password);
        let copying = async {
            let version = slot_data::version(&address).await?;
            if version == 0 {
                return Ok(());
            }
            let is_in_use = schemas.is_in_use(&slot, &schema)?;
            let Some(manifest) = schemas.find(&slot, &schema, version)? else {
                ensure!(
                    !is_in_use,
                    "the plugin at this server knows no version {version} of the schema `{schema}`: make the backup at a server whose \
                     plugin serves"
                );
                let why = format!("no approved plugin knows version {version} of the schema `{schema}`");
                output::say(&format!("left out: data of the slot `{slot}`: {why}"));
                return Ok(());
            };
            // As on a server alone: who is in use has the slot's own file.
            let file = folder.join(match is_in_use {
                true => format!("{slot}.db"),
                false => format!("{slot}@{schema}.db"),
            });
            let progress = Progress::shared("rows");
            let told = progress.clone();
            let schema = manifest::schema(&manifest);
            let copied = slot_data::export_rows(
                &address,
                (file, &slot),
                (&schema, version),
                (events::TABLES, relayed),
                move |rows| told.so_far(rows),
            );
            let copied = copied.await?;
            progress.end(&format!(
                "the slot `{slot}`: {} rows of {} tables",
                copied.rows, copied.tables
            ));
            anyhow::Ok(())
        };
        copying.await.with_context(|| format!("the slot `{slot}`"))?;
    }
    Ok(())
}
