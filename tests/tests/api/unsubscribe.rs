//! Unsubscribing: the page behind the link, and RFC 8058's one click.

use galley_tests::http::Request;
use galley_tests::mail::MailSink;
use galley_tests::prelude::*;

const CLICK: &str = "List-Unsubscribe=One-Click";
const FORM: &str = "application/x-www-form-urlencoded";

struct Review {
    sink: MailSink,
    server: Server,
    project: String,
    mo: Value,
    /// Path and query of the link in the first mail to Mo.
    link: String,
}

fn review() -> Review {
    let sink = MailSink::start();
    let build = sink
        .serves(Server::build())
        .env("SERVICE_UNSUBSCRIBE_SECRET", "a-secret-of-this-test");
    let server = build.start();
    let ed = server.user("ed");
    let project = project(&ed, "shop");
    let mut review = Review {
        sink,
        server,
        project,
        mo: Value::Null,
        link: String::new(),
    };
    review.mo = review.invited("mo@example.com");
    review.mention(&review.mo);
    review.link = review.sink.mail_to("mo@example.com").link("/api/v1/unsubscribe");
    review
}

impl Review {
    fn invited(&self, email: &str) -> Value {
        let path = format!("/api/v1/projects/{}/participants", self.project);
        self.server.user("ed").post(&path, json!({ "email": email })).json()["id"].clone()
    }

    fn mention(&self, person: &Value) {
        let mut body = remark("Look");
        body["mentions"] = json!([person]);
        self.server.user("ed").post(&comments(&self.project), body).expect(201);
    }

    /// Whether a mention of Mo still makes a mail. The mail to somebody else that follows shows that it would have come.
    fn still_mails(&self, other: &str) -> bool {
        let count = || {
            self.sink
                .mails()
                .iter()
                .filter(|mail| mail.to == "mo@example.com")
                .count()
        };
        let before = count();
        self.mention(&self.mo);
        let other_id = self.invited(other);
        self.mention(&other_id);
        self.sink.mail_to(other);
        count() > before
    }

    fn post(&self, link: &str, body: &str) -> Request {
        self.server
            .anonymous()
            .request("POST", link)
            .header("content-type", FORM)
            .body(body)
    }
}

#[test]
fn one_click_unsubscribes_without_cookie_or_redirect() {
    let review = review();
    let answer = review.post(&review.link, CLICK).send().expect(200);
    assert_eq!(answer.header("location"), None);
    assert_eq!(answer.header("set-cookie"), None);
    assert_eq!(answer.json(), json!({ "unsubscribed": true }));
    assert!(!review.still_mails("a@example.com"));
    // Once more is the same.
    review.post(&review.link, CLICK).send().expect(200);
}

#[test]
fn one_click_may_come_as_multipart() {
    let review = review();
    let parts = "--xyz\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--xyz--\r\n";
    let request = review.post(&review.link, parts);
    request
        .header("content-type", "multipart/form-data; boundary=xyz")
        .send()
        .expect(200);
    assert!(!review.still_mails("a@example.com"));
}

#[test]
fn looking_at_the_page_changes_nothing() {
    let review = review();
    let request = review.server.anonymous().request("GET", &review.link);
    let page = request
        .header("accept", "text/html")
        .header("sec-fetch-dest", "document")
        .send()
        .expect(200);
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    let html = page.text();
    assert!(
        html.contains("mo@example.com") && html.contains("method=\"post\""),
        "{html}"
    );
    assert!(page.header("content-security-policy").is_some());
    review.server.anonymous().head(&review.link).expect(200);
    assert!(review.still_mails("a@example.com"));
}

