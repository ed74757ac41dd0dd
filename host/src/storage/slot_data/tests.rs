//! Which file a schema has, what happens to it, and that what fails leaves it as it was.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use galley_manifest::{Adoption, Migration};

use super::*;
use crate::storage::slot;
use crate::storage::sqlite::{Database, StorageError};

const SLOT: &str = "notes";

/// A plugin's schema, owned.
struct Author {
    name: &'static str,
    steps: Vec<Migration<String>>,
    compatible: u32,
    adopts: Vec<Adoption<String>>,
}

impl Author {
    fn new(name: &'static str, steps: &[&str]) -> Author {
        let steps = (1..).zip(steps).map(|(version, sql)| Migration {
            version,
            sql: (*sql).to_owned(),
            down: None,
            postgres: None,
        });
        let steps: Vec<_> = steps.collect();
        Author {
            name,
            compatible: steps.len() as u32,
            steps,
            adopts: Vec::new(),
        }
    }

    fn down(mut self, sql: &str) -> Author {
        self.steps.last_mut().unwrap().down = Some(sql.to_owned());
        self
    }

    fn compatible(mut self, version: u32) -> Author {
        self.compatible = version;
        self
    }

    fn adopts(mut self, adoption: Adoption<String>) -> Author {
        self.adopts.push(adoption);
        self
    }

    fn schema(&self) -> Schema<'_> {
        Schema {
            name: self.name,
            steps: &self.steps,
            compatible: self.compatible,
            adopts: &self.adopts,
        }
    }

    fn prepare(&self, folder: &Path, choice: Option<DataChoice>) -> Result<Prepared, DataError> {
        let of = Of {
            folder,
            slot: SLOT,
            in_use: None,
            choice,
        };
        prepare(of, &self.schema(), "", None)
    }

    /// Brings the data to this schema for good, and writes a row.
    async fn serve(&self, folder: &Path, choice: Option<DataChoice>) -> (Plan, Vec<String>) {
        let prepared = self.prepare(folder, choice).unwrap();
        let (database, plan) = (file(&prepared), prepared.plan.clone());
        prepared.commit().unwrap();
        (plan, texts(&database))
    }
}

const NOTES: &str = "CREATE TABLE note (text TEXT NOT NULL)";
const COLOR: &str = "ALTER TABLE note ADD COLUMN color TEXT";

/// The file of prepared data.
fn file(prepared: &Prepared) -> Arc<Database> {
    match &prepared.database {
        Some(slot::Database::Sqlite(file)) => file.clone(),
        _ => panic!("the data are in a file"),
    }
}

fn texts(database: &Database) -> Vec<String> {
    let read = |connection: &mut rusqlite::Connection| {
        let mut statement = connection.prepare("SELECT text FROM note ORDER BY rowid")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok::<_, StorageError>(rows.collect::<rusqlite::Result<_>>()?)
    };
    database.read(read).unwrap()
}

async fn write(database: &Database, text: &'static str) {
    let counts = database.counts_writes();
    let write = move |connection: &mut rusqlite::Connection| {
        connection.execute("INSERT INTO note (text) VALUES (?1)", [text])?;
        if counts {
            count_write(connection)?;
        }
        Ok::<_, StorageError>(())
    };
    database.write(write).await.unwrap();
}

/// A folder with data of version 1 of `notes`: "first".
async fn folder_with_notes() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let prepared = Author::new("notes", &[NOTES]).prepare(folder.path(), None).unwrap();
    let database = file(&prepared);
    prepared.commit().unwrap();
    write(&database, "first").await;
    folder
}

#[tokio::test]
async fn steps_and_the_start_are_one_transaction() {
    let folder = folder_with_notes().await;
    let old = Author::new("notes", &[NOTES]);
    let new = Author::new("notes", &[NOTES, COLOR]);
    let prepared = new.prepare(folder.path(), None).unwrap();
    let staged = file(&prepared);
    // What the start does is seen by it, and by nobody else.
    write(&staged, "by the start").await;
    let mut transaction = staged.begin(Duration::ZERO).unwrap();
    transaction
        .execute("INSERT INTO note (text) VALUES ('kept')", [])
        .unwrap();
    transaction.commit().unwrap();
    transaction = staged.begin(Duration::ZERO).unwrap();
    transaction
        .execute("INSERT INTO note (text) VALUES ('rolled back')", [])
        .unwrap();
    drop(transaction);
    assert_eq!(texts(&staged), ["first", "by the start", "kept"]);
    drop(prepared);
    assert!(
        staged.read::<_, StorageError>(|_| Ok(())).is_err(),
        "it was rolled back"
    );
    assert_eq!(old.serve(folder.path(), None).await.1, ["first"]);

    let prepared = new.prepare(folder.path(), None).unwrap();
    let staged = file(&prepared);
    write(&staged, "by the start").await;
    prepared.commit().unwrap();
    write(&staged, "later").await;
    assert_eq!(texts(&staged), ["first", "by the start", "later"]);
}

