//! Rule 4 of comments: whose comment may be changed by whom.

use galley_tests::prelude::*;

const NOT_FOUND: &str = "Comment not found";

/// A public project with a comment of `vic` and one of a visitor: the server, the project, and their addresses.
fn two_comments() -> (Server, String, String, String) {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    let by_user = id(&comment(&server.user("vic"), &open, "Of an account"));
    let by_viewer = id(&comment(&server.anonymous(), &open, "Of a visitor"));
    let address = |id: String| format!("{}/{id}", comments(&open));
    let (by_user, by_viewer) = (address(by_user), address(by_viewer));
    (server, open, by_user, by_viewer)
}

fn add_member(server: &Server, project: &str, name: &str) {
    let body = json!({ "email": format!("{name}@example.com") });
    server
        .admin()
        .post(&format!("/api/v1/projects/{project}/members"), body)
        .expect(201);
}

#[test]
fn the_same_user_changes_and_deletes() {
    let (server, _, by_user, _) = two_comments();
    for caller in [server.user("vic"), server.token("vic", &["write"])] {
        caller.patch(&by_user, json!({ "body": "Changed" })).expect(200);
        caller.patch(&by_user, json!({ "mentions": [] })).expect(200);
    }
    server.user("vic").delete(&by_user).expect(204);
}

#[test]
fn everyone_else_gets_the_404_of_a_missing_comment() {
    let (server, open, by_user, _) = two_comments();
    let id_length = by_user.rsplit('/').next().unwrap().len();
    let missing = format!("{}/{}", comments(&open), "0".repeat(id_length));
    let others = [
        server.user("vera"),
        server.user("eve"),
        server.user("ed"),
        server.token("eve", &["write"]),
        server.anonymous(),
    ];
    for caller in &others {
        for change in [
            json!({ "body": "Mine" }),
            json!({ "mentions": [] }),
            json!({ "body": "Mine", "resolved": true }),
        ] {
            let refusal = caller.patch(&by_user, change.clone());
            assert_eq!(refusal.comparable(), caller.patch(&missing, change).comparable());
            refusal.refused(404, NOT_FOUND);
        }
        let refusal = caller.delete(&by_user);
        assert_eq!(refusal.comparable(), caller.delete(&missing).comparable());
        refusal.refused(404, NOT_FOUND);
    }
    let comments = server.admin().get(&comments(&open)).expect(200).json();
    assert_eq!(
        (&comments["comments"][0]["body"], &comments["comments"][0]["resolved"]),
        (&json!("Of an account"), &json!(false))
    );
}

#[test]
fn whoever_may_write_may_resolve() {
    let (server, _, by_user, _) = two_comments();
    let callers = [
        server.user("vera"),
        server.user("eve"),
        server.anonymous(),
        server.token("vera", &["write"]),
        server.admin(),
    ];
    for (number, caller) in callers.iter().enumerate() {
        let resolved = number % 2 == 0;
        assert_eq!(
            caller
                .patch(&by_user, json!({ "resolved": resolved }))
                .expect(200)
                .json()["resolved"],
            resolved
        );
    }
}

#[test]
fn admins_change_and_delete() {
    let (server, open, by_user, _) = two_comments();
    server
        .user("ada")
        .patch(&by_user, json!({ "body": "By an admin" }))
        .expect(200);
    server
        .admin()
        .patch(&by_user, json!({ "body": "By the bearer" }))
        .expect(200);
    server.token("ben", &["write"]).delete(&by_user).expect(204);
    let another = format!(
        "{}/{}",
        comments(&open),
        id(&comment(&server.user("vic"), &open, "Again"))
    );
    server.admin().delete(&another).expect(204);
}

#[test]
fn anyone_on_the_access_list_changes_and_deletes() {
    let (server, open, by_user, _) = two_comments();
    let vera = server.user("vera");
    vera.patch(&by_user, json!({ "body": "Mine" })).refused(404, NOT_FOUND);
    add_member(&server, &open, "vera");
    assert_eq!(
        vera.patch(&by_user, json!({ "body": "Ours" })).expect(200).json()["author"]["uid"],
        "user:account-vic"
    );
    vera.delete(&by_user).expect(204);
}

#[test]
fn comments_of_visitors_are_exempt() {
    let (server, open, _, by_viewer) = two_comments();
    for caller in [server.anonymous(), server.user("vera"), server.user("eve")] {
        caller.patch(&by_viewer, json!({ "body": "Changed" })).expect(200);
    }
    server.anonymous().at([127, 0, 0, 9]).delete(&by_viewer).expect(204);
    assert_eq!(bodies(&server.admin(), &open), ["Of an account"]);
}

#[test]
fn a_visitor_cannot_become_an_account_by_its_name() {
    let (server, open, by_user, _) = two_comments();
    let mut body = remark("Liar");
    body["author"] = json!({ "uid": "user:account-vic", "displayName": "vic" });
    server.anonymous().post(&comments(&open), body).expect(400);
    let change = json!({ "body": "Mine", "author": { "uid": "user:account-vic" } });
    server.anonymous().patch(&by_user, change).refused(404, NOT_FOUND);
}

#[test]
fn leaving_the_access_list_ends_the_right_at_once() {
    let (server, open, by_user, _) = two_comments();
    add_member(&server, &open, "vera");
    server
        .user("vera")
        .patch(&by_user, json!({ "body": "Ours" }))
        .expect(200);
    server
        .admin()
        .delete(&format!("/api/v1/projects/{open}/members/account-vera"))
        .expect(204);
    server
        .user("vera")
        .patch(&by_user, json!({ "body": "Mine" }))
        .refused(404, NOT_FOUND);
}
