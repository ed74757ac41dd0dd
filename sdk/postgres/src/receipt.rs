//! How a transaction is known again whose commit was not answered.
//!
//! `pg_xact_status` alone cannot say what became of it: a database that was killed gives an id once more when nothing of the first
//! transaction was durable. So a transaction leaves a receipt among its changes, a row with a name that nothing else has, and is
//! committed when that is there.

/// How long receipts are kept: longer than anybody asks for one.
const KEPT: &str = "1 hour";

/// What a transaction leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Receipt {
    /// The transaction's id.
    pub id: String,
    /// The name of its row; `None` where it leaves none, because the table is made by the transaction itself.
    pub token: Option<String>,
}

/// Asking what became of a transaction until it is known.
pub(crate) struct Inquiry {
    receipt: Receipt,
    /// Whether a transaction of its id was committed, and its receipt not there a moment before: it may be the one or the other.
    was_unclear: bool,
}

/// What an answer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Its changes are durable.
    Committed,
    /// Nothing of it is there, and nothing will be.
    Undone,
    /// It is not over: to be asked again after a pause.
    UnderWay,
    /// To be asked again at once.
    Unclear,
}

/// The statement that makes the table.
pub(crate) fn table(name: &str) -> String {
    format!("CREATE TABLE IF NOT EXISTS {name} (token text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())")
}

/// The statement that leaves a receipt, and answers the transaction's id and the token, separated by a space.
pub(crate) fn leave(table: &str) -> String {
    format!(
        "INSERT INTO {table} (token) VALUES (gen_random_uuid()::text) RETURNING pg_current_xact_id()::text || ' ' || token"
    )
}

/// The same for a transaction that may have changed nothing; then it answers no row.
pub(crate) fn leave_if_changed(table: &str) -> String {
    format!(
        "INSERT INTO {table} (token) SELECT gen_random_uuid()::text WHERE pg_current_xact_id_if_assigned() IS NOT NULL
         RETURNING pg_current_xact_id()::text || ' ' || token"
    )
}

/// The statement that forgets old ones.
pub(crate) fn forget(table: &str) -> String {
    format!("DELETE FROM {table} WHERE at < now() - interval '{KEPT}'")
}

impl Receipt {
    /// What [`leave`] answered.
    pub fn of(answer: &str) -> Self {
        match answer.split_once(' ') {
            Some((id, token)) => Self {
                id: id.to_owned(),
                token: Some(token.to_owned()),
            },
            None => Self {
                id: answer.to_owned(),
                token: None,
            },
        }
    }

    /// Begins to ask for it.
    pub fn inquire(self) -> Inquiry {
        Inquiry {
            receipt: self,
            was_unclear: false,
        }
    }
}

impl Inquiry {
    /// The statement that asks, on a connection that may write.
    pub fn question(&self, table: &str) -> String {
        let Receipt { id, token } = &self.receipt;
        let is_there = match token {
            Some(token) => format!("EXISTS (SELECT 1 FROM {table} WHERE token = '{token}')"),
            None => "false".to_owned(),
        };
        // An id that was not given since the database was killed is an error to `pg_xact_status`. All before one that is given now
        // were given.
        format!(
            "SELECT CASE WHEN {is_there} THEN 'there' WHEN '{id}'::xid8 > pg_current_xact_id() THEN 'aborted'
                ELSE coalesce(pg_xact_status('{id}'::xid8), 'aborted') END"
        )
    }

    /// What its answer says.
    pub fn fate(&mut self, answer: &str) -> Fate {
        match (answer, &self.receipt.token) {
            ("there", _) | ("committed", None) => Fate::Committed,
            // The id is another one's: the receipt is not there though a transaction of the id had ended before it was looked for.
            ("committed", Some(_)) if self.was_unclear => Fate::Undone,
            ("committed", Some(_)) => {
                self.was_unclear = true;
                Fate::Unclear
            }
            ("aborted", _) => Fate::Undone,
            _ => Fate::UnderWay,
        }
    }
}
