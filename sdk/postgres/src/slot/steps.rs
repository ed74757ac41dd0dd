//! The schema that a plugin brings, and what else is wanted of the data.

use crate::address::Address;

/// One step of a schema. Versions run 1, 2, 3 …; a released one is never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migration {
    /// 1 for the first.
    pub version: u32,
    /// Any number of statements, each one of those that plugins may run.
    pub sql: String,
    /// Undoes it.
    pub down: Option<String>,
}

/// What a plugin says of its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// The schema's name.
    pub name: String,
    /// Its steps, without a gap.
    pub steps: Vec<Migration>,
    /// The oldest version whose plugin can use the data of the last one.
    pub compatible: u32,
}

impl Schema {
    /// The last version.
    pub fn version(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.version)
    }
}

/// What is wanted of a slot's data.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Whose plugin is to use them.
    pub schema: Schema,
    /// Whether what was written since a copy may be lost on the way back to it.
    pub loses_writes: bool,
    /// Which approval wants them. Without one, whoever has the data open goes on beside it.
    pub approval: Option<Approval>,
    /// The data that are taken over.
    pub adoption: Option<Adoption>,
    /// Whether the plugin that serves now has data elsewhere: they are to be closed.
    pub replaces: bool,
    /// The last version that the plugin knows which serves now, if it is of the same schema.
    pub serving: Option<u32>,
}

/// An approval of a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The number of the approvals that it is one of. Later ones have larger numbers.
    pub number: i64,
    /// Tells it from the others of the slot.
    pub name: String,
}

/// Data of another schema that are taken over, once for an approval.
#[derive(Debug, Clone)]
pub struct Adoption {
    /// The other database, as its role.
    pub source: Address,
    /// The other schema. Its steps make the tables of the rows.
    pub schema: Schema,
    /// The version of the data.
    pub version: u32,
    /// The statements that move the rows into the own tables, beside which they are then. Without any the rows are those of this version of the
    /// own schema.
    pub sql: Option<String>,
}

impl From<Schema> for Wanted {
    /// Nothing else.
    fn from(schema: Schema) -> Self {
        Self {
            schema,
            loses_writes: false,
            approval: None,
            adoption: None,
            replaces: false,
            serving: None,
        }
    }
}
