//! What a plugin says of its data: the schema's name, its steps, and whose data it can take over.

use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::error::ManifestError;

/// The longest name of a slot, a plugin or a schema, in bytes.
const MAX_NAME_BYTES: usize = 32;
/// The most schemas a plugin can take over.
const MAX_ADOPTIONS: usize = 16;

/// One step of the schema. A published one is never changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Migration<S = &'static str> {
    /// 1 for the first.
    pub version: u32,
    /// Any number of statements.
    pub sql: S,
    /// Statements that undo the step, for the plugin before it.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub down: Option<S>,
    /// The step on PostgreSQL, where it is another one. Then `sql` and `down` are for SQLite.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub postgres: Option<Statements<S>>,
}

/// The statements of a step on one engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statements<S = &'static str> {
    /// Any number of statements.
    pub sql: S,
    /// Statements that undo the step.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub down: Option<S>,
}

impl<S: AsRef<str>> Migration<S> {
    /// The statements of the step on an engine. A host keeps the hash of these.
    pub fn sql_on(&self, engine: Engine) -> &str {
        self.own(engine).map_or(&self.sql, |own| &own.sql).as_ref()
    }

    /// The statements that undo the step on an engine.
    pub fn down_on(&self, engine: Engine) -> Option<&str> {
        let down = self.own(engine).map_or(&self.down, |own| &own.down);
        down.as_ref().map(AsRef::as_ref)
    }

    fn own(&self, engine: Engine) -> Option<&Statements<S>> {
        match engine {
            Engine::Sqlite => None,
            Engine::Postgres => self.postgres.as_ref(),
        }
    }
}

fn none<S>() -> Option<S> {
    None
}

/// The name of a schema, and which older plugins can use its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema<S> {
    /// The name. Plugins with the same name have the same steps and share their data.
    pub name: S,
    /// The oldest version of the schema whose plugin can use the data of the last one. The default is the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatible: Option<u32>,
}

/// A schema whose data the plugin can take over when the operator says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Adoption<S> {
    /// `name@1..3`: the plugin's own first steps made the same tables. The steps behind the adopted version run.
    Same(S),
    /// The tables are others: all of the plugin's steps run beside them, then `sql` moves the rows.
    Moving {
        /// `name@1..3`, or `name@3`.
        schema: S,
        /// Statements that read the other plugin's tables, fill the plugin's own, and drop the others.
        sql: S,
        /// The same on PostgreSQL, where these are others.
        #[serde(default = "none", skip_serializing_if = "Option::is_none")]
        postgres: Option<S>,
    },
}

impl<S: AsRef<str>> Adoption<S> {
    /// The statements that move the rows.
    pub fn sql(&self) -> Option<&str> {
        self.sql_on(Engine::Sqlite)
    }

    /// The statements that move the rows on an engine.
    pub fn sql_on(&self, engine: Engine) -> Option<&str> {
        match (self, engine) {
            (Adoption::Same(_), _) => None,
            (
                Adoption::Moving {
                    postgres: Some(sql), ..
                },
                Engine::Postgres,
            )
            | (Adoption::Moving { sql, .. }, _) => Some(sql.as_ref()),
        }
    }

    /// `name@1..3`, as it was written.
    pub fn text(&self) -> &str {
        match self {
            Adoption::Same(schema) | Adoption::Moving { schema, .. } => schema.as_ref(),
        }
    }

    /// Whether it takes over any version of this schema.
    pub fn is_of(&self, name: &str) -> bool {
        range(self.text()).is_some_and(|(own, _, _)| own == name)
    }

    /// Whether it takes over this version of this schema.
    pub fn takes(&self, name: &str, version: u32) -> bool {
        range(self.text()).is_some_and(|(own, first, last)| own == name && (first..=last).contains(&version))
    }
}

/// The parts of `name@1..3` and `name@3`: name, first and last version.
fn range(text: &str) -> Option<(&str, u32, u32)> {
    let (name, versions) = text.split_once('@')?;
    let (first, last) = versions.split_once("..").unwrap_or((versions, versions));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (is_name(name) && first >= 1 && first <= last).then_some((name, first, last))
}

