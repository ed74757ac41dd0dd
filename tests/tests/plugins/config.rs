//! Settings of plugins: the manifest declares them, the operator sets them, the plugin reads them with its next call.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;
use galley_tests::shelf::Shelf;

fn errands() -> Operator {
    let operator = Operator::start();
    operator.add_serving_guest("errands", "starts");
    operator
}

fn seen(operator: &Operator, key: &str) -> Value {
    let path = format!("/api/v1/x/errands/config/{key}");
    operator.anonymous().get(&path).expect(200).json()
}

#[test]
fn a_setting_is_in_force_with_the_next_call_and_without_a_new_start() {
    let operator = errands();
    let config = |changes: &[&str]| {
        let mut arguments = vec!["plugins", "config", "errands"];
        arguments.extend(changes);
        operator.server.galley(&arguments)
    };
    let value = |key: &str| seen(&operator, key)["value"].clone();
    assert_eq!(
        [value("greeting"), value("days"), value("loud")],
        [json!("Hello"), json!(7), json!(false)]
    );
    let starts = operator.anonymous().get("/api/v1/x/errands/starts").expect(200).json();

    config(&["greeting=Good morning", "days=2.5", "loud=true"]).expect(0);
    assert_eq!(
        [value("greeting"), value("days"), value("loud")],
        [json!("Good morning"), json!(2.5), json!(true)]
    );
    let again = operator.anonymous().get("/api/v1/x/errands/starts").expect(200).json();
    assert_eq!(again, starts, "it was not started anew");

    let shown = config(&["days="]).expect(0).stdout;
    assert!(
        shown.contains("errands: greeting=Good morning  (How people are greeted)"),
        "{shown}"
    );
    assert!(shown.contains("errands: days=7, unless it is set"), "{shown}");
    assert!(shown.contains("errands: token is not set, and secret"), "{shown}");
    assert_eq!(value("days"), json!(7));
    // Neither what is not declared nor what is secret.
    assert_eq!([value("colour"), value("token")], [json!(null), json!(null)]);
}

#[test]
fn a_setting_of_another_kind_is_refused_with_what_it_takes() {
    let operator = errands();
    for (change, part) in [
        ("days=soon", "`days` of `errands` takes a number"),
        ("loud=yes", "`loud` of `errands` takes `true` or `false`"),
        ("days=1e999", "takes a number"),
        (
            "colour=red",
            "`errands` has no setting `colour`; there are: greeting, days, loud, token, other",
        ),
        ("token=hush-hush", "`token` is a secret of `errands`: `--secret token`"),
        ("a b=1", "`a b` is no key"),
        ("greeting=a\u{1b}[2Jb", "control character"),
    ] {
        let refused = operator
            .server
            .galley(&["plugins", "config", "errands", change])
            .expect(1);
        assert!(refused.stderr.contains(part), "{change}: {}", refused.stderr);
        assert!(!refused.stderr.contains("hush-hush"), "{}", refused.stderr);
    }
    let nothing = operator
        .server
        .galley(&["plugins", "config", "comments", "colour=red"])
        .expect(1);
    assert!(
        nothing.stderr.contains("its plugin declares none"),
        "{}",
        nothing.stderr
    );

    let admin = operator.server.admin();
    let place = "/api/v1/instance/plugins/errands/config";
    let refused = admin
        .patch(place, json!({ "settings": { "days": "soon" } }))
        .expect(400);
    assert!(refused.text().contains("takes a number"), "{}", refused.text());
    let refused = admin
        .patch(place, json!({ "secrets": { "days": "hush-hush" } }))
        .expect(400);
    assert!(
        refused.text().contains("no secret") && !refused.text().contains("hush-hush"),
        "{}",
        refused.text()
    );
    admin.patch(place, json!({ "settings": { "days": "3" } })).expect(200);
    let declared = admin.get(place).expect(200).json()["declared"].clone();
    let days = declared
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["key"] == "days")
        .unwrap()
        .clone();
    assert_eq!(
        (&days["type"], &days["value"], &days["isSet"]),
        (&json!("number"), &json!(3), &json!(true))
    );
    assert_eq!(seen(&operator, "days")["value"], 3);
}

#[test]
fn what_a_plugin_wants_is_in_the_review_and_in_inspect() {
    let operator = Operator::start();
    let file = galley_tests::paths::guest("errands").to_string_lossy().into_owned();
    let refused = operator.server.galley(&["plugins", "install", &file]).expect(4);
    let said = format!("{}{}", refused.stdout, refused.stderr);
    for sentence in [
        "may call api.example.test with the secret `token`",
        "may call open.example.test",
        "runs the job `tick` by itself, every 1s",
        "runs the job `nightly` by itself, at 0 3 * * * (UTC)",
        "has the setting `days`: Days until somebody is reminded (`7` until it is set)",
        "takes the secret `token`: The token of api.example.test",
    ] {
        assert!(said.contains(sentence), "{sentence} in\n{said}");
    }
    operator.add_guest("errands");
    let shown = operator
        .server
        .galley(&["plugins", "inspect", "errands.wasm"])
        .expect(0)
        .stdout;
    for part in [
        "nightly, at 0 3 * * * (UTC)",
        "days: a number",
        "api.example.test with token",
    ] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
}

#[test]
fn a_manifest_with_nonsense_is_refused_with_its_place() {
    let operator = Operator::start();
    for (key, value, part) in [
        (
            "hosts",
            json!(["api.example.com:8443"]),
            "the host `api.example.com:8443` has a port",
        ),
        ("hosts", json!(["192.0.2.7"]), "the host `192.0.2.7` is an IP address"),
        (
            "hosts",
            json!(["localhost"]),
            "the host `localhost` is the server itself",
        ),
        ("hosts", json!(["http://api.example.com"]), "leave out scheme and path"),
        (
            "version",
            json!("1.0.0 for the slot gen"),
            "the version `1.0.0 for the slot gen`",
        ),
        (
            "jobs",
            json!([["tidy", "61 * * * *"]]),
            "the job `tidy` has the cron expression `61 * * * *`",
        ),
        ("jobs", json!([["tidy", "0 0 30 2 *"]]), "no time matches it"),
        ("jobs", json!([["tidy", "every full moon"]]), "not five fields"),
        ("jobs", json!([["tidy", "0s"]]), "no time from 1s to 366d"),
        ("jobs", json!([["Tidy Up", "1h"]]), "the job `Tidy Up`"),
        ("manyJobs", json!(10_000), "it has 10000 jobs, at most 32 are possible"),
    ] {
        let shelf = Shelf::new("1.0.0", &["CREATE TABLE item (text TEXT NOT NULL)"]).with(key, value);
        let file = shelf.file(&operator);
        let refused = operator
            .server
            .galley(&["plugins", "install", &file, "--yes"])
            .expect(2);
        assert!(refused.stderr.contains(part), "{part} in\n{}", refused.stderr);
    }
}
