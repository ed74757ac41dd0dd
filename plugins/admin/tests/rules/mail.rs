//! The mail server.

use super::*;

fn server() -> Value {
    json!({
        "host": "mail.example.com", "port": 587, "user": "galley", "pass": "hunter2-hunter2", "from": "g@example.com",
    })
}

#[test]
fn a_mail_server_is_set_and_its_password_never_shown() {
    let office = office();
    let answer = office.put(EMAIL, server());
    let expected = json!({
        "configured": true, "source": "database", "host": "mail.example.com", "port": 587, "user": "galley",
        "from": "g@example.com", "hasPassword": true,
    });
    assert_eq!((answer.status, answer.json()), (200, expected.clone()));
    let settings = office.get(SETTINGS).json();
    assert_eq!(
        (&settings["email"], &settings["emailFrom"]),
        (&expected, &json!("g@example.com"))
    );
    assert!(!office.get(AUDIT).text().contains("hunter2"));
    for _ in 0..2 {
        assert_eq!(office.delete(EMAIL).status, 204);
    }
    assert_eq!(office.get(SETTINGS).json()["email"]["configured"], false);
}

#[test]
fn the_environment_wins() {
    let office = office();
    office.host.mail_by_environment();
    let message = "The mail server is set by environment variables (SERVICE_SMTP_…): change it there";
    refused(office.put(EMAIL, server()), 409, message);
    refused(office.delete(EMAIL), 409, message);
    assert_eq!(office.get(SETTINGS).json()["email"]["source"], "environment");
}

#[test]
fn each_field_is_checked() {
    let office = office();
    for field in ["host", "port", "user", "pass", "from"] {
        for value in [None, Some(json!([]))] {
            let mut body = server();
            match value {
                None => drop(body.as_object_mut().unwrap().remove(field)),
                Some(value) => body[field] = value,
            }
            let answer = office.put(EMAIL, body);
            assert_eq!(answer.status, 400, "{field}");
            assert!(answer.error().contains(field), "{}", answer.error());
        }
    }
    for port in [json!(65_536), json!(-1), json!(1.5), json!("25")] {
        let mut body = server();
        body["port"] = port;
        assert!(office.put(EMAIL, body).error().contains("`port`"));
    }
    let mut body = server();
    body["host"] = "".into();
    refused(office.put(EMAIL, body), 400, "`host` must be a host name or an address");
}
