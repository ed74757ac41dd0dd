//! Requests whose body comes after its sender lost what they need for it: a body takes its time, and rights end meanwhile.

use std::io::{Read, Write};
use std::net::TcpStream;

use galley_tests::http::connect;
use galley_tests::prelude::*;

/// A request of which the server has the head and the first half of the body.
struct Half {
    stream: TcpStream,
    rest: Vec<u8>,
}

impl Half {
    fn send(server: &Server, token: &str, method: &str, path: &str, body: &[u8]) -> Half {
        let mut stream = connect(server.address(), None).expect("a connection");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n",
            server.address(),
            body.len()
        );
        let (first, rest) = body.split_at(body.len() / 2);
        stream.write_all(head.as_bytes()).expect("the head is sent");
        stream.write_all(first).expect("half of the body is sent");
        Half {
            stream,
            rest: rest.to_vec(),
        }
    }

    /// Sends the rest; the status of the answer.
    fn finish(mut self) -> u16 {
        self.stream.write_all(&self.rest).expect("the rest is sent");
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).expect("an answer");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        status.unwrap_or_else(|| panic!("no status in {answer}"))
    }
}

/// Everything that an editor writes with a body: method, path, body.
fn writes(project: &str) -> Vec<(&'static str, String, Vec<u8>)> {
    let json = |value: Value| value.to_string().into_bytes();
    vec![
        (
            "POST",
            "/api/v1/projects".into(),
            json(json!({ "slug": "late", "name": "Late" })),
        ),
        (
            "PATCH",
            format!("/api/v1/projects/{project}"),
            json(json!({ "name": "Late" })),
        ),
        (
            "POST",
            format!("/api/v1/projects/{project}/members"),
            json(json!({ "email": "vic@example.com" })),
        ),
        (
            "POST",
            format!("/api/v1/projects/{project}/participants"),
            json(json!({ "email": "late@example.com" })),
        ),
        ("POST", comments(project), json(remark("Too late"))),
        (
            "POST",
            format!("/api/v1/projects/{project}/deployments"),
            Bundle::sample("Late").build(),
        ),
        ("PATCH", "/api/v1/me".into(), json(json!({ "displayName": "Late" }))),
    ]
}

#[test]
fn a_removed_account_finishes_nothing_that_it_began() {
    let server = Server::start();
    let shop = project(&server.user("ada"), "shop");
    let token = server.token("ed", &["read", "write"]).secret().to_owned();
    let begun: Vec<Half> = writes(&shop)
        .iter()
        .map(|(method, path, body)| Half::send(&server, &token, method, path, body))
        .collect();
    let ada = server.user("ada");
    ada.delete("/api/v1/instance/members/account-ed").expect(204);
    for (half, (method, path, _)) in begun.into_iter().zip(writes(&shop)) {
        assert_eq!(half.finish(), 401, "{method} {path}");
    }
    let found = ada.get(&format!("/api/v1/projects/{shop}")).expect(200).json();
    assert_eq!(
        (&found["name"], &found["activeDeploymentId"]),
        (&json!("shop"), &Value::Null)
    );
    assert!(bodies(&ada, &shop).is_empty());
}

#[test]
fn who_became_a_viewer_finishes_nothing_that_an_editor_began() {
    let server = Server::start();
    let shop = project(&server.user("ada"), "shop");
    let token = server.token("ed", &["read", "write"]).secret().to_owned();
    let upload = Bundle::sample("Late").build();
    let path = format!("/api/v1/projects/{shop}/deployments");
    let half = Half::send(&server, &token, "POST", &path, &upload);
    let ada = server.user("ada");
    let viewer = json!({ "role": "viewer" });
    ada.patch("/api/v1/instance/members/account-ed", viewer).expect(200);
    assert_eq!(half.finish(), 403);
}

#[test]
fn a_project_that_is_gone_or_closed_takes_nothing_more() {
    let server = Server::start();
    let ed = server.user("ed");
    let (gone, closed) = (project(&ed, "gone"), project(&ed, "closed"));
    let token = server.token("eve", &["read", "write"]).secret().to_owned();
    let begin = |id: &str| -> Vec<Half> {
        let writes = writes(id);
        let of_project = writes.iter().filter(|(_, path, _)| path.contains(id));
        of_project
            .map(|(method, path, body)| Half::send(&server, &token, method, path, body))
            .collect()
    };
    let begun = [begin(&gone), begin(&closed)];
    ed.delete(&format!("/api/v1/projects/{gone}")).expect(204);
    let invited = json!({ "access": "invited" });
    ed.patch(&format!("/api/v1/projects/{closed}"), invited).expect(200);
    for half in begun.into_iter().flatten() {
        assert_eq!(half.finish(), 404);
    }
    assert!(bodies(&server.admin(), &closed).is_empty());
}
