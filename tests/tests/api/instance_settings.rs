//! The instance's settings, and its mail server.

use galley_tests::prelude::*;

const SETTINGS: &str = "/api/v1/instance/settings";
const EMAIL: &str = "/api/v1/instance/email";
const BY_ENVIRONMENT: &str = "The mail server is set by environment variables (SERVICE_SMTP_…): change it there";
const PASSWORD: &str = "a-password-nobody-may-see";

fn settings(server: &Server) -> Value {
    server.user("ada").get(SETTINGS).expect(200).json()
}

fn change(server: &Server, change: Value) -> Value {
    server.user("ada").patch(SETTINGS, change).expect(200).json()
}

fn mail_server() -> Value {
    json!({
        "host": "mail.example.com", "port": 587, "user": "galley", "pass": PASSWORD, "from": "galley@example.com",
    })
}

fn with_environment() -> Server {
    Server::build()
        .env("SERVICE_SMTP_HOST", "127.0.0.1")
        .env("SERVICE_SMTP_PORT", "2525")
        .env("SERVICE_SMTP_USER", "robot")
        .env("SERVICE_SMTP_PASS", PASSWORD)
        .env("SERVICE_SMTP_FROM", "robot@example.com")
        .env("SERVICE_SMTP_TLS", "none")
        .start()
}

#[test]
fn a_new_instance_has_its_defaults() {
    let server = Server::start();
    let expected = json!({
        "allowPublicLinks": false, "allowAnonymousComments": true, "emailFrom": null,
        "email": {
            "configured": false, "source": "none", "host": null, "port": null, "user": null, "from": null,
            "hasPassword": false,
        },
    });
    assert_eq!(settings(&server), expected);
}

#[test]
fn a_change_answers_the_settings_and_leaves_the_rest() {
    let server = Server::start();
    let changed = change(&server, json!({ "allowPublicLinks": true }));
    assert_eq!(changed, settings(&server));
    assert_eq!(
        (&changed["allowPublicLinks"], &changed["allowAnonymousComments"]),
        (&json!(true), &json!(true))
    );
    let changed = change(
        &server,
        json!({ "allowAnonymousComments": false, "emailFrom": "x@example.com", "new": 1 }),
    );
    assert_eq!(
        (
            &changed["allowPublicLinks"],
            &changed["allowAnonymousComments"],
            &changed["emailFrom"]
        ),
        (&json!(true), &json!(false), &Value::Null)
    );
    assert_eq!(change(&server, json!({})), changed);
}

#[test]
fn public_links_take_effect_at_once() {
    let server = Server::start();
    let ed = server.user("ed");
    let open = json!({ "slug": "open", "name": "Open", "access": "public-link" });
    ed.post("/api/v1/projects", open.clone()).expect(409);
    change(&server, json!({ "allowPublicLinks": true }));
    let project = id(&ed.post("/api/v1/projects", open).expect(201).json());
    let path = format!("/api/v1/projects/{project}");
    server.anonymous().get(&path).expect(200);
    change(&server, json!({ "allowPublicLinks": false }));
    server.anonymous().get(&path).expect(404);
}

#[test]
fn anonymous_comments_take_effect_at_once() {
    let server = Server::build().public_links(true).start();
    let project = project_with(&server.user("ed"), "open", "public-link");
    comment(&server.anonymous(), &project, "Hello");
    change(&server, json!({ "allowAnonymousComments": false }));
    let answer = server.anonymous().post(&comments(&project), remark("Again"));
    answer.refused(403, "Sign in to comment on this project");
    change(&server, json!({ "allowAnonymousComments": true }));
    comment(&server.anonymous(), &project, "Again");
}

#[test]
fn a_setting_is_a_boolean() {
    let server = Server::start();
    for key in ["allowPublicLinks", "allowAnonymousComments"] {
        for value in [json!("true"), json!(1), json!([true])] {
            let error = server
                .admin()
                .patch(SETTINGS, json!({ key: value }))
                .expect(400)
                .error();
            assert!(error.contains(key), "{error}");
        }
    }
    let half = json!({ "allowPublicLinks": true, "allowAnonymousComments": "no" });
    server.admin().patch(SETTINGS, half).expect(400);
    server.admin().patch(SETTINGS, json!([])).expect(400);
    assert_eq!(settings(&server)["allowPublicLinks"], false);
}

