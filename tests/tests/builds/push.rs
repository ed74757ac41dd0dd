//! From a push at the code host to a live prototype.

use galley_tests::codehost::delivery::Delivery;
use galley_tests::poll::within;
use galley_tests::prelude::*;

use crate::studio::{BUILD_TIMEOUT, COPY_PAGE, Studio, joined, says_it_was_cut_off, waiting};

impl Studio {
    /// A studio whose server hears of pushes.
    fn listening(command: &str) -> Studio {
        let mut studio = Studio::new(command);
        let secret = galley_tests::codehost::WEBHOOK_SECRET;
        studio.server.set_env("SERVICE_REPO_APP_WEBHOOK_SECRET", secret);
        studio.server.edit(|_| {});
        studio
    }

    /// Tells the server of a push, as the code host does.
    #[track_caller]
    fn tell(&self, delivery: &str, commit: &str) {
        let push = Delivery::push(delivery, "Octo-Org/Storefront", "main", commit);
        let answer = push.send(&self.server).expect(200).json();
        assert_eq!(answer, json!({ "queued": 1 }));
    }

    /// The shop's deployments, newest first.
    fn deployments(&self) -> Vec<Value> {
        let path = format!("/api/v1/projects/{}/deployments", self.shop);
        let list = self.server.user("ed").get(&path).expect(200).json();
        list["deployments"].as_array().unwrap().clone()
    }

    /// The shop's pushes, newest first.
    fn deliveries(&self) -> Vec<Value> {
        let path = format!("/api/v1/projects/{}/deliveries", self.shop);
        let list = self.server.user("ed").get(&path).expect(200).json();
        list["deliveries"].as_array().unwrap().clone()
    }

    /// Waits until there are so many deployments and none is being built; newest first.
    #[track_caller]
    fn settled(&self, count: usize) -> Vec<Value> {
        let settled = within(BUILD_TIMEOUT, || {
            let list = self.deployments();
            let busy = list.iter().any(|deployment| deployment["status"] == "building");
            (list.len() >= count && !busy).then_some(list)
        });
        settled.unwrap_or_else(|| panic!("{:#?}\n{}", self.deployments(), self.server.log()))
    }
}

fn commits(deployments: &[Value]) -> Vec<String> {
    deployments
        .iter()
        .map(|deployment| text(deployment, "commitSha"))
        .collect()
}

#[test]
fn a_push_alone_becomes_a_live_prototype_whose_log_can_be_watched() {
    let host = galley_tests::codehost::CodeHost::start();
    let server = host.configure(Server::build()).start();
    let ed = host.sign_in(&server, "octo-ed");
    let shop = project(&ed, "shop");
    let connection = json!({
        "installationId": 101, "owner": "octo-org", "name": "storefront", "branch": "main",
        "installCommand": "echo nothing to install", "buildCommand": waiting(COPY_PAGE), "outputDir": "dist",
        "autoDeploy": true,
    });
    ed.put(&format!("/api/v1/projects/{shop}/repo"), connection).expect(200);
    let copy = host.working_copy("Octo-Org", "Storefront");
    let commit = copy.write("index.html", "<!doctype html><h1>Pushed</h1>").push("main");
    let push = Delivery::push("d-1", "Octo-Org/Storefront", "main", &commit);
    assert_eq!(push.send(&server).expect(200).json(), json!({ "queued": 1 }));

    let id = eventually("a deployment", || {
        let list = ed
            .get(&format!("/api/v1/projects/{shop}/deployments"))
            .expect(200)
            .json();
        list["deployments"]
            .get(0)
            .map(|deployment| text(deployment, "deploymentId"))
    });
    let stream = ed.stream(&format!("/api/v1/deployments/{id}/log/stream"));
    let mut heard = Vec::new();
    while !joined(&heard).contains("\nwaiting\n") {
        heard.push(stream.next());
    }
    let builds = server.data_dirs().flat_map(|data| data.join("builds").read_dir());
    let folder = builds.flatten().next().expect("it is built").unwrap();
    std::fs::write(folder.path().join("source/go"), "").unwrap();
    heard.extend(stream.rest());
    assert_eq!(heard.last().unwrap().json(), json!({ "status": "ready" }));
    assert!(joined(&heard).contains(&format!("Commit {commit}\n")));
    assert!(ed.get("/p/shop/").expect(200).text().contains("<h1>Pushed</h1>"));
    let deployment = ed.get(&format!("/api/v1/deployments/{id}")).expect(200).json();
    assert_eq!(
        (
            &deployment["source"],
            &deployment["commitSha"],
            &deployment["branch"],
            &deployment["createdBy"]
        ),
        (&json!("build"), &json!(commit), &json!("main"), &json!(null))
    );
    assert_eq!(live(&ed, &shop), json!(id));
}