#[tokio::test]
async fn a_step_that_fails_leaves_the_file_as_it_was() {
    let folder = folder_with_notes().await;
    let bad = Author::new("notes", &[NOTES, COLOR, "INSERT INTO nowhere VALUES (1)"]);
    let error = bad.prepare(folder.path(), None).map(drop).unwrap_err().to_string();
    assert!(
        error.contains("step 3") && error.contains("no such table: nowhere"),
        "{error}"
    );
    let (plan, texts) = Author::new("notes", &[NOTES]).serve(folder.path(), None).await;
    assert!(matches!(plan, Plan::Use { .. }));
    assert_eq!(texts, ["first"]);
}

#[tokio::test]
async fn a_changed_step_is_refused_with_both_hashes() {
    let folder = folder_with_notes().await;
    let changed = Author::new("notes", &["CREATE TABLE note (text TEXT)", COLOR]);
    let error = changed.prepare(folder.path(), None).map(drop).unwrap_err();
    let DataError::ChangedStep {
        schema,
        version,
        was,
        is,
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!((schema.as_str(), *version), ("notes", 1));
    assert!(error.to_string().contains(was) && error.to_string().contains(is) && was != is);
}

#[tokio::test]
async fn a_file_from_before_labels_is_the_first_plugins() {
    let folder = tempfile::tempdir().unwrap();
    let file = rusqlite::Connection::open(folder.path().join("notes.db")).unwrap();
    file.execute_batch(&format!(
        "{NOTES}; INSERT INTO note VALUES ('old'); PRAGMA user_version = 1"
    ))
    .unwrap();
    drop(file);
    let (plan, texts) = Author::new("notes", &[NOTES, COLOR]).serve(folder.path(), None).await;
    assert!(matches!(plan, Plan::Migrate { from: 1, to: 2, .. }));
    assert_eq!(texts, ["old"]);
    let other = Author::new("other", &[NOTES]).serve(folder.path(), None).await;
    assert_eq!(other.1, Vec::<String>::new(), "another schema has a file of its own");
    assert!(folder.path().join("notes@other.db").exists());
}

#[tokio::test]
async fn an_older_plugin_uses_compatible_data() {
    let folder = folder_with_notes().await;
    Author::new("notes", &[NOTES, COLOR])
        .compatible(1)
        .serve(folder.path(), None)
        .await;
    let (plan, texts) = Author::new("notes", &[NOTES]).serve(folder.path(), None).await;
    assert!(matches!(plan, Plan::Use { .. }), "{plan:?}");
    assert_eq!(texts, ["first"]);
}

#[tokio::test]
async fn steps_are_undone_for_an_older_plugin() {
    let folder = folder_with_notes().await;
    let newer = Author::new("notes", &[NOTES, COLOR]).down("ALTER TABLE note DROP COLUMN color");
    let prepared = newer.prepare(folder.path(), None).unwrap();
    let database = file(&prepared);
    prepared.commit().unwrap();
    write(&database, "second").await;
    let (plan, texts) = Author::new("notes", &[NOTES]).serve(folder.path(), None).await;
    assert!(matches!(plan, Plan::Undo { from: 2, to: 1, .. }));
    assert_eq!(texts, ["first", "second"]);
}

#[tokio::test]
async fn the_copy_comes_back_when_its_writes_may_be_lost() {
    let folder = folder_with_notes().await;
    let (old, new) = (Author::new("notes", &[NOTES]), Author::new("notes", &[NOTES, COLOR]));
    new.serve(folder.path(), None).await;
    // Nothing was written since: nothing is lost.
    let (plan, _) = old.serve(folder.path(), None).await;
    assert!(matches!(plan, Plan::Restore { writes: 0, .. }), "{plan:?}");

    let prepared = new.prepare(folder.path(), None).unwrap();
    let database = file(&prepared);
    prepared.commit().unwrap();
    for text in ["second", "third"] {
        write(&database, text).await;
    }
    let error = old.prepare(folder.path(), None).map(drop).unwrap_err();
    assert!(matches!(error, DataError::LosesWrites { writes: 2, .. }), "{error}");
    assert!(
        error.to_string().contains("2 writes") && error.to_string().contains("--lose-writes"),
        "{error}"
    );
    // What is not committed comes back.
    drop(old.prepare(folder.path(), Some(DataChoice::LoseWrites)).unwrap());
    assert_eq!(texts(&database), ["first", "second", "third"]);
    let (_, texts) = old.serve(folder.path(), Some(DataChoice::LoseWrites)).await;
    assert_eq!(texts, ["first"]);
}

#[tokio::test]
async fn copies_are_bounded_and_named_by_version() {
    let folder = folder_with_notes().await;
    let steps: Vec<String> = (2..8).map(|n| format!("CREATE TABLE t{n} (a)")).collect();
    for last in 0..steps.len() {
        let mut all = vec![NOTES];
        all.extend(steps[..=last].iter().map(String::as_str));
        Author::new("notes", &all).serve(folder.path(), None).await;
    }
    let versions: Vec<u32> = copies(folder.path(), SLOT).iter().map(|copy| copy.version).collect();
    assert_eq!(versions, [6, 5, 4]);
    assert!(copies(folder.path(), SLOT)[0].path.ends_with("copies/notes@notes@6.db"));
}

#[tokio::test]
async fn other_data_are_taken_over_when_the_operator_says_so() {
    let folder = folder_with_notes().await;
    let moving = Adoption::Moving {
        schema: "notes@1".to_owned(),
        sql: "INSERT INTO remark SELECT text FROM note; DROP TABLE note;
              CREATE VIEW note AS SELECT rowid, words AS text FROM remark"
            .to_owned(),
        postgres: None,
    };
    let other = || Author::new("remarks", &["CREATE TABLE remark (words TEXT)"]).adopts(moving.clone());
    let error = other().prepare(folder.path(), None).map(drop).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, DataError::Foreign { .. }), "{text}");
    assert!(
        ["`remarks`", "`notes`", "--adopt-data"]
            .iter()
            .all(|word| text.contains(word)),
        "{text}"
    );

    let adopt = Some(DataChoice::Adopt);
    drop(other().prepare(folder.path(), adopt).unwrap());
    assert!(
        !folder.path().join("notes@remarks.db").exists(),
        "nothing is left of a start that failed"
    );
    let (plan, texts) = other().serve(folder.path(), adopt).await;
    assert!(matches!(plan, Plan::Adopt { version: 1, .. }));
    assert_eq!(texts, ["first"]);
    // Its own from now on; the first one's are still there.
    assert!(matches!(other().serve(folder.path(), None).await.0, Plan::Use { .. }));
    assert_eq!(
        Author::new("notes", &[NOTES]).serve(folder.path(), None).await.1,
        ["first"]
    );

    let stranger = Author::new("stranger", &[NOTES]);
    let error = stranger.prepare(folder.path(), adopt).map(drop).unwrap_err();
    assert!(matches!(error, DataError::NotAdopted { .. }), "{error}");
}

