//! Accounts.

use super::*;

#[test]
fn the_list_has_every_account() {
    let office = office();
    assert_eq!(office.delete(&member(&office.vic)).status, 204);
    let record = |id: &str, name: &str, role: &str, removed: bool| {
        json!({
            "userId": id, "email": format!("{}@example.com", name.to_lowercase()), "displayName": name, "role": role,
            "removed": removed, "createdAt": "2026-01-01T00:00:00.000Z",
        })
    };
    let expected = [
        record("u1", "Root", "admin", false),
        record("u2", "Ed", "editor", false),
        record("u3", "Vic", "viewer", true),
    ];
    assert_eq!(office.get(MEMBERS).json(), json!({ "members": expected }));
}

#[test]
fn a_role_is_changed() {
    let office = office();
    let answer = office.patch(
        &member(&office.vic),
        json!({ "role": "editor", "email": "else@example.com" }),
    );
    assert_eq!((answer.status, &answer.json()["role"]), (200, &json!("editor")));
    assert_eq!(answer.json()["email"], "vic@example.com");
    assert_eq!(office.get(MEMBERS).json()["members"][2]["role"], "editor");
}

#[test]
fn a_role_is_one_of_three() {
    let office = office();
    let path = member(&office.vic);
    let one_of = "`role` must be one of `viewer`, `editor`, `admin`";
    for role in ["Editor", "owner", "", "admin "] {
        refused(office.patch(&path, json!({ "role": role })), 400, one_of);
    }
    refused(office.patch(&path, json!({})), 400, "`role` is required");
    for body in [
        json!({ "role": 5 }),
        json!({ "role": null }),
        json!({ "role": ["admin"] }),
    ] {
        let answer = office.patch(&path, body);
        assert_eq!(answer.status, 400);
        assert!(answer.error().contains("role"), "{}", answer.error());
    }
    assert_eq!(office.get(MEMBERS).json()["members"][2]["role"], "viewer");
}

#[test]
fn the_last_active_admin_stays() {
    let office = office();
    let root = member(&office.root);
    let message = "The instance needs at least one active admin";
    refused(office.patch(&root, json!({ "role": "viewer" })), 409, message);
    refused(office.delete(&root), 409, message);
    assert_eq!(office.patch(&root, json!({ "role": "admin" })).status, 200);
    assert_eq!(
        office.patch(&member(&office.ed), json!({ "role": "admin" })).status,
        200
    );
    assert_eq!(office.delete(&root).status, 204);
}

#[test]
fn a_removed_admin_does_not_count() {
    let office = office();
    office.patch(&member(&office.ed), json!({ "role": "admin" }));
    assert_eq!(office.delete(&member(&office.ed)).status, 204);
    assert_eq!(office.delete(&member(&office.root)).status, 409);
}

#[test]
fn removing_and_restoring_may_be_repeated() {
    let office = office();
    let path = member(&office.vic);
    for _ in 0..2 {
        let answer = office.delete(&path);
        assert_eq!((answer.status, answer.body), (204, Vec::new()));
    }
    for _ in 0..2 {
        let answer = office.post(&format!("{path}/restore"), json!({}));
        assert_eq!((answer.status, &answer.json()["removed"]), (200, &json!(false)));
    }
}

#[test]
fn a_sign_in_link_is_for_active_members() {
    let office = office();
    let path = format!("{}/signin-link", member(&office.vic));
    let answer = office.post(&path, json!({}));
    let link = answer.json();
    assert_eq!(
        (answer.status, &link["expiresAt"]),
        (201, &json!("2026-01-02T00:00:00.000Z"))
    );
    assert!(link["url"].as_str().unwrap().contains("/api/v1/auth/signin/"), "{link}");
    office.delete(&member(&office.vic));
    let message = "This member was removed: restore them before making a sign-in link";
    refused(office.post(&path, json!({})), 409, message);
}

#[test]
fn an_unknown_account_is_a_404() {
    let office = office();
    let path = format!("{MEMBERS}/nobody");
    let answers = [
        office.patch(&path, json!({ "role": "viewer" })),
        office.delete(&path),
        office.post(&format!("{path}/restore"), json!({})),
        office.post(&format!("{path}/signin-link"), json!({})),
    ];
    for answer in answers {
        refused(answer, 404, "Member not found");
    }
}
