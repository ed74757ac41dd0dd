//! PgBouncer, a pooler in front of PostgreSQL, as Debian packages it. `cargo xtask setup` installs it.

use std::net::TcpStream;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::process::Command;

use tempfile::TempDir;

use crate::daemon::Daemon;
use crate::ports::free_port;
use crate::postgres::Postgres;
use crate::postgres_programs::other_user;

/// A pooler. Dropped, it ends.
#[derive(Debug)]
pub struct PgBouncer {
    port: u16,
    _daemon: Daemon,
    _folder: TempDir,
}

impl PgBouncer {
    /// One that lends connections for as long as `pool_mode` says: `session` or `transaction`.
    ///
    /// # Panics
    /// When it is not installed, or does not start.
    pub fn before(postgres: &Postgres, pool_mode: &str) -> PgBouncer {
        let (folder, port) = (tempfile::tempdir().expect("a temporary folder"), free_port());
        let settings = folder.path().join("pgbouncer.ini");
        let text = format!(
            "[databases]\n* = host=127.0.0.1 port={} user=galley\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n\
             pool_mode = {pool_mode}\n",
            postgres.address().port()
        );
        std::fs::write(&settings, text).expect("the test may write there");
        let mut command = Command::new("/usr/sbin/pgbouncer");
        command.current_dir(folder.path()).arg(&settings);
        if let Some((user, group)) = other_user() {
            chown(folder.path(), Some(user), Some(group)).expect("root may give a folder away");
            command.uid(user).gid(group);
        }
        let daemon = Daemon::start("PgBouncer", &mut command);
        PgBouncer {
            port,
            _daemon: daemon.wait_until_ready(|| TcpStream::connect(("127.0.0.1", port)).is_ok()),
            _folder: folder,
        }
    }

    /// The address of the database that every cluster has, behind the pooler.
    pub fn url(&self) -> String {
        format!("postgresql://galley@127.0.0.1:{}/postgres", self.port)
    }
}