#[test]
fn settings_outlive_a_kill() {
    let mut server = Server::start();
    change(
        &server,
        json!({ "allowPublicLinks": true, "allowAnonymousComments": false }),
    );
    server.user("ada").put(EMAIL, mail_server()).expect(200);
    let before = settings(&server);
    server.kill();
    server.again();
    assert_eq!(settings(&server), before);
}

#[test]
fn setting_the_mail_server_answers_its_status() {
    let server = Server::start();
    let set = server.user("ada").put(EMAIL, mail_server()).expect(200).json();
    let expected = json!({
        "configured": true, "source": "database", "host": "mail.example.com", "port": 587, "user": "galley",
        "from": "galley@example.com", "hasPassword": true,
    });
    assert_eq!(set, expected);
    let settings = settings(&server);
    assert_eq!(
        (&settings["email"], &settings["emailFrom"]),
        (&expected, &json!("galley@example.com"))
    );
}

#[test]
fn the_mail_servers_password_is_nowhere_to_be_read() {
    let mut server = Server::start();
    let answers = [
        server.user("ada").put(EMAIL, mail_server()).expect(200).text(),
        server.user("ada").get(SETTINGS).expect(200).text(),
        server
            .user("ada")
            .patch(SETTINGS, json!({ "allowPublicLinks": true }))
            .expect(200)
            .text(),
        server.user("ada").get("/api/v1/instance/audit").expect(200).text(),
    ];
    assert!(answers.iter().all(|answer| !answer.contains(PASSWORD)), "{answers:?}");
    server.stop();
    assert!(!server.core().dump().contains(PASSWORD), "it is sealed");
    assert!(!server.log().contains(PASSWORD));
}

#[test]
fn clearing_turns_mail_off_and_forgets_the_password() {
    let server = Server::start();
    server.user("ada").put(EMAIL, mail_server()).expect(200);
    for _ in 0..2 {
        assert!(server.user("ada").delete(EMAIL).expect(204).body.is_empty());
    }
    let email = settings(&server)["email"].clone();
    assert_eq!(
        (&email["configured"], &email["source"], &email["hasPassword"]),
        (&json!(false), &json!("none"), &json!(false))
    );
    assert_eq!(settings(&server)["emailFrom"], Value::Null);
}

#[test]
fn a_mail_server_of_the_environment_cannot_be_changed() {
    let server = with_environment();
    server
        .user("ada")
        .put(EMAIL, mail_server())
        .refused(409, BY_ENVIRONMENT);
    server.user("ada").delete(EMAIL).refused(409, BY_ENVIRONMENT);
    let expected = json!({
        "configured": true, "source": "environment", "host": "127.0.0.1", "port": 2525, "user": "robot",
        "from": "robot@example.com", "hasPassword": true,
    });
    let settings = settings(&server);
    assert_eq!(
        (&settings["email"], &settings["emailFrom"]),
        (&expected, &json!("robot@example.com"))
    );
    assert!(!settings.to_string().contains(PASSWORD));
}

#[test]
fn each_field_of_a_mail_server_is_checked() {
    let server = Server::start();
    let with = |field: &str, value: Value| {
        let mut body = mail_server();
        body[field] = value;
        body
    };
    let mut bad = vec![
        (with("host", json!("")), "host"),
        (with("host", json!("not a host")), "host"),
        (with("host", json!("mail.example.com\r\nQUIT")), "host"),
        (with("port", json!(0)), "port"),
        (with("port", json!(65_536)), "port"),
        (with("port", json!(-1)), "port"),
        (with("port", json!("587")), "port"),
        (with("user", json!("a\nb")), "user"),
        (with("pass", json!("a\nb")), "pass"),
        (with("from", json!("nobody")), "from"),
        (with("from", json!("")), "from"),
        (with("from", json!("a@example.com\r\nBcc: b@example.com")), "from"),
    ];
    for field in ["host", "port", "user", "pass", "from"] {
        let mut body = mail_server();
        body.as_object_mut().unwrap().remove(field);
        bad.push((body, field));
        bad.push((with(field, json!([])), field));
    }
    for (body, field) in bad {
        let answer = server.admin().put(EMAIL, body.clone()).expect(400);
        assert!(
            answer.error().contains(&format!("`{field}`")),
            "{body}: {}",
            answer.error()
        );
        assert!(!answer.text().contains(PASSWORD));
    }
    assert_eq!(settings(&server)["email"]["configured"], false);
}
