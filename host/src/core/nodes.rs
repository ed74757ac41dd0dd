//! The servers of one database by their names, for those who look after them.

use super::limits::PRESENCE;
use super::{CLOCK, Core, CoreError};
use crate::storage::engine::Rows;

/// How long a server that was killed is told of, in milliseconds.
const KEPT: i64 = 24 * 60 * 60 * 1_000;

/// What a server says of itself when it starts.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is called: no other one that is there has the name.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// Where it listens.
    pub address: String,
    /// The id of its data folder.
    pub folder: String,
}

impl Core {
    /// Enters this start of the server among those of the database. [`CoreError::NameTaken`] while another one has its name.
    pub async fn enter(&self, node: Node) -> Result<(), CoreError> {
        let server = self.server.clone();
        self.database.write(move |rows| enter(rows, &node, &server)).await
    }
}

fn enter(rows: &mut Rows<'_>, node: &Node, server: &str) -> Result<(), CoreError> {
    // A start before this one may count as there for a moment: it had the same folder.
    let taken = format!(
        "SELECT nodes.address FROM nodes JOIN servers ON servers.id = nodes.server
         WHERE nodes.name = ?1 AND nodes.folder <> ?2 AND servers.ends_at > {CLOCK}"
    );
    if let Some(address) = rows.fetch_optional(&taken, [&node.name, &node.folder], |row| row.get(0))? {
        return Err(CoreError::NameTaken {
            name: node.name.clone(),
            address,
        });
    }
    let forget = format!(
        "DELETE FROM nodes WHERE seen_at < {CLOCK} - ?1 AND NOT EXISTS (SELECT 1 FROM servers WHERE servers.id = nodes.server)"
    );
    rows.execute(&forget, [KEPT])?;
    let enter = format!(
        "INSERT INTO nodes (name, server, version, address, folder, since, seen_at) VALUES (?1, ?2, ?3, ?4, ?5, {CLOCK}, {CLOCK})
         ON CONFLICT (name) DO UPDATE SET server = excluded.server, version = excluded.version, address = excluded.address,
             folder = excluded.folder, since = excluded.since, seen_at = excluded.seen_at"
    );
    rows.execute(&enter, (&node.name, server, &node.version, &node.address, &node.folder))?;
    let be_there = format!(
        "INSERT INTO servers (id, ends_at) VALUES (?1, {CLOCK} + ?2) ON CONFLICT (id) DO UPDATE SET ends_at = excluded.ends_at"
    );
    rows.execute(&be_there, (server, PRESENCE))?;
    Ok(())
}
