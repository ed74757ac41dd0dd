//! Connecting a repository to a project.

use galley_tests::codehost::{CodeHost, Failure, Repository, private_key, private_key_pkcs8};
use galley_tests::prelude::*;

fn start() -> (CodeHost, Server) {
    let host = CodeHost::start();
    let server = host.configure(Server::build()).start();
    (host, server)
}

fn path(project: &str) -> String {
    format!("/api/v1/projects/{project}/repo")
}

/// A connection that may be made by whoever sees installation 101.
fn storefront() -> Value {
    json!({
        "installationId": 101, "owner": "octo-org", "name": "STOREFRONT", "branch": "next",
        "installCommand": "npm ci", "buildCommand": "npm run build", "outputDir": "dist", "autoDeploy": true,
    })
}

/// The storefront with one member changed.
fn with(key: &str, value: impl Into<Value>) -> Value {
    let mut body = storefront();
    body[key] = value.into();
    body
}

fn without(key: &str) -> Value {
    let mut body = storefront();
    body.as_object_mut().unwrap().remove(key);
    body
}

fn shown(caller: &Client, project: &str) -> Value {
    caller.get(&format!("/api/v1/projects/{project}")).expect(200).json()
}

#[test]
fn owner_and_name_are_taken_from_the_code_hosts_answer() {
    let (host, mut server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let id = project(&ed, "shop");
    assert_eq!(shown(&ed, &id)["repo"], Value::Null);
    let connected = ed.put(&path(&id), storefront()).expect(200).json();
    let expected = json!({
        "installationId": 101, "repositoryId": 5001, "owner": "Octo-Org", "name": "Storefront", "branch": "next",
        "installCommand": "npm ci", "buildCommand": "npm run build", "outputDir": "dist", "autoDeploy": true,
    });
    assert_eq!(connected, expected);
    assert_eq!(shown(&ed, &id)["repo"], expected);
    assert_eq!(
        shown(&ed, &id)["repoUrl"],
        Value::Null,
        "who set that set it for themselves"
    );
    server.kill();
    server.again();
    assert_eq!(
        shown(&server.user("ed"), &id)["repo"],
        expected,
        "it was durable before the answer"
    );
}

#[test]
fn the_connection_is_shown_to_those_who_manage_the_project() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let id = project(&ed, "shop");
    ed.put(&path(&id), storefront()).expect(200);
    for caller in [server.user("vic"), server.token("vic", &["read", "write"])] {
        assert_eq!(shown(&caller, &id).get("repo"), None);
    }
    for caller in [server.user("eve"), server.user("ada"), server.admin()] {
        assert_eq!(shown(&caller, &id)["repo"]["name"], "Storefront");
        let all = caller.get("/api/v1/projects").expect(200).json();
        assert_eq!(all["projects"][0]["repo"]["name"], "Storefront");
    }
}

#[test]
fn the_apps_key_signs_in_either_form_of_pem() {
    let host = CodeHost::start();
    for (form, key) in [("RSA PRIVATE KEY", private_key()), ("PRIVATE KEY", private_key_pkcs8())] {
        assert!(key.starts_with(&format!("-----BEGIN {form}-----")));
        for key in [key.to_owned(), key.replace('\n', "\\n"), key.replace('\n', "\r\n  ")] {
            let build = host.configure(Server::build()).env("SERVICE_REPO_APP_PRIVATE_KEY", key);
            let server = build.start();
            let shop = project(&server.admin(), "shop");
            server.admin().put(&path(&shop), storefront()).expect(200);
        }
    }
}

#[test]
fn connecting_again_replaces_the_connection() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let id = project(&ed, "shop");
    ed.put(&path(&id), storefront()).expect(200);
    let minimal = json!({ "installationId": "101", "owner": "Octo-Org", "name": "tools" });
    let connected = ed.put(&path(&id), minimal).expect(200).json();
    let defaults = json!({
        "installationId": 101, "repositoryId": 5002, "owner": "Octo-Org", "name": "tools", "branch": "main",
        "installCommand": null,
        "buildCommand": null, "outputDir": "dist", "autoDeploy": false,
    });
    assert_eq!(connected, defaults);
    assert_eq!(shown(&ed, &id)["repo"], defaults);
}

