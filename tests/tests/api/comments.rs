//! Comments: writing, listing, changing, and their bounds.

use galley_tests::prelude::*;

fn shop() -> (Server, String) {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    (server, shop)
}

fn list(caller: &Client, project: &str) -> Vec<Value> {
    caller.get(&comments(project)).expect(200).json()["comments"]
        .as_array()
        .expect("a list")
        .clone()
}

#[test]
fn a_comment_has_the_fields_of_the_document() {
    let (server, shop) = shop();
    let vic = server.user("vic");
    let body = json!({ "body": "  Too small  ", "position": { "anchorSelector": "#buy", "page": "/cart" } });
    let made = vic.post(&comments(&shop), body).expect(201).json();
    let expected = json!({
        "projectId": shop, "body": "Too small", "position": { "anchorSelector": "#buy", "page": "/cart" },
        "author": { "uid": "user:account-vic", "displayName": "vic" }, "mentions": [], "resolved": false, "replies": [],
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&made[key], value, "{key}");
    }
    assert!(text(&made, "createdAt").ends_with('Z'));
    assert_eq!(made["createdAt"], made["updatedAt"]);
    assert_eq!(list(&vic, &shop), [made]);
}

#[test]
fn the_list_is_oldest_first_and_empty_at_first() {
    let (server, shop) = shop();
    let ed = server.user("ed");
    assert!(list(&ed, &shop).is_empty());
    for number in 0..25 {
        comment(&ed, &shop, &format!("{number}"));
    }
    let expected: Vec<String> = (0..25).map(|number| number.to_string()).collect();
    assert_eq!(bodies(&ed, &shop), expected);
}

#[test]
fn rule_3_an_identity_outranks_the_author_of_the_body() {
    let (server, shop) = shop();
    let claims = [
        json!({ "uid": "user:account-ada", "displayName": "ada" }),
        json!({ "uid": "viewer:x", "displayName": "x" }),
        json!("nonsense"),
        json!(5),
    ];
    for claim in claims {
        for caller in [server.user("vic"), server.token("vic", &["write"])] {
            let mut body = remark("Hello");
            body["author"] = claim.clone();
            let made = caller.post(&comments(&shop), body).expect(201).json();
            assert_eq!(
                made["author"],
                json!({ "uid": "user:account-vic", "displayName": "vic" })
            );
        }
    }
}

#[test]
fn anybody_comments_on_a_public_link_and_says_who_they_are() {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    let write = |author: Value| {
        let mut body = remark("Hello");
        body["author"] = author;
        server.anonymous().post(&comments(&open), body)
    };
    let made = write(json!({ "uid": "viewer:abc", "displayName": "Guest of honour" }))
        .expect(201)
        .json();
    assert_eq!(
        made["author"],
        json!({ "uid": "viewer:abc", "displayName": "Guest of honour" })
    );
    let minted = write(json!({ "displayName": "Somebody" })).expect(201).json();
    let uid = text(&minted["author"], "uid");
    assert!(uid.starts_with("viewer:") && uid.len() > "viewer:".len() + 8, "{uid}");
    let other = write(json!({ "displayName": "Somebody" })).expect(201).json();
    assert_ne!(other["author"]["uid"], json!(uid));
    for uid in [
        json!("user:account-ed"),
        json!("user:"),
        json!("admin"),
        json!(""),
        json!("VIEWER:x"),
        json!(5),
    ] {
        write(json!({ "uid": uid, "displayName": "Liar" })).expect(400);
    }
    assert_eq!(list(&server.anonymous(), &open).len(), 3);
}

#[test]
fn rule_1_without_the_setting_all_four_write_routes_refuse_the_anonymous() {
    const SIGN_IN: &str = "Sign in to comment on this project";
    let server = Server::build().public_links(true).anonymous_comments(false).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    let one = format!(
        "{}/{}",
        comments(&open),
        id(&comment(&server.user("ed"), &open, "First"))
    );
    let anonymous = server.anonymous();
    anonymous.post(&comments(&open), remark("Hello")).refused(403, SIGN_IN);
    anonymous.patch(&one, json!({ "resolved": true })).refused(403, SIGN_IN);
    anonymous.delete(&one).refused(403, SIGN_IN);
    anonymous
        .post(&format!("{one}/replies"), json!({ "body": "Hello" }))
        .refused(403, SIGN_IN);
    let missing = format!("{}/missing", comments(&open));
    anonymous.delete(&missing).refused(403, SIGN_IN);
    assert_eq!(bodies(&anonymous, &open), ["First"]);
    comment(&server.user("vic"), &open, "Second");
}

#[test]
fn bodies_and_positions_have_bounds() {
    let (server, shop) = shop();
    let ed = server.user("ed");
    let body = |text: &str| json!({ "body": text, "position": { "anchorSelector": "a", "page": "/" } });
    let at =
        |selector: &str, page: &str| json!({ "body": "x", "position": { "anchorSelector": selector, "page": page } });
    let (fits, over) = ("ö".repeat(10_000), "ö".repeat(10_001));
    for (good, length) in [
        (body("x"), 1),
        (body(&fits), 10_000),
        (body(&format!(" {fits} ")), 10_000),
    ] {
        let made = ed.post(&comments(&shop), good).expect(201).json();
        assert_eq!(text(&made, "body").chars().count(), length);
    }
    ed.post(&comments(&shop), at(&"s".repeat(2_000), &"p".repeat(2_000)))
        .expect(201);
    let bad = [
        (body(""), "body"),
        (body(" \n\t "), "body"),
        (body(&over), "body"),
        (at(&"s".repeat(2_001), "/"), "anchorSelector"),
        (at("a", &"p".repeat(2_001)), "page"),
        (json!({ "position": { "anchorSelector": "a", "page": "/" } }), "body"),
        (json!({ "body": "x" }), "position"),
        (json!({ "body": "x", "position": null }), "position"),
        (json!({ "body": "x", "position": { "page": "/" } }), "anchorSelector"),
        (
            json!({ "body": "x", "position": { "anchorSelector": "a", "page": 1 } }),
            "page",
        ),
        (
            json!({ "body": 1, "position": { "anchorSelector": "a", "page": "/" } }),
            "body",
        ),
    ];
    for (bad, field) in bad {
        let error = ed.post(&comments(&shop), bad).expect(400).error();
        assert!(error.contains(field), "{field}: {error}");
    }
    assert_eq!(list(&ed, &shop).len(), 4);
}

