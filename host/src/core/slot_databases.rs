//! The databases of slots in a cluster: which one holds the data of a slot's schema, the password of its role, and which of its
//! events were published.

use super::outbox::{self, NewEvent};
use super::{Core, CoreError};
use crate::storage::engine::{Database, Row, Rows};
use crate::storage::id::{new_id, new_secret};
use crate::storage::seal::Sealer;

/// The most characters of a slot's name in that of its database: PostgreSQL's names have 63 bytes at most.
const MAX_SLOT_LENGTH: usize = 32;

/// The characters of an id that make such a name one of its own, also among instances of one PostgreSQL.
const MARK_LENGTH: usize = 12;

/// A slot's database, and the role of the same name.
pub struct SlotDatabase {
    /// Its name.
    pub name: String,
    /// The role's password.
    pub password: String,
}

/// What a server proposes, or finds there.
struct Kept {
    name: String,
    sealed: Vec<u8>,
}

impl Core {
    /// The database of a slot's schema, which the first server that asks gives its name. It may not be made yet.
    pub async fn slot_database(&self, slot: &str, schema: &str, sealer: &Sealer) -> Result<SlotDatabase, CoreError> {
        of(&self.database, slot, schema, sealer).await
    }

    /// The same where it has its name already.
    pub async fn find_slot_database(
        &self,
        slot: &str,
        schema: &str,
        sealer: &Sealer,
    ) -> Result<Option<SlotDatabase>, CoreError> {
        let (slot, schema) = (slot.to_owned(), schema.to_owned());
        let read = move |rows: &mut Rows<'_>| find(rows, &slot, &schema);
        let kept = self.database.read(read).await?;
        kept.map(|Kept { name, sealed }| opened(sealer, name, &sealed))
            .transpose()
    }

    /// The names of a slot's databases.
    pub async fn slot_databases(&self, slot: &str) -> Result<Vec<String>, CoreError> {
        let slot = slot.to_owned();
        let sql = "SELECT name FROM slot_databases WHERE slot = ?1 ORDER BY name";
        self.database
            .read(move |rows| Ok(rows.fetch_all(sql, [&slot], |row| row.get(0))?))
            .await
    }

    /// Forgets a database that was deleted.
    pub async fn forget_slot_database(&self, name: &str) -> Result<(), CoreError> {
        forget(&self.database, name).await
    }

    /// Publishes events that a slot's database holds, each with its number there: those that no server has published yet. Numbers
    /// follow the order of the commits there, so that the last one says which they are.
    pub async fn relay(&self, slot: &str, schema: &str, events: Vec<(i64, NewEvent)>) -> Result<(), CoreError> {
        let (slot, schema) = (slot.to_owned(), schema.to_owned());
        let write = move |rows: &mut Rows<'_>| {
            let sql = "SELECT relayed FROM slot_databases WHERE slot = ?1 AND schema = ?2";
            let relayed: Option<i64> = rows.fetch_optional(sql, [&slot, &schema], |row| row.get(0))?;
            // The slot's data were deleted meanwhile, and their events with them.
            let Some(relayed) = relayed else { return Ok(()) };
            for (_, event) in events.iter().filter(|(number, _)| *number > relayed) {
                outbox::insert_of(rows, &slot, &event.topic, &event.data)?;
            }
            let last = events.iter().map(|(number, _)| *number).max();
            let sql = "UPDATE slot_databases SET relayed = ?3 WHERE slot = ?1 AND schema = ?2";
            rows.execute(sql, (&slot, &schema, last.unwrap_or(relayed).max(relayed)))?;
            Ok(())
        };
        self.announce(write).await
    }
}

/// The database of a slot's schema, which has its name now.
pub(super) async fn of(
    database: &Database,
    slot: &str,
    schema: &str,
    sealer: &Sealer,
) -> Result<SlotDatabase, CoreError> {
    let (slot, schema) = (slot.to_owned(), schema.to_owned());
    let label: String = slot.chars().take(MAX_SLOT_LENGTH).collect();
    let id = new_id();
    let name = format!("galley_{label}_{}", &id[id.len() - MARK_LENGTH..]);
    let sealed = sealer.seal(&purpose(&name), new_secret().as_bytes());
    let sealed = sealed.map_err(|_| CoreError::OtherKey)?;
    let write = move |rows: &mut Rows<'_>| {
        if let Some(kept) = find(rows, &slot, &schema)? {
            return Ok::<_, CoreError>(kept);
        }
        let (name, sealed) = (name.clone(), sealed.clone());
        let sql = "INSERT INTO slot_databases (slot, schema, name, password) VALUES (?1, ?2, ?3, ?4)";
        rows.execute(sql, (&slot, &schema, &name, sealed.clone()))?;
        Ok(Kept { name, sealed })
    };
    let Kept { name, sealed } = database.write(write).await?;
    opened(sealer, name, &sealed)
}

