//! What an account has not read, and the summary of all projects.

use galley_tests::prelude::*;

const SUMMARY: &str = "/api/v1/comments/summary";

fn seen(project: &str) -> String {
    format!("{}/seen", comments(project))
}

fn unread(caller: &Client, project: &str) -> Value {
    let list = caller.get(&comments(project)).expect(200).json();
    list["comments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["unread"].clone())
        .collect()
}

#[test]
fn comments_and_replies_of_others_are_unread_until_they_are_seen() {
    let mut server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let by_ed = id(&comment(&server.user("ed"), &shop, "First"));
    comment(&server.user("vic"), &shop, "Second");
    assert_eq!(unread(&server.user("ed"), &shop), json!([false, true]));
    assert_eq!(unread(&server.user("vic"), &shop), json!([true, false]));
    server.user("ed").put(&seen(&shop), json!({ "number": 2 })).expect(204);
    server.user("vic").put(&seen(&shop), json!({ "number": 2 })).expect(204);
    server.kill();
    server.again();
    assert_eq!(unread(&server.user("ed"), &shop), json!([false, false]));
    let replies = format!("{}/{by_ed}/replies", comments(&shop));
    std::thread::sleep(std::time::Duration::from_millis(5));
    server.user("vic").post(&replies, json!({ "body": "Yes" })).expect(201);
    assert_eq!(unread(&server.user("ed"), &shop), json!([true, false]));
    assert_eq!(unread(&server.user("vic"), &shop), json!([false, false]));
    server.user("ed").put(&seen(&shop), json!({ "number": 1 })).expect(204);
    assert_eq!(unread(&server.user("ed"), &shop), json!([false, false]));
}

#[test]
fn guests_have_nothing_unread() {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    comment(&server.user("ed"), &open, "Hello");
    for caller in [server.anonymous(), server.admin()] {
        assert_eq!(unread(&caller, &open), json!([false]));
    }
    let number = json!({ "number": 1 });
    server
        .anonymous()
        .put(&seen(&open), number.clone())
        .refused(401, "Sign in to keep what you have read");
    server.admin().put(&seen(&open), number.clone()).expect(403);
    server
        .token("vic", &["read"])
        .put(&seen(&open), number.clone())
        .expect(403);
    server.token("vic", &["write"]).put(&seen(&open), number).expect(204);
    server
        .user("vic")
        .put(&seen(&open), json!({ "number": "1" }))
        .expect(400);
    server
        .anonymous()
        .get(SUMMARY)
        .refused(401, "Sign in to see your projects");
}

#[test]
fn the_summary_counts_what_the_caller_may_read() {
    let server = Server::start();
    let ed = server.user("ed");
    let (shop, inner) = (project(&ed, "shop"), project_with(&ed, "inner", "invited"));
    project(&ed, "without-comments");
    let first = comment(&ed, &shop, "First");
    comment(&ed, &shop, "Second");
    comment(&ed, &inner, "Hidden");
    let resolve = format!("{}/{}", comments(&shop), id(&first));
    ed.patch(&resolve, json!({ "resolved": true })).expect(200);
    let counts = |caller: &Client| caller.get(SUMMARY).expect(200).json()["projects"].clone();
    let for_vic = counts(&server.user("vic"));
    assert_eq!(for_vic.as_object().map(|projects| projects.len()), Some(1), "{for_vic}");
    assert_eq!(
        (&for_vic[&shop]["open"], &for_vic[&shop]["unread"]),
        (&json!(1), &json!(2))
    );
    assert!(text(&for_vic[&shop], "lastAt").ends_with('Z'));
    let for_ed = counts(&ed);
    assert_eq!(for_ed.as_object().map(|projects| projects.len()), Some(2), "{for_ed}");
    assert_eq!(for_ed[&shop]["unread"], 0);
    server.user("vic").put(&seen(&shop), json!({ "number": 2 })).expect(204);
    assert_eq!(counts(&server.user("vic"))[&shop]["unread"], 0);
    ed.delete(&format!("/api/v1/projects/{shop}")).expect(204);
    eventually("its comments are gone", || {
        counts(&ed).get(&shop).is_none().then_some(())
    });
}