#[tokio::test]
async fn a_fork_goes_on_with_the_same_tables() {
    let folder = folder_with_notes().await;
    let fork = Author::new("fork", &["CREATE TABLE note (text TEXT)", COLOR]);
    let fork = fork.adopts(Adoption::Same("notes@1".to_owned()));
    let (_, texts) = fork.serve(folder.path(), Some(DataChoice::Adopt)).await;
    assert_eq!(texts, ["first"]);
    let labels = super::labels::read(&folder.path().join("notes@fork.db"))
        .unwrap()
        .unwrap();
    assert_eq!((labels.name.as_deref(), labels.version), (Some("fork"), 2));
    let fresh = Author::new("third", &[NOTES]).adopts(Adoption::Same("notes@1".to_owned()));
    let (_, texts) = fresh.serve(folder.path(), Some(DataChoice::Fresh)).await;
    assert_eq!(texts, Vec::<String>::new());
}

#[tokio::test]
async fn steps_that_take_too_long_are_given_up() {
    let folder = folder_with_notes().await;
    let endless = "CREATE TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let slow = Author::new("notes", &[NOTES, endless]);
    let of = Of {
        folder: folder.path(),
        slot: SLOT,
        in_use: None,
        choice: None,
    };
    let error = prepare(of, &slow.schema(), "", Some(Duration::from_secs(1)))
        .map(drop)
        .unwrap_err();
    assert!(matches!(error, DataError::TooSlow { seconds: 1, .. }), "{error}");
}

