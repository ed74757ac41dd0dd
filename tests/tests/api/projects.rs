//! Projects: making, changing and deleting them.

use galley_tests::prelude::*;

fn list(caller: &Client) -> Vec<String> {
    let answer = caller.get("/api/v1/projects").expect(200).json();
    answer["projects"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|project| text(project, "slug"))
        .collect()
}

#[test]
fn a_project_has_the_fields_of_the_document() {
    let server = Server::start();
    let ed = server.user("ed");
    let made = ed
        .post("/api/v1/projects", json!({ "slug": "shop", "name": "Shop" }))
        .expect(201)
        .json();
    let expected = json!({
        "slug": "shop", "name": "Shop", "repoUrl": null, "access": "all-members", "activeDeploymentId": null,
        "url": format!("{}/p/shop/", server.url()),
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&made[key], value, "{key}");
    }
    for key in ["createdAt", "updatedAt"] {
        let time = text(&made, key);
        assert!(
            time.starts_with("20") && time.contains('T') && time.ends_with('Z'),
            "{key}: {time}"
        );
    }
    let mut one = ed.get(&format!("/api/v1/projects/{}", id(&made))).expect(200).json();
    assert_eq!(one.as_object_mut().unwrap().remove("canComment"), Some(json!(true)));
    assert_eq!(one, made);
}

#[test]
fn only_one_project_says_can_comment() {
    let server = Server::build().public_links(true).start();
    let project = project_with(&server.user("ed"), "open", "public-link");
    let listed = server.user("ed").get("/api/v1/projects").expect(200).json();
    assert!(!listed["projects"][0].as_object().unwrap().contains_key("canComment"));
    let path = format!("/api/v1/projects/{project}");
    for caller in [
        server.anonymous(),
        server.user("vic"),
        server.admin(),
        server.token("vic", &["write"]),
    ] {
        assert_eq!(caller.get(&path).expect(200).json()["canComment"], true);
    }
    assert_eq!(
        server.token("vic", &["read"]).get(&path).expect(200).json()["canComment"],
        false
    );
}

#[test]
fn can_comment_folds_in_the_setting() {
    let server = Server::build().public_links(true).anonymous_comments(false).start();
    let path = format!(
        "/api/v1/projects/{}",
        project_with(&server.user("ed"), "open", "public-link")
    );
    assert_eq!(server.anonymous().get(&path).expect(200).json()["canComment"], false);
    assert_eq!(server.user("vic").get(&path).expect(200).json()["canComment"], true);
}

#[test]
fn who_manages_a_project_sees_its_connection() {
    let server = Server::start();
    let path = format!("/api/v1/projects/{}", project(&server.user("ed"), "shop"));
    for caller in [server.user("ed"), server.user("eve"), server.admin()] {
        assert_eq!(caller.get(&path).expect(200).json().get("repo"), Some(&Value::Null));
    }
    assert_eq!(server.user("vic").get(&path).expect(200).json().get("repo"), None);
}

#[test]
fn making_a_project_without_a_credential_is_a_401() {
    let server = Server::start();
    let answer = server
        .anonymous()
        .post("/api/v1/projects", json!({ "slug": "shop", "name": "Shop" }))
        .expect(401);
    assert!(!answer.error().is_empty());
    assert!(list(&server.admin()).is_empty());
}

#[test]
fn editors_admins_and_the_admin_bearer_make_projects() {
    let server = Server::start();
    let callers = [
        server.user("ed"),
        server.token("ed", &["write"]),
        server.user("ada"),
        server.admin(),
    ];
    for (number, caller) in callers.iter().enumerate() {
        project(caller, &format!("p{number}"));
    }
    assert_eq!(list(&server.user("vic")).len(), 4);
}

#[test]
fn a_slug_is_checked() {
    let server = Server::start();
    let ed = server.user("ed");
    let bad = [
        "",
        "a",
        "-ab",
        "aB",
        "a b",
        "a_b",
        "a.b",
        "ä",
        "..",
        "a/b",
        "ab\0",
        "@ab",
        "ab\n",
        " ab",
        &"a".repeat(64),
    ];
    for slug in bad {
        let error = ed
            .post("/api/v1/projects", json!({ "slug": slug, "name": "X" }))
            .expect(400)
            .error();
        assert!(error.contains("slug"), "`{slug}`: {error}");
    }
    for slug in ["ab", "0a", "a-b", "a--b", "a-", &"a".repeat(63)] {
        let made = ed
            .post("/api/v1/projects", json!({ "slug": slug, "name": "X" }))
            .expect(201)
            .json();
        assert_eq!(made["slug"], slug);
    }
}

#[test]
fn a_name_is_required() {
    let server = Server::start();
    let ed = server.user("ed");
    for body in [
        json!({ "slug": "shop" }),
        json!({ "slug": "shop", "name": "" }),
        json!({ "slug": "shop", "name": null }),
        // Names stand in mails and between other texts.
        json!({ "slug": "shop", "name": "\u{0}" }),
        json!({ "slug": "shop", "name": "Shop\nBcc: all@example.com" }),
        json!({ "slug": "shop", "name": "a\u{202e}b" }),
    ] {
        let error = ed.post("/api/v1/projects", body).expect(400).error();
        assert!(error.contains("name"), "{error}");
    }
    let error = ed
        .post("/api/v1/projects", json!({ "name": "Shop" }))
        .expect(400)
        .error();
    assert!(error.contains("slug"), "{error}");
}

