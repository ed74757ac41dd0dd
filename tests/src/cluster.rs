//! What servers of one cluster share: a PostgreSQL, a place in an object store, and a key.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use galley_harness::postgres::Postgres;
use galley_harness::seaweedfs::{ACCESS_KEY_ID, SECRET_ACCESS_KEY, SeaweedFs};
use tempfile::TempDir;

use crate::accounts::Core;
use crate::server::{Build, Server};

/// A cluster without servers.
#[derive(Debug)]
pub struct Cluster {
    postgres: Arc<Postgres>,
    store: Arc<SeaweedFs>,
    url: String,
    place: String,
    folder: TempDir,
}

impl Cluster {
    /// One with an empty database in the PostgreSQL of all tests of this program.
    pub fn new() -> Cluster {
        let postgres = Postgres::shared();
        let url = postgres.new_database();
        Self::with(postgres, url)
    }

    /// One with a PostgreSQL of its own, which the test stops and kills.
    pub fn alone() -> Cluster {
        Self::on(Postgres::start_with(&[]))
    }

    /// One on this PostgreSQL.
    pub fn on(postgres: Postgres) -> Cluster {
        let url = postgres.url();
        Self::with(Arc::new(postgres), url)
    }

    /// One with an object store of its own, which the test stops and kills.
    pub fn with_own_store() -> Cluster {
        Cluster {
            store: Arc::new(SeaweedFs::start()),
            ..Self::new()
        }
    }

    fn with(postgres: Arc<Postgres>, url: String) -> Cluster {
        static CLUSTERS: AtomicU32 = AtomicU32::new(0);
        let store = SeaweedFs::shared();
        let place = format!("galley-tests/cluster-{}", CLUSTERS.fetch_add(1, Ordering::Relaxed));
        let cluster = Cluster {
            place,
            postgres,
            store,
            url,
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        std::fs::write(cluster.key(), "5a".repeat(32)).expect("the folder is the test's");
        cluster
    }

    /// One whose database is a copy of this one.
    pub fn copied_from(postgres: Arc<Postgres>, template: &str) -> Cluster {
        let url = postgres.copy_database(template);
        Self::with(postgres, url)
    }

    /// Its PostgreSQL, for others.
    pub fn shared_postgres(&self) -> Arc<Postgres> {
        self.postgres.clone()
    }

    /// The name of its database.
    pub fn database_name(&self) -> &str {
        self.url.rsplit('/').next().unwrap_or_default()
    }

    /// Its PostgreSQL.
    pub fn postgres(&self) -> &Postgres {
        &self.postgres
    }

    /// Its object store.
    pub fn store(&self) -> &SeaweedFs {
        &self.store
    }

    /// The address of its database.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The address of its place in the object store.
    pub fn bucket(&self) -> String {
        self.store.url(&self.place)
    }

    /// Names of its objects of a kind, such as `sites`.
    pub fn objects(&self, kind: &str) -> Vec<String> {
        self.store.files(&format!("{}/{kind}", self.place))
    }

    /// The file of its key.
    pub fn key(&self) -> PathBuf {
        self.folder.path().join("cluster.key")
    }

    /// A server of it, without accounts of its own.
    pub fn server(&self) -> Build {
        let fresh = Server::build().fresh().one_node().without("SERVICE_ADMIN_TOKEN");
        let variables = self.variables().into_iter();
        variables.fold(fresh, |build, (name, value)| build.env(name, value))
    }

    /// What makes a server one of it.
    pub fn variables(&self) -> [(&'static str, OsString); 5] {
        [
            ("SERVICE_DATABASE_URL", self.url.clone().into()),
            ("SERVICE_CLUSTER_KEY_FILE", self.key().into()),
            ("SERVICE_OBJECTS_URL", self.bucket().into()),
            ("SERVICE_OBJECTS_ACCESS_KEY_ID", ACCESS_KEY_ID.into()),
            ("SERVICE_OBJECTS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY.into()),
        ]
    }

    /// The addresses of the databases of its slots.
    pub(crate) fn slot_urls(&self) -> Vec<String> {
        let names = Core::shared(&self.url).slot_databases();
        names.iter().map(|name| self.postgres.url_of(name)).collect()
    }

    /// Deletes its databases. Its servers have ended.
    pub fn delete(&self) {
        let core = Core::shared(&self.url);
        let slots = core.slot_databases();
        drop(core);
        self.postgres.drop_databases(&slots);
        self.postgres.drop_databases(&[self.database_name().to_owned()]);
    }
}

impl Default for Cluster {
    fn default() -> Self {
        Self::new()
    }
}
