//! The database engines that a plugin's SQL is for.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A database engine, as a manifest names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Engine {
    /// SQLite: a server alone.
    Sqlite,
    /// PostgreSQL: a cluster.
    Postgres,
}

/// The engines of a manifest that names none.
pub(crate) const DEFAULT: [Engine; 1] = [Engine::Sqlite];

impl Engine {
    /// All there are.
    pub const ALL: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

    /// As a manifest names it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Sqlite => "sqlite",
            Engine::Postgres => "postgres",
        }
    }

    /// As people write it.
    pub fn words(self) -> &'static str {
        match self {
            Engine::Sqlite => "SQLite",
            Engine::Postgres => "PostgreSQL",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Engine> for &'static str {
    fn from(engine: Engine) -> Self {
        engine.name()
    }
}

impl TryFrom<String> for Engine {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let found = Engine::ALL.into_iter().find(|engine| engine.name() == name);
        found.ok_or_else(|| {
            let known = Engine::ALL.map(|engine| format!("`{engine}`")).join(" and ");
            format!("`engines` names `{name}`; it can name {known}")
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Manifest;

    fn parse(rest: &str) -> Result<Manifest<String, serde_json::Value>, String> {
        let text = format!(r#"{{"slot":"hello","version":"1"{rest}}}"#);
        let manifest: Manifest<String, serde_json::Value> =
            serde_json::from_str(&text).map_err(|error| error.to_string())?;
        manifest.check().map_err(|error| error.to_string())?;
        Ok(manifest)
    }

    #[test]
    fn a_manifest_without_engines_is_for_sqlite_and_says_no_more_than_before() {
        use super::Engine::{Postgres, Sqlite};
        let manifest = parse("").unwrap();
        assert_eq!(manifest.engines, [Sqlite]);
        assert!(!serde_json::to_string(&manifest).unwrap().contains("engines"));
        assert!(manifest.runs_on(Sqlite) && !manifest.runs_on(Postgres));
        let both = parse(r#","engines":["sqlite","postgres"]"#).unwrap();
        assert!(both.runs_on(Sqlite) && both.runs_on(Postgres));
        assert_eq!(serde_json::to_value(&both).unwrap()["engines"][1], "postgres");
    }

    #[test]
    fn a_step_has_its_own_text_for_an_engine_or_the_one_for_all() {
        use super::Engine::{Postgres, Sqlite};
        let steps = r#"{"version":1,"sql":"A","down":"a"},{"version":2,"sql":"B","down":"b","postgres":{"sql":"C"}}"#;
        let manifest = parse(&format!(r#","engines":["sqlite","postgres"],"migrations":[{steps}]"#)).unwrap();
        let [first, second] = &manifest.migrations[..] else {
            panic!("{manifest:?}")
        };
        assert_eq!((first.sql_on(Postgres), first.down_on(Postgres)), ("A", Some("a")));
        assert_eq!((second.sql_on(Sqlite), second.down_on(Sqlite)), ("B", Some("b")));
        assert_eq!((second.sql_on(Postgres), second.down_on(Postgres)), ("C", None));
        assert_eq!(parse(&format!(r#","migrations":[{steps}]"#)).unwrap_err(), {
            let said = "migration 2 has statements for PostgreSQL, and `engines` does not name `postgres`";
            format!("its manifest is not valid: {said}")
        });
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (engines, part) in [
            (r#"["sqlite","mysql"]"#, "`engines` names `mysql`"),
            (r#"["mysql"]"#, "`sqlite` and `postgres`"),
            (r#"["postgres"]"#, "does not name `sqlite`"),
            ("[]", "does not name `sqlite`"),
            (r#"["sqlite","sqlite"]"#, "twice"),
            (r#""postgres""#, "expected a sequence"),
        ] {
            let error = parse(&format!(r#","engines":{engines}"#)).unwrap_err();
            assert!(error.contains(part), "{engines}: {error}");
        }
    }
}
