//! PostgreSQL: a cluster of its own in a folder of its own, in memory where that can be, on a port of its own.

use std::fs::Permissions;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use crate::daemon::Daemon;
use crate::poll::within;
use crate::ports::free_port;
use crate::postgres_programs::{Programs, other_user};
use crate::scratch::Scratch;
use crate::usage::children;

/// How long the processes of one that was killed may take to notice.
const END_TIMEOUT: Duration = Duration::from_secs(60);

/// A cluster. Dropped, it ends, and its files are deleted.
#[derive(Debug)]
pub struct Postgres {
    programs: Arc<Programs>,
    folder: Scratch,
    port: u16,
    settings: Vec<String>,
    databases: AtomicU32,
    daemon: Mutex<Option<Daemon>>,
}

impl Postgres {
    /// A fresh one, for tests that no power failure survives.
    ///
    /// # Panics
    /// When PostgreSQL is not installed, or does not start.
    pub fn start() -> Postgres {
        Self::start_with(&["fsync=off"])
    }

    /// The same with settings of the test's own, each as `name=value`. Without any it keeps what it acknowledges.
    ///
    /// # Panics
    /// When PostgreSQL is not installed, or does not start.
    pub fn start_with(settings: &[&str]) -> Postgres {
        let postgres = Self::made(settings);
        postgres.resume();
        postgres
    }

    /// One that speaks TLS with this certificate and its key, both as PEM texts.
    ///
    /// # Panics
    /// When PostgreSQL is not installed, or does not start.
    pub fn start_with_certificate(certificate: &str, key: &str) -> Postgres {
        let postgres = Self::made(&["fsync=off", "ssl=on", "ssl_cert_file=tls.crt", "ssl_key_file=tls.key"]);
        for (name, text) in [("tls.crt", certificate), ("tls.key", key)] {
            let path = postgres.data().join(name);
            std::fs::write(&path, text).expect("the test may write there");
            // It refuses a key that others may read.
            std::fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("the file is the test's");
            if let Some((user, group)) = other_user() {
                chown(&path, Some(user), Some(group)).expect("root may give a file away");
            }
        }
        postgres.resume();
        postgres
    }

