//! The harness lets in whom the host lets in: both are held against the table of `tests/guard-table`.

use galley_guard_table::{Caller, Cell, PROJECTS, cells};
use galley_sdk::prelude::*;
use galley_sdk::testing::TestHost;

fn status(cell: &Cell) -> u16 {
    let host =
        TestHost::new(Plugin::new("demo", "1.0.0").route(get(cell.path, || NoContent).guard(Guard::from(cell.guard))));
    let account = |role: &str| match role {
        "viewer" => host.account("v@x.test"),
        "editor" => host.editor("e@x.test"),
        _ => host.admin("a@x.test"),
    };
    let (viewer, editor, admin) = (account("viewer"), account("editor"), account("admin"));
    let of = |role: &str| match role {
        "viewer" => &viewer,
        "editor" => &editor,
        _ => &admin,
    };
    let removed = host.account("r@x.test");
    host.remove_account(&removed);
    host.setting("allowPublicLinks", cell.world.public_links);
    host.setting("allowAnonymousComments", cell.world.anonymous_comments);
    for world in PROJECTS {
        let access = format!("{:?}", world.access);
        let project = host.project(world.project).access(match access.as_str() {
            "AllMembers" => "all-members",
            "Invited" => "invited",
            _ => "public-link",
        });
        if world.is_listed {
            project.list(&viewer).list(&editor);
        }
    }
    let call = host.get(&cell.path.replace("{project}", cell.world.project));
    let call = match cell.caller {
        Caller::Nobody => call,
        Caller::Session(role) => call.as_user(of(role)),
        Caller::Token(role, ["read"]) => call.as_read_token(of(role)),
        Caller::Token(role, ["write"]) => call.as_write_token(of(role)),
        Caller::Token(role, _) => call.as_token(of(role)),
        Caller::Admin => call.as_admin(),
        Caller::RemovedSession => call.as_user(&removed),
        Caller::RemovedToken => call.as_token(&removed),
    };
    call.send().status
}

#[test]
fn the_harness_lets_in_whom_the_table_lets_in() {
    for cell in cells() {
        assert_eq!(status(&cell), cell.refused.unwrap_or(204), "{cell:?}");
    }
}

#[test]
fn a_refusal_says_why() {
    let host =
        TestHost::new(Plugin::new("demo", "1.0.0").route(get("/api/v1/x", || NoContent).guard(Guard::session())));
    let viewer = host.account("v@x.test");
    assert_eq!(host.get("/api/v1/x").send().error(), "Sign in with a browser first");
    let error = host.get("/api/v1/x").as_token(&viewer).send().error();
    assert_eq!(error, "Personal access tokens do not work here: sign in with a browser");
}

#[test]
#[should_panic(expected = "GET /api/v1/x/{id} has no parameter {project}, which its guard needs")]
fn a_guard_without_its_parameter_is_found_at_once() {
    TestHost::new(Plugin::new("demo", "1.0.0").route(get("/api/v1/x/{id}", || NoContent).guard(Guard::project_read())));
}

#[test]
#[should_panic(expected = "are the same route")]
fn two_equal_routes_are_found_at_once() {
    let route = |path| get(path, || NoContent).guard(Guard::public());
    TestHost::new(
        Plugin::new("demo", "1.0.0")
            .route(route("/api/v1/x/{a}"))
            .route(route("/api/v1/x/{b}")),
    );
}

#[test]
#[should_panic(expected = "does not start with /api/v1/")]
fn a_path_outside_of_the_api_is_found_at_once() {
    TestHost::new(Plugin::new("demo", "1.0.0").route(get("/x", || NoContent).guard(Guard::public())));
}
