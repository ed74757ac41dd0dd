//! Every server as two nodes of a cluster, behind a balancer: with [`VARIABLE`] set, and nobody who uses the API notices.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use galley_harness::postgres::Postgres;

use crate::accounts::{Core, PEOPLE};
use crate::again::{names, pass_again};
use crate::cluster::Cluster;
use crate::disk;

/// The variable of the tests' environment.
pub const VARIABLE: &str = "GALLEY_TEST_NODES";

/// How many nodes a server is.
pub const NODES: usize = 2;

/// How many tests run at once, each with two nodes.
const THREADS: u8 = 3;

/// The database that others are copied from.
const TEMPLATE: &str = "galley_template";

/// Whether servers of this process are clusters.
pub fn are_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Runs this program's tests once more, each server as two nodes: all but those that are left out, each by a part of its name and
/// with the reason. All have to pass.
///
/// # Panics
/// When they do not, or when a part stands in no name.
#[track_caller]
pub fn pass_with_two(left_out: &[(&str, &str)]) {
    let names = names();
    let fits = |part: &str| names.iter().filter(|name| name.contains(part)).count();
    for (part, reason) in left_out {
        assert!(
            fits(part) > 0,
            "no test is called `{part}`, which is left out: {reason}"
        );
    }
    let is_left_out = |name: &&String| left_out.iter().any(|(part, _)| name.contains(part));
    let run = names.len() - names.iter().filter(is_left_out).count();
    let arguments: Vec<&str> = left_out.iter().flat_map(|(part, _)| ["--skip", part]).collect();
    pass_again(VARIABLE, &arguments, THREADS, run);
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
    core.forget_jobs();
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
