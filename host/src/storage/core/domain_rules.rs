//! Email domains whose people are admitted when they sign in.

use rusqlite::{Connection, OptionalExtension};

use super::{Core, CoreError, Role};

/// Remembers that the configured domains were considered once.
const COPIED: &str = "domainRulesCopied";

impl Core {
    /// Copies the configured domains as rules for viewers: once in the instance's life, and only when there is no rule
    /// at that moment.
    pub async fn copy_domains_once(&self, domains: Vec<String>) -> Result<(), CoreError> {
        self.database
            .write(move |connection| {
                let first = connection.execute(
                    "INSERT INTO settings (key, value) VALUES (?1, 'true') ON CONFLICT DO NOTHING",
                    [COPIED],
                )?;
                let any: bool =
                    connection.query_row("SELECT EXISTS (SELECT 1 FROM domain_rules)", [], |row| row.get(0))?;
                if first == 1 && !any {
                    for domain in &domains {
                        let sql = "INSERT INTO domain_rules (domain, role) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
                        connection.execute(sql, (domain, Role::Viewer))?;
                    }
                }
                Ok(())
            })
            .await
    }

    /// The rules, by domain.
    pub fn domain_rules(&self) -> Result<Vec<(String, Role)>, CoreError> {
        self.database.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT domain, role FROM domain_rules ORDER BY domain")?;
            Ok(statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<Result<_, _>>()?)
        })
    }
}

/// The role that the rule for an address's domain gives. Subdomains have rules of their own.
pub(super) fn role_for(connection: &Connection, email: &str) -> Result<Option<Role>, CoreError> {
    let Some((_, domain)) = email.rsplit_once('@') else {
        return Ok(None);
    };
    let mut statement = connection.prepare_cached("SELECT role FROM domain_rules WHERE domain = ?1")?;
    Ok(statement.query_row([domain], |row| row.get(0)).optional()?)
}
