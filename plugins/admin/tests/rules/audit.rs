//! The audit log.

use super::*;

#[test]
fn an_entry_says_who_did_what_and_when() {
    let office = office();
    office.host.advance(1_000);
    office.delete(&member(&office.vic));
    let entry = office.get(AUDIT).json()["entries"][0].clone();
    let expected = json!({
        "id": "1", "at": "2026-01-01T00:00:01.000Z", "action": "account-removed", "subject": "u3",
        "actor": { "kind": "session", "userId": "u1", "email": "root@example.com" },
        "details": { "email": "vic@example.com" },
    });
    assert_eq!(entry, expected);
    office
        .host
        .post(&format!("{}/restore", member(&office.vic)))
        .as_admin()
        .send();
    assert_eq!(
        office.get(AUDIT).json()["entries"][0]["actor"],
        json!({ "kind": "admin" })
    );
}

#[test]
fn what_was_refused_or_changed_nothing_is_not_in_it() {
    let office = office();
    office.delete(&member(&office.root));
    office.patch(&member(&office.vic), json!({ "role": "viewer" }));
    office.patch(SETTINGS, json!({ "allowPublicLinks": true }));
    office.delete(EMAIL);
    assert_eq!(office.get(AUDIT).json(), json!({ "entries": [], "next": null }));
}

#[test]
fn it_is_read_page_by_page() {
    let office = office();
    for number in 1..=5 {
        office.put(&format!("{RULES}/d{number}.example.com"), json!({ "role": "viewer" }));
    }
    let subjects = |page: &Value| -> Vec<String> {
        let entries = page["entries"].as_array().unwrap().iter();
        entries
            .map(|entry| entry["subject"].as_str().unwrap()[..2].to_owned())
            .collect()
    };
    let mut page = office.get(&format!("{AUDIT}?limit=2")).json();
    let mut seen = vec![subjects(&page)];
    while let Some(next) = page["next"].as_str() {
        page = office.get(&format!("{AUDIT}?limit=2&before={next}")).json();
        seen.push(subjects(&page));
    }
    assert_eq!(seen, [vec!["d5", "d4"], vec!["d3", "d2"], vec!["d1"]]);
    let exact = office.get(&format!("{AUDIT}?limit=5")).json();
    assert_eq!(
        (exact["entries"].as_array().unwrap().len(), &exact["next"]),
        (5, &Value::Null)
    );
}

#[test]
fn the_query_is_checked() {
    let office = office();
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=many", "limit"),
        ("before=x", "before"),
        ("before=-1", "before"),
    ] {
        let answer = office.get(&format!("{AUDIT}?{query}"));
        assert_eq!(answer.status, 400, "{query}");
        assert!(answer.error().contains(field), "{}", answer.error());
    }
}