#[test]
fn disconnecting_leaves_deployments_alone() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let id = project(&ed, "shop");
    ed.put(&path(&id), storefront()).expect(200);
    let deployed = upload(&ed, &id, &Bundle::page("<h1>Shop</h1>"));
    assert!(ed.delete(&path(&id)).expect(204).body.is_empty());
    assert_eq!(shown(&ed, &id)["repo"], Value::Null);
    assert_eq!(live(&ed, &id), deployed["deploymentId"]);
    ed.delete(&path(&id)).expect(204);
}

#[test]
fn a_deleted_project_takes_its_connection_along() {
    let (host, mut server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let id = project(&ed, "shop");
    ed.put(&path(&id), storefront()).expect(200);
    ed.delete(&format!("/api/v1/projects/{id}")).expect(204);
    ed.put(&path(&id), storefront()).refused(404, "Project not found");
    server.stop();
    assert!(!server.core().dump().contains("Storefront"));
}

#[test]
fn connecting_is_for_those_who_manage_the_project() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let vic = host.sign_in(&server, "octo-vic");
    let id = project(&ed, "shop");
    let editors = "Only editors and admins may connect a repository";
    let scope = "This action requires a write-scoped token";
    for (caller, status, message) in [
        (vic, 403, editors),
        (server.token("vic", &["read", "write"]), 403, editors),
        (server.token("ed", &["read"]), 403, scope),
        (server.anonymous(), 404, "Project not found"),
    ] {
        caller.put(&path(&id), storefront()).refused(status, message);
        caller.delete(&path(&id)).refused(status, message);
    }
    let hidden = project_with(&server.user("ada"), "hidden", "invited");
    let missing = ed.put(&path("nothing"), storefront()).expect(404);
    let unreadable = ed.put(&path(&hidden), storefront()).expect(404);
    assert_eq!(missing.comparable(), unreadable.comparable());
    server.token("ed", &["write"]).put(&path(&id), storefront()).expect(200);
}

#[test]
fn an_installation_the_caller_does_not_see_is_refused_like_a_missing_one() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let eve = host.sign_in(&server, "octo-eve");
    let id = project(&ed, "shop");
    let plans = json!({ "installationId": 202, "owner": "eve-corp", "name": "secret-plans" });
    let missing = json!({ "installationId": 999, "owner": "eve-corp", "name": "secret-plans" });
    let foreign = ed.put(&path(&id), plans.clone()).expect(404);
    assert_eq!(foreign.error(), "Installation not found");
    assert_eq!(
        ed.put(&path(&id), missing.clone()).expect(404).comparable(),
        foreign.comparable()
    );
    // An account that never signed in through the code host sees nothing there, an admin's neither.
    let ben = server.user("ben");
    for caller in [&ben, &server.token("ben", &["read", "write"])] {
        assert_eq!(
            caller.put(&path(&id), plans.clone()).expect(404).comparable(),
            foreign.comparable()
        );
        assert_eq!(
            caller.put(&path(&id), storefront()).expect(404).comparable(),
            foreign.comparable()
        );
    }
    eve.put(&path(&id), plans.clone()).expect(200);
    eve.put(&path(&id), storefront()).refused(404, "Installation not found");
    // The admin bearer is nobody at the code host, and has what the app has.
    server.admin().put(&path(&id), plans).expect(200);
    server
        .admin()
        .put(&path(&id), missing)
        .refused(404, "Installation not found");
}

