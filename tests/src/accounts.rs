//! What cannot be made over HTTP yet: accounts other than the first one, their sessions, and the instance's settings.
//!
//! This is the only file that knows the server's own database. It is used on the data of a server that does not run.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

/// An account of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Person {
    /// The name, by which tests call the person.
    pub name: &'static str,
    /// The role on the wire.
    pub role: &'static str,
}

/// Two of each role: most rules are about somebody else.
pub const PEOPLE: [Person; 6] = [
    Person {
        name: "ada",
        role: "admin",
    },
    Person {
        name: "ben",
        role: "admin",
    },
    Person {
        name: "ed",
        role: "editor",
    },
    Person {
        name: "eve",
        role: "editor",
    },
    Person {
        name: "vic",
        role: "viewer",
    },
    Person {
        name: "vera",
        role: "viewer",
    },
];

impl Person {
    /// The person with this name.
    #[track_caller]
    pub fn named(name: &str) -> &'static Person {
        PEOPLE
            .iter()
            .find(|person| person.name == name)
            .unwrap_or_else(|| panic!("nobody is called {name}"))
    }

    /// The account's id.
    pub fn id(&self) -> String {
        format!("account-{}", self.name)
    }

    /// The account's address.
    pub fn email(&self) -> String {
        format!("{}@example.com", self.name)
    }
}

/// The secret of a person's session. Always the same, so that tests need not carry it along.
pub fn session_of(person: &Person) -> String {
    format!("{:0<43}", format!("session-of-{}-", person.name))
}

/// The server's own database.
#[derive(Debug)]
pub struct Core {
    database: Connection,
}

impl Core {
    /// Opens the database of a data folder.
    pub fn open(data: &Path) -> Core {
        let file = data.join("core.db");
        assert!(file.is_file(), "{} is missing", file.display());
        let database = Connection::open(&file).expect("core.db is a database");
        Core { database }
    }

    /// Adds a person with a session.
    pub fn add(&self, person: &Person) {
        let now = now_ms();
        self.run(
            "INSERT INTO accounts (id, email, display_name, role, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![person.id(), person.email(), person.name, person.role, now],
        );
        let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(session_of(person).as_bytes()));
        self.run(
            "INSERT INTO sessions (secret_hash, user_id, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
            params![hash, person.id(), now, now + 30 * 86_400_000],
        );
    }

    /// Removes a person (softly, as an administrator would).
    pub fn remove(&self, person: &Person) {
        self.run("UPDATE accounts SET removed = 1 WHERE id = ?1", params![person.id()]);
    }

    /// Changes a person's role.
    pub fn set_role(&self, person: &Person, role: &str) {
        self.run(
            "UPDATE accounts SET role = ?2 WHERE id = ?1",
            params![person.id(), role],
        );
    }

    /// Changes one of the instance's settings.
    pub fn set(&self, setting: &str, on: bool) {
        self.run(
            "INSERT OR REPLACE INTO settings (key, value) VALUES (?1, ?2)",
            params![setting, on.to_string()],
        );
    }

    /// Attaches a plugin's value to a project.
    pub fn attach(&self, project: &str, slot: &str, value: &serde_json::Value) {
        self.run(
            "INSERT OR REPLACE INTO attachments (project_id, slot, value) VALUES (?1, ?2, ?3)",
            params![project, slot, value.to_string()],
        );
    }

    /// Lets every session end in the past.
    pub fn expire_sessions(&self) {
        self.run("UPDATE sessions SET expires_at = ?1", params![now_ms() - 1_000]);
    }

    /// Lets every token end in the past.
    pub fn expire_tokens(&self) {
        self.run("UPDATE tokens SET expires_at = ?1", params![now_ms() - 1_000]);
    }

    /// Every text and blob of the database, for a search after secrets.
    pub fn dump(&self) -> String {
        let mut dump = String::new();
        for table in self.texts("SELECT name FROM sqlite_master WHERE type = 'table'") {
            let columns = self.texts(&format!("SELECT name FROM pragma_table_info('{table}')"));
            for column in columns {
                let rows = self.texts(&format!("SELECT CAST(\"{column}\" AS TEXT) FROM \"{table}\""));
                dump.push_str(&rows.join("\n"));
                dump.push('\n');
            }
        }
        dump
    }

    /// The data of the events of a topic that are kept, oldest first. A boot drops those that everybody has had.
    pub fn events(&self, topic: &str) -> Vec<serde_json::Value> {
        let mut statement = self
            .database
            .prepare("SELECT data FROM events WHERE topic = ?1 ORDER BY id");
        let statement = statement.as_mut().expect("the schema of core.db changed?");
        let rows = statement
            .query_map([topic], |row| row.get::<_, String>(0))
            .expect("rows");
        let parse = |data: rusqlite::Result<String>| serde_json::from_str(&data.expect("a text")).expect("JSON");
        rows.map(parse).collect()
    }

    fn texts(&self, sql: &str) -> Vec<String> {
        let mut statement = self.database.prepare(sql).expect("a statement");
        let rows = statement
            .query_map([], |row| row.get::<_, Option<String>>(0))
            .expect("rows");
        rows.filter_map(|row| row.ok().flatten()).collect()
    }

    #[track_caller]
    fn run(&self, sql: &str, values: impl rusqlite::Params) {
        if let Err(error) = self.database.execute(sql, values) {
            panic!("the schema of core.db changed? {error}: {sql}");
        }
    }
}

fn now_ms() -> i64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("it is later than 1970");
    i64::try_from(now.as_millis()).expect("it is earlier than the year 292277026")
}
