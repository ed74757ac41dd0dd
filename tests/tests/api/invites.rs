//! The link of an invite.

use galley_tests::accounts::{Core, Person};
use galley_tests::prelude::*;

const TOKEN: &str = "the-token-of-an-invite-in-a-test-0000000000";
const LINK: &str = "/api/v1/auth/invite/the-token-of-an-invite-in-a-test-0000000000";
const EMAIL: &str = "nia@example.net";

/// A server that invited Nia as an editor.
fn inviting() -> Server {
    let mut server = Server::start();
    server.edit(|core| core.invite(EMAIL, "editor", TOKEN));
    server
}

fn me(caller: &Client) -> Value {
    caller.get("/api/v1/me").expect(200).json()["user"].clone()
}

#[test]
fn opening_the_link_shows_a_page_and_spends_nothing() {
    let server = inviting();
    for _ in 0..3 {
        let page = server.anonymous().open(LINK).expect(200);
        let html = page.text();
        assert!(html.contains(EMAIL) && html.contains("editor"), "{html}");
        assert!(html.contains("<form method=\"post\"") && html.contains("name=\"displayName\""));
        assert!(page.all("set-cookie").is_empty());
        assert!(server.anonymous().head(LINK).expect(200).all("set-cookie").is_empty());
    }
    server.anonymous().submit(LINK, "displayName=Nia").expect(303);
}

#[test]
fn redeeming_makes_an_account_with_the_invites_role_and_signs_it_in() {
    let server = inviting();
    let answer = server.anonymous().submit(LINK, "displayName=Nia+N.").expect(303);
    assert_eq!(answer.header("location"), Some("/"));
    let nia = me(&server.signed_in_by(&answer));
    assert_eq!(
        (&nia["email"], &nia["role"], &nia["displayName"]),
        (&json!(EMAIL), &json!("editor"), &json!("Nia N."))
    );
}

#[test]
fn a_program_may_redeem_with_json_and_a_name_is_optional() {
    let server = inviting();
    let answer = server.anonymous().post(LINK, json!({})).expect(303);
    assert_eq!(me(&server.signed_in_by(&answer))["displayName"], "nia");
}

#[test]
fn an_invite_is_used_once() {
    let mut server = inviting();
    let winners = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| server.anonymous().submit(LINK, "displayName=Nia").status))
            .collect();
        let statuses = tries.into_iter().map(|thread| thread.join().unwrap());
        statuses.filter(|status| *status == 303).count()
    });
    assert_eq!(winners, 1);
    server.anonymous().submit(LINK, "displayName=Eve").expect(404);
    server.stop();
    let core = server.core();
    assert!(core.is_used(TOKEN));
    assert_eq!(core.roles(EMAIL), ["editor"]);
}

#[test]
fn used_revoked_expired_and_unknown_links_answer_alike() {
    let mut server = inviting();
    let unknown = |server: &Server| {
        server
            .anonymous()
            .open("/api/v1/auth/invite/unknown")
            .expect(404)
            .comparable()
    };
    let dead = |server: &Server| server.anonymous().open(LINK).expect(404).comparable();
    server.anonymous().submit(LINK, "").expect(303);
    assert_eq!(dead(&server), unknown(&server), "used");
    server.edit(|core| core.invite("bo@example.net", "viewer", "revoked"));
    server.edit(Core::revoke_invites);
    server.anonymous().submit("/api/v1/auth/invite/revoked", "").expect(404);
    server.edit(|core| core.invite("cy@example.net", "viewer", "expired"));
    server.edit(Core::expire_links);
    for token in ["revoked", "expired"] {
        let link = format!("/api/v1/auth/invite/{token}");
        assert_eq!(
            server.anonymous().open(&link).expect(404).comparable(),
            unknown(&server),
            "{token}"
        );
        let answer = server.anonymous().submit(&link, "displayName=X").expect(404);
        assert!(answer.all("set-cookie").is_empty());
        assert!(
            answer.text().contains("ask the sender for a new one"),
            "the page says what to do"
        );
        let message = server.anonymous().post(&link, json!({})).expect(404).error();
        assert!(message.starts_with("This link does not work"), "{message}");
    }
}

