//! Servers of one cluster: what is done to a slot at one of them is done at all.

use std::fs;
use std::path::Path;
use std::time::Duration;

use galley_tests::cli::Ended;
use galley_tests::cluster::Cluster;
use galley_tests::operator::Operator;
use galley_tests::paths;
use galley_tests::pause::Pause;
use galley_tests::poll::within;
use galley_tests::prelude::*;
use galley_tests::relay::Relay;
use galley_tests::shelf::Shelf;

const ABOUT: &str = "/api/v1/x/shelf/about";
const EMPTY: &str = "/api/v1/x/empty";
/// A slot that failed is tried again after a minute at the latest.
const RETRIED_WITHIN: Duration = Duration::from_secs(120);

/// A version of the guest that keeps nothing.
fn shelf(version: &str) -> Shelf {
    Shelf::new(version, &[])
}

/// Two servers, each with a plugins folder of its own.
fn two(cluster: &Cluster) -> [Operator; 2] {
    [(); 2].map(|()| Operator::of(cluster.server()))
}

#[track_caller]
fn install(operator: &Operator, shelf: &Shelf, flags: &[&str]) {
    let file = shelf.file(operator);
    let command = [&["plugins", "install", &file, "--yes"], flags].concat();
    operator.server.galley(&command).expect(0);
}

fn do_at(operator: &Operator, command: &[&str]) -> Ended {
    operator.server.galley(&[&["plugins"], command].concat())
}

/// Waits until a path is answered so.
#[track_caller]
fn answers(operator: &Operator, path: &str, status: u16) -> Response {
    eventually(&format!("{status} at {path}"), || {
        let answer = operator.anonymous().get(path);
        (answer.status == status).then_some(answer)
    })
}

#[track_caller]
fn serves(operator: &Operator, shelf: &Shelf) {
    eventually("this version serves here", || shelf.serves(operator).then_some(()));
}