#[test]
fn the_repository_must_be_in_the_installation() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let id = project(&ed, "shop");
    let elsewhere = [
        ("eve-corp", "secret-plans"),
        ("Octo-Org", "nothing"),
        ("octo-org/storefront", ""),
        ("..", ".."),
        ("", ""),
    ];
    for caller in [&ed, &server.admin()] {
        for (owner, name) in elsewhere {
            let body = json!({ "installationId": 101, "owner": owner, "name": name });
            caller
                .put(&path(&id), body)
                .refused(404, "This installation has no such repository");
        }
    }
}

#[test]
fn a_repository_on_a_later_page_is_found() {
    let (host, server) = start();
    host.edit(|world| {
        let installation = world.installation_mut(101);
        let more = (0..250).map(|number| Repository::new(6000 + number, "Octo-Org", &format!("repo-{number:03}")));
        installation.repositories.splice(0..0, more);
    });
    let ed = host.sign_in(&server, "octo-ed");
    let id = project(&ed, "shop");
    for caller in [&ed, &server.admin()] {
        caller.put(&path(&id), storefront()).expect(200);
    }
}

#[test]
fn fields_are_checked_before_anybody_is_asked() {
    let (host, server) = start();
    let admin = server.admin();
    let id = project(&admin, "shop");
    let long = "a".repeat(251);
    let branches = [
        "",
        "-b",
        "--upload-pack=x",
        "a..b",
        "../a",
        "a b",
        "a\nb",
        "a;b",
        "a$(b)",
        "`a`",
        "a\\b",
        "a:b",
        "a?b",
        "a*b",
        "a[b",
        "a~b",
        "a^b",
        "/a",
        "a/",
        "a//b",
        "a@{1}",
        "ä",
        "refs\0heads",
        long.as_str(),
    ];
    for branch in branches {
        let error = admin.put(&path(&id), with("branch", branch)).expect(400).error();
        assert!(error.contains("`branch`"), "{branch:?}: {error}");
    }
    let folders = [
        "-x",
        "../x",
        "x/..",
        "x..y",
        "/etc",
        "/",
        "//",
        " / ",
        "a b",
        "a;b",
        "a\\b",
        "$HOME",
        "~",
        "ä",
        "a\0b",
        long.as_str(),
    ];
    for folder in folders {
        let error = admin.put(&path(&id), with("outputDir", folder)).expect(400).error();
        assert!(error.contains("`outputDir`"), "{folder:?}: {error}");
    }
    for field in ["installCommand", "buildCommand"] {
        for command in ["a\nb", "a\0b", &"x".repeat(2_001)] {
            let error = admin.put(&path(&id), with(field, command)).expect(400).error();
            assert!(error.contains(field), "{field}: {error}");
        }
    }
    let numbers = [
        json!("x"),
        json!(-1),
        json!(1.5),
        json!(true),
        json!([101]),
        json!(""),
        json!("+1"),
        json!(1e300),
        Value::Null,
    ];
    for number in numbers {
        let error = admin
            .put(&path(&id), with("installationId", number.clone()))
            .expect(400)
            .error();
        assert!(error.contains("installationId"), "{number}: {error}");
    }
    for field in ["installationId", "owner", "name"] {
        let error = admin.put(&path(&id), without(field)).expect(400).error();
        assert!(error.contains(field), "{error}");
    }
    for (field, value) in [
        ("owner", json!(5)),
        ("name", json!(null)),
        ("branch", json!(5)),
        ("autoDeploy", json!("yes")),
        ("outputDir", json!([])),
    ] {
        let error = admin.put(&path(&id), with(field, value)).expect(400).error();
        assert!(error.contains(field), "{error}");
    }
    assert!(host.requests().is_empty(), "{:?}", host.requests());
    for branch in [
        "main",
        "feature/new-cart",
        "release-1.2",
        "dependabot/npm/@types/node",
        "a+b#c=d_e",
    ] {
        assert_eq!(
            admin.put(&path(&id), with("branch", branch)).expect(200).json()["branch"],
            branch
        );
    }
    for (folder, kept) in [
        ("packages/web/dist", "packages/web/dist"),
        ("out/", "out"),
        ("", "dist"),
        (".", "."),
    ] {
        assert_eq!(
            admin.put(&path(&id), with("outputDir", folder)).expect(200).json()["outputDir"],
            kept
        );
    }
}

