//! What there is to choose from at the code host.

use galley_tests::codehost::{CodeHost, Failure, Installation, Repository};
use galley_tests::prelude::*;

const INSTALLATIONS: &str = "/api/v1/codehost/installations";
const REPOS: &str = "/api/v1/codehost/installations/101/repos";
const BRANCHES: &str = "/api/v1/codehost/installations/101/repos/Octo-Org/Storefront/branches";

fn start() -> (CodeHost, Server) {
    let host = CodeHost::start();
    let server = host.configure(Server::build()).start();
    (host, server)
}

#[test]
fn without_an_app_each_list_is_empty_and_says_so() {
    let host = CodeHost::start();
    let only_sign_in = host.configure_sign_in(Server::build()).start();
    let ed = host.sign_in(&only_sign_in, "octo-ed");
    let plain = Server::start();
    for caller in [plain.user("vic"), plain.token("ed", &["read"]), ed] {
        let installations = caller.get(INSTALLATIONS).expect(200).json();
        assert_eq!(
            (&installations["configured"], &installations["installations"]),
            (&json!(false), &json!([]))
        );
        assert_eq!(
            caller.get(REPOS).expect(200).json(),
            json!({ "configured": false, "repos": [] })
        );
        assert_eq!(
            caller.get(BRANCHES).expect(200).json(),
            json!({ "configured": false, "branches": [] })
        );
        assert_eq!(
            caller.get("/api/v1/codehost/installations/x/repos").expect(200).json()["configured"],
            false
        );
    }
}

#[test]
fn everybody_sees_their_own_installations() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let eve = host.sign_in(&server, "octo-eve");
    let vic = host.sign_in(&server, "octo-vic");
    let install = format!("{}/apps/galley-review/installations/new", host.url());
    let seen = |installations: Value| json!({ "configured": true, "linked": true, "installUrl": install, "installations": installations });
    assert_eq!(
        ed.get(INSTALLATIONS).expect(200).json(),
        seen(json!([{ "id": 101, "account": "Octo-Org" }]))
    );
    assert_eq!(
        eve.get(INSTALLATIONS).expect(200).json(),
        seen(json!([{ "id": 202, "account": "eve-corp" }]))
    );
    assert_eq!(vic.get(INSTALLATIONS).expect(200).json(), seen(json!([])));
    // A token of any scope is its owner.
    for scopes in [["read"], ["write"]] {
        let token = server.token("ed", &scopes);
        assert_eq!(
            token.get(INSTALLATIONS).expect(200).json(),
            ed.get(INSTALLATIONS).json()
        );
    }
}

#[test]
fn an_account_that_is_not_linked_sees_nothing() {
    let (_host, server) = start();
    let seen = server.user("ada").get(INSTALLATIONS).expect(200).json();
    assert_eq!(
        (&seen["configured"], &seen["linked"], &seen["installations"]),
        (&json!(true), &json!(false), &json!([]))
    );
    server.user("ada").get(REPOS).refused(404, "Installation not found");
}

#[test]
fn nobody_and_the_admin_bearer_are_not_signed_in() {
    let (_host, server) = start();
    for path in [INSTALLATIONS, REPOS, BRANCHES] {
        for caller in [server.anonymous(), server.admin()] {
            caller.get(path).refused(401, "Sign in to see your repositories");
        }
        server.bearer("tok_x_y").get(path).expect(401);
    }
}

#[test]
fn repositories_and_branches_are_listed() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let repository = |name: &str| {
        json!({
            "owner": "Octo-Org", "name": name, "fullName": format!("Octo-Org/{name}"), "private": true,
            "defaultBranch": "main",
        })
    };
    assert_eq!(
        ed.get(REPOS).expect(200).json(),
        json!({ "configured": true, "repos": [repository("Storefront"), repository("tools")] })
    );
    let branches = json!({ "configured": true, "branches": ["main", "feature/new-cart", "next"] });
    assert_eq!(ed.get(BRANCHES).expect(200).json(), branches);
    assert_eq!(ed.get(&BRANCHES.to_lowercase()).expect(200).json(), branches);
}

#[test]
fn long_lists_are_read_to_their_end() {
    let (host, server) = start();
    host.edit(|world| {
        for number in 0..120 {
            world.installations.push(Installation {
                id: 1_000 + number,
                account: format!("team-{number}"),
                repositories: Vec::new(),
            });
            world.people[1].installations.push(1_000 + number);
        }
        let installation = world.installation_mut(101);
        installation.repositories[0]
            .branches
            .extend((0..230).map(|number| format!("b{number}")));
        let more = (0..150).map(|number| Repository::new(6_000 + number, "Octo-Org", &format!("r{number}")));
        installation.repositories.extend(more);
    });
    let ed = host.sign_in(&server, "octo-ed");
    let length = |path: &str, key: &str| ed.get(path).expect(200).json()[key].as_array().unwrap().len();
    assert_eq!(length(INSTALLATIONS, "installations"), 121);
    assert_eq!(length(REPOS, "repos"), 152);
    assert_eq!(length(BRANCHES, "branches"), 233);
}

