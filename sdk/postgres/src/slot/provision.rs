//! Making a slot's database and its role.

use std::time::Duration;

use postgres_protocol::password::scram_sha_256;
use tokio::time::Instant;

use super::connection::Connection;
use super::failure::Failure;
use super::tables::quoted;
use crate::address::Address;
use crate::failure::Failure as Common;

/// The function that takes the slot's lock: who writes to the slot calls it first. It is the host's, so that the slot's role needs no
/// right to locks of its own.
pub const LOCK_FUNCTION: &str = "public._galley_lock";

/// The mark of a database that was made to its end: the number of these statements. It grows with each change of them.
const MADE: u32 = 1;

/// The longest name, in bytes. PostgreSQL cuts longer ones, and two could become one.
const MAX_NAME_LENGTH: usize = 63;

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long all of it may take. Making a database copies one, and waits for others who do.
const PROVISION_TIMEOUT: Duration = Duration::from_secs(60);

/// What PostgreSQL says to one of two who change the rights of the same thing. The lock holds among servers of one database only.
const CHANGED_BY_ANOTHER: &str = "tuple concurrently updated";

/// How often making one is tried.
const MAX_ATTEMPTS: u32 = 5;

/// The pause behind the first attempt; it grows.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// The lock of those who make databases: "galley", as a number, and one.
const LOCK: i64 = 0x6761_6c6c_6579 + 1;

/// A slot's database and its role, which has the same name.
#[derive(Clone)]
pub struct Provision {
    /// The address of the server's own database, as its own role.
    pub address: Address,
    /// The name of the two.
    pub name: String,
    /// The role's password. It is sent as what the server keeps of it.
    pub password: String,
}

