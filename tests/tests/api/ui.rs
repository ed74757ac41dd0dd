//! What pages ask of the host: the instance in a few words, a project by its slug, and a beginning without accounts.

use galley_tests::cli;
use galley_tests::mail::MailSink;
use galley_tests::operator::Operator;
use galley_tests::prelude::*;
use galley_tests::server::Build;

const UI: &str = "/api/v1/ui";

#[test]
fn everybody_learns_what_pages_need_of_the_instance() {
    let server = Server::build().alone().public_links(true).start();
    let ui = server.anonymous().get(UI).expect(200).json();
    let url = server.url();
    assert_eq!(
        (&ui["publicUrl"], &ui["serving"], &ui["openUrl"], &ui["hasAccounts"]),
        (
            &json!(url),
            &json!("path"),
            &json!(format!("{url}/open/{{slug}}")),
            &json!(true)
        )
    );
    assert_eq!(ui["prototypes"], format!("{url}/p/{{slug}}/"));
    let settings = json!({
        "allowPublicLinks": true, "allowAnonymousComments": true, "mail": false, "codeHost": false,
    });
    assert_eq!(ui["settings"], settings);
    let slots: Vec<&str> = ui["slots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|slot| slot["slot"].as_str().unwrap())
        .collect();
    assert_eq!(slots, ["admin", "approvals", "comments", "deployments", "repo"]);
    for slot in ui["slots"].as_array().unwrap() {
        // Approvals have a panel in the review.
        let parts = usize::from(slot["slot"] == "approvals");
        assert_eq!(slot["state"], "ready", "{slot}");
        assert_eq!(slot["ui"].as_array().map(Vec::len), Some(parts), "{slot}");
    }
    for caller in [server.user("vic"), server.admin(), server.token("vic", &["write"])] {
        assert_eq!(caller.get(UI).expect(200).json(), ui);
    }
}

#[test]
fn it_says_where_prototypes_have_origins_of_their_own() {
    let server = Server::build()
        .env("SERVICE_SERVE_DOMAIN", "proto.localhost:4310")
        .start();
    let ui = server.anonymous().get(UI).expect(200).json();
    assert_eq!(ui["serving"], "own-origin");
    assert_eq!(ui["prototypes"], "http://{slug}.proto.localhost:4310/");
    assert_eq!(ui["openUrl"], format!("{}/open/{{slug}}", server.url()));
    let shop = project(&server.user("ed"), "shop");
    let shop = server
        .user("ed")
        .get(&format!("/api/v1/projects/{shop}"))
        .expect(200)
        .json();
    assert_eq!(shop["openUrl"], format!("{}/open/shop", server.url()));
}

#[test]
fn a_slot_that_does_not_serve_says_so_and_a_disabled_one_is_absent() {
    let operator = Operator::start();
    let states = || {
        let ui = operator.server.anonymous().get(UI).expect(200).json();
        let slots = ui["slots"].as_array().unwrap().clone();
        slots
            .into_iter()
            .map(|slot| (text(&slot, "slot"), text(&slot, "state")))
            .collect::<Vec<_>>()
    };
    assert!(
        states().contains(&("comments".into(), "ready".into())),
        "{:?}",
        states()
    );
    cli::run(operator.server.command().args(["plugins", "disable", "comments"])).expect(0);
    eventually("the slot is gone", || {
        states().iter().all(|(slot, _)| slot != "comments").then_some(())
    });
}

#[test]
fn mail_counts_as_set_when_a_mail_server_is() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    assert_eq!(server.anonymous().get(UI).expect(200).json()["settings"]["mail"], true);
}

#[test]
fn a_project_is_found_by_its_slug_by_those_who_may_read_it() {
    let server = Server::build().public_links(true).start();
    let hidden = project_with(&server.user("ed"), "hidden", "invited");
    project_with(&server.user("ed"), "open", "public-link");
    let find = |caller: Client, slug: &str| {
        let found = caller.get(&format!("/api/v1/projects?slug={slug}")).expect(200).json();
        found["projects"].as_array().unwrap().clone()
    };
    let found = find(server.user("ed"), "hidden");
    assert_eq!((found.len(), &found[0]["id"]), (1, &json!(hidden)));
    assert_eq!(
        (&found[0]["canComment"], &found[0]["canManage"], &found[0]["openUrl"]),
        (
            &json!(true),
            &json!(true),
            &json!(format!("{}/open/hidden", server.url()))
        )
    );
    for caller in [server.user("vic"), server.anonymous(), server.user("eve")] {
        assert!(find(caller, "hidden").is_empty());
    }
    for slug in ["nosuch", "", "%00", "HIDDEN", "../x", "%27%20OR%201"] {
        assert!(find(server.admin(), slug).is_empty(), "{slug}");
    }
    let open = find(server.anonymous(), "open");
    assert_eq!((open.len(), &open[0]["canManage"]), (1, &json!(false)));
    let all = server.user("ed").get("/api/v1/projects").expect(200).json();
    assert_eq!(all["projects"].as_array().unwrap().len(), 2);
}

fn fresh() -> Build {
    Server::build().fresh()
}

#[test]
fn an_instance_without_accounts_says_where_the_first_link_is() {
    const LINK: &str = "log has a one-time link that makes the first one";
    let server = fresh().without("SERVICE_ADMIN_TOKEN").start();
    assert_eq!(server.anonymous().get(UI).expect(200).json()["hasAccounts"], false);
    for path in ["/", "/sign-in"] {
        let page = server.anonymous().open(path).expect(200).text();
        assert!(page.contains(LINK), "{path}: {page}");
        assert!(!page.contains("Ask an admin"), "{path}: {page}");
        assert!(
            !page.contains("/auth/local"),
            "the link itself is for who reads the log: {page}"
        );
    }
    let home = server.anonymous().open("/").expect(200).text();
    assert!(!home.contains("href=\"/sign-in\""), "signing in is a dead end: {home}");
    let ana = server.local_operator();
    assert_eq!(ana.get(UI).expect(200).json()["hasAccounts"], true);
    for path in ["/", "/sign-in"] {
        let page = server.anonymous().open(path).expect(200).text();
        assert!(!page.contains(LINK), "{path}: {page}");
    }
    assert!(
        server
            .anonymous()
            .open("/")
            .expect(200)
            .text()
            .contains("href=\"/sign-in\"")
    );
}

#[test]
fn with_an_admin_token_the_first_account_is_invited() {
    let server = fresh().start();
    let home = server.anonymous().open("/").expect(200).text();
    assert!(
        home.contains("/api/v1/instance/invites") && !home.contains("one-time link"),
        "{home}"
    );
    let code_host = fresh()
        .env("SERVICE_CODEHOST_CLIENT_ID", "an-id")
        .env("SERVICE_CODEHOST_CLIENT_SECRET", "a-secret")
        .start();
    let home = code_host.anonymous().open("/").expect(200).text();
    assert!(
        home.contains("href=\"/sign-in\""),
        "the first to sign in becomes the admin: {home}"
    );
}