#[test]
fn of_pushes_during_a_build_the_newest_is_built_afterwards() {
    let studio = Studio::listening(&waiting(COPY_PAGE));
    let push = |number: u32| {
        let page = format!("<h1>Push {number}</h1>");
        let commit = studio.copy.write("index.html", &page).push("main");
        studio.tell(&format!("d-{number}"), &commit);
        commit
    };
    let mut commits_pushed = vec![push(1)];
    let first = eventually("a deployment", || studio.deployments().first().cloned());
    studio.says(&text(&first, "deploymentId"), "waiting");
    commits_pushed.extend((2..=4).map(push));
    studio.let_go();
    studio.ended(&text(&first, "deploymentId"));
    let second = eventually("the next build", || {
        let list = studio.deployments();
        (list.len() == 2).then(|| list[0].clone())
    });
    studio.says(&text(&second, "deploymentId"), "waiting");
    studio.let_go();
    let settled = studio.settled(2);
    assert_eq!(
        commits(&settled),
        [commits_pushed[3].clone(), commits_pushed[0].clone()]
    );
    assert!(studio.page().contains("<h1>Push 4</h1>"));
    // The log of deliveries says which of them were passed over.
    let ids: Vec<_> = settled.iter().map(|deployment| &deployment["deploymentId"]).collect();
    let log = eventually("the deliveries are told of", || {
        let log = studio.deliveries();
        (log[0]["deploymentIds"] == json!([ids[0]]) && log[2]["outcome"] == "ignored").then_some(log)
    });
    assert_eq!(log[3]["deploymentIds"], json!([ids[1]]));
    for passed_over in &log[1..=2] {
        assert_eq!(passed_over["outcome"], "ignored");
        assert!(
            text(passed_over, "reason").contains("A newer push came"),
            "{passed_over}"
        );
    }
}

#[test]
fn a_push_that_is_not_the_newest_any_more_is_not_built() {
    let studio = Studio::listening("echo built; mkdir -p dist && cp index.html dist/");
    let first = studio.copy.write("index.html", "<h1>First</h1>").push("main");
    let second = studio.copy.write("index.html", "<h1>Second</h1>").push("main");
    studio.tell("d-2", &second);
    studio.settled(1);
    assert!(studio.page().contains("<h1>Second</h1>"));
    // Somebody repeats the older push: its signature is right, its time is past.
    studio.tell("d-1", &first);
    let old = studio.settled(2).swap_remove(0);
    assert_eq!((&old["status"], &old["commitSha"]), (&json!("failed"), &json!(first)));
    let log = studio.log(&text(&old, "deploymentId"));
    assert!(
        log.contains(&format!("Commit {first} is not the newest of the branch main any more")),
        "{log}"
    );
    assert!(!log.contains("\nbuilt\n"), "{log}");
    assert!(studio.page().contains("<h1>Second</h1>"), "what is live stays live");
    let told = eventually("the delivery log says so", || {
        Some(studio.deliveries().swap_remove(0)).filter(|entry| entry["outcome"] == "ignored")
    });
    assert!(text(&told, "reason").contains("is not the newest"), "{told}");
    assert_eq!(told["deploymentIds"], json!([old["deploymentId"]]));
    // By hand the branch's newest is built, as ever.
    let (deployment, log) = studio.built();
    assert_eq!(
        (&deployment["status"], &deployment["commitSha"]),
        (&json!("ready"), &json!(second)),
        "{log}"
    );
}