#[test]
fn an_invite_for_an_account_that_exists_by_now_signs_it_in_with_the_role_it_has() {
    let mut server = Server::start();
    server.edit(|core| core.invite("vic@example.com", "admin", TOKEN));
    let answer = server.anonymous().submit(LINK, "displayName=Other").expect(303);
    let vic = me(&server.signed_in_by(&answer));
    assert_eq!((&vic["id"], &vic["role"]), (&json!("account-vic"), &json!("viewer")));
    assert_eq!(vic["displayName"], "vic");
    server.anonymous().submit(LINK, "").expect(404);
}

#[test]
fn the_owner_of_a_removed_account_is_not_let_in_by_an_invite() {
    let mut server = Server::start();
    server.edit(|core| {
        core.remove(Person::named("vic"));
        core.invite("vic@example.com", "admin", TOKEN);
    });
    let answer = server.anonymous().submit(LINK, "").expect(403);
    assert!(answer.all("set-cookie").is_empty());
    assert!(answer.text().contains("invite-only"), "{}", answer.text());
    server.stop();
    assert!(!server.core().is_used(TOKEN));
}

#[test]
fn a_program_is_told_in_json_what_is_wrong_with_its_form() {
    let server = inviting();
    let form = format!("displayName={}", "x".repeat(101));
    for accept in ["*/*", "application/json"] {
        let answer = server
            .anonymous()
            .request("POST", LINK)
            .header("accept", accept)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.as_str())
            .send();
        let error = answer.expect(400).error();
        assert!(error.contains("displayName"), "{error}");
    }
}

#[test]
fn a_name_that_is_none_is_a_400_beside_its_field_and_spends_nothing() {
    let server = inviting();
    let long = format!("displayName={}", "x".repeat(101));
    for form in [
        long.as_str(),
        "displayName=a%0d%0aSet-Cookie:%20x=y",
        "displayName=a%00",
    ] {
        let answer = server.anonymous().submit(LINK, form).expect(400);
        assert!(answer.header("content-type").unwrap().starts_with("text/html"));
        assert!(answer.all("set-cookie").is_empty());
        let html = answer.text();
        assert!(
            html.contains("aria-invalid=\"true\"") && html.contains("id=\"name-error\""),
            "{html}"
        );
        assert!(html.contains("aria-describedby=\"name-hint name-error\""), "{html}");
    }
    for body in [json!({ "displayName": "a\r\nb" }), json!({ "displayName": 5 })] {
        let message = server.anonymous().post(LINK, body).expect(400).error();
        assert!(message.contains("`displayName`"), "{message}");
    }
    server.anonymous().submit(LINK, "displayName=Nia").expect(303);
}

#[test]
fn a_name_full_of_markup_is_only_a_name() {
    let server = inviting();
    let answer = server
        .anonymous()
        .submit(LINK, "displayName=%3Cscript%3Ealert(1)%3C/script%3E\"'");
    let nia = server.signed_in_by(&answer.expect(303));
    assert_eq!(me(&nia)["displayName"], "<script>alert(1)</script>\"'");
    let home = nia.open("/").expect(200).text();
    assert!(!home.contains("<script>alert") && home.contains("alert(1)"), "{home}");
}

#[test]
fn a_form_of_another_site_redeems_nothing() {
    let server = inviting();
    for origin in ["http://evil.example", "null"] {
        let request = server
            .anonymous()
            .form(LINK, "displayName=Nia")
            .header("origin", origin);
        assert!(request.send().expect(403).all("set-cookie").is_empty());
    }
    let cross = server
        .anonymous()
        .form(LINK, "")
        .without("origin")
        .header("sec-fetch-site", "cross-site");
    cross.send().expect(403);
    server.anonymous().submit(LINK, "displayName=Nia").expect(303);
}

#[test]
fn other_methods_are_refused_and_spend_nothing() {
    let server = inviting();
    for method in ["PUT", "PATCH", "DELETE"] {
        let answer = server.anonymous().request(method, LINK).send().expect(405);
        let allowed = answer.header("allow").unwrap_or_default();
        assert!(allowed.contains("GET") && allowed.contains("POST"), "{allowed}");
        answer.error();
    }
    server.anonymous().submit(LINK, "displayName=Nia").expect(303);
}