#[test]
fn the_page_unsubscribes_and_offers_a_way_back() {
    let review = review();
    let done = review
        .post(&review.link, CLICK)
        .header("accept", "text/html")
        .send()
        .expect(200);
    let html = done.text();
    assert!(
        html.contains("You are unsubscribed") && html.contains("Subscribe again"),
        "{html}"
    );
    assert!(!review.still_mails("a@example.com"));
    let back = review
        .post(&review.link, "Subscribe=Again")
        .header("accept", "text/html")
        .send()
        .expect(200);
    assert!(back.text().contains("You get mails again"));
    assert!(review.still_mails("b@example.com"));
}

#[test]
fn it_needs_no_same_origin_request_and_no_session() {
    let review = review();
    let request = review.server.user("vic").request("POST", &review.link);
    let request = request
        .header("origin", "https://mail.example")
        .header("sec-fetch-site", "cross-site");
    request.header("content-type", FORM).body(CLICK).send().expect(200);
    assert!(!review.still_mails("a@example.com"));
}

#[test]
fn it_is_about_one_address_only() {
    let review = review();
    review.post(&review.link, CLICK).send().expect(200);
    let bo = review.invited("bo@example.com");
    review.mention(&bo);
    review.sink.mail_to("bo@example.com");
}

#[test]
fn a_token_that_is_not_good_is_refused() {
    let review = review();
    let (path, token) = review.link.split_once("token=").unwrap();
    let (address, signature) = token.split_once('.').unwrap();
    let other = data_encoding::BASE64URL_NOPAD.encode(b"bo@example.com");
    let wrong = [
        "/api/v1/unsubscribe".to_owned(),
        path.to_owned() + "token=",
        format!("{path}token={address}"),
        format!("{path}token={address}."),
        format!("{path}token={other}.{signature}"),
        format!("{path}token={token}A"),
        format!("{path}token={}", &token[..token.len() - 1]),
        format!("{path}token=%FF%00"),
        format!("{path}token={}", "x".repeat(10_000)),
    ];
    for link in &wrong {
        let answer = review.post(link, CLICK).send().expect(400);
        assert!(!answer.error().is_empty());
        review.server.anonymous().get(link).expect(400).error();
        let page = review
            .server
            .anonymous()
            .request("GET", link)
            .header("accept", "text/html")
            .send();
        assert!(
            page.expect(400)
                .header("content-type")
                .unwrap()
                .starts_with("text/html")
        );
    }
    assert!(review.still_mails("a@example.com"));
}

#[test]
fn a_token_of_another_secret_is_refused() {
    let (first, mut second) = (review(), review());
    second.server.stop();
    second.server.set_env("SERVICE_UNSUBSCRIBE_SECRET", "another-secret");
    second.server.again();
    second.post(&first.link, CLICK).send().expect(400);
    second.post(&second.link, CLICK).send().expect(400);
}

#[test]
fn a_body_that_asks_for_something_else_changes_nothing() {
    let review = review();
    for body in ["List-Unsubscribe=Maybe", "{\"List-Unsubscribe\":\"One-Click\"}", "x"] {
        review.post(&review.link, body).send().expect(400).error();
    }
    assert!(review.still_mails("a@example.com"));
}

#[test]
fn other_methods_are_not_allowed() {
    let review = review();
    let answer = review.server.anonymous().delete(&review.link).expect(405);
    let allow = answer.header("allow").unwrap();
    assert!(allow.contains("GET") && allow.contains("POST"), "{allow}");
}

#[test]
fn without_its_secret_it_is_the_ordinary_404() {
    let server = Server::start();
    for method in ["GET", "POST", "PUT", "DELETE", "HEAD"] {
        let send = |path: &str| {
            let request = server.anonymous().request(method, path);
            request
                .header("content-type", FORM)
                .body(if method == "POST" { CLICK } else { "" })
                .send()
        };
        let nothing = send("/api/v1/nothing-at-all").expect(404).comparable();
        for path in ["/api/v1/unsubscribe", "/api/v1/unsubscribe?token=a.b"] {
            assert_eq!(send(path).comparable(), nothing, "{method} {path}");
        }
    }
}