#[test]
fn what_is_done_at_one_server_is_followed_by_the_other() {
    let cluster = Cluster::new();
    let [one, two] = two(&cluster);
    let ana = one.server.local_operator();
    let (first, second) = (shelf("1"), shelf("2"));
    install(&one, &first, &[]);
    serves(&two, &first);
    // It was fetched: the file it was installed from is not needed any more.
    let hash = text(&two.slot("shelf"), "sha256");
    let kept = |operator: &Operator| operator.server.data_dir().join(format!("artifacts/{hash}.wasm"));
    assert_eq!(fs::read(kept(&two)).unwrap(), first.component());
    install(&two, &second, &["--replaces", "shelf"]);
    serves(&one, &second);
    do_at(&one, &["rollback", "shelf"]).expect(0);
    serves(&two, &first);

    // What was chosen at one is what the other shows, at once.
    do_at(&two, &["limits", "shelf", "deadline=7s"]).expect(0);
    let limits = do_at(&one, &["limits", "shelf", "--json"]).expect(0).json();
    assert_eq!(limits["limits"]["deadline"], "7s", "{limits}");
    let empty = paths::guest("empty").to_string_lossy().into_owned();
    do_at(&one, &["install", &empty, "--yes"]).expect(0);
    do_at(&two, &["config", "empty", "colour=red"]).expect(0);
    let config = do_at(&one, &["config", "empty", "--json"]).expect(0).json();
    assert_eq!(config["settings"]["colour"], "red", "{config}");
    answers(&two, EMPTY, 200);

    // The first request there that comes after the answer here sees it: nobody waits for a look.
    for _ in 0..3 {
        do_at(&two, &["disable", "shelf"]).expect(0);
        one.anonymous().get(ABOUT).expect(404);
        do_at(&one, &["enable", "shelf"]).expect(0);
        serves(&two, &first);
    }
    let history = |operator: &Operator| do_at(operator, &["history", "shelf", "--json"]).expect(0).json();
    assert_eq!(history(&one), history(&two));
    do_at(&two, &["remove", "shelf"]).expect(0);
    one.anonymous().get(ABOUT).expect(404);
    assert_eq!((one.slot("shelf"), two.slot("shelf")), (Value::Null, Value::Null));

    // Each act is in the log that all have, once.
    let audit = ana.get("/api/v1/instance/audit").expect(200).json();
    let mut acts: Vec<String> = audit["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| text(entry, "action"))
        .collect();
    acts.retain(|act| act.starts_with("plugin-"));
    acts.reverse();
    assert_eq!(
        acts,
        [
            "plugin-installed",
            "plugin-installed",
            "plugin-rolled-back",
            "plugin-limits-changed",
            "plugin-installed",
            "plugin-configured",
            "plugin-disabled",
            "plugin-enabled",
            "plugin-disabled",
            "plugin-enabled",
            "plugin-disabled",
            "plugin-enabled",
            "plugin-removed"
        ]
    );
    for operator in [&one, &two] {
        assert!(!operator.server.data_dir().join("plugins.lock").exists());
    }
}

#[test]
fn an_admin_stages_at_one_server_and_installs_at_the_other() {
    let cluster = Cluster::new();
    let [one, two] = two(&cluster);
    let ana = one.server.local_operator();
    let there = Client::new(two.server.address(), ana.credential().clone());
    let staged = ana
        .request("POST", "/api/v1/instance/plugins/artifacts?name=x.wasm")
        .header("content-type", "application/wasm")
        .body(shelf("1").component())
        .send();
    let sha256 = text(&staged.expect(201).json(), "sha256");
    let body = json!({ "sha256": sha256, "approved": true });
    there.post("/api/v1/instance/plugins", body).expect(200);
    serves(&two, &shelf("1"));
    serves(&one, &shelf("1"));
    let list = ana.get("/api/v1/instance/plugins").expect(200).json();
    let rows = list["plugins"].as_array().unwrap();
    let row = rows.iter().find(|row| row["slot"] == "shelf").unwrap();
    assert_eq!((&row["state"], &row["sha256"]), (&json!("serving"), &json!(sha256)));
}

#[test]
fn changes_at_two_servers_at_once_are_all_there() {
    let cluster = Cluster::new();
    let operators = two(&cluster);
    let empty = paths::guest("empty").to_string_lossy().into_owned();
    do_at(&operators[0], &["install", &empty, "--yes"]).expect(0);
    // Both change the same entry, each another part of it.
    let change = |operator: &Operator, part: &dyn Fn(u32) -> [String; 3]| {
        let mut last = 0;
        for round in 1..=5 {
            let command = part(round);
            let done = do_at(operator, &command.each_ref().map(String::as_str));
            match done.code {
                0 => last = round,
                // It was told so, and nothing was changed.
                3 => assert!(done.stderr.contains("another server"), "{}", done.stderr),
                _ => panic!("{}", done.stderr),
            }
        }
        last
    };
    let limits = |round: u32| ["limits".into(), "empty".into(), format!("deadline={round}s")];
    let config = |round: u32| ["config".into(), "empty".into(), format!("colour=red-{round}")];
    let (deadline, colour) = std::thread::scope(|scope| {
        let one = scope.spawn(|| change(&operators[0], &limits));
        let two = scope.spawn(|| change(&operators[1], &config));
        (one.join().unwrap(), two.join().unwrap())
    });
    assert!(deadline > 0 && colour > 0);
    for operator in &operators {
        let limits = do_at(operator, &["limits", "empty", "--json"]).expect(0).json();
        assert_eq!(limits["limits"]["deadline"], format!("{deadline}s"));
        let config = do_at(operator, &["config", "empty", "--json"]).expect(0).json();
        assert_eq!(config["settings"]["colour"], format!("red-{colour}"));
    }
}

#[test]
fn while_one_server_changes_a_slot_the_other_says_so() {
    let cluster = Cluster::new();
    let (pause, build) = Pause::of(cluster.server());
    let (one, two) = (Operator::of(build), Operator::of(cluster.server()));
    let change = || install(&one, &shelf("1"), &[]);
    pause.hold_at("start", &one.server, change, || {
        // What only shows something does not wait.
        do_at(&two, &["list"]).expect(0);
        let refused = do_at(&two, &["disable", "comments"]).expect(3);
        assert!(
            refused
                .stderr
                .contains("another server changes a plugin at this moment"),
            "{}",
            refused.stderr
        );
        assert_eq!(two.slot("comments")["enabled"], true);
    });
    serves(&two, &shelf("1"));
    do_at(&two, &["disable", "shelf"]).expect(0);
    answers(&one, ABOUT, 404);
}

#[test]
fn a_server_that_cannot_get_a_component_says_so_until_it_can() {
    let cluster = Cluster::new();
    let relay = Relay::to(cluster.store().address());
    let store = cluster.store().address().to_string();
    let bucket = cluster.bucket().replace(&store, &relay.address().to_string());
    let one = Operator::of(cluster.server());
    let two = Operator::of(cluster.server().env("SERVICE_OBJECTS_URL", bucket));
    install(&one, &shelf("1"), &[]);
    serves(&two, &shelf("1"));
    relay.cut();
    install(&one, &shelf("2"), &["--replaces", "shelf"]);
    // The plugin before does not go on: the slot is another's now.
    let refused = answers(&two, ABOUT, 503);
    assert!(refused.text().contains("`shelf`"), "{}", refused.text());
    serves(&one, &shelf("2"));
    let row = two.slot("shelf");
    assert_eq!(
        (&row["state"], &row["version"]),
        (&json!("failed"), &json!("2")),
        "{row}"
    );
    assert!(text(&row, "problem").contains("object store"), "{row}");
    two.server.logs(&["the plugin `shelf` does not serve"]);
    // One it never had is known by its routes.
    let empty = paths::guest("empty").to_string_lossy().into_owned();
    do_at(&one, &["install", &empty, "--yes"]).expect(0);
    answers(&two, EMPTY, 503);
    answers(&one, EMPTY, 200);
    // Nothing can be put where all find it, so nothing is.
    let file = shelf("3").file(&two);
    let failed = do_at(&two, &["install", &file, "--replaces", "shelf", "--yes"]).expect(1);
    assert!(failed.stderr.contains("cannot be stored"), "{}", failed.stderr);
    assert_eq!(one.slot("shelf")["version"], "2");
    // What needs no component goes on.
    do_at(&two, &["disable", "empty"]).expect(0);
    answers(&one, EMPTY, 404);
    relay.mend();
    // It is tried again a while later, and that while has grown.
    let served = within(RETRIED_WITHIN, || shelf("2").serves(&two).then_some(()));
    assert!(served.is_some(), "{}", two.server.log());
}

#[test]
fn without_a_server_a_command_changes_what_the_others_follow() {
    let cluster = Cluster::new();
    let [one, mut two] = two(&cluster);
    install(&one, &shelf("1"), &[]);
    serves(&two, &shelf("1"));
    two.server.stop();
    let row = two.slot("shelf");
    assert_eq!(
        (&row["state"], &row["version"]),
        (&json!("enabled"), &json!("1")),
        "{row}"
    );
    do_at(&two, &["inspect", "shelf"]).expect(0);
    install(&two, &shelf("2"), &["--replaces", "shelf"]);
    serves(&one, &shelf("2"));
    let refused = do_at(&two, &["approve", "comments.wasm"]).expect(1);
    assert!(refused.stderr.contains("galley plugins install"), "{}", refused.stderr);
}

/// Puts a guest among the plugins that come with a server's program, which is stopped.
fn bundle(operator: &Operator, from: &Path) {
    fs::copy(from, operator.plugins().join("empty.wasm")).unwrap();
    let folder = operator.plugins().to_string_lossy().into_owned();
    do_at(operator, &["seal", &folder]).expect(0);
}

#[test]
fn what_comes_with_a_newer_program_is_everybodys_and_is_not_undone() {
    let cluster = Cluster::new();
    let [mut one, mut two] = two(&cluster);
    let bundled = |operator: &Operator| {
        let row = operator.slot("empty");
        (text(&row, "sha256"), row["bundled"].clone(), text(&row, "state"))
    };
    two.server.stop();
    bundle(&two, &paths::guest("empty"));
    two.server.again();
    answers(&two, EMPTY, 200);
    // The other one does not have it among its own.
    answers(&one, EMPTY, 200);
    let first = bundled(&two);
    assert_eq!((&first.1, first.2.as_str()), (&json!(true), "serving"));
    assert_eq!(bundled(&one), first);
    // A later one comes to the first server, and the second one starts once more with what it has.
    one.server.stop();
    let other = two.another("empty", 1);
    bundle(&one, &other);
    one.server.again();
    let second = bundled(&one);
    assert_ne!(second.0, first.0);
    eventually("the other server follows", || (bundled(&two) == second).then_some(()));
    two.server.stop();
    two.server.again();
    assert_eq!((bundled(&one), bundled(&two)), (second.clone(), second.clone()));
    // The way back to what came with this server's program.
    do_at(&two, &["rollback", "empty", "--bundled"]).expect(0);
    eventually("the other server follows", || (bundled(&one) == first).then_some(()));
    do_at(&one, &["rollback", "empty"]).expect(0);
    eventually("the other server follows", || (bundled(&two) == second).then_some(()));
}

#[test]
fn a_plugin_with_data_is_updated_at_one_server_and_put_back_at_the_other() {
    let cluster = Cluster::new();
    let [one, two] = two(&cluster);
    let ana = one.server.local_operator();
    let there = Client::new(two.server.address(), ana.credential().clone());
    let shop = project(&ana, "shop");
    comment(&ana, &shop, "Before");
    let hash = |operator: &Operator| text(&operator.slot("comments"), "sha256");
    let bundled = hash(&one);
    let serves_at_both = |sha256: &str| {
        for operator in [&one, &two] {
            eventually("both serve it", || {
                let row = operator.slot("comments");
                (row["sha256"] == sha256 && row["state"] == "serving").then_some(())
            });
        }
    };
    let file = one.another("comments", 1);
    do_at(&one, &["update", "comments", &file.to_string_lossy()]).expect(0);
    let updated = hash(&one);
    assert_ne!(updated, bundled);
    comment(&there, &shop, "Meanwhile, at the other server");
    serves_at_both(&updated);
    comment(&there, &shop, "With the new one");
    do_at(&two, &["rollback", "comments"]).expect(0);
    serves_at_both(&bundled);
    comment(&ana, &shop, "Back");
    let written = ["Before", "Meanwhile, at the other server", "With the new one", "Back"];
    for caller in [&ana, &there] {
        let mut found = bodies(caller, &shop);
        found.sort_by_key(|body| written.iter().position(|one| one == body));
        assert_eq!(found, written);
    }
}
