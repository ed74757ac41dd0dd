//! Many machines, on one: PostgreSQL, the store, the nodes and the load share it.

mod bells;
mod beside_one;
mod builds;
mod growth;
mod held;

use galley_harness::scratch;

use super::Measurement;
use super::files::noise;
use super::load::Load;
use crate::cluster::Cluster;
use crate::nodes;
use crate::prelude::*;

/// What is measured of a cluster, in the order of the table.
pub const ALL: [Measurement; 4] = [
    ("node", beside_one::measure),
    ("growth", growth::measure),
    ("bells", bells::measure),
    ("builds", builds::measure),
];

/// Comments of the list.
const LISTED: usize = 20;

/// A server with a project that has a file and a list of comments.
struct Side {
    server: Server,
    shop: String,
    /// The first comment of the list.
    first: String,
}

impl Side {
    fn of(server: Server, file: &[u8]) -> Self {
        let shop = project_with(&server.user("ed"), "shop", "public-link");
        upload(
            &server.user("ed"),
            &shop,
            &Bundle::page("x").file("small.bin", file.to_vec()),
        );
        let made: Vec<Value> = (0..LISTED)
            .map(|number| {
                let text =
                    format!("Comment {number}: the spacing above the price is off by a few pixels on small screens.");
                comment(&server.user("vic"), &shop, &text)
            })
            .collect();
        let first = id(&made[0]);
        Self { server, shop, first }
    }

    fn files(&self) -> Load {
        Load {
            connections: 16,
            ..Load::of(format!("{}/p/shop/small.bin", self.server.url()))
        }
    }

    fn list(&self) -> Load {
        Load::of(self.server.url() + &comments(&self.shop))
    }
}

/// A cluster with the accounts of the tests.
fn cluster() -> Cluster {
    scratch::stay_on_disk();
    nodes::cluster(false)
}

/// A node with the accounts of the tests.
fn node(cluster: &Cluster) -> Server {
    let build = Server::build().fresh().one_node().public_links(true);
    let variables = cluster.variables().into_iter();
    variables
        .fold(build, |build, (name, value)| build.env(name, value))
        .start()
}

/// A file of 10 KB that does not compress.
fn small_file() -> Vec<u8> {
    noise(10 << 10)
}