/// Whether a text is 1 to 32 of a-z, 0-9 and `-`, starting with a letter: it becomes a part of addresses and file names.
pub fn is_name(text: &str) -> bool {
    text.len() <= MAX_NAME_BYTES
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Checks a name; `what` says whose it is.
pub(crate) fn check_name(what: &str, name: &str) -> Result<(), ManifestError> {
    match is_name(name) {
        true => Ok(()),
        false => Err(ManifestError::new(format!(
            "the {what} `{name}` is not 1 to {MAX_NAME_BYTES} of a-z, 0-9 and -, starting with a letter"
        ))),
    }
}

/// Checks the engines, and that each step for one of them is for one that is named.
pub(crate) fn check_engines<S>(engines: &[Engine], migrations: &[Migration<S>]) -> Result<(), ManifestError> {
    for (at, engine) in engines.iter().enumerate() {
        if engines[..at].contains(engine) {
            return Err(ManifestError::new(format!("`engines` names `{engine}` twice")));
        }
    }
    if !engines.contains(&Engine::Sqlite) {
        return Err(ManifestError::new(
            "`engines` does not name `sqlite`, on which every plugin is developed and tested",
        ));
    }
    let own = migrations.iter().find(|step| step.postgres.is_some());
    match own {
        Some(step) if !engines.contains(&Engine::Postgres) => Err(ManifestError::new(format!(
            "migration {} has statements for PostgreSQL, and `engines` does not name `postgres`",
            step.version
        ))),
        _ => Ok(()),
    }
}

/// Checks steps, schema and adoptions together.
pub(crate) fn check<S: AsRef<str>>(
    migrations: &[Migration<S>],
    schema: Option<&Schema<S>>,
    adopts: &[Adoption<S>],
) -> Result<(), ManifestError> {
    for (expected, step) in (1..).zip(migrations) {
        if step.version != expected {
            let found = step.version;
            return Err(ManifestError::new(format!(
                "migration {found} stands where {expected} is expected"
            )));
        }
    }
    let last = migrations.last().map_or(0, |step| step.version);
    if let Some(schema) = schema {
        check_name("schema's name", schema.name.as_ref())?;
        if let Some(compatible) = schema.compatible
            && !(1..=last.max(1)).contains(&compatible)
        {
            return Err(ManifestError::new(format!(
                "the schema is compatible with version {compatible}, which is not one of its {last} migrations"
            )));
        }
    }
    if adopts.len() > MAX_ADOPTIONS {
        return Err(ManifestError::new(format!(
            "it adopts more than {MAX_ADOPTIONS} schemas"
        )));
    }
    for adoption in adopts {
        let text = adoption.text();
        let Some((_, _, to)) = range(text) else {
            return Err(ManifestError::new(format!(
                "it adopts `{text}`, which is not a schema with its versions, as in `name@1..3`"
            )));
        };
        if adoption.sql().is_none() && to > last {
            return Err(ManifestError::new(format!(
                "it adopts `{text}` without `sql`, and has {last} migrations: it cannot go on behind version {to}"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(version: u32) -> Migration {
        Migration {
            version,
            sql: "SELECT 1",
            down: None,
            postgres: None,
        }
    }

    #[test]
    fn an_adoption_names_a_schema_and_its_versions() {
        let adoption = Adoption::Same("notes@2..3");
        assert!(adoption.takes("notes", 2) && adoption.takes("notes", 3));
        assert!(!adoption.takes("notes", 1) && !adoption.takes("notes", 4) && !adoption.takes("other", 2));
        assert!(Adoption::Same("notes@2").takes("notes", 2));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let steps = [step(1), step(2)];
        let check = |compatible, adopts: &[Adoption<&'static str>]| {
            let schema = Schema {
                name: "notes",
                compatible,
            };
            check(&steps, Some(&schema), adopts).map_err(|error| error.to_string())
        };
        assert_eq!(check(Some(1), &[Adoption::Same("other@1..2")]), Ok(()));
        assert!(check(Some(3), &[]).unwrap_err().contains("version 3"));
        assert!(
            check(None, &[Adoption::Same("other@1..3")])
                .unwrap_err()
                .contains("version 3")
        );
        for text in ["other", "other@", "other@0", "other@3..1", "Other@1", "other@1..x"] {
            assert!(
                check(None, &[Adoption::Same(text)]).unwrap_err().contains(text),
                "{text}"
            );
        }
        let moving = Adoption::Moving {
            schema: "other@9",
            sql: "SELECT 1",
            postgres: Some("SELECT 2"),
        };
        assert_eq!(moving.sql_on(Engine::Postgres), Some("SELECT 2"));
        assert_eq!(check(None, &[moving]), Ok(()));
        assert!(super::check(&[step(2)], None, &[]).is_err());
    }

    #[test]
    fn both_forms_are_read() {
        let text = r#"["a@1", {"schema":"b@1..2","sql":"SELECT 1"}]"#;
        let read: Vec<Adoption<String>> = serde_json::from_str(text).unwrap();
        assert_eq!(read[0], Adoption::Same("a@1".into()));
        assert_eq!(read[1].sql(), Some("SELECT 1"));
    }
}