fn find(rows: &mut Rows<'_>, slot: &str, schema: &str) -> Result<Option<Kept>, CoreError> {
    let sql = "SELECT name, password FROM slot_databases WHERE slot = ?1 AND schema = ?2";
    let kept = |row: &Row<'_>| {
        Ok(Kept {
            name: row.get(0)?,
            sealed: row.get(1)?,
        })
    };
    Ok(rows.fetch_optional(sql, [slot, schema], kept)?)
}

/// Forgets a database.
pub(super) async fn forget(database: &Database, name: &str) -> Result<(), CoreError> {
    let name = name.to_owned();
    let write = move |rows: &mut Rows<'_>| {
        rows.execute("DELETE FROM slot_databases WHERE name = ?1", [&name])?;
        Ok(())
    };
    database.write(write).await
}

/// The database of this name, whose password is sealed.
pub(super) fn opened(sealer: &Sealer, name: String, sealed: &[u8]) -> Result<SlotDatabase, CoreError> {
    let password = sealer
        .unseal(&purpose(&name), sealed)
        .map_err(|_| CoreError::OtherKey)?;
    Ok(SlotDatabase {
        password: String::from_utf8_lossy(&password).into_owned(),
        name,
    })
}

/// What a password is sealed for: one of another database does not open.
fn purpose(name: &str) -> String {
    format!("the database {name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::testing::{Opened, on_each_engine, two};

    on_each_engine! {
        each_schema_of_a_slot_has_a_database_of_its_own,
        an_event_is_published_once,
    }

    fn sealer() -> Sealer {
        Sealer::with_key([7; 32])
    }

    fn event(number: i64) -> (i64, NewEvent) {
        let (topic, data) = ("notes/added".to_owned(), number.to_string());
        (number, NewEvent { topic, data })
    }

    async fn each_schema_of_a_slot_has_a_database_of_its_own(Opened { core, home: _home }: Opened) {
        let long = "a".repeat(64);
        let database = async |slot: &str, schema: &str| core.slot_database(slot, schema, &sealer()).await.unwrap();
        let first = database(&long, "a").await;
        assert!(
            first.name.starts_with("galley_aaa") && first.name.len() < 64,
            "{}",
            first.name
        );
        let again = database(&long, "a").await;
        assert_eq!((&first.name, &first.password), (&again.name, &again.password));
        let other = database(&long, "b").await;
        assert_ne!(first.name, other.name);
        assert_ne!(first.password, other.password);
        assert_eq!(core.slot_databases(&long).await.unwrap().len(), 2);
        let key = Sealer::with_key([8; 32]);
        assert!(matches!(
            core.slot_database(&long, "a", &key).await,
            Err(CoreError::OtherKey)
        ));
        core.forget_slot_database(&first.name).await.unwrap();
        assert_ne!(database(&long, "a").await.name, first.name);
    }

    async fn an_event_is_published_once(Opened { core, home: _home }: Opened) {
        core.start_cursor("reader", &["notes/added".to_owned()]).await.unwrap();
        core.slot_database("notes", "notes", &sealer()).await.unwrap();
        core.relay("notes", "notes", vec![event(1), event(2)]).await.unwrap();
        core.relay("notes", "notes", vec![event(2), event(3)]).await.unwrap();
        core.relay("notes", "notes", vec![event(1)]).await.unwrap();
        core.relay("notes", "gone", vec![event(9)]).await.unwrap();
        assert_eq!(published(&core).await, ["1", "2", "3"]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn two_servers_that_relay_at_once_publish_each_event_once() {
        let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
        one.start_cursor("reader", &["notes/added".to_owned()]).await.unwrap();
        let key = &sealer();
        let [first, second] = [&one, &two].map(|core| core.slot_database("notes", "notes", key));
        let (first, second) = tokio::join!(first, second);
        assert_eq!(first.unwrap().name, second.unwrap().name);
        for number in (1..20).step_by(2) {
            let both = [&one, &two].map(|core| core.relay("notes", "notes", vec![event(number), event(number + 1)]));
            let [first, second] = both;
            let (first, second) = tokio::join!(first, second);
            first.and(second).unwrap();
        }
        let expected: Vec<_> = (1..=20).map(|number| number.to_string()).collect();
        assert_eq!(published(&one).await, expected);
    }

    async fn published(core: &Core) -> Vec<String> {
        let read =
            |rows: &mut Rows<'_>| Ok(rows.fetch_all("SELECT data FROM events ORDER BY id", (), |row| row.get(0))?);
        core.database
            .read(read)
            .await
            .map_err(|error: CoreError| error)
            .unwrap()
    }
}
