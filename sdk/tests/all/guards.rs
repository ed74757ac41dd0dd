//! The harness lets in whom the host lets in.

use galley_sdk::prelude::*;
use galley_sdk::testing::{Call, TestHost};

/// The statuses for: anonymous, viewer, viewer's read token, editor, editor's read token, admin, admin bearer.
fn statuses(guard: Guard, prepare: impl FnOnce(&TestHost)) -> [u16; 7] {
    let host = TestHost::new(Plugin::new("demo", "1.0.0").route(get("/p/{project}", || NoContent).guard(guard)));
    host.project("p1");
    prepare(&host);
    let (viewer, editor, admin) = (
        host.account("v@x.test"),
        host.editor("e@x.test"),
        host.admin("a@x.test"),
    );
    let call = || host.get("/p/p1");
    let calls: [Call<'_>; 7] = [
        call(),
        call().as_user(&viewer),
        call().as_read_token(&viewer),
        call().as_token(&editor),
        call().as_read_token(&editor),
        call().as_user(&admin),
        call().as_admin(),
    ];
    calls.map(|call| call.send().status)
}

fn public_link(host: &TestHost) {
    host.project("p1").access("public-link");
}

#[test]
fn public_lets_everybody_in() {
    assert_eq!(statuses(Guard::public(), |_| ()), [204; 7]);
}

#[test]
fn signed_in_wants_an_account() {
    assert_eq!(
        statuses(Guard::signed_in(), |_| ()),
        [401, 204, 204, 204, 204, 204, 403]
    );
}

#[test]
fn session_wants_a_browser() {
    assert_eq!(statuses(Guard::session(), |_| ()), [401, 204, 403, 403, 403, 204, 403]);
}

#[test]
fn instance_admin_wants_an_admin() {
    assert_eq!(
        statuses(Guard::instance_admin(), |_| ()),
        [401, 403, 403, 403, 403, 204, 204]
    );
}

#[test]
fn project_read_follows_the_access_setting() {
    let guard = Guard::project_read;
    assert_eq!(statuses(guard(), |_| ()), [404, 204, 204, 204, 204, 204, 204]);
    let invited = |host: &TestHost| drop(host.project("p1").access("invited"));
    assert_eq!(statuses(guard(), invited), [404, 404, 404, 404, 404, 204, 204]);
    assert_eq!(statuses(guard(), public_link), [204; 7]);
    let off = |host: &TestHost| {
        public_link(host);
        host.setting("allowPublicLinks", false);
    };
    assert_eq!(statuses(guard(), off), [404, 204, 204, 204, 204, 204, 204]);
}

#[test]
fn project_comment_wants_the_write_scope_and_the_setting() {
    assert_eq!(
        statuses(Guard::project_comment(), public_link),
        [204, 204, 403, 204, 403, 204, 204]
    );
    let off = |host: &TestHost| {
        public_link(host);
        host.setting("allowAnonymousComments", false);
    };
    assert_eq!(
        statuses(Guard::project_comment(), off),
        [403, 204, 403, 204, 403, 204, 204]
    );
}

#[test]
fn project_manage_wants_an_editor_with_the_write_scope() {
    assert_eq!(
        statuses(Guard::project_manage(), public_link),
        [401, 403, 403, 204, 403, 204, 204]
    );
    assert_eq!(
        statuses(Guard::project_manage().read_only(), public_link),
        [401, 403, 403, 204, 204, 204, 204]
    );
    assert_eq!(
        statuses(Guard::project_manage().anonymous_status(403), public_link)[0],
        403
    );
}

#[test]
fn identified_wants_an_identity_on_top() {
    assert_eq!(
        statuses(Guard::project_read().identified(), public_link),
        [401, 204, 403, 204, 403, 204, 204]
    );
}

#[test]
#[should_panic(expected = "needs the path parameter {project}")]
fn a_guard_without_its_parameter_is_found_at_once() {
    TestHost::new(Plugin::new("demo", "1.0.0").route(get("/x/{id}", || NoContent).guard(Guard::project_read())));
}

#[test]
#[should_panic(expected = "are the same route")]
fn two_equal_routes_are_found_at_once() {
    let route = |path| get(path, || NoContent).guard(Guard::public());
    TestHost::new(
        Plugin::new("demo", "1.0.0")
            .route(route("/x/{a}"))
            .route(route("/x/{b}")),
    );
}