    /// A cluster that does not run yet.
    fn made(settings: &[&str]) -> Postgres {
        let postgres = Postgres {
            programs: Programs::chosen(),
            folder: Scratch::new(),
            port: free_port(),
            settings: settings.iter().map(|&setting| setting.to_owned()).collect(),
            databases: AtomicU32::new(0),
            daemon: Mutex::new(None),
        };
        if let Some((user, group)) = other_user() {
            chown(postgres.folder.path(), Some(user), Some(group)).expect("root may give a folder away");
        }
        let made = postgres
            .program("initdb")
            .args([
                "--auth=trust",
                "--username=galley",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
            ])
            .arg("-D")
            .arg(postgres.data())
            .output()
            .expect("initdb can be started");
        let said = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "initdb failed: {said}");
        postgres
    }

    /// The cluster of all tests of this process that stay in a [database of their own](Self::new_database); it ends with the
    /// last of them. It keeps what it acknowledges.
    pub fn shared() -> Arc<Postgres> {
        static SHARED: Mutex<Weak<Postgres>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            // Servers of many tests at once.
            let postgres = Arc::new(Postgres::start_with(&["max_connections=600"]));
            *shared = Arc::downgrade(&postgres);
            postgres
        })
    }

    /// The address of the database that every cluster has.
    pub fn url(&self) -> String {
        self.url_at(self.address())
    }

    /// The same, reached by another address.
    pub fn url_at(&self, address: SocketAddr) -> String {
        format!("postgresql://galley@{address}/postgres")
    }

    /// The address of a database by its name.
    pub fn url_of(&self, database: &str) -> String {
        format!("postgresql://galley@{}/{database}", self.address())
    }

    /// The address of a new, empty database.
    ///
    /// # Panics
    /// When PostgreSQL does not make it.
    pub fn new_database(&self) -> String {
        let name = format!("database_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.psql(&format!("CREATE DATABASE {name}"));
        self.url_of(&name)
    }

    /// The address of a new database, which is a copy of this one. Nobody may be connected to that.
    ///
    /// # Panics
    /// When PostgreSQL does not make it.
    pub fn copy_database(&self, template: &str) -> String {
        let name = format!("database_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.psql(&format!("CREATE DATABASE {name} TEMPLATE {template}"));
        self.url_of(&name)
    }

    /// Deletes databases, and ends connections to them.
    ///
    /// # Panics
    /// When PostgreSQL does not delete one.
    pub fn drop_databases(&self, names: &[String]) {
        let drop = |name: &String| format!("DROP DATABASE IF EXISTS \"{name}\" WITH (FORCE)");
        self.psql_all(&names.iter().map(drop).collect::<Vec<_>>());
    }

    /// Runs statements in the database that every cluster has, and answers what they answer.
    ///
    /// # Panics
    /// When one fails.
    #[track_caller]
    pub fn psql(&self, sql: &str) -> String {
        self.psql_all(&[sql.to_owned()])
    }

    /// The same with statements that are no transaction together.
    #[track_caller]
    fn psql_all(&self, statements: &[String]) -> String {
        let commands = statements.iter().flat_map(|sql| ["--command", sql.as_str()]);
        let ran = self
            .program("psql")
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--dbname"])
            .arg(self.url())
            .args(commands)
            .output()
            .expect("psql can be started");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{statements:?}: {said}");
        String::from_utf8_lossy(&ran.stdout).trim().to_owned()
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// Ends it, and all connections to it at once. What it acknowledged is there when it is [resumed](Self::resume).
    pub fn stop(&self) {
        if let Some(daemon) = self.daemon().take() {
            daemon.stop("INT");
        }
    }

    /// Kills it and all its processes at once, as a power failure does.
    pub fn kill(&self) {
        let Some(daemon) = self.daemon().take() else {
            return;
        };
        let children = children(daemon.id());
        daemon.stop("KILL");
        // Each of them ends by itself when it notices, and the next start waits for nobody.
        let gone = || (!children.iter().copied().any(runs)).then_some(());
        within(END_TIMEOUT, gone).expect("what a postmaster left behind ends");
    }

    /// Stops all its processes where they are: connections stay, and nothing answers.
    pub fn freeze(&self) {
        self.daemon().iter().for_each(|daemon| daemon.freeze(true));
    }

    /// Lets them go on.
    pub fn thaw(&self) {
        self.daemon().iter().for_each(|daemon| daemon.freeze(false));
    }

    /// Starts it again, at the same address.
    pub fn resume(&self) {
        let mut command = self.program("postgres");
        command.arg("-D").arg(self.data());
        for setting in [
            "listen_addresses=127.0.0.1".to_owned(),
            format!("port={}", self.port),
            "unix_socket_directories=".to_owned(),
        ]
        .iter()
        .chain(&self.settings)
        {
            command.args(["-c", setting]);
        }
        let daemon = Daemon::start("PostgreSQL", &mut command);
        *self.daemon() = Some(daemon.wait_until_ready(|| self.is_ready()));
    }

    /// Starts it again as a standby of a primary that is gone: it answers reads, and takes no writes.
    ///
    /// # Panics
    /// When its files cannot be written.
    pub fn become_standby(&self) {
        self.stop();
        std::fs::write(self.data().join("standby.signal"), "").expect("the test may write there");
        self.resume();
    }

    fn is_ready(&self) -> bool {
        let asked = || {
            let status = self
                .program("pg_isready")
                .args(["--quiet", "--host=127.0.0.1", &format!("--port={}", self.port)])
                .status();
            status.is_ok_and(|status| status.success())
        };
        // A process for each look only once somebody listens.
        TcpStream::connect(self.address()).is_ok() && asked()
    }

    /// One of its programs, as the user it runs as.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.path(name));
        // Its own folder: that of the test is not everybody's.
        command.current_dir(self.folder.path()).env("LC_ALL", "C");
        if let Some((user, group)) = other_user() {
            command.uid(user).gid(group);
        }
        command
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn daemon(&self) -> std::sync::MutexGuard<'_, Option<Daemon>> {
        self.daemon.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A frozen one does not end. Killed, it would leave its children and their shared memory.
        self.thaw();
        self.stop();
    }
}

/// Whether a process has not ended. What has ended may be there until the system's first process notices, which takes seconds in
/// some containers.
fn runs(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    !state.is_empty() && !state.starts_with(['Z', 'X'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths;
    use crate::postgres_programs::{VARIABLE, debians};

    #[test]
    fn the_chosen_version_is_the_one_that_runs() {
        let version = Postgres::start().psql("SHOW server_version_num");
        let major = version.parse::<u32>().unwrap() / 10_000;
        match paths::variable(VARIABLE) {
            Some(_) => assert_eq!(major, 18),
            None => assert!(debians().ends_with(format!("{major}/bin"))),
        }
    }
}
