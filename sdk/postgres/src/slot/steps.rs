//! The schema that a plugin brings.

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
