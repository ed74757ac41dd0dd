//! What a slot's data need for a plugin, decided without changing anything.

use std::path::{Path, PathBuf};

use super::error::DataError;
use super::labels::{self, Labels, hash};
use super::{DataChoice, Of, Schema, copies};
use crate::storage::sqlite::StorageError;

/// What happens to a slot's data when a plugin is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// The plugin has no data.
    Nothing,
    /// They are used as they are.
    Use {
        /// The file.
        path: PathBuf,
    },
    /// The plugin begins with an empty file.
    Begin {
        /// The file.
        path: PathBuf,
        /// The version it gets.
        to: u32,
    },
    /// Later steps run.
    Migrate {
        /// The file.
        path: PathBuf,
        /// The version of the data.
        from: u32,
        /// The version they get.
        to: u32,
    },
    /// Steps are undone.
    Undo {
        /// The file.
        path: PathBuf,
        /// The version of the data.
        from: u32,
        /// The version they get.
        to: u32,
    },
    /// The copy from before the update comes back.
    Restore {
        /// The file.
        path: PathBuf,
        /// The version of the data.
        from: u32,
        /// The version of the copy.
        to: u32,
        /// How many writes are lost.
        writes: u64,
    },
    /// A server was killed while it went back to a copy, and the plugin that serves is still the one from before: its data come
    /// back first, then it is planned anew.
    Return {
        /// The file.
        path: PathBuf,
        /// The version of the data.
        from: u32,
        /// The version of the copy from before going back.
        to: u32,
    },
    /// A copy of another schema's data is taken over.
    Adopt {
        /// The plugin's file. What is there already gives way, and is kept as a copy.
        path: PathBuf,
        /// The other schema's file.
        source: PathBuf,
        /// The other schema.
        schema: String,
        /// The version of its data.
        version: u32,
    },
}

impl Plan {
    /// Whether the writes of the plugin that serves now have to wait meanwhile.
    pub fn stops_writes(&self) -> bool {
        !matches!(self, Plan::Nothing | Plan::Use { .. } | Plan::Begin { .. })
    }

    /// Whether its reads have to wait, too: the data change under it before the plugin is replaced.
    pub fn stops_reads(&self) -> bool {
        matches!(self, Plan::Restore { .. } | Plan::Return { .. })
    }
}

/// What a slot's data need for a plugin with this schema.
pub fn plan(of: Of<'_>, schema: &Schema<'_>) -> Result<Plan, DataError> {
    let Of { folder, slot, .. } = of;
    let to = schema.version();
    if to == 0 {
        return Ok(Plan::Nothing);
    }
    let first = first_file(folder, slot);
    let first_labels = read(&first)?;
    let own = own_file(folder, slot, schema.name);
    let is_first = match &first_labels {
        Some(Labels { name: Some(name), .. }) => name == schema.name,
        // From before there were labels, empty, or not there.
        _ => !own.exists(),
    };
    let (path, found) = match is_first {
        true => (first, first_labels),
        false => {
            let found = read(&own)?;
            if found.is_none() {
                return foreign(of, schema, own);
            }
            (own, found)
        }
    };
    // The data that are to be taken over are those in use: its own are from an earlier time.
    if of.choice == Some(DataChoice::Adopt) && of.in_use.is_some_and(|name| name != schema.name) {
        return foreign(of, schema, path);
    }
    let labels = found.unwrap_or_default();
    if labels.version == 0 {
        return match of.choice {
            Some(DataChoice::Adopt) => Err(DataError::NothingToAdopt),
            _ => Ok(Plan::Begin { path, to }),
        };
    }
    let from = labels.version;
    if let Some(before) = labels.came_from.filter(|_| from < to)
        && copies::file(folder, slot, schema.name, before).is_file()
    {
        let to = before;
        return Ok(Plan::Return { path, from, to });
    }
    check_steps(schema, &labels)?;
    match from {
        _ if from == to => Ok(Plan::Use { path }),
        _ if from < to => Ok(Plan::Migrate { path, from, to }),
        _ => back(of, schema, &labels, path),
    }
}