#[test]
fn without_an_app_nothing_can_be_connected() {
    let server = Server::start();
    let id = project(&server.admin(), "shop");
    let error = server.admin().put(&path(&id), storefront()).expect(503).error();
    assert!(error.contains("No app of a code host is configured"), "{error}");
    server.admin().put(&path(&id), with("branch", "..")).expect(400);
    server.admin().delete(&path(&id)).expect(204);
}

#[test]
fn a_code_host_that_fails_changes_nothing() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let id = project(&ed, "shop");
    ed.put(&path(&id), storefront()).expect(200);
    let tools = json!({ "installationId": 101, "owner": "Octo-Org", "name": "tools" });
    let failures = [
        Failure::Status(500),
        Failure::Status(429),
        Failure::Html,
        Failure::Huge,
        Failure::HangUp,
        Failure::Silence,
        Failure::Redirect("http://127.0.0.1:9/elsewhere".into()),
        Failure::Json(json!({ "installations": "none", "repositories": 5 })),
    ];
    for at in [
        "/user/installations",
        "/installation/repositories",
        "/app/installations/101/access_tokens",
    ] {
        let caller = if at.starts_with("/user") { &ed } else { &server.admin() };
        // A token that is kept would answer without asking.
        if at.starts_with("/app") {
            continue;
        }
        for failure in &failures {
            host.recover();
            host.fail(at, failure.clone());
            let error = caller.put(&path(&id), tools.clone()).expect(502).error();
            assert!(error.contains("The code host"), "{error}");
        }
    }
    host.recover();
    assert_eq!(shown(&ed, &id)["repo"]["name"], "Storefront");
    healthy(&server);
}

#[test]
fn a_server_whose_app_is_not_accepted_says_so_in_its_log_only() {
    let (host, server) = start();
    let id = project(&server.admin(), "shop");
    for failure in [
        Failure::Status(401),
        Failure::Status(500),
        Failure::Html,
        Failure::Json(json!({ "token": 5 })),
    ] {
        host.recover();
        host.fail("/app/installations", failure);
        server.admin().put(&path(&id), storefront()).expect(502);
    }
    assert!(server.log().contains("the code host"), "{}", server.log());
}

#[test]
fn tokens_of_installations_are_narrow_and_kept() {
    let (host, server) = start();
    let id = project(&server.admin(), "shop");
    for _ in 0..3 {
        server.admin().put(&path(&id), storefront()).expect(200);
    }
    let issued = host.state().installation_tokens();
    assert_eq!(issued.len(), 1, "{issued:?}");
    assert_eq!(
        issued[0].permissions,
        Some(json!({ "metadata": "read" })),
        "it reads no contents"
    );
    // One that ends soon is not kept.
    host.state().revoke_installation_tokens();
    host.state()
        .installation_tokens_live(std::time::Duration::from_secs(60));
    server.admin().put(&path(&id), storefront()).expect(502);
    for _ in 0..2 {
        server.admin().put(&path(&id), storefront()).expect(200);
    }
    assert_eq!(host.state().installation_tokens().len(), 2);
}

#[test]
fn a_token_somebody_took_back_is_forgotten() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let id = project(&ed, "shop");
    ed.put(&path(&id), storefront()).expect(200);
    host.state().revoke_user_tokens();
    ed.put(&path(&id), storefront()).refused(404, "Installation not found");
    let asked = host.requests().len();
    ed.put(&path(&id), storefront()).refused(404, "Installation not found");
    assert_eq!(host.requests().len(), asked, "a token that is gone is not shown again");
    host.sign_in(&server, "octo-ed")
        .put(&path(&id), storefront())
        .expect(200);
}
