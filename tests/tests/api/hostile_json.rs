//! Bodies that are not what a route expects: a clear 4xx, and nothing happened.

use galley_tests::prelude::*;

/// Bodies that are no JSON object.
fn broken() -> Vec<Vec<u8>> {
    let mut bodies: Vec<Vec<u8>> = [
        &b""[..],
        b" ",
        b"{",
        b"}",
        b"{]",
        b"nul",
        b"null",
        b"[]",
        b"[[]]",
        b"\"text\"",
        b"5",
        b"true",
        b"{\"name\"}",
        b"{\"name\":}",
        b"{\"name\":\"a\",}",
        b"{'name':'a'}",
        b"{} {}",
        b"{\"name\":\"\xff\xfe\"}",
        b"\xff\xfe{\0}\0",
        b"{\"name\":\"\\ud800\"}",
        b"{\"name\":\"\\u00\"}",
        b"{\"name\":\"a\nb\"}",
        b"{\"name\":01}",
        b"{\"name\":+1}",
        b"{\"name\":NaN}",
        b"{\"name\":1e}",
        b"{\"a\":1e999999}",
        b"\0",
        b"<xml/>",
        b"name=a&slug=b",
        b"{\"name\":\"a",
        b"{\"slug\":\"\\q\"}",
    ]
    .iter()
    .map(|body| body.to_vec())
    .collect();
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(50_000), close.repeat(50_000)).into_bytes();
    bodies.extend([
        deep("[", "]"),
        deep("{\"a\":", ""),
        deep("[", ""),
        deep("{\"name\":[", "]}"),
    ]);
    bodies.push(format!("{{\"name\":{}}}", "9".repeat(100_000)).into_bytes());
    bodies
}

/// Every route that takes JSON.
fn routes(shop: &str, comment: &str) -> Vec<(&'static str, String)> {
    let base = format!("/api/v1/projects/{shop}");
    vec![
        ("POST", "/api/v1/projects".into()),
        ("POST", "/api/v1/projects/resolve".into()),
        ("PATCH", base.clone()),
        ("POST", format!("{base}/members")),
        ("POST", format!("{base}/comments")),
        ("PATCH", format!("{base}/comments/{comment}")),
        ("POST", format!("{base}/comments/{comment}/replies")),
        ("POST", format!("{base}/participants")),
        ("POST", "/api/v1/tokens".into()),
    ]
}

#[test]
fn bodies_that_are_no_json_object_are_a_400_everywhere() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let written = comment(&ed, &shop, "First");
    for (method, path) in routes(&shop, &id(&written)) {
        for body in broken() {
            let answer = ed
                .request(method, &path)
                .header("content-type", "application/json")
                .body(body.clone())
                .send();
            let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
            assert_eq!(answer.status, 400, "{method} {path} with `{shown}`: {}", answer.text());
            assert!(
                answer.error().len() < 500,
                "the message repeats what was sent: {}",
                answer.text()
            );
        }
    }
    assert_eq!(bodies(&ed, &shop), ["First"]);
    assert_eq!(
        ed.get(&format!("/api/v1/projects/{shop}")).expect(200).json()["name"],
        "shop"
    );
    assert_eq!(
        ed.get("/api/v1/projects").expect(200).json()["projects"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    healthy(&server);
}

#[test]
fn wrong_types_are_a_400_everywhere() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let written = id(&comment(&ed, &shop, "First"));
    let fields: [(&str, &[&str]); 5] = [
        ("/api/v1/projects", &["slug", "name", "access"]),
        ("/comments", &["body", "position", "mentions"]),
        ("/replies", &["body", "mentions"]),
        ("/members", &["email"]),
        ("/tokens", &["name", "scopes"]),
    ];
    let good = json!({
        "slug": "other", "name": "Other", "access": "all-members", "body": "Hello", "mentions": [], "scopes": ["read"],
        "position": { "anchorSelector": "a", "page": "/" }, "email": "vic@example.com",
    });
    for (method, path) in routes(&shop, &written) {
        let Some((_, fields)) = fields.iter().find(|(end, _)| method == "POST" && path.ends_with(end)) else {
            continue;
        };
        for field in *fields {
            for wrong in [
                json!(5),
                json!(1.5e300),
                json!(true),
                json!({ "a": [1] }),
                json!([[1]]),
                json!(-1),
            ] {
                let mut body = good.clone();
                body[*field] = wrong.clone();
                let error = ed.post(&path, body).expect(400).error();
                assert!(error.contains(field), "{path} with {field} = {wrong}: {error}");
            }
        }
    }
    assert_eq!(bodies(&ed, &shop), ["First"]);
}

#[test]
fn the_content_type_is_not_what_makes_json() {
    let server = Server::start();
    let request = server.user("ed").request("POST", "/api/v1/projects");
    let body = json!({ "slug": "shop", "name": "Shop" }).to_string();
    let without = request.clone().body(body.clone()).send();
    assert!(matches!(without.status, 201 | 415), "{}", without.head);
    for kind in ["application/json; charset=utf-8", "application/json"] {
        request
            .clone()
            .header("content-type", kind)
            .body(body.clone())
            .send()
            .expect(201);
    }
}

#[test]
fn texts_of_every_kind_are_stored_or_refused_but_never_break_anything() {
    let server = Server::start();
    let ed = server.user("ed");
    let odd = [
        "\u{0}",
        "\u{feff}",
        "\u{ffff}",
        "😀".repeat(50).as_str(),
        "%00",
        "../../x",
        "${7*7}",
        "{{7*7}}",
        "\\",
        "\u{7f}",
    ]
    .map(str::to_owned);
    for text in &odd {
        let answer = ed.post("/api/v1/projects", json!({ "slug": "shop", "name": text }));
        assert!(matches!(answer.status, 201 | 400), "{text:?}: {}", answer.text());
        if answer.status == 201 {
            assert_eq!(answer.json()["name"], json!(text.trim()));
        }
    }
    let list = ed.get("/api/v1/projects").expect(200).json();
    assert!(list["projects"].as_array().unwrap().len() >= 5);
    healthy(&server);
}

#[test]
fn a_name_has_an_end() {
    let server = Server::start();
    let ed = server.user("ed");
    let long = "x".repeat(900_000);
    let shop = project(&ed, "shop");
    let answers = [
        ed.post("/api/v1/projects", json!({ "slug": "shop", "name": long })),
        ed.patch(&format!("/api/v1/projects/{shop}"), json!({ "name": long })),
        ed.patch(&format!("/api/v1/projects/{shop}"), json!({ "repoUrl": long })),
        ed.post(&format!("/api/v1/projects/{shop}/members"), json!({ "email": long })),
        ed.post(
            &format!("/api/v1/projects/{shop}/participants"),
            json!({ "email": format!("{long}@example.com") }),
        ),
    ];
    for answer in answers {
        assert!(
            matches!(answer.status, 400 | 404),
            "{}: {}",
            answer.request,
            answer.head
        );
        assert!(answer.error().len() < 500);
    }
}