/// How many writes a slot's data of a schema have had since they were taken over from another one; `None` when they were not.
pub fn writes_since_taken_over(folder: &Path, slot: &str, schema: &str) -> Option<u64> {
    let files = [own_file(folder, slot, schema), first_file(folder, slot)];
    let mut found = files.iter().filter_map(|file| read(file).ok().flatten());
    let labels = found.find(|labels| labels.name.as_deref() == Some(schema))?;
    labels.copies.get(&labels::TAKEN_OVER).copied()
}

/// The file of a slot's first schema.
pub fn first_file(folder: &Path, slot: &str) -> PathBuf {
    folder.join(format!("{slot}.db"))
}

/// The file of another schema of a slot. No slot and no schema has `@` in its name.
fn own_file(folder: &Path, slot: &str, schema: &str) -> PathBuf {
    folder.join(format!("{slot}@{schema}.db"))
}

fn read(path: &Path) -> Result<Option<Labels>, DataError> {
    Ok(labels::read(path).map_err(StorageError::from)?)
}

/// The slot has data of another schema, and none of this one, or none that count.
fn foreign(of: Of<'_>, schema: &Schema<'_>, path: PathBuf) -> Result<Plan, DataError> {
    let Of {
        folder,
        slot,
        in_use,
        choice,
    } = of;
    let first = first_file(folder, slot);
    let mut source = in_use.map(|name| own_file(folder, slot, name));
    source = source.filter(|file| file.exists());
    let source = source.unwrap_or(first);
    let labels = read(&source)?.unwrap_or_default();
    let (theirs, version) = (labels.name.unwrap_or_default(), labels.version);
    let takes = schema.adopts.iter().any(|adoption| adoption.takes(&theirs, version));
    let own = schema.name.to_owned();
    match choice {
        Some(DataChoice::Adopt) if takes => Ok(Plan::Adopt {
            path,
            source,
            schema: theirs,
            version,
        }),
        Some(DataChoice::Adopt) => Err(DataError::NotAdopted { own, theirs, version }),
        None if takes => Err(DataError::Foreign { own, theirs, version }),
        _ => Ok(Plan::Begin {
            path,
            to: schema.version(),
        }),
    }
}

/// Each step that ran and that the plugin knows is the plugin's.
fn check_steps(schema: &Schema<'_>, labels: &Labels) -> Result<(), DataError> {
    for step in schema.steps {
        let Some(label) = labels.steps.get(&step.version) else {
            continue;
        };
        let is = hash(&step.sql);
        if is != label.sha256 {
            return Err(DataError::ChangedStep {
                schema: schema.name.to_owned(),
                version: step.version,
                was: label.sha256.clone(),
                is,
            });
        }
    }
    Ok(())
}

/// The data are newer than the plugin.
fn back(of: Of<'_>, schema: &Schema<'_>, labels: &Labels, path: PathBuf) -> Result<Plan, DataError> {
    let Of {
        folder, slot, choice, ..
    } = of;
    let (from, to) = (labels.version, schema.version());
    let later = || (to + 1..=from).map(|version| labels.steps.get(&version));
    // A step may be compatible with an older one, and the step before it not.
    let is_compatible = later().all(|step| step.is_some_and(|step| step.compatible <= to));
    if is_compatible {
        return Ok(Plan::Use { path });
    }
    if later().all(|step| step.is_some_and(|step| step.down.is_some())) {
        return Ok(Plan::Undo { path, from, to });
    }
    let writes = labels.copies.get(&to).copied();
    let has_copy = copies::file(folder, slot, schema.name, to).is_file();
    match writes {
        Some(0) if has_copy => Ok(Plan::Restore {
            path,
            from,
            to,
            writes: 0,
        }),
        Some(writes) if has_copy && choice == Some(DataChoice::LoseWrites) => {
            Ok(Plan::Restore { path, from, to, writes })
        }
        Some(writes) if has_copy => Err(DataError::LosesWrites {
            schema: schema.name.to_owned(),
            from,
            to,
            writes,
        }),
        _ => Err(DataError::NoWayBack {
            schema: schema.name.to_owned(),
            from,
            to,
        }),
    }
}
