//! The core as tests open it: on a file, and on a PostgreSQL that tests of one process share while any of them runs.

use std::path::Path;
use std::sync::Arc;

use galley_harness::postgres::Postgres;
use galley_postgres::Address;
use tempfile::TempDir;

use super::{Core, CoreError};

/// An open core, and where it is opened again.
pub struct Opened {
    pub core: Core,
    pub home: Home,
}

/// Where a core is kept.
pub struct Home {
    folder: TempDir,
    server: Option<(Arc<Postgres>, String)>,
}

impl Home {
    /// Its data folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where its PostgreSQL is.
    pub fn address(&self) -> Address {
        let (_, address) = self.server.as_ref().expect("its core is in a file");
        Address::parse(address, None).unwrap()
    }

    /// Opens it, or opens it again.
    pub async fn open(&self) -> Result<Core, CoreError> {
        match self.server {
            Some(_) => Core::open_shared(self.folder.path(), &self.address()).await,
            None => Core::open(self.folder.path()).await,
        }
    }
}

impl Home {
    /// Ends all connections to its PostgreSQL's database, of all servers.
    pub fn cut_off(&self) {
        let (server, address) = self.server.as_ref().expect("it is on PostgreSQL");
        let name = address.rsplit('/').next().unwrap_or_default();
        server.psql(&format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        ));
    }

    /// The same, and no new one is taken.
    pub fn refuse_connections(&self) {
        let (server, address) = self.server.as_ref().expect("it is on PostgreSQL");
        let name = address.rsplit('/').next().unwrap_or_default();
        server.psql(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"));
        self.cut_off();
    }

    /// Another core of the same database.
    pub async fn beside(&self) -> Opened {
        opened(self.server.clone()).await
    }
}

/// Two cores of one PostgreSQL, each with a data folder of its own.
pub async fn two() -> (Opened, Opened) {
    let first = postgres().await;
    let second = opened(first.home.server.clone()).await;
    (first, second)
}

/// A core in a file.
pub async fn sqlite() -> Opened {
    opened(None).await
}

/// A core in a database of its own.
pub async fn postgres() -> Opened {
    let home = empty().await;
    let core = home.open().await.unwrap();
    Opened { core, home }
}

/// A database in which there is nothing yet.
pub async fn empty() -> Home {
    let server = tokio::task::spawn_blocking(|| {
        let server = Postgres::shared();
        let address = server.new_database();
        (server, address)
    });
    home(Some(server.await.unwrap()))
}

fn home(server: Option<(Arc<Postgres>, String)>) -> Home {
    let folder = tempfile::tempdir().unwrap();
    Home { folder, server }
}

async fn opened(server: Option<(Arc<Postgres>, String)>) -> Opened {
    let home = home(server);
    let core = home.open().await.unwrap();
    Opened { core, home }
}

/// Makes two tests of each function that is given, one on each engine.
macro_rules! on_each_engine {
    ($($test:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test(crate::core::testing::sqlite().await).await;
            })+
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test(crate::core::testing::postgres().await).await;
            })+
        }
    };
}

pub(crate) use on_each_engine;