#[test]
fn text_comes_back_as_it_was_written() {
    let (server, shop) = shop();
    let ed = server.user("ed");
    let texts = [
        "<script>alert(1)</script>",
        "a\u{0}b",
        "\u{202e}rtl 👩‍👩‍👧 e\u{301}",
        "\"quoted\\ \u{2028}\n\ttabs",
        "'; DROP TABLE comments;--",
    ];
    for text in texts {
        comment(&ed, &shop, text);
    }
    assert_eq!(bodies(&ed, &shop), texts);
}

#[test]
fn a_change_changes_what_is_sent() {
    let (server, shop) = shop();
    let ed = server.user("ed");
    let made = comment(&ed, &shop, "Frist");
    let one = format!("{}/{}", comments(&shop), id(&made));
    let changed = ed
        .patch(
            &one,
            json!({ "body": "First", "position": null, "id": "x", "number": 9 }),
        )
        .expect(200)
        .json();
    assert_eq!(
        (&changed["body"], &changed["resolved"]),
        (&json!("First"), &json!(false))
    );
    assert_eq!((&changed["position"], &changed["id"]), (&made["position"], &made["id"]));
    assert!(text(&changed, "updatedAt") >= text(&made, "updatedAt"));
    let resolved = ed.patch(&one, json!({ "resolved": true })).expect(200).json();
    assert_eq!(
        (&resolved["body"], &resolved["resolved"]),
        (&json!("First"), &json!(true))
    );
    assert_eq!(
        ed.patch(&one, json!({ "resolved": false })).expect(200).json()["resolved"],
        false
    );
    for bad in [
        json!({ "body": "" }),
        json!({ "body": 5 }),
        json!({ "resolved": "yes" }),
        json!({ "mentions": "ed" }),
    ] {
        ed.patch(&one, bad).expect(400);
    }
    assert_eq!(list(&ed, &shop)[0]["body"], "First");
}

#[test]
fn a_deleted_comment_is_gone_with_its_replies() {
    let (server, shop) = shop();
    let ed = server.user("ed");
    let one = format!("{}/{}", comments(&shop), id(&comment(&ed, &shop, "First")));
    comment(&ed, &shop, "Second");
    ed.post(&format!("{one}/replies"), json!({ "body": "Reply" }))
        .expect(201);
    assert!(ed.delete(&one).expect(204).body.is_empty());
    assert_eq!(bodies(&ed, &shop), ["Second"]);
    ed.delete(&one).refused(404, "Comment not found");
    ed.patch(&one, json!({ "resolved": true }))
        .refused(404, "Comment not found");
    ed.post(&format!("{one}/replies"), json!({ "body": "Late" }))
        .refused(404, "Comment not found");
}

#[test]
fn comments_survive_a_crash() {
    let (mut server, shop) = shop();
    let made = comment(&server.user("ed"), &shop, "First");
    server.kill();
    server.again();
    assert_eq!(list(&server.user("ed"), &shop), [made]);
}

#[test]
fn anonymous_writes_are_limited_for_each_client() {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    let guest = server.anonymous().at([127, 0, 0, 2]);
    let limited = (0..5_000)
        .map(|_| guest.post(&comments(&open), remark("Spam")))
        .find(|answer| answer.status != 201);
    let refusal = limited.expect("a limit within 5,000 writes").expect(429);
    assert!(!refusal.error().is_empty());
    let seconds: u32 = refusal
        .header("retry-after")
        .expect("when to come back")
        .parse()
        .unwrap();
    assert!(seconds > 0);
    comment(&server.anonymous().at([127, 0, 0, 3]), &open, "Another client");
    comment(
        &server.user("vic").at([127, 0, 0, 2]),
        &open,
        "Somebody who is signed in",
    );
}

#[test]
fn a_long_list_fills_its_answers() {
    let server = Server::start();
    // A long call gives way to everything else on the machine, which is busy with other tests.
    let deadline = ["plugins", "limits", "comments", "deadline=60s"];
    server.galley(&deadline).expect(0);
    let shop = project(&server.user("ed"), "shop");
    let body = "x".repeat(2_000);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let ed = server.user("ed");
                for _ in 0..625 {
                    ed.post(&comments(&shop), remark(&body)).expect(201);
                }
            });
        }
    });
    let first = server.user("ed").get(&comments(&shop)).expect(200);
    assert!(first.body.len() > 3 << 20, "{} bytes", first.body.len());
    let first = first.json();
    let next = format!("{}?after={}", comments(&shop), text(&first, "next"));
    let rest = server.user("ed").get(&next).expect(200).json();
    let count = |page: &Value| page["comments"].as_array().expect("a list").len();
    assert_eq!((count(&first) + count(&rest), rest.get("next")), (2_500, None));
}