#[test]
fn hostile_tokens_and_forms_get_a_clear_4xx() {
    let server = inviting();
    let long = "x".repeat(9_000);
    for token in [
        long.as_str(),
        "%00",
        "%ff",
        "..%2f..%2f",
        "'%20OR%201=1--",
        &LINK[20..62],
        "%0d%0aX:%20y",
    ] {
        let link = format!("/api/v1/auth/invite/{token}");
        for answer in [
            server.anonymous().get(&link),
            server.anonymous().submit(&link, "displayName=Nia"),
        ] {
            assert!(
                (400..500).contains(&answer.status),
                "{}: {}",
                answer.request,
                answer.head
            );
            assert!(answer.all("set-cookie").is_empty());
        }
    }
    let json = |body: &str| {
        let request = server
            .anonymous()
            .request("POST", LINK)
            .header("content-type", "application/json");
        request.body(body).send()
    };
    for body in ["", "[]", "{", "\u{fffd}", "{\"displayName\":[]}"] {
        json(body).expect(400).error();
    }
    server
        .anonymous()
        .request("POST", LINK)
        .body(vec![b'a'; 2 << 20])
        .send()
        .expect(413);
    let junk = server
        .anonymous()
        .form(LINK, "&&=&%zz=%&displayName=Nia&displayName=&=x");
    assert_eq!(junk.send().expect(303).header("location"), Some("/"));
}

#[test]
fn signing_in_begins_a_fresh_session_and_ends_the_old_one() {
    let server = inviting();
    let vic = server.user("vic");
    let page = vic.open(LINK).expect(200).text();
    assert!(
        page.contains("This browser is signed in as <strong>vic</strong>"),
        "{page}"
    );
    let answer = vic.submit(LINK, "displayName=Nia").expect(303);
    let nia = server.signed_in_by(&answer);
    assert_ne!(nia.secret(), vic.secret());
    assert_eq!(me(&nia)["email"], EMAIL);
    assert_eq!(me(&vic), Value::Null, "the old session is over");
}

#[test]
fn a_session_somebody_planted_does_not_become_the_persons() {
    let server = inviting();
    let planted = format!("galley_session={}", "p".repeat(43));
    let request = server
        .anonymous()
        .form(LINK, "displayName=Nia")
        .header("cookie", planted.clone());
    let nia = server.signed_in_by(&request.send().expect(303));
    assert_ne!(nia.secret(), planted);
    let thief = server
        .anonymous()
        .request("GET", "/api/v1/me")
        .header("cookie", planted)
        .send();
    assert_eq!(thief.expect(200).json()["user"], Value::Null);
}

#[test]
fn the_token_stands_in_no_file_and_in_no_log() {
    let mut server = inviting();
    server.set_env("SERVICE_LOG", "debug");
    server.stop();
    server.again();
    server.anonymous().open(LINK).expect(200);
    let nia = server.signed_in_by(&server.anonymous().submit(LINK, "displayName=Nia").expect(303));
    let session = nia.secret().split('=').nth(1).unwrap().to_owned();
    server.stop();
    let log = server.log();
    assert!(log.contains("/api/v1/auth/invite/"), "{log}");
    let dump = server.core().dump();
    assert!(dump.contains(EMAIL));
    for secret in [TOKEN, &session] {
        assert!(!log.contains(secret) && !dump.contains(secret));
    }
}

#[test]
fn attempts_are_limited_for_each_client() {
    let server = inviting();
    let client = server.anonymous().at([127, 0, 0, 7]);
    let statuses: Vec<u16> = (0..40)
        .map(|_| client.submit("/api/v1/auth/invite/x", "").status)
        .collect();
    assert!(statuses.contains(&404) && statuses.last() == Some(&429), "{statuses:?}");
    let refused = client.submit(LINK, "displayName=Nia").expect(429);
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait));
    assert!(
        refused.text().contains("<h1>Too many attempts</h1>"),
        "people get a page"
    );
    client.post(LINK, json!({})).expect(429).error();
    server.anonymous().submit(LINK, "displayName=Nia").expect(303);
}
