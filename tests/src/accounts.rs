//! What cannot be made over HTTP: accounts nobody signed in to, their sessions, links whose secrets are known, and time
//! that passed.
//!
//! This is the only file that knows the server's own database. But for what says otherwise, it is used on the data of a server
//! that does not run.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use galley_postgres::Value;
use sha2::{Digest, Sha256};

use crate::core_database::Database;

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
    database: Database,
}

impl Core {
    /// Opens the database of a data folder.
    pub fn open(data: &Path) -> Core {
        Core {
            database: Database::file(&data.join("core.db")),
        }
    }

    /// Opens the database of a cluster, at its address.
    pub fn shared(address: &str) -> Core {
        Core {
            database: Database::shared(address),
        }
    }

    /// Adds a person with a session.
    pub fn add(&self, person: &Person) {
        let now = now_ms();
        self.run(
            "INSERT INTO accounts (id, email, display_name, role, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            &[
                text(person.id()),
                text(person.email()),
                text(person.name),
                text(person.role),
                Value::Integer(now),
            ],
        );
        self.add_session(person, &session_of(person));
    }

    /// Gives a person one more session, with this secret.
    pub fn add_session(&self, person: &Person, secret: &str) {
        let now = now_ms();
        self.run(
            "INSERT INTO sessions (secret_hash, user_id, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
            &[
                text(hash(secret)),
                text(person.id()),
                Value::Integer(now),
                Value::Integer(now + 30 * 86_400_000),
            ],
        );
    }

    /// Removes a person (softly, as an administrator would).
    pub fn remove(&self, person: &Person) {
        self.run("UPDATE accounts SET removed = 1 WHERE id = ?1", &[text(person.id())]);
    }

    /// Invites an address, with a link that holds this token.
    pub fn invite(&self, email: &str, role: &str, token: &str) {
        let now = now_ms();
        self.run(
            "INSERT INTO invites (id, email, role, token_hash, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            &[
                text(format!("invite-{email}")),
                text(email),
                text(role),
                text(hash(token)),
                Value::Integer(now),
                Value::Integer(now + 7 * 86_400_000),
            ],
        );
    }

    /// Takes every invite back.
    pub fn revoke_invites(&self) {
        self.run("UPDATE invites SET revoked_at = ?1", &[Value::Integer(now_ms())]);
    }

    /// Makes a link that signs a person in, with this token.
    pub fn sign_in_link(&self, person: &Person, token: &str) {
        self.run(
            "INSERT INTO sign_in_links (token_hash, user_id, expires_at) VALUES (?1, ?2, ?3)",
            &[
                text(hash(token)),
                text(person.id()),
                Value::Integer(now_ms() + 86_400_000),
            ],
        );
    }

    /// Makes the link that would be mailed to an address, with this token.
    pub fn magic_link(&self, email: &str, token: &str) {
        self.run(
            "INSERT INTO sign_in_links (token_hash, email, expires_at) VALUES (?1, ?2, ?3)",
            &[text(hash(token)), text(email), Value::Integer(now_ms() + 900_000)],
        );
    }

    /// Admits whoever owns an address of this domain, with this role.
    pub fn domain_rule(&self, domain: &str, role: &str) {
        self.run(
            "INSERT INTO domain_rules (domain, role) VALUES (?1, ?2) ON CONFLICT (domain) DO UPDATE SET role = excluded.role",
            &[text(domain), text(role)],
        );
    }

    /// Lets every invite and every link end in the past.
    pub fn expire_links(&self) {
        self.run(
            "UPDATE invites SET expires_at = ?1",
            &[Value::Integer(now_ms() - 1_000)],
        );
        self.run(
            "UPDATE sign_in_links SET expires_at = ?1",
            &[Value::Integer(now_ms() - 1_000)],
        );
    }

    /// Whether the invite with this token was used.
    pub fn is_used(&self, token: &str) -> bool {
        let sql = "SELECT token_hash FROM invites WHERE token_hash = ?1 AND used_at IS NOT NULL";
        !self.database.texts(sql, &[text(hash(token))]).is_empty()
    }

    /// The roles of the accounts with this address; there should be one at most.
    pub fn roles(&self, email: &str) -> Vec<String> {
        self.database
            .texts("SELECT role FROM accounts WHERE email = ?1", &[text(email)])
    }

    /// Attaches a plugin's value to a project.
    pub fn attach(&self, project: &str, slot: &str, value: &serde_json::Value) {
        self.run(
            "INSERT INTO attachments (project_id, slot, value) VALUES (?1, ?2, ?3)
             ON CONFLICT (project_id, slot) DO UPDATE SET value = excluded.value",
            &[text(project), text(slot), text(value.to_string())],
        );
    }

    /// Stores a project's `repoUrl` as it is, without the rules of the API.
    pub fn repo_url(&self, project: &str, address: &str) {
        self.run(
            "UPDATE projects SET repo_url = ?2 WHERE id = ?1",
            &[text(project), text(address)],
        );
    }

    /// Lets every session end in the past.
    pub fn expire_sessions(&self) {
        self.run(
            "UPDATE sessions SET expires_at = ?1",
            &[Value::Integer(now_ms() - 1_000)],
        );
    }

    /// Lets every token end in the past.
    pub fn expire_tokens(&self) {
        self.run("UPDATE tokens SET expires_at = ?1", &[Value::Integer(now_ms() - 1_000)]);
    }

    /// Forgets when jobs are due. Whoever begins with a copy of the data begins with its own times: else all servers run at
    /// their start what was due since the copy was made.
    pub fn forget_jobs(&self) {
        self.run("DELETE FROM jobs", &[]);
    }

    /// Forgets what a cluster has for itself, so that copies of its database are others.
    pub fn become_template(&self) {
        self.run("DELETE FROM slot_databases", &[]);
        self.run("DELETE FROM cluster", &[]);
        self.run("DELETE FROM leases", &[]);
    }

    /// The log of a build of a cluster, as far as it is written; `None` when it was moved to the store.
    pub fn written_log(&self, deployment: &str) -> Option<String> {
        let id = [text(deployment)];
        let chunks = "SELECT content FROM log_chunks WHERE slot = 'deployments' AND id = ?1 ORDER BY first_byte";
        let chunks = self.database.texts(chunks, &id);
        // Afterwards: it may be moved in between.
        let moved = "SELECT object FROM logs WHERE slot = 'deployments' AND id = ?1 AND object IS NOT NULL";
        self.database.texts(moved, &id).is_empty().then(|| chunks.concat())
    }

    /// How many mails have their text, sealed, until they are sent.
    pub fn sealed_mails(&self) -> usize {
        self.database
            .texts("SELECT id FROM mails WHERE sealed IS NOT NULL", &[])
            .len()
    }

    /// The databases of the slots of a cluster.
    pub fn slot_databases(&self) -> Vec<String> {
        self.database.texts("SELECT name FROM slot_databases", &[])
    }

    /// Whether the database of a cluster has no tables at all.
    pub fn is_bare(&self) -> bool {
        let sql = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()";
        self.database.texts(sql, &[]).is_empty()
    }

    /// Every text and blob of the database, for a search after secrets.
    pub fn dump(&self) -> String {
        self.database.dump()
    }

    /// Keeps the events of a topic that are published from now on: as a slot would that is subscribed to it and takes none.
    /// What every subscriber has had is deleted else. For a server that runs.
    ///
    /// The place is `admin`'s, which subscribes to nothing: that of a slot nobody approved is deleted by any server that
    /// looks at the approvals.
    pub fn keep_events(&self, topic: &str) {
        self.run(
            "INSERT INTO cursors (slot, last_id, topics) VALUES ('admin', coalesce((SELECT max(id) FROM events), 0), ?1)",
            &[text(serde_json::json!([topic]))],
        );
        if self.database.is_shared() {
            // What servers hold in memory they read again when they are told that it changed.
            self.run(
                "WITH grown AS (UPDATE generation SET value = value + 1 RETURNING value)
                 INSERT INTO changes (generation, kind, id) SELECT value, 'subscriptions', '' FROM grown",
                &[],
            );
        }
    }

    /// The data of the events of a topic that are kept, oldest first.
    pub fn events(&self, topic: &str) -> Vec<serde_json::Value> {
        let sql = "SELECT data FROM events WHERE topic = ?1 ORDER BY id";
        let kept = self.database.texts(sql, &[text(topic)]);
        kept.iter()
            .map(|data| serde_json::from_str(data).expect("JSON"))
            .collect()
    }

    /// The approvals of a cluster's plugins.
    pub fn approvals(&self) -> String {
        self.database.texts("SELECT document FROM approvals", &[]).concat()
    }

    /// How many bytes the data of the events of a topic have that are kept.
    pub fn event_bytes(&self, topic: &str) -> u64 {
        let sql = "SELECT CAST(coalesce(sum(length(data)), 0) AS TEXT) FROM events WHERE topic = ?1";
        let sum = self.database.texts(sql, &[text(topic)]);
        sum[0].parse().expect("a number")
    }

    #[track_caller]
    fn run(&self, sql: &str, values: &[Value]) {
        self.database.run(sql, values);
    }
}

fn text(text: impl ToString) -> Value {
    Value::Text(text.to_string())
}

/// How the server stores secrets.
fn hash(secret: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(secret.as_bytes()))
}

fn now_ms() -> i64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("it is later than 1970");
    i64::try_from(now.as_millis()).expect("it is earlier than the year 292277026")
}