impl Provision {
    /// Makes what is not there, and sets what is not as this program sets it. Any number of servers may do so at once. Answers the
    /// address of the slot's database as the slot's role.
    pub async fn run(&self) -> Result<Address, Failure> {
        let slot = self
            .address
            .clone()
            .with_database(&self.name, &self.name, &self.password);
        for attempt in 1.. {
            if is_made(&slot).await {
                break;
            }
            match self.make().await {
                Ok(()) => break,
                // Rights are rows that all databases share, and somebody else changed the same one.
                Err(Failure::Database(Common::Statement(said)))
                    if attempt < MAX_ATTEMPTS && said == CHANGED_BY_ANOTHER =>
                {
                    tokio::time::sleep(RETRY_PAUSE * attempt).await;
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(slot)
    }

    async fn make(&self) -> Result<(), Failure> {
        let until = Instant::now() + PROVISION_TIMEOUT;
        let [name, text] = [quoted_name(&self.name)?, quoted_text(&self.name)];
        let mut server = self.hold(&text, until).await?;
        self.make_role(&mut server, &name, &text, until).await?;
        let is_there = format!("SELECT 1 FROM pg_database WHERE datname = {text}");
        if server.batch(&is_there, until).await?.is_none() {
            // Texts are ordered by their bytes, and only ASCII has two cases: as in SQLite.
            let make = format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'");
            server.batch(&make, until).await?;
        }
        let rights = format!(
            "REVOKE ALL ON DATABASE {name} FROM PUBLIC; GRANT CONNECT ON DATABASE {name} TO {name};
             DO $do$ BEGIN EXECUTE format('REVOKE CONNECT, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $do$"
        );
        server.batch(&rights, until).await?;
        let slot = self.address.clone().beside(&self.name);
        let mut slot = Connection::open(&slot, CONNECT_TIMEOUT).await?;
        let is_superuser = slot.batch("SELECT current_setting('is_superuser')", until).await?;
        if is_superuser.as_deref() == Some("on") {
            slot.batch(TAKEN, until).await?;
        }
        // The mark comes last.
        slot.batch(&inside(&name), until).await?;
        Ok(())
    }

    /// Deletes the two, also while other servers use them.
    pub async fn delete(&self) -> Result<(), Failure> {
        let until = Instant::now() + PROVISION_TIMEOUT;
        let [name, text] = [quoted_name(&self.name)?, quoted_text(&self.name)];
        let mut server = self.hold(&text, until).await?;
        let has_role = has_role(&mut server, &text, until).await?;
        if has_role {
            // Who ends the connections of a role has to be a member of it.
            server.batch(&format!("GRANT {name} TO CURRENT_USER"), until).await?;
        }
        server
            .batch(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"), until)
            .await?;
        if has_role {
            server.batch(&format!("DROP ROLE {name}"), until).await?;
        }
        Ok(())
    }

    /// A connection that holds the lock of those who make databases, until it ends. What there is of this name is the server's.
    async fn hold(&self, text: &str, until: Instant) -> Result<Connection, Failure> {
        let mut server = Connection::open(&self.address, CONNECT_TIMEOUT).await?;
        server.batch(&format!("SELECT pg_advisory_lock({LOCK})"), until).await?;
        self.check_owner(&mut server, text, until).await?;
        Ok(server)
    }

    /// What there is of this name has to be the server's.
    async fn check_owner(&self, server: &mut Connection, text: &str, until: Instant) -> Result<(), Failure> {
        let sql = format!(
            "SELECT datdba::regrole FROM pg_database WHERE datname = {text} AND NOT pg_has_role(datdba, 'USAGE')"
        );
        match server.batch(&sql, until).await? {
            None => Ok(()),
            Some(owner) => Err(Common::Statement(format!(
                "the database `{}` belongs to the role {owner}: rename it, or name another database for Galley's core",
                self.name
            ))
            .into()),
        }
    }

    async fn make_role(&self, server: &mut Connection, name: &str, text: &str, until: Instant) -> Result<(), Failure> {
        let verb = match has_role(server, text, until).await? {
            false => "CREATE",
            true => "ALTER",
        };
        let kept = quoted_text(&scram_sha_256(self.password.as_bytes()));
        // A role that is no superuser may not speak of what only superusers set; a role it makes has none of it.
        let sql = format!("{verb} ROLE {name} LOGIN NOCREATEDB NOCREATEROLE NOINHERIT PASSWORD {kept}");
        server.batch(&sql, until).await?;
        let strong =
            format!("SELECT 1 FROM pg_roles WHERE rolname = {text} AND (rolsuper OR rolreplication OR rolbypassrls)");
        if server.batch(&strong, until).await?.is_some() {
            let strong = format!("the role `{}` is a superuser or may replicate: rename it", self.name);
            return Err(Common::Statement(strong).into());
        }
        Ok(())
    }
}

async fn has_role(server: &mut Connection, text: &str, until: Instant) -> Result<bool, Failure> {
    let is_there = format!("SELECT 1 FROM pg_roles WHERE rolname = {text}");
    Ok(server.batch(&is_there, until).await?.is_some())
}

/// Whether the slot's role reaches its database, and that was made as this program makes it.
async fn is_made(slot: &Address) -> bool {
    let look = async {
        let mut slot = Connection::open(slot, CONNECT_TIMEOUT).await?;
        let sql = format!(
            "SELECT 1 FROM pg_catalog.pg_proc WHERE oid = to_regprocedure('{LOCK_FUNCTION}()')
                AND obj_description(oid, 'pg_proc') = '{MADE}'"
        );
        slot.batch(&sql, Instant::now() + CONNECT_TIMEOUT).await
    };
    // Whatever is in the way, what makes it says so.
    matches!(look.await, Ok(Some(_)))
}

/// The rights inside of the slot's database, and the host's function.
fn inside(role: &str) -> String {
    format!(
        "REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE, CREATE ON SCHEMA public TO {role};
         CREATE OR REPLACE FUNCTION {LOCK_FUNCTION}() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog
             AS 'SELECT pg_advisory_xact_lock(1)';
         REVOKE ALL ON FUNCTION {LOCK_FUNCTION}() FROM PUBLIC; GRANT EXECUTE ON FUNCTION {LOCK_FUNCTION}() TO {role};
         COMMENT ON FUNCTION {LOCK_FUNCTION}() IS '{MADE}'"
    )
}

/// What is taken from everybody in the slot's database where the server's role may: no statement that passes the list of what is
/// allowed calls any of it. Functions that read files and the like are superusers' anyway.
const TAKEN: &str = r"
    DO $do$
    DECLARE taken regprocedure;
    BEGIN
        FOR taken IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
            AND proname ~ '^(pg_(try_)?advisory_|pg_sleep|pg_notify|pg_read_|pg_ls_|pg_stat_file|pg_logical|pg_replication|pg_export_|pg_cancel_|pg_terminate_|pg_reload_|pg_rotate_|pg_switch_|pg_create_|pg_backup_|pg_stat_get_(activity|backend)|pg_listening_|pg_lock_|lo_|loread|lowrite|set_config|query_to_|table_to_|schema_to_|database_to_|cursor_to_|ts_stat|inet_server_|inet_client_)'
        LOOP
            EXECUTE format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', taken);
        END LOOP;
        REVOKE USAGE ON LANGUAGE plpgsql, sql FROM PUBLIC;
    END $do$";

/// A name as statements have it.
fn quoted_name(name: &str) -> Result<String, Failure> {
    if name.is_empty() || name.len() > MAX_NAME_LENGTH || name.contains('\0') {
        let bad = format!("the name of a database has 1 to {MAX_NAME_LENGTH} bytes and no NUL: {name:?}");
        return Err(Common::Statement(bad).into());
    }
    Ok(quoted(name))
}

/// A text as statements have it, whatever `standard_conforming_strings` says.
pub fn quoted_text(text: &str) -> String {
    format!(" E'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}