#[test]
fn a_renamed_repository_is_cloned_by_its_present_name() {
    let studio = Studio::listening(COPY_PAGE);
    let commit = studio.copy.write("index.html", "<h1>Before</h1>").push("main");
    studio.tell("d-1", &commit);
    studio.settled(1);
    let copy = studio.host.working_copy("Octo-Org", "tools");
    copy.write("index.html", "<h1>A stranger's</h1>").push("main");
    studio.host.edit(|world| {
        let repositories = &mut world.installation_mut(101).repositories;
        repositories[0].name = "Shopfront".into();
        // Another repository takes the old name.
        repositories[1].name = "Storefront".into();
    });
    // Nobody told the server, which builds by hand.
    let (deployment, log) = studio.built();
    assert_eq!(
        (&deployment["status"], &deployment["commitSha"]),
        (&json!("ready"), &json!(commit)),
        "{log}"
    );
    assert!(log.contains("Cloning Octo-Org/Shopfront, branch main\n"), "{log}");
    let stranger = Delivery::push_of("s-1", 5002, "Octo-Org/Storefront", "main", &"5".repeat(40));
    assert_eq!(stranger.send(&studio.server).expect(200).json(), json!({ "queued": 0 }));
    let again = Delivery::push_of("d-2", 5001, "Octo-Org/Shopfront", "main", &commit);
    assert_eq!(again.send(&studio.server).expect(200).json(), json!({ "queued": 1 }));
    assert_eq!(studio.settled(3)[0]["status"], "ready");
    assert!(studio.page().contains("<h1>Before</h1>"));
    let names_only = Some(json!({ "metadata": "read" }));
    for token in studio.host.state().installation_tokens() {
        if token.permissions != names_only {
            assert_eq!(token.permissions, Some(json!({ "contents": "read" })));
            assert_eq!(token.repository_ids, Some(vec![5001]), "one repository, by its id");
        }
    }
}

#[test]
fn a_connection_of_an_earlier_version_is_built_by_its_id_under_a_new_name() {
    let mut studio = Studio::listening(COPY_PAGE);
    let commit = studio.copy.write("index.html", "<h1>Before</h1>").push("main");
    // Renamed while the earlier version ran, which knew the name only.
    studio.host.edit(|world| world.rename(5001, "Shopfront"));
    let shop = studio.shop.clone();
    studio.connect(&shop, "Storefront", COPY_PAGE, "dist");
    let (deployment, log) = studio.built();
    assert_eq!(
        (&deployment["status"], &deployment["commitSha"]),
        (&json!("ready"), &json!(commit)),
        "{log}"
    );
    assert!(log.contains("Cloning Octo-Org/Shopfront, branch main\n"), "{log}");
    // Where the name leads nowhere, the log says what to do.
    studio.connect(&shop, "Gone", COPY_PAGE, "dist");
    let log = studio.fails();
    assert!(
        log.contains("The repository Octo-Org/Gone cannot be opened") && log.contains("connect it again"),
        "{log}"
    );
}

#[test]
fn a_delivery_that_comes_again_is_built_once() {
    let mut studio = Studio::listening(COPY_PAGE);
    let commit = studio.copy.write("index.html", "<h1>Once</h1>").push("main");
    studio.tell("d-1", &commit);
    studio.settled(1);
    studio.tell("d-1", &commit);
    studio.server.kill();
    studio.server.again();
    studio.tell("d-1", &commit);
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(studio.settled(1).len(), 1);
}

#[test]
fn a_push_that_was_acknowledged_is_built_whatever_happens_to_the_server() {
    let mut studio = Studio::listening(COPY_PAGE);
    for round in 0..5_u64 {
        let page = format!("<h1>Round {round}</h1>");
        let commit = studio.copy.write("index.html", &page).push("main");
        let count = studio.deployments().len();
        studio.tell(&format!("round-{round}"), &commit);
        // Before the event is delivered, while the build starts, or in the middle of it.
        std::thread::sleep(std::time::Duration::from_millis(round * 30));
        studio.server.kill();
        studio.server.again();
        let settled = studio.settled(count + 1);
        assert_eq!(settled.len(), count + 1, "one deployment for one push: {settled:#?}");
        assert_eq!(commits(&settled)[0], commit);
        if settled[0]["status"] == "ready" {
            assert!(studio.page().contains(&page));
        } else {
            let log = studio.log(&text(&settled[0], "deploymentId"));
            assert!(says_it_was_cut_off(&log), "{log}");
        }
    }
}