#[tokio::test]
async fn data_are_taken_over_anew_from_the_plugin_that_serves() {
    let folder = folder_with_notes().await;
    let moving = |schema: &str, sql: &str| Adoption::Moving {
        schema: schema.to_owned(),
        sql: sql.to_owned(),
        postgres: None,
    };
    let there = "INSERT INTO remark SELECT text FROM note; DROP TABLE note; CREATE VIEW note AS SELECT rowid, words AS text FROM remark";
    let back = "INSERT INTO note SELECT words FROM remark";
    let other = Author::new("remarks", &["CREATE TABLE remark (words TEXT)"]).adopts(moving("notes@1", there));
    other.serve(folder.path(), Some(DataChoice::Adopt)).await;
    let first = Author::new("notes", &[NOTES]).adopts(moving("remarks@1", back));
    let of = |choice| Of {
        folder: folder.path(),
        slot: SLOT,
        in_use: Some("remarks"),
        choice,
    };
    // Without a word its own data are used, and with it the present ones.
    assert!(matches!(plan(of(None), &first.schema()).unwrap(), Plan::Use { .. }));
    let adopting = plan(of(Some(DataChoice::Adopt)), &first.schema()).unwrap();
    let Plan::Adopt { path, source, .. } = adopting else {
        panic!("{adopting:?}")
    };
    assert!(path.ends_with("notes.db") && source.ends_with("notes@remarks.db"));
    // At a start nothing serves, and what was taken over then is its own.
    let at_boot = Of {
        in_use: None,
        ..of(Some(DataChoice::Adopt))
    };
    assert!(matches!(plan(at_boot, &first.schema()).unwrap(), Plan::Use { .. }));
}

#[tokio::test]
async fn a_way_back_that_was_cut_short_gives_up_nothing() {
    let folder = folder_with_notes().await;
    let (old, new) = (Author::new("notes", &[NOTES]), Author::new("notes", &[NOTES, COLOR]));
    let prepared = new.prepare(folder.path(), None).unwrap();
    let database = file(&prepared);
    prepared.commit().unwrap();
    write(&database, "second").await;
    // The server is killed before it is written down that the older one serves.
    let lose = Some(DataChoice::LoseWrites);
    let prepared = old.prepare(folder.path(), lose).unwrap();
    assert_eq!(texts(&file(&prepared)), ["first"]);
    std::mem::forget(prepared);
    let (_, there) = new.serve(folder.path(), None).await;
    assert_eq!(there, ["first", "second"]);
    // And after: the older one goes on, and an update keeps what it wrote.
    let prepared = old.prepare(folder.path(), lose).unwrap();
    std::mem::forget(prepared);
    let (plan, there) = old.serve(folder.path(), lose).await;
    assert!(matches!(plan, Plan::Use { .. }));
    assert_eq!(there, ["first"]);
    let (plan, there) = new.serve(folder.path(), None).await;
    assert!(matches!(plan, Plan::Migrate { .. }));
    assert_eq!(there, ["first"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_steps_and_the_start_are_one_transaction_too() {
    let server = tokio::task::spawn_blocking(galley_harness::postgres::Postgres::shared)
        .await
        .unwrap();
    let provision = galley_postgres::slot::Provision {
        address: galley_postgres::Address::parse(&server.url(), None).unwrap(),
        name: "galley_slot_data".to_owned(),
        password: "secret".to_owned(),
    };
    let address = provision.run().await.unwrap();
    let prepare = async |author: &Author| prepare_alone(&address, &author.schema()).await;
    let commit = async |prepared: Prepared| tokio::task::spawn_blocking(move || prepared.commit()).await.unwrap();
    let opened = |prepared: &Prepared| match &prepared.database {
        Some(slot::Database::Postgres(database)) => database.clone(),
        _ => panic!("the data are on PostgreSQL"),
    };
    let soon = || std::time::Instant::now() + Duration::from_secs(30);
    let add = "INSERT INTO note (text) VALUES ('by the start')";
    let count = "SELECT count(*) FROM note";
    let notes = Author::new("notes", &[NOTES]);
    // What is dropped leaves nothing.
    let prepared = prepare(&notes).await.unwrap();
    assert_eq!(opened(&prepared).execute(add, vec![], soon()).await, Ok(1));
    drop(prepared);
    let prepared = prepare(&notes).await.unwrap();
    let database = opened(&prepared);
    let none = database.query(count, vec![], soon()).await.unwrap();
    assert_eq!(database.execute(add, vec![], soon()).await, Ok(1));
    commit(prepared).await.unwrap();
    assert_ne!(database.query(count, vec![], soon()).await.unwrap(), none);
    for (author, said) in [
        (Author::new("notes", &["CREATE TABLE note (text int8)"]), "was changed"),
        (Author::new("other", &[NOTES]), "has data of `notes`"),
    ] {
        let error = prepare(&author).await.map(drop).unwrap_err();
        assert!(
            matches!(error, DataError::Postgres(_)) && error.to_string().contains(said),
            "{error}"
        );
    }
}
