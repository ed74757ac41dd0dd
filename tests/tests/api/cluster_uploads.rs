//! Uploads at one server of a cluster while others start and end: what is under way goes on, and what was cut off leaves nothing.

use std::time::Duration;

use galley_tests::cluster::Cluster;
use galley_tests::pause::Pause;
use galley_tests::poll::within;
use galley_tests::prelude::*;

/// How soon the record of an upload that nobody works at is gone: it counts as under way for a minute, and is looked for twice a
/// minute.
const SETTLED_TIMEOUT: Duration = Duration::from_secs(180);

/// Two servers, of which the first one stops in uploads, and a project.
struct Site {
    pause: Pause,
    one: Server,
    two: Server,
    ana: Client,
    shop: String,
    cluster: Cluster,
}

impl Site {
    fn start() -> Site {
        let cluster = Cluster::new();
        let (pause, build) = Pause::of(cluster.server());
        let (one, two) = (build.start(), cluster.server().start());
        let ana = one.local_operator();
        let shop = project(&ana, "shop");
        // A test holds them for longer than a call may take.
        one.galley(&["plugins", "limits", "deployments", "deadline=600s"])
            .expect(0);
        Site {
            pause,
            one,
            two,
            ana,
            shop,
            cluster,
        }
    }

    /// Uploads at the first server.
    fn upload(&self, title: &str) -> std::io::Result<Response> {
        let path = format!("/api/v1/projects/{}/deployments", self.shop);
        let request = self.ana.request("POST", &path).body(Bundle::sample(title).build());
        request.within(2 * SETTLED_TIMEOUT).try_send()
    }

    /// Uploads at the first server, which is held before the files are live, and does something meanwhile.
    #[track_caller]
    fn held(&self, meanwhile: impl FnOnce()) -> Value {
        let mut answer = None;
        let upload = || answer = Some(self.upload("One"));
        self.pause.hold_at("publish", &self.one, upload, meanwhile);
        answer.expect("it was sent").expect("an answer").expect(201).json()
    }

    /// Ids and states of all deployments, as a server lists them.
    fn listed(&self, server: &Server) -> Vec<(String, String)> {
        let there = Client::new(server.address(), self.ana.credential().clone());
        let path = format!("/api/v1/projects/{}/deployments", self.shop);
        let list = there.get(&path).expect(200).json();
        let list = list["deployments"].as_array().expect("a list").iter();
        list.map(|one| (text(one, "deploymentId"), text(one, "status")))
            .collect()
    }

    /// The only deployment is ready and live at this server.
    #[track_caller]
    fn serves(&self, server: &Server, made: &Value) {
        let id = text(made, "deploymentId");
        assert_eq!(self.listed(server), [(id.clone(), "ready".to_owned())]);
        let there = Client::new(server.address(), self.ana.credential().clone());
        assert!(there.get("/p/shop/").expect(200).text().contains("<h1>One</h1>"));
        let log = there.stream(&format!("/api/v1/deployments/{id}/log/stream")).rest();
        let said: String = log.iter().map(|frame| frame.data.as_str()).collect();
        assert!(said.contains("Received "), "{said}");
        assert_eq!(log.last().map(|frame| frame.json()), Some(json!({ "status": "ready" })));
    }
}

#[test]
fn a_start_of_one_server_leaves_an_upload_at_another_alone() {
    let site = Site::start();
    let mut three = None;
    let made = site.held(|| {
        let under_way = site.listed(&site.two);
        assert_eq!(under_way.len(), 1, "{under_way:?}");
        assert_eq!(under_way[0].1, "building");
        let started = site.cluster.server().start();
        assert_eq!(site.listed(&started), under_way);
        three = Some(started);
    });
    site.serves(three.as_ref().expect("it was started"), &made);
}

#[test]
fn an_upload_that_was_given_up_and_goes_on_writes_its_record_again() {
    let site = Site::start();
    let made = site.held(|| {
        let gone = within(SETTLED_TIMEOUT, || site.listed(&site.two).is_empty().then_some(()));
        assert!(gone.is_some(), "{:?}", site.listed(&site.two));
    });
    site.serves(&site.two, &made);
}

#[test]
fn an_upload_whose_server_was_killed_leaves_nothing() {
    let mut site = Site::start();
    site.pause.kill_at("publish", &site.one, || drop(site.upload("One")));
    site.one.kill();
    let left = site.listed(&site.two);
    assert_eq!(left.len(), 1, "{left:?}");
    let gone = within(SETTLED_TIMEOUT, || site.listed(&site.two).is_empty().then_some(()));
    assert!(gone.is_some(), "{:?}", site.listed(&site.two));
    let there = Client::new(site.two.address(), site.ana.credential().clone());
    assert_eq!(there.get("/p/shop/").status, 404, "nothing was published");
    site.one.again();
    assert_eq!(site.listed(&site.one), []);
}
