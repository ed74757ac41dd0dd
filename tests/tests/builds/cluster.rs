//! Builds of several servers on one database: one queue, one log of each build, wherever it runs.

use std::path::PathBuf;
use std::time::Duration;

use galley_tests::cluster::Cluster;
use galley_tests::codehost::CodeHost;
use galley_tests::poll::within;
use galley_tests::prelude::*;
use galley_tests::sse::EventStream;

use crate::studio::{BUILD_TIMEOUT, COPY_PAGE, joined, waiting};

/// Servers of one cluster, and a project that is connected to a repository.
struct Nodes {
    servers: Vec<Server>,
    /// Somebody who manages the project, at the first server.
    ed: Client,
    shop: String,
    cluster: Cluster,
    _host: CodeHost,
}

impl Nodes {
    /// One server for each number of builds that it may run at the same time.
    fn start(places: &[u32], command: &str) -> Nodes {
        Nodes::of(Cluster::new(), places, command)
    }

    /// The same in this cluster.
    fn of(cluster: Cluster, places: &[u32], command: &str) -> Nodes {
        let host = CodeHost::start();
        let start = |places: &u32| {
            let build = host.configure(cluster.server());
            build
                .env("SERVICE_BUILD_CONCURRENCY", places.to_string())
                .one_node()
                .start()
        };
        let servers: Vec<Server> = places.iter().map(start).collect();
        let ed = host.sign_in(&servers[0], "octo-ed");
        let shop = project(&ed, "shop");
        let copy = host.working_copy("Octo-Org", "Storefront");
        copy.write("index.html", "<!doctype html><h1>One</h1>").push("main");
        let nodes = Nodes {
            servers,
            ed,
            shop,
            cluster,
            _host: host,
        };
        nodes.connect(&nodes.shop, command);
        nodes
    }

    fn connect(&self, project: &str, command: &str) {
        let body = json!({
            "installationId": 101, "owner": "Octo-Org", "name": "Storefront", "branch": "main",
            "installCommand": "true", "buildCommand": command, "outputDir": "dist", "autoDeploy": true,
        });
        let path = format!("/api/v1/projects/{project}/repo");
        self.ed.put(&path, body).expect(200);
    }

    /// The same caller at another server.
    fn at(&self, server: usize) -> Client {
        Client::new(self.servers[server].address(), self.ed.credential().clone())
    }

    /// Queues a build at the first server.
    #[track_caller]
    fn queue(&self, project: &str) -> String {
        let path = format!("/api/v1/projects/{project}/deployments/build");
        text(&self.ed.post(&path, json!({})).expect(202).json(), "deploymentId")
    }

    /// Follows the log of a build at a server, from a frame on.
    fn follow(&self, server: usize, id: &str, after: Option<&str>) -> EventStream {
        let path = format!("/api/v1/deployments/{id}/log/stream");
        let client = self.at(server);
        let request = client.request("GET", &path);
        let request = match after {
            Some(after) => request.header("last-event-id", after),
            None => request,
        };
        EventStream::open(&request).expect("a stream")
    }

    /// The folder of the only build that runs at a server.
    fn folder(&self, server: usize) -> Option<PathBuf> {
        let builds = self.servers[server].data_dir().join("builds");
        Some(builds.read_dir().ok()?.next()?.ok()?.path())
    }

    /// Waits until one of these servers runs a build that waits.
    #[track_caller]
    fn runner(&self, servers: &[usize]) -> usize {
        let waits = |server: &&usize| {
            let folder = self.folder(**server);
            folder.is_some_and(|folder| folder.join("source/w").exists())
        };
        let found = within(BUILD_TIMEOUT, || servers.iter().find(waits).copied());
        found.expect("a server runs the build")
    }

    fn let_go(&self, server: usize) {
        let folder = self.folder(server).expect("the build's folder");
        std::fs::write(folder.join("source/go"), "").unwrap();
    }