#[test]
fn an_installation_the_caller_does_not_see_is_the_404_of_a_missing_one() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let missing = ed.get("/api/v1/codehost/installations/999/repos").expect(404);
    assert_eq!(missing.error(), "Installation not found");
    let others = [
        "202/repos",
        "x/repos",
        "-1/repos",
        "101x/repos",
        "18446744073709551616/repos",
        "202/repos/eve-corp/secret-plans/branches",
    ];
    for other in others {
        let answer = ed.get(&format!("{INSTALLATIONS}/{other}")).expect(404);
        assert_eq!(answer.comparable(), missing.comparable(), "{other}");
    }
}

#[test]
fn a_repository_of_another_installation_is_the_404_of_a_missing_one() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let missing = ed.get(&format!("{REPOS}/Octo-Org/nothing/branches")).expect(404);
    for other in [
        "eve-corp/secret-plans",
        "Octo-Org/..",
        "%2e%2e/%2e%2e",
        "Octo-Org%2FStorefront/x",
        "a%3Fb/c%23d",
    ] {
        let answer = ed.get(&format!("{REPOS}/{other}/branches")).expect(404);
        assert_eq!(answer.comparable(), missing.comparable(), "{other}");
    }
}

#[test]
fn requests_stay_below_the_api_and_carry_only_the_callers_token() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    ed.get(BRANCHES).expect(200);
    let asked: Vec<_> = host
        .requests()
        .into_iter()
        .filter(|request| request.path.starts_with("/repos"))
        .collect();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].path, "/repos/Octo-Org/Storefront/branches");
    let shown = &asked[0].headers["authorization"];
    assert!(shown.starts_with("Bearer ghu_"), "a token of a person: {shown}");
    assert!(asked[0].headers["user-agent"].starts_with("galley/"));
    assert!(!asked[0].headers.contains_key("cookie"));
}

#[test]
fn a_code_host_that_fails_is_a_502_that_says_so() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let failures = [
        Failure::Status(500),
        Failure::Html,
        Failure::Huge,
        Failure::HangUp,
        Failure::Silence,
        Failure::Redirect(format!("{}/login/oauth/authorize", host.url())),
        Failure::Json(json!(["nonsense"])),
    ];
    for failure in failures {
        host.recover();
        host.fail("/user/installations", failure);
        for path in [INSTALLATIONS, REPOS, BRANCHES] {
            let error = ed.get(path).expect(502).error();
            assert_eq!(error, "The code host cannot be asked right now: try again in a moment");
        }
    }
    host.recover();
    ed.get(BRANCHES).expect(200);
}

#[test]
fn a_redirect_to_another_host_takes_no_token_along() {
    let (host, server) = start();
    let other = CodeHost::start();
    let ed = host.sign_in(&server, "octo-ed");
    host.fail(
        "/user/installations",
        Failure::Redirect(format!("{}/user/installations", other.api_url())),
    );
    ed.get(INSTALLATIONS).expect(502);
    assert!(other.requests().is_empty(), "{:?}", other.requests());
    // Below the same base it is followed, as for a renamed repository.
    host.recover();
    host.fail(
        "/repos/Octo-Org/Storefront/branches",
        Failure::Redirect(format!("{}/repos/Octo-Org/tools/branches", host.api_url())),
    );
    assert_eq!(ed.get(BRANCHES).expect(200).json()["branches"], json!(["main"]));
}

#[test]
fn a_token_that_ends_is_renewed_once() {
    let (host, server) = start();
    host.state().expire_user_tokens();
    host.state().user_tokens_live(30);
    let ed = host.sign_in(&server, "octo-ed");
    host.state().user_tokens_live(28_800);
    let refreshes = || {
        let requests = host.requests();
        requests
            .iter()
            .filter(|request| request.body.contains("grant_type=refresh_token"))
            .count()
    };
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                let seen = ed.get(INSTALLATIONS).expect(200).json();
                assert_eq!(seen["linked"], true);
            });
        }
    });
    assert_eq!(refreshes(), 1, "a refresh token works once");
    ed.get(INSTALLATIONS).expect(200);
    assert_eq!(refreshes(), 1);
}

#[test]
fn a_token_that_cannot_be_renewed_links_nobody() {
    let (host, server) = start();
    host.state().expire_user_tokens();
    host.state().user_tokens_live(30);
    let ed = host.sign_in(&server, "octo-ed");
    host.fail("/login/oauth/access_token", Failure::Status(500));
    ed.get(INSTALLATIONS).expect(502);
    host.recover();
    host.fail(
        "/login/oauth/access_token",
        Failure::Json(json!({ "error": "bad_refresh_token" })),
    );
    assert_eq!(ed.get(INSTALLATIONS).expect(200).json()["linked"], false);
    host.recover();
    assert_eq!(ed.get(INSTALLATIONS).expect(200).json()["linked"], false);
}
