//! Every server as two nodes of a cluster, behind a balancer: with [`VARIABLE`] set, and nobody who uses the API notices.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use galley_harness::postgres::Postgres;

use crate::accounts::{Core, PEOPLE};
use crate::cluster::Cluster;
use crate::disk;

/// The variable of the tests' environment.
pub const VARIABLE: &str = "GALLEY_TEST_NODES";

/// How many nodes a server is.
pub const NODES: usize = 2;

/// The database that others are copied from.
const TEMPLATE: &str = "galley_template";

/// Whether servers of this process are clusters.
pub fn are_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// A cluster with the accounts of [`PEOPLE`], as long as it is not to be empty.
pub fn cluster(is_empty: bool) -> Cluster {
    match is_empty {
        true => Cluster::new(),
        false => Cluster::copied_from(template(), TEMPLATE),
    }
}

/// Gives a node the compiled plugins of the template: nobody waits for them.
pub fn share_compiled(to: &Path) {
    let compiled = crate::template::folder().join("plugins");
    disk::link(&compiled, &to.join("plugins"));
}

/// The PostgreSQL that has the template.
fn template() -> Arc<Postgres> {
    static MADE: Mutex<Weak<Postgres>> = Mutex::new(Weak::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(postgres) = made.upgrade() {
        return postgres;
    }
    let first = Cluster::new();
    let mut server = first.server().one_node().start();
    server.stop();
    let core = Core::shared(first.url());
    PEOPLE.iter().for_each(|person| core.add(person));
    core.become_template();
    drop(core);
    let postgres = first.shared_postgres();
    postgres.psql(&format!(
        "CREATE DATABASE {TEMPLATE} TEMPLATE {}",
        first.database_name()
    ));
    *made = Arc::downgrade(&postgres);
    postgres
}