#[test]
fn rule_4_a_taken_slug_gets_a_suffix() {
    let server = Server::start();
    let ed = server.user("ed");
    let slugs: Vec<String> = (0..3)
        .map(|_| {
            text(
                &ed.post("/api/v1/projects", json!({ "slug": "shop", "name": "Shop" }))
                    .expect(201)
                    .json(),
                "slug",
            )
        })
        .collect();
    assert_eq!(slugs[0], "shop");
    assert!(
        slugs[1..].iter().all(|slug| slug.starts_with("shop") && slug != "shop"),
        "{slugs:?}"
    );
    assert_ne!(slugs[1], slugs[2]);
}

#[test]
fn rule_4_a_suffix_keeps_a_long_slug_within_its_bounds() {
    let server = Server::start();
    let ed = server.user("ed");
    let long = "a".repeat(63);
    for _ in 0..3 {
        let made = ed
            .post("/api/v1/projects", json!({ "slug": long, "name": "Long" }))
            .expect(201)
            .json();
        let slug = text(&made, "slug");
        assert!(slug.len() <= 63, "{slug}");
    }
}

#[test]
fn rule_4_suffixes_end_after_fifty_attempts() {
    let server = Server::start();
    let ed = server.user("ed");
    let mut made = 0;
    let refusal = loop {
        let answer = ed.post("/api/v1/projects", json!({ "slug": "shop", "name": "Shop" }));
        if answer.status != 201 {
            break answer;
        }
        made += 1;
        assert!(made <= 51, "the attempts never end");
    };
    assert!(!refusal.expect(409).error().is_empty());
    assert!(made >= 50, "only {made} were made");
}

#[test]
fn slugs_made_at_the_same_moment_are_all_different() {
    let server = Server::start();
    let slugs = std::sync::Mutex::new(std::collections::BTreeSet::new());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..4 {
                    let body = json!({ "slug": "shop", "name": "Shop" });
                    let made = server.user("ed").post("/api/v1/projects", body).expect(201).json();
                    assert!(slugs.lock().unwrap().insert(text(&made, "slug")));
                }
            });
        }
    });
    assert_eq!(slugs.lock().unwrap().len(), 32);
}

#[test]
fn changing_a_project_changes_what_is_sent_and_nothing_else() {
    let server = Server::start();
    let ed = server.user("ed");
    let made = ed
        .post("/api/v1/projects", json!({ "slug": "shop", "name": "Shop" }))
        .expect(201)
        .json();
    let path = format!("/api/v1/projects/{}", id(&made));
    let repo = "https://code.example/team/shop";
    let changed = ed.patch(&path, json!({ "repoUrl": repo })).expect(200).json();
    assert_eq!((&changed["repoUrl"], &changed["name"]), (&json!(repo), &json!("Shop")));
    let changed = ed
        .patch(&path, json!({ "name": "Store", "slug": "store", "id": "x" }))
        .expect(200)
        .json();
    assert_eq!(
        (&changed["name"], &changed["slug"], &changed["id"]),
        (&json!("Store"), &json!("shop"), &made["id"])
    );
    assert_eq!(changed["repoUrl"], repo);
    assert!(text(&changed, "updatedAt") >= text(&made, "updatedAt"));
    assert_eq!(changed["createdAt"], made["createdAt"]);
    assert_eq!(ed.get(&path).expect(200).json()["name"], "Store");
    for body in [
        json!({ "name": "" }),
        json!({ "name": 1 }),
        json!({ "access": "everybody" }),
        json!({ "repoUrl": 7 }),
    ] {
        ed.patch(&path, body).expect(400);
    }
    assert_eq!(ed.get(&path).expect(200).json()["name"], "Store");
}

#[test]
fn deleting_a_project_takes_everything_with_it() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let path = format!("/api/v1/projects/{shop}");
    comment(&ed, &shop, "Hello");
    let deployment = text(&upload(&ed, &shop, &Bundle::sample("Shop")), "deploymentId");
    ed.post(&format!("{path}/members"), json!({ "email": "vic@example.com" }))
        .expect(201);
    assert!(
        !server.stored("sites").is_empty(),
        "the files of prototypes lie elsewhere"
    );

    let answer = ed.delete(&path).expect(204);
    assert!(answer.body.is_empty());
    for below in ["", "/comments", "/deployments", "/members", "/participants"] {
        ed.get(&format!("{path}{below}")).expect(404);
    }
    ed.get(&format!("/api/v1/deployments/{deployment}/log/stream"))
        .expect(404);
    assert!(ed.get("/p/shop/").expect(404).text().contains("Prototype not found"));
    assert!(list(&ed).is_empty());
    eventually("the files are gone", || server.stored("sites").is_empty().then_some(()));
    ed.delete(&path).expect(404);

    // The slug is free again, and whoever takes it inherits nothing.
    let again = project(&ed, "shop");
    assert_eq!(
        ed.get(&format!("/api/v1/projects/{again}")).expect(200).json()["slug"],
        "shop"
    );
    assert!(bodies(&ed, &again).is_empty());
}

#[test]
fn deleting_a_project_leaves_the_others_alone() {
    let server = Server::start();
    let ed = server.user("ed");
    let (one, other) = (project(&ed, "one"), project(&ed, "other"));
    for project in [&one, &other] {
        comment(&ed, project, "Hello");
        upload(&ed, project, &Bundle::sample("The same bytes"));
    }
    ed.delete(&format!("/api/v1/projects/{one}")).expect(204);
    assert_eq!(bodies(&ed, &other), ["Hello"]);
    for path in ["/p/other/", "/p/other/logo.svg", "/p/other/assets/app-5f4dcc3b.js"] {
        ed.get(path).expect(200);
    }
}
