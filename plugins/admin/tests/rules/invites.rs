//! Invites.

use super::*;

const DAY_MS: u64 = 24 * 3_600 * 1_000;

impl Office {
    fn invite(&self, email: &str) -> Answer {
        self.post(INVITES, json!({ "email": email, "role": "viewer" }))
    }

    fn invited(&self, email: &str) -> Value {
        let answer = self.invite(email);
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    }

    fn states(&self) -> Vec<String> {
        let list = self.get(INVITES).json();
        let invites = list["invites"].as_array().unwrap().iter();
        invites
            .map(|invite| invite["state"].as_str().unwrap().to_owned())
            .collect()
    }
}

fn path(invite: &Value) -> String {
    format!("{INVITES}/{}", invite["id"].as_str().unwrap())
}

#[test]
fn an_invite_is_pending_for_a_week() {
    let office = office();
    let answer = office.post(INVITES, json!({ "email": " Zoe@Example.com ", "role": "editor" }));
    let invite = answer.json();
    let expected = json!({
        "id": invite["id"], "email": "zoe@example.com", "role": "editor", "state": "pending", "emailed": false,
        "createdAt": "2026-01-01T00:00:00.000Z", "expiresAt": "2026-01-08T00:00:00.000Z", "url": invite["url"],
    });
    assert_eq!((answer.status, &invite), (201, &expected));
    assert!(
        invite["url"].as_str().unwrap().contains("/api/v1/auth/invite/"),
        "{invite}"
    );
    office.host.advance(7 * DAY_MS - 1);
    assert_eq!(office.states(), ["pending"]);
    office.host.advance(1);
    assert_eq!(office.states(), ["expired"]);
}

#[test]
fn the_list_is_newest_first_and_holds_no_links() {
    let office = office();
    let (first, second) = (office.invited("yan@example.com"), office.invited("zoe@example.com"));
    let list = office.get(INVITES).json();
    assert_eq!(
        (&list["invites"][0]["id"], &list["invites"][1]["id"]),
        (&second["id"], &first["id"])
    );
    assert!(
        list["invites"][0].get("url").is_none() && !list.to_string().contains("secret-"),
        "{list}"
    );
}

#[test]
fn an_address_has_one_unexpired_invite() {
    let office = office();
    office.invited("zoe@example.com");
    let message = "This address has an unexpired invite: regenerate or revoke it";
    refused(office.invite("ZOE@example.com"), 409, message);
    office.host.advance(8 * DAY_MS);
    office.invited("zoe@example.com");
    assert_eq!(office.states(), ["pending", "expired"]);
}

#[test]
fn a_revoked_invite_makes_room() {
    let office = office();
    let invite = office.invited("zoe@example.com");
    for _ in 0..2 {
        assert_eq!(office.delete(&path(&invite)).status, 204);
    }
    office.invited("zoe@example.com");
    assert_eq!(office.states(), ["pending", "revoked"]);
}

#[test]
fn regenerating_makes_a_fresh_link_for_a_week() {
    let office = office();
    let first = office.invited("zoe@example.com");
    office.host.advance(8 * DAY_MS);
    let answer = office.post(&format!("{}/regenerate", path(&first)), json!({}));
    let again = answer.json();
    assert_eq!((answer.status, &again["state"]), (200, &json!("pending")));
    assert_eq!(
        (&again["id"], &again["expiresAt"]),
        (&first["id"], &json!("2026-01-16T00:00:00.000Z"))
    );
    assert_ne!(again["url"], first["url"]);
}

#[test]
fn a_settled_invite_is_not_regenerated() {
    let office = office();
    let invite = office.invited("zoe@example.com");
    office.delete(&path(&invite));
    let answer = office.post(&format!("{}/regenerate", path(&invite)), json!({}));
    refused(answer, 409, "This invite was used or revoked: make a new one");
}

#[test]
fn somebody_with_an_account_needs_no_invite() {
    let office = office();
    refused(
        office.invite("vic@example.com"),
        409,
        "This address has an account on this instance",
    );
    office.delete(&member(&office.vic));
    let message = "This address has a removed account on this instance: restore it instead";
    refused(office.invite("vic@example.com"), 409, message);
}

#[test]
fn an_address_and_a_role_are_needed() {
    let office = office();
    let bad = [
        (json!({ "role": "viewer" }), "`email` is required"),
        (json!({ "email": "zoe@example.com" }), "`role` is required"),
        (json!({ "email": 5, "role": "viewer" }), "`email` must be a string"),
        (
            json!({ "email": "zoe", "role": "viewer" }),
            "`email` must be an email address",
        ),
        (
            json!({ "email": "zoe@example.com", "role": "owner" }),
            "`role` must be one of `viewer`, `editor`, `admin`",
        ),
    ];
    for (body, message) in bad {
        refused(office.post(INVITES, body), 400, message);
    }
    assert!(office.states().is_empty());
}

#[test]
fn an_unknown_invite_is_a_404() {
    let office = office();
    refused(office.delete(&format!("{INVITES}/i9")), 404, "Invite not found");
    let answer = office.post(&format!("{INVITES}/i9/regenerate"), json!({}));
    refused(answer, 404, "Invite not found");
}

#[test]
fn an_invite_is_mailed_when_a_mail_server_is_configured() {
    let office = office();
    office.host.mail_by_environment();
    let invite = office.invited("zoe@example.com");
    assert_eq!(invite["emailed"], true);
    assert!(invite["url"].is_string(), "the link is there all the same");
    assert_eq!(office.get(INVITES).json()["invites"][0]["emailed"], true);
}
