//! What a slot's database says of itself: the schema's name, and the steps that ran.

use std::collections::BTreeMap;
use std::time::Duration;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::connection::Connection;
use super::failure::Failure;
use super::steps::{Migration, Schema};
use super::work::Ready;
use crate::failure::Failure as Common;
use crate::value::Value;

/// The host's tables.
pub const HOST_TABLES: &str = "
    CREATE TABLE IF NOT EXISTS public._galley_schema
        (version int8 PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, compatible int8 NOT NULL, down text);
    CREATE TABLE IF NOT EXISTS public._galley_events
        (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, topic text NOT NULL, data text NOT NULL)";

/// How long the host's own statements may take.
pub const HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// The labels of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// The schema's name; `None` in an empty database.
    pub name: Option<String>,
    /// The steps that ran.
    pub steps: BTreeMap<u32, Label>,
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

    /// Reads them, also of a database that has none yet.
    pub async fn look(connection: &mut Connection) -> Result<Self, Failure> {
        let is_there = "SELECT to_regclass('public._galley_schema')";
        match connection.batch(is_there, Instant::now() + HOST_TIMEOUT).await? {
            None => Ok(Self::default()),
            Some(_) => Self::read(connection).await,
        }
    }

    /// Reads them, in the transaction that is under way.
    pub async fn read(connection: &mut Connection) -> Result<Self, Failure> {
        let sql = "SELECT version, name, sha256, compatible, down FROM public._galley_schema ORDER BY version";
        let mut labels = Self::default();
        for row in connection.rows(sql, Instant::now() + HOST_TIMEOUT).await? {
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