    /// Waits until a build has ended.
    #[track_caller]
    fn ended(&self, id: &str) -> Value {
        let path = format!("/api/v1/deployments/{id}");
        let ended = within(BUILD_TIMEOUT, || {
            Some(self.ed.get(&path).expect(200).json()).filter(|deployment| deployment["status"] != "building")
        });
        ended.unwrap_or_else(|| {
            let logs: Vec<_> = self.servers.iter().map(Server::log).collect();
            panic!("the build did not end:\n{}", logs.join("\n---\n"))
        })
    }
}

/// A command that waits until a test lets it go, and says so in a file, too.
fn held(then: &str) -> String {
    format!("touch w; {}", waiting(then))
}

#[test]
fn what_one_server_queues_another_one_builds_and_both_are_followed_and_serve_it() {
    let nodes = Nodes::start(&[0, 1], &held(&format!("echo going on; {COPY_PAGE}")));
    let id = nodes.queue(&nodes.shop);
    let followed = [0, 1].map(|server| {
        let stream = nodes.follow(server, &id, None);
        let mut heard = Vec::new();
        while !joined(&heard).contains("\nwaiting\n") {
            heard.push(stream.next());
        }
        (stream, heard)
    });
    assert_eq!(nodes.runner(&[0, 1]), 1, "the first one builds nothing");
    // A project whose build runs elsewhere is not deleted.
    let path = format!("/api/v1/projects/{}", nodes.shop);
    nodes
        .ed
        .delete(&path)
        .refused(409, "A build is already running for this project");
    let mark = followed[0].1[0].id.clone().expect("frames carry ids");
    let first = joined(&followed[0].1[..1]);
    nodes.let_go(1);
    let heard = followed.map(|(stream, mut heard)| {
        heard.extend(stream.rest());
        heard
    });
    assert_eq!(nodes.ended(&id)["status"], "ready");
    let log = joined(&heard[0]);
    assert!(
        log.contains("\ngoing on\n") && log.contains("\nPacked 1 file, "),
        "{log}"
    );
    for (server, heard) in heard.iter().enumerate() {
        assert_eq!(joined(heard), log, "each piece once, in order");
        assert_eq!(heard.last().unwrap().json(), json!({ "status": "ready" }));
        assert!(
            nodes
                .at(server)
                .get("/p/shop/")
                .expect(200)
                .text()
                .contains("<h1>One</h1>")
        );
        // Afterwards, from the start and from where somebody was cut off.
        assert_eq!(joined(&nodes.follow(server, &id, None).rest()), log);
        let rest = joined(&nodes.follow(server, &id, Some(&mark)).rest());
        assert_eq!(first.clone() + &rest, log);
    }
}

#[test]
fn a_build_is_cancelled_at_any_server() {
    let nodes = Nodes::start(&[0, 1], &held(COPY_PAGE));
    for canceller in [0, 1] {
        let id = nodes.queue(&nodes.shop);
        nodes.runner(&[1]);
        let stream = nodes.follow(0, &id, None);
        let path = format!("/api/v1/deployments/{id}/cancel");
        let answer = nodes.at(canceller).post(&path, json!({})).expect(200).json();
        assert_eq!(answer["status"], "failed");
        let heard = stream.rest();
        assert_eq!(heard.last().unwrap().json(), json!({ "status": "failed" }));
        let log = joined(&heard);
        assert_eq!(log.matches("Cancelled by ").count(), 1, "{log}");
        assert!(log.lines().last().unwrap().starts_with("Cancelled by "), "{log}");
        let stopped = within(BUILD_TIMEOUT, || nodes.folder(1).is_none().then_some(()));
        assert!(stopped.is_some(), "the build's folder is left");
        assert_eq!(nodes.ed.get("/p/shop/").status, 404, "nothing is live");
    }
    // One that waits never starts.
    let other = project(&nodes.ed, "other");
    nodes.connect(&other, "touch never; exit 1");
    nodes.queue(&nodes.shop);
    nodes.runner(&[1]);
    let queued = nodes.queue(&other);
    nodes
        .ed
        .post(&format!("/api/v1/deployments/{queued}/cancel"), json!({}))
        .expect(200);
    let heard = joined(&nodes.follow(1, &queued, None).rest());
    assert!(
        heard.starts_with("Cancelled by ") && heard.lines().count() == 1,
        "{heard}"
    );
}

