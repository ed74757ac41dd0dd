//! Names and addresses of people: no name changes how the text around it reads, and an address is one person's.

use galley_tests::prelude::*;

/// Turns text around, or ends a line.
const CONTROLS: [&str; 8] = [
    "\u{202a}", "\u{202e}", "\u{2066}", "\u{2069}", "\u{200e}", "\u{200f}", "\u{61c}", "\u{9b}",
];

#[test]
fn a_visitors_name_holds_no_direction_controls() {
    let server = Server::build().public_links(true).start();
    let shop = project_with(&server.user("ed"), "shop", "public-link");
    for control in CONTROLS {
        let mut body = remark("Look");
        body["author"] = json!({ "displayName": format!("{control}Eve{control}") });
        let made = server.anonymous().post(&comments(&shop), body).expect(201).json();
        assert_eq!(made["author"]["displayName"], "Eve", "{control:?}");
        let path = format!("{}/{}/replies", comments(&shop), id(&made));
        let reply = json!({ "body": "Yes", "author": { "displayName": format!("E{control}ve") } });
        let made = server.anonymous().post(&path, reply).expect(201).json();
        assert!(
            matches!(made["author"]["displayName"].as_str(), Some("Eve" | "E ve")),
            "{made}"
        );
    }
}

#[test]
fn a_participants_name_holds_no_direction_controls() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let path = format!("/api/v1/projects/{shop}/participants");
    for (at, control) in CONTROLS.iter().enumerate() {
        let body = json!({ "email": format!("kim{at}@example.com"), "displayName": format!("{control}Kim") });
        let made = server.user("ed").post(&path, body).expect(201).json();
        assert_eq!(made["displayName"], "Kim", "{control:?}");
        let address = json!({ "email": format!("k{control}im@example.com") });
        server.user("ed").post(&path, address).expect(400);
    }
}

#[test]
fn an_accounts_name_holds_no_direction_controls() {
    let server = Server::start();
    let made = json!({ "email": "nia@example.net", "role": "viewer" });
    let made = server.admin().post("/api/v1/instance/invites", made).expect(201).json();
    let url = text(&made, "url");
    let link = url.strip_prefix(&server.url()).unwrap();
    for name in ["%E2%80%AENia", "Nia%E2%81%A6", "%E2%80%8FNia", "N%D8%9Cia", "N%C2%9Bia"] {
        server
            .anonymous()
            .submit(link, &format!("displayName={name}"))
            .expect(400);
    }
    server.anonymous().submit(link, "displayName=Nia").expect(303);
}

#[test]
fn only_ascii_is_lowered_in_an_address() {
    let server = Server::start();
    let invite = json!({ "email": "\u{dc}ber@Example.net", "role": "viewer" });
    let made = server
        .admin()
        .post("/api/v1/instance/invites", invite)
        .expect(201)
        .json();
    assert_eq!(made["email"], "\u{dc}ber@example.net");
    let url = text(&made, "url");
    let link = url.strip_prefix(&server.url()).unwrap();
    server.anonymous().submit(link, "displayName=U").expect(303);

    let shop = project(&server.user("ed"), "shop");
    let path = format!("/api/v1/projects/{shop}/members");
    let add = |email: &str| server.user("ed").post(&path, json!({ "email": email }));
    let added = add("\u{dc}ber@EXAMPLE.net").expect(201).json();
    assert_eq!(added["displayName"], "U");
    // The Kelvin sign lowers to an ordinary k, and the other letter to its capital's small one: other people.
    add("\u{fc}ber@example.net").expect(404);
    let participants = format!("/api/v1/projects/{shop}/participants");
    let person = |email: &str| {
        let made = server.user("ed").post(&participants, json!({ "email": email }));
        text(&made.expect(201).json(), "email")
    };
    assert_eq!(person("mi\u{212a}e@Example.com"), "mi\u{212a}e@example.com");
    assert_eq!(person("MIKE@example.com"), "mike@example.com");
}
