//! What a slot's database says of itself: the schema's name, the steps that ran, the copies from before them, and what was taken over.

use std::collections::BTreeMap;
use std::time::Duration;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::connection::Connection;
use super::failure::Failure;
use super::generation::{self, writes};
use super::steps::{Migration, Schema};
use super::work::Ready;
use crate::failure::Failure as Common;
use crate::value::Value;

/// The host's tables.
pub const HOST_TABLES: &str = r#"
    CREATE TABLE IF NOT EXISTS public._galley_schema
        (version int8 PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, compatible int8 NOT NULL, down text);
    CREATE TABLE IF NOT EXISTS public._galley_events
        (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, topic text NOT NULL, data text NOT NULL);
    CREATE TABLE IF NOT EXISTS public._galley_use
        ("only" int8 PRIMARY KEY CHECK ("only" = 1), approval text NOT NULL, since int8)"#;

/// How long each of the host's own statements may take while data change. No request waits for it: a disk that is busy for a moment
/// is no reason to refuse what an operator asked for.
pub const HOST_TIMEOUT: Duration = Duration::from_secs(10);

/// When one of them that begins now has to have ended.
pub fn soon() -> Instant {
    Instant::now() + HOST_TIMEOUT
}

/// The labels of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// The schema's name; `None` in an empty database.
    pub name: Option<String>,
    /// The steps that ran.
    pub steps: BTreeMap<u32, Label>,
    /// How many writes were made since the copy of a version, which is a way back to it.
    pub copies: BTreeMap<u32, u64>,
    /// For which approval the data came into use in place of another schema's.
    pub used_for: Option<String>,
    /// How many writes were made since the data were taken over from another schema.
    pub taken_over: Option<u64>,
}

/// One step that ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Hex SHA-256 of its statements.
    pub sha256: String,
    /// The oldest version whose plugin can use the data since this step.
    pub compatible: u32,
    /// Undoes it.
    pub down: Option<String>,
}

/// Hex SHA-256 of a step's statements.
pub fn hash(sql: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(sql.as_bytes()))
}

impl Labels {
    /// The last step that ran; 0 for none.
    pub fn version(&self) -> u32 {
        self.steps.last_key_value().map_or(0, |(version, _)| *version)
    }

    /// Reads them, also of a database that has none yet, or those of an earlier program.
    pub async fn look(connection: &mut Connection) -> Result<Self, Failure> {
        if !has(connection, "_galley_schema").await? {
            return Ok(Self::default());
        }
        match has(connection, "_galley_use").await? {
            true => Self::read(connection).await,
            false => Self::read_steps(connection).await,
        }
    }

    /// Reads them where the host's tables are there.
    pub async fn read(connection: &mut Connection) -> Result<Self, Failure> {
        let mut labels = Self::read_steps(connection).await?;
        let sql = "SELECT kept.version, kept.approval, generation.value, kept.since FROM public._galley_generation AS generation,
                       (SELECT version, NULL AS approval, since FROM public._galley_copies WHERE since IS NOT NULL
                        UNION ALL SELECT 0, approval, since FROM public._galley_use) AS kept";
        for row in connection.rows(sql, soon()).await? {
            let Ok([Value::Integer(version), approval, Value::Integer(now), since]) = <[Value; 4]>::try_from(row)
            else {
                return Err(unreadable());
            };
            let writes = match since {
                Value::Integer(since) => Some(u64::try_from(writes(now) - since).unwrap_or_default()),
                _ => None,
            };
            match (approval, writes) {
                (Value::Text(approval), writes) => {
                    labels.used_for = Some(approval).filter(|approval| !approval.is_empty());
                    labels.taken_over = writes;
                }
                (_, Some(writes)) => {
                    let version = u32::try_from(version).map_err(|_| unreadable())?;
                    labels.copies.insert(version, writes);
                }
                _ => {}
            }
        }
        Ok(labels)
    }

    async fn read_steps(connection: &mut Connection) -> Result<Self, Failure> {
        let sql = "SELECT version, name, sha256, compatible, down FROM public._galley_schema ORDER BY version";
        let mut labels = Self::default();
        for row in connection.rows(sql, soon()).await? {
            let Ok(
                [
                    Value::Integer(version),
                    Value::Text(name),
                    Value::Text(sha256),
                    Value::Integer(compatible),
                    down,
                ],
            ) = <[Value; 5]>::try_from(row)
            else {
                return Err(unreadable());
            };
            let [version, compatible] = [version, compatible].map(u32::try_from);
            let label = Label {
                sha256,
                compatible: compatible.map_err(|_| unreadable())?,
                down: match down {
                    Value::Text(down) => Some(down),
                    _ => None,
                },
            };
            labels.name = Some(name);
            labels.steps.insert(version.map_err(|_| unreadable())?, label);
        }
        Ok(labels)
    }
}

async fn has(connection: &mut Connection, table: &str) -> Result<bool, Failure> {
    let sql = format!("SELECT to_regclass('public.{table}')");
    let found = connection.batch(&sql, soon()).await?;
    Ok(found.is_some())
}

fn unreadable() -> Failure {
    Common::Statement("the labels of a slot's database hold other values than were written".to_owned()).into()
}

/// Labels a step as run.
pub async fn ran(connection: &mut Connection, schema: &Schema, step: &Migration) -> Result<(), Failure> {
    let sql = "INSERT INTO public._galley_schema (version, name, sha256, compatible, down) VALUES ($1, $2, $3, $4, $5)";
    let down = step.down.clone().map_or(Value::Null, Value::Text);
    let values = vec![
        Value::Integer(step.version.into()),
        Value::Text(schema.name.clone()),
        Value::Text(hash(&step.sql)),
        Value::Integer(schema.compatible.min(step.version).into()),
        down,
    ];
    let insert = Ready::of_host(sql, values);
    connection.run_within(&insert, HOST_TIMEOUT).await.map(drop)
}

/// Labels a step as undone.
pub async fn undone(connection: &mut Connection, version: u32) -> Result<(), Failure> {
    let sql = "DELETE FROM public._galley_schema WHERE version >= $1";
    let delete = Ready::of_host(sql, vec![Value::Integer(version.into())]);
    connection.run_within(&delete, HOST_TIMEOUT).await.map(drop)
}

/// Labels the steps up to `version` as run, and no others: those of data that were taken over.
pub async fn fill(connection: &mut Connection, schema: &Schema, version: u32) -> Result<(), Failure> {
    undone(connection, 0).await?;
    for step in schema.steps.iter().filter(|step| step.version <= version) {
        ran(connection, schema, step).await?;
    }
    Ok(())
}

/// Notes for which approval the data came into use, with another schema's in them or with what they had.
pub async fn came_into_use(connection: &mut Connection, approval: &str, with_theirs: bool) -> Result<(), Failure> {
    let (since, kept) = match with_theirs {
        true => (generation::WRITES, "excluded.since"),
        false => ("NULL", "_galley_use.since"),
    };
    let sql = format!(
        "INSERT INTO public._galley_use (\"only\", approval, since) SELECT 1, $1, {since} FROM public._galley_generation
         ON CONFLICT (\"only\") DO UPDATE SET approval = excluded.approval, since = {kept}"
    );
    let insert = Ready::of_host(&sql, vec![Value::Text(approval.to_owned())]);
    connection.run_within(&insert, HOST_TIMEOUT).await.map(drop)
}

/// The statement that notes that they are not in use any more.
pub const OUT_OF_USE: &str = "UPDATE public._galley_use SET approval = ''";
