//! The data of slots: which file belongs to which schema, and bringing a file to the version that a plugin needs.
//!
//! A slot's first schema has `slots/SLOT.db`, each other one `slots/SLOT@NAME.db`. The file says whose it is and which steps ran
//! ([`labels`]). [`plan`] decides without changing anything what a plugin's schema needs: nothing, later steps, the way back, or a
//! copy of another schema's data. [`prepare`] does it in such a way that it can still be undone while the plugin starts:
//!
//! - Steps run in one transaction, which the plugin's start is a part of ([`Database::promote`](crate::storage::sqlite::Database::promote)).
//! - Before it a copy is made ([`copies`]), which is a way back for the plugin before.
//! - Data of another schema are taken over in a file of their own.
//!
//! In a cluster a schema has a database in place of a file, and what is done to it is one transaction ([`postgres`]).

mod before;
mod change;
mod copies;
mod error;
mod labels;
mod moving;
mod plan;
mod postgres;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use galley_manifest::{Adoption, Migration};
use serde::{Deserialize, Serialize};

pub use before::Place;
pub use change::{Prepared, prepare};
pub use copies::{Copy, copies};
pub use error::DataError;
pub use labels::{HOST_TABLES, count_write};
pub use moving::{export_rows, found, import_rows, version};
pub use plan::{Plan, plan, writes_since_taken_over};
#[cfg(test)]
pub use postgres::prepare_alone;
pub use postgres::{Asked, Other, Stops, prepare as prepare_on_postgres, stops, wanted, writes_since};

/// What a plugin says of its data.
#[derive(Debug, Clone, Copy)]
pub struct Schema<'m> {
    /// The schema's name.
    pub name: &'m str,
    /// Its steps: versions 1, 2, 3 … without a gap.
    pub steps: &'m [Migration<String>],
    /// The oldest version whose plugin can use the data of the last one.
    pub compatible: u32,
    /// Whose data it can take over.
    pub adopts: &'m [Adoption<String>],
}

impl Schema<'_> {
    /// The last version.
    pub fn version(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.version)
    }
}

/// What the operator said of a slot's data when a plugin was approved.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum DataChoice {
    /// Take over a copy of the present plugin's data.
    Adopt,
    /// Begin without data, though the present plugin's could be taken over.
    Fresh,
    /// Go back to the copy from before an update, without what was written since.
    LoseWrites,
}

/// A slot's data, and what the operator said of them.
#[derive(Debug, Clone, Copy)]
pub struct Of<'s> {
    /// The folder of all slots.
    pub folder: &'s Path,
    /// The slot.
    pub slot: &'s str,
    /// The schema whose data the slot uses at present: the one that can be taken over. Without it, it is the slot's first one.
    pub in_use: Option<&'s str>,
    /// What the operator said.
    pub choice: Option<DataChoice>,
}

/// The folder of the files of slots.
pub fn folder(data_dir: &Path) -> PathBuf {
    data_dir.join("slots")
}
