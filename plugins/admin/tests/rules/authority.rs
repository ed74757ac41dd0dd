//! Who may administer the instance.

use galley_sdk::route::Method;

use super::*;

const ROUTES: [(Method, &str); 17] = [
    (Method::Get, MEMBERS),
    (Method::Patch, "/api/v1/instance/members/u3"),
    (Method::Delete, "/api/v1/instance/members/u3"),
    (Method::Post, "/api/v1/instance/members/u3/restore"),
    (Method::Post, "/api/v1/instance/members/u3/signin-link"),
    (Method::Get, INVITES),
    (Method::Post, INVITES),
    (Method::Post, "/api/v1/instance/invites/i1/regenerate"),
    (Method::Delete, "/api/v1/instance/invites/i1"),
    (Method::Get, RULES),
    (Method::Put, "/api/v1/instance/domain-rules/example.com"),
    (Method::Delete, "/api/v1/instance/domain-rules/example.com"),
    (Method::Get, SETTINGS),
    (Method::Patch, SETTINGS),
    (Method::Put, EMAIL),
    (Method::Delete, EMAIL),
    (Method::Get, AUDIT),
];

#[test]
fn every_route_is_for_admins_only() {
    for (method, path) in ROUTES {
        // An own one for each: among the routes is one that makes `u3` an admin.
        let office = office();
        let call = || office.host.call(method, path).json(json!({ "role": "admin" }));
        refused(call().send(), 401, "Sign in as an admin");
        for account in [&office.ed, &office.vic] {
            for answer in [call().as_user(account).send(), call().as_token(account).send()] {
                refused(answer, 403, "Only admins may administer the instance");
            }
        }
        let answer = call().as_read_token(&office.root).send();
        refused(answer, 403, "This action requires a write-scoped token");
        for call in [
            call().as_user(&office.root),
            call().as_token(&office.root),
            call().as_admin(),
        ] {
            let answer = call.send();
            assert!(
                !matches!(answer.status, 401 | 403 | 405 | 500),
                "{method:?} {path}: {}",
                answer.text()
            );
        }
    }
}

#[test]
fn revoking_tokens_is_hidden_from_whoever_may_not() {
    let office = office();
    let call = |user: &str| {
        office
            .host
            .post(&format!("/api/v1/admin/users/{user}/tokens/revoke-all"))
    };
    let others = [
        call("u3").send(),
        call("u3").as_user(&office.ed).send(),
        call("u3").as_token(&office.vic).send(),
        call("u3").as_read_token(&office.root).send(),
        call("nobody").as_user(&office.root).send(),
    ];
    for answer in others {
        refused(answer, 404, "Not found");
    }
    for call in [
        call("u3").as_admin(),
        call("u3").as_user(&office.root),
        call("u3").as_token(&office.root),
    ] {
        assert_eq!(call.send().status, 204);
    }
}
