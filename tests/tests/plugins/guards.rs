//! Who may pass which guard: the table of `tests/guard-table`, on the running server.

use galley_guard_table::{Caller, PROJECTS, cells};
use galley_manifest::Access;
use galley_tests::accounts::{Core, Person};
use galley_tests::operator::Operator;
use galley_tests::prelude::*;

fn on_the_wire(access: Access) -> &'static str {
    match access {
        Access::AllMembers => "all-members",
        Access::Invited => "invited",
        Access::PublicLink => "public-link",
    }
}

fn named(role: &str) -> &'static str {
    match role {
        "viewer" => "vic",
        "editor" => "ed",
        _ => "ada",
    }
}

/// The projects of the table, by name: their ids.
fn projects(operator: &Operator) -> Vec<(&'static str, String)> {
    let admin = operator.server.admin();
    let mut made = vec![("missing", "missing".to_owned())];
    for world in PROJECTS {
        let id = project_with(&admin, world.project, on_the_wire(world.access));
        if world.is_listed {
            for person in ["vic", "ed"] {
                let member = json!({ "email": Person::named(person).email() });
                let answer = admin.post(&format!("/api/v1/projects/{id}/members"), member);
                assert!(answer.status < 300, "{}", answer.text());
            }
        }
        made.push((world.project, id));
    }
    made
}

#[test]
fn the_server_lets_in_whom_the_table_lets_in() {
    let mut operator = Operator::with_guest("guards", 5_000);
    let settings = |operator: &Operator, links: bool, comments: bool| {
        let change = json!({ "allowPublicLinks": links, "allowAnonymousComments": comments });
        let admin = operator.server.admin();
        admin.patch("/api/v1/instance/settings", change).expect(200);
    };
    settings(&operator, true, true);
    let projects = projects(&operator);
    // Removed behind the server's back, so that session and token are there and only the account is gone.
    let removed_token = operator.server.token("vera", &["read", "write"]).secret().to_owned();
    operator.server.edit(|core: &Core| core.remove(Person::named("vera")));
    let server = &operator.server;
    eventually("the guest's routes answer", || {
        (server.anonymous().get("/api/v1/x/guards/nothing").status == 204).then_some(())
    });

    let callers: Vec<(Caller, Client)> = galley_guard_table::CALLERS
        .into_iter()
        .map(|caller| {
            let client = match caller {
                Caller::Nobody => server.anonymous(),
                Caller::Admin => server.admin(),
                Caller::Session(role) => server.user(named(role)),
                Caller::Token(role, scopes) => server.token(named(role), scopes),
                Caller::RemovedSession => server.user("vera"),
                Caller::RemovedToken => server.bearer(&removed_token),
            };
            (caller, client)
        })
        .collect();

    let mut cells = cells();
    cells.sort_by_key(|cell| (cell.world.public_links, cell.world.anonymous_comments));
    let (mut now, mut wrong) = (None, Vec::new());
    for cell in cells {
        let wanted = (cell.world.public_links, cell.world.anonymous_comments);
        if now != Some(wanted) {
            settings(&operator, wanted.0, wanted.1);
            now = Some(wanted);
        }
        let (_, project) = projects.iter().find(|(name, _)| *name == cell.world.project).unwrap();
        let (_, client) = callers.iter().find(|(caller, _)| *caller == cell.caller).unwrap();
        let answer = client.get(&cell.path.replace("{project}", project));
        let expected = cell.refused.unwrap_or(204);
        if answer.status != expected {
            let (path, caller, status) = (cell.path, cell.caller, answer.status);
            wrong.push(format!(
                "{caller:?} at {path} of {project}: {status}, not {expected}: {}",
                answer.text()
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cells are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_session_route_refuses_tokens_with_403_and_nobody_with_401() {
    let operator = Operator::with_guest("guards", 5_000);
    let server = &operator.server;
    let (session, identified) = ("/api/v1/x/guards/session/x", "/api/v1/x/guards/identified/x");
    server.user("vic").get(session).expect(204);
    server.token("vic", &["read"]).get(identified).expect(204);
    for (caller, path, status, message) in [
        (server.anonymous(), session, 401, "Sign in with a browser first"),
        (
            server.token("ada", &["read", "write"]),
            session,
            403,
            "Personal access tokens do not work here: sign in with a browser",
        ),
        (
            server.admin(),
            session,
            403,
            "The admin token does not work here: sign in with a browser",
        ),
        (server.anonymous(), identified, 401, "Sign in first"),
        // It asserts no identity, so it is not signed in.
        (server.admin(), identified, 401, "Sign in first"),
    ] {
        caller.get(path).refused(status, message);
    }
}
