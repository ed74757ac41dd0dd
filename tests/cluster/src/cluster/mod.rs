//! A cluster under test: servers, their database and store, what lies between them, and what can happen to it.

mod database;
mod faults;
mod node;
mod wire;

use std::ffi::OsString;
use std::sync::Arc;

use galley_harness::disk;
use galley_harness::http::Request;
use galley_harness::poll::eventually;
use galley_harness::seaweedfs::{ACCESS_KEY_ID, SECRET_ACCESS_KEY, SeaweedFs};
use serde_json::json;
use tempfile::TempDir;

pub use database::Database;
pub use faults::Fault;
pub use node::Node;
pub use wire::{State, Wire};

/// What an administrator shows to be let in.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The browser's session: a `Cookie` header.
    pub cookie: String,
    /// A personal access token: an `Authorization` header.
    pub bearer: String,
}

/// Servers on one database, each by wires of its own.
pub struct Cluster {
    /// They end before what they have in common.
    nodes: Vec<Node>,
    /// For each server a wire to each machine of the database.
    wires: Vec<Vec<Wire>>,
    database: Box<dyn Database>,
    _store: Arc<SeaweedFs>,
    _folder: TempDir,
}

impl Cluster {
    /// Starts this many servers on an empty database.
    ///
    /// # Panics
    /// When one does not start.
    pub fn start(nodes: usize, database: Box<dyn Database>) -> Cluster {
        let store = SeaweedFs::shared();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let key = folder.path().join("cluster.key");
        std::fs::write(&key, "5a".repeat(32)).expect("the folder is the test's");
        let machines = database.addresses();
        let wires: Vec<Vec<Wire>> = (0..nodes)
            .map(|_| machines.iter().copied().map(Wire::to).collect())
            .collect();
        let variables = |wires: &[Wire]| -> Vec<(&'static str, OsString)> {
            let ends: Vec<_> = wires.iter().map(Wire::address).collect();
            vec![
                ("SERVICE_DATABASE_URL", database.url_at(&ends).into()),
                ("SERVICE_CLUSTER_KEY_FILE", key.clone().into()),
                ("SERVICE_OBJECTS_URL", store.url("cluster-tests").into()),
                ("SERVICE_OBJECTS_ACCESS_KEY_ID", ACCESS_KEY_ID.into()),
                ("SERVICE_OBJECTS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY.into()),
            ]
        };
        let nodes: Vec<Node> = wires.iter().map(|wires| Node::new(variables(wires))).collect();
        for (at, node) in nodes.iter().enumerate() {
            if at > 0 {
                // The first one has compiled the plugins.
                disk::link(&nodes[0].data().join("plugins"), &node.data().join("plugins"));
            }
            node.start();
        }
        Cluster {
            nodes,
            wires,
            database,
            _store: store,
            _folder: folder,
        }
    }

    /// Its servers.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Makes the first account, which is an administrator's, as a person with a browser would.
    ///
    /// # Panics
    /// When the server does not let the person in.
    pub fn first_account(&self) -> Credentials {
        let node = &self.nodes[0];
        let link = eventually("a one-time link in the log", || node.local_link());
        let origin = format!("http://{}", node.address());
        let answer = Request::new(node.address(), "POST", &link)
            .header("origin", origin.clone())
            .header("accept", "text/html")
            .header("sec-fetch-dest", "document")
            .header("content-type", "application/x-www-form-urlencoded")
            .body("email=ana%40example.com&displayName=Ana")
            .send();
        let cookies = answer.all("set-cookie");
        let session = cookies.iter().find(|cookie| cookie.contains("galley_session="));
        let session = session.unwrap_or_else(|| panic!("no session in {}{}", answer.head, answer.text()));
        let cookie = session.split(';').next().unwrap_or_default().to_owned();
        let token = Request::new(node.address(), "POST", "/api/v1/tokens")
            .header("cookie", cookie.clone())
            .header("origin", origin)
            .json(&json!({ "name": "cluster-test", "scopes": ["read", "write"] }))
            .send()
            .expect(201)
            .json();
        let token = token["token"].as_str().expect("the answer holds the token");
        Credentials {
            cookie,
            bearer: format!("Bearer {token}"),
        }
    }
}