#[test]
fn a_build_whose_server_is_killed_has_failed_and_the_next_one_runs_elsewhere() {
    let mut nodes = Nodes::start(&[0, 1, 1], &held(COPY_PAGE));
    let id = nodes.queue(&nodes.shop);
    let killed = nodes.runner(&[1, 2]);
    let stream = nodes.follow(0, &id, None);
    let mut heard = Vec::new();
    while !joined(&heard).contains("\nwaiting\n") {
        heard.push(stream.next());
    }
    // One of another project runs beside it, and goes on.
    let other = project(&nodes.ed, "other");
    nodes.connect(&other, &held(COPY_PAGE));
    let beside = nodes.queue(&other);
    let left = 3 - killed;
    nodes.runner(&[left]);
    nodes.servers[killed].kill();
    assert_eq!(nodes.ended(&id)["status"], "failed");
    heard.extend(stream.rest());
    let log = joined(&heard);
    assert!(
        log.ends_with("\nwaiting\nThe server that ran this build stopped: start it again\n"),
        "{log}"
    );
    assert_eq!(heard.last().unwrap().json(), json!({ "status": "failed" }));
    nodes.let_go(left);
    assert_eq!(nodes.ended(&beside)["status"], "ready");

    let next = nodes.queue(&nodes.shop);
    nodes.runner(&[left]);
    nodes.let_go(left);
    assert_eq!(nodes.ended(&next)["status"], "ready");
    nodes.servers[killed].again();
    assert!(
        nodes
            .at(killed)
            .get("/p/shop/")
            .expect(200)
            .text()
            .contains("<h1>One</h1>")
    );
    assert_eq!(joined(&nodes.follow(killed, &id, None).rest()), log);
}

#[test]
fn a_build_goes_on_while_the_database_is_away() {
    let nodes = Nodes::of(Cluster::alone(), &[1], &held(&format!("echo going on; {COPY_PAGE}")));
    let id = nodes.queue(&nodes.shop);
    nodes.runner(&[0]);
    let stream = nodes.follow(0, &id, None);
    let mut heard = Vec::new();
    while !joined(&heard).contains("\nwaiting\n") {
        heard.push(stream.next());
    }
    nodes.cluster.postgres().kill();
    nodes.let_go(0);
    let built = within(BUILD_TIMEOUT, || nodes.folder(0).is_none().then_some(()));
    assert!(built.is_some(), "the build is not over");
    nodes.cluster.postgres().resume();
    eventually("the database is back", || {
        (nodes.servers[0].anonymous().get("/api/v1/health").status == 200).then_some(())
    });
    assert_eq!(nodes.ended(&id)["status"], "ready");
    heard.extend(stream.rest());
    let log = joined(&heard);
    assert!(
        log.contains("\ngoing on\n") && log.contains("\nPacked 1 file, "),
        "{log}"
    );
    assert_eq!(heard.last().unwrap().json(), json!({ "status": "ready" }));
    assert_eq!(joined(&nodes.follow(0, &id, None).rest()), log, "each line once");
}

#[test]
fn a_build_that_ends_while_the_object_store_is_away_waits_for_it() {
    let nodes = Nodes::of(Cluster::with_own_store(), &[1], &held(COPY_PAGE));
    let id = nodes.queue(&nodes.shop);
    nodes.runner(&[0]);
    nodes.cluster.store().freeze();
    nodes.let_go(0);
    // Longer than the store may take to show that it is there, and less than a build waits.
    std::thread::sleep(Duration::from_secs(6));
    let path = format!("/api/v1/deployments/{id}");
    assert_eq!(nodes.ed.get(&path).expect(200).json()["status"], "building");
    nodes.cluster.store().thaw();
    assert_eq!(nodes.ended(&id)["status"], "ready");
    let page = eventually("it is served", || {
        Some(nodes.ed.get("/p/shop/")).filter(|page| page.status == 200)
    });
    assert!(page.text().contains("<h1>One</h1>"));
}
