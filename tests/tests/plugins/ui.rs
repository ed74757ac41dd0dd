//! Parts of the pages: the files of plugins, and what pages are told of them.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

/// The parts that pages are told of a slot.
fn parts(operator: &Operator, slot: &str) -> Vec<Value> {
    let ui = operator.server.anonymous().get("/api/v1/ui").expect(200).json();
    let slots = ui["slots"].as_array().unwrap().clone();
    let found = slots.into_iter().find(|each| each["slot"] == slot);
    found.map_or_else(Vec::new, |slot| slot["ui"].as_array().unwrap().clone())
}

fn with_intruder() -> (Operator, Value) {
    let operator = Operator::start();
    operator.add_guest("intruder");
    operator.approve("intruder");
    let part = eventually("the part is there", || parts(&operator, "intruder").into_iter().next());
    (operator, part)
}

#[test]
fn pages_are_told_where_a_part_stands_and_what_to_ask_for_it() {
    let (operator, part) = with_intruder();
    assert_eq!(
        (&part["at"], &part["title"]),
        (&json!("review-panel"), &json!("Intruder"))
    );
    assert_eq!((&part["guard"], &part["icon"]), (&json!("project:read"), &Value::Null));
    let requests = [
        "GET /api/v1/projects/{project}/x/intruder",
        "POST /api/v1/projects/{project}/x/intruder",
        "GET /api/v1/projects/{project}/deployments",
    ];
    assert_eq!(part["requests"], json!(requests));
    assert_eq!(parts(&operator, "comments"), Vec::<Value>::new());
    // A slot that is switched off has no part in the pages, and its files are gone.
    let entry = text(&part, "entry");
    operator.server.galley(&["plugins", "disable", "intruder"]).expect(0);
    eventually("the part is gone", || {
        parts(&operator, "intruder").is_empty().then_some(())
    });
    operator.server.anonymous().get(&entry).expect(404);
}

#[test]
fn a_file_is_of_an_opaque_origin_and_kept_for_good() {
    let (operator, part) = with_intruder();
    let anybody = operator.server.anonymous();
    let entry = text(&part, "entry");
    let page = anybody.get(&entry).expect(200);
    let policy = page.header("content-security-policy").unwrap_or_default().to_owned();
    assert!(
        policy.starts_with("sandbox allow-scripts allow-forms; default-src 'none'"),
        "{policy}"
    );
    for part in ["connect-src 'none'", "form-action 'none'", "frame-ancestors 'self'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(
        !policy.contains("allow-same-origin") && !policy.contains("allow-top"),
        "{policy}"
    );
    assert_eq!(page.header("access-control-allow-origin"), Some("*"));
    assert_eq!(page.header("cross-origin-resource-policy"), Some("cross-origin"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(
        page.header("cache-control"),
        Some("public, max-age=31536000, immutable")
    );
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("set-cookie"), None);
    // The helper came with the part.
    let helper = anybody.get(&entry.replace("panel.html", "galley-ui.js")).expect(200);
    assert_eq!(helper.header("content-type"), Some("text/javascript; charset=utf-8"));
    for missing in ["nosuch.js", "../panel.html", "panel.html/", "%2e%2e/panel.html", ""] {
        anybody.get(&entry.replace("panel.html", missing)).expect(404);
    }
    anybody.get(&entry.replace("/intruder/", "/comments/")).expect(404);
    let version = entry.split('/').nth(4).unwrap();
    anybody
        .get(&entry.replace(version, &"0".repeat(version.len())))
        .expect(404);
}

#[test]
fn what_a_part_reads_beside_its_own_is_approved() {
    let operator = Operator::start();
    operator.add_guest("intruder");
    let file = operator.plugins().join("intruder.wasm");
    let refused = operator
        .server
        .galley(&["plugins", "install", &file.to_string_lossy()])
        .expect(4);
    for sentence in [
        "may read `GET /api/v1/projects/{project}/deployments` as whoever looks at `Intruder`",
        "shows `Intruder` in each review",
    ] {
        assert!(
            refused.stdout.contains(sentence) || refused.stderr.contains(sentence),
            "{refused:?}"
        );
    }
}
