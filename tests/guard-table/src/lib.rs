//! Who may pass which guard: every kind of caller before every guard, for each way a project can be.
//!
//! Three tests read this one table: of the rule itself (here), of the SDK's test harness (`sdk/tests`), and of the server
//! with a plugin that has a route for each guard (`tests/guests/guards`, `tests/tests/plugins/guards.rs`). So none of them
//! can drift from the others. `signature` is not in it: who may pass depends on the body (`tests/tests/api/push.rs`).

use galley_manifest::{Access, Guard};

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// Without a credential.
    Nobody,
    /// The browser session of an account with this role.
    Session(&'static str),
    /// A personal access token of an account with this role, with its scopes.
    Token(&'static str, &'static [&'static str]),
    /// The static admin bearer.
    Admin,
    /// The session of an account that was removed.
    RemovedSession,
    /// A token of an account that was removed.
    RemovedToken,
}

const BOTH: &[&str] = &["read", "write"];
const READ: &[&str] = &["read"];
const WRITE: &[&str] = &["write"];

/// The columns of the table.
pub const CALLERS: [Caller; 16] = [
    Caller::Nobody,
    Caller::Session("viewer"),
    Caller::Token("viewer", BOTH),
    Caller::Token("viewer", READ),
    Caller::Token("viewer", WRITE),
    Caller::Session("editor"),
    Caller::Token("editor", BOTH),
    Caller::Token("editor", READ),
    Caller::Token("editor", WRITE),
    Caller::Session("admin"),
    Caller::Token("admin", BOTH),
    Caller::Token("admin", READ),
    Caller::Token("admin", WRITE),
    Caller::Admin,
    Caller::RemovedSession,
    Caller::RemovedToken,
];

/// The guards, each with the path of its route in the plugin of the tests.
pub const GUARDS: [(&str, Guard); 12] = [
    ("/api/v1/x/guards/public/{project}", Guard::public()),
    ("/api/v1/x/guards/identified/{project}", Guard::signed_in()),
    ("/api/v1/x/guards/session/{project}", Guard::session()),
    ("/api/v1/x/guards/admin/{project}", Guard::instance_admin()),
    (
        "/api/v1/x/guards/hidden-admin/{project}",
        Guard::instance_admin().hidden(),
    ),
    ("/api/v1/x/guards/read/{project}", Guard::project_read()),
    (
        "/api/v1/x/guards/identified-read/{project}",
        Guard::project_read().identified(),
    ),
    ("/api/v1/x/guards/comment/{project}", Guard::project_comment()),
    ("/api/v1/x/guards/manage/{project}", Guard::project_manage()),
    (
        "/api/v1/x/guards/read-only-manage/{project}",
        Guard::project_manage().read_only(),
    ),
    (
        "/api/v1/x/guards/hidden-manage/{project}",
        Guard::project_manage().hidden(),
    ),
    (
        "/api/v1/x/guards/forbidding-manage/{project}",
        Guard::project_manage().anonymous_status(403),
    ),
];

/// How the project and the instance are. The accounts of the table are those of one viewer, one editor and one admin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct World {
    /// The project's id or slug; there is none called `missing`.
    pub project: &'static str,
    /// Its access setting.
    pub access: Access,
    /// Whether the viewer and the editor are on its access list.
    pub is_listed: bool,
    /// The instance setting `allowPublicLinks`.
    pub public_links: bool,
    /// The instance setting `allowAnonymousComments`.
    pub anonymous_comments: bool,
}

const MEMBERS: World = World {
    project: "members",
    access: Access::AllMembers,
    is_listed: false,
    public_links: true,
    anonymous_comments: true,
};
const INVITED: World = World {
    project: "invited",
    access: Access::Invited,
    ..MEMBERS
};
const LISTED: World = World {
    project: "listed",
    is_listed: true,
    ..INVITED
};
const PUBLIC: World = World {
    project: "public",
    access: Access::PublicLink,
    ..MEMBERS
};
const NO_LINKS: World = World {
    public_links: false,
    ..PUBLIC
};
const NO_COMMENTS: World = World {
    anonymous_comments: false,
    ..PUBLIC
};
const MISSING: World = World {
    project: "missing",
    ..MEMBERS
};

/// The projects that the worlds need.
pub const PROJECTS: [World; 4] = [MEMBERS, INVITED, LISTED, PUBLIC];

/// One row: a guard, by the part of its path, in a world. The cells are in the order of [`CALLERS`]: `.` passes, `1` is a
/// 401, `3` a 403, `4` a 404.
struct Line(&'static str, World, &'static str);

#[rustfmt::skip]
const TABLE: [Line; 39] = [
    // Columns: nobody; of a viewer, an editor, an admin: session, token with both scopes, read token, write token;
    // admin bearer; removed account: session, token.
    Line("public",            MISSING,     ". .... .... .... . .1"),
    Line("identified",        MISSING,     "1 .... .... .... 1 11"),
    Line("session",           MISSING,     "1 .333 .333 .333 3 11"),
    Line("admin",             MISSING,     "1 3333 3333 ..3. . 11"),
    Line("hidden-admin",      MISSING,     "4 4444 4444 ..4. . 41"),

    Line("read",              MEMBERS,     "4 ...4 ...4 ...4 . 41"),
    Line("read",              INVITED,     "4 4444 4444 ...4 . 41"),
    Line("read",              LISTED,      "4 ...4 ...4 ...4 . 41"),
    Line("read",              PUBLIC,      ". .... .... .... . .1"),
    Line("read",              NO_LINKS,    "4 ...4 ...4 ...4 . 41"),
    Line("read",              MISSING,     "4 4444 4444 4444 4 41"),

    Line("identified-read",   MEMBERS,     "4 ..3. ..3. ..3. . 41"),
    Line("identified-read",   INVITED,     "4 4444 4444 ..3. . 41"),
    Line("identified-read",   LISTED,      "4 ..3. ..3. ..3. . 41"),
    Line("identified-read",   PUBLIC,      "1 ..3. ..3. ..3. . 11"),
    Line("identified-read",   NO_LINKS,    "4 ..3. ..3. ..3. . 41"),
    Line("identified-read",   MISSING,     "4 4444 4444 4444 4 41"),

    Line("comment",           MEMBERS,     "4 ..3. ..3. ..3. . 41"),
    Line("comment",           INVITED,     "4 4444 4444 ..3. . 41"),
    Line("comment",           LISTED,      "4 ..3. ..3. ..3. . 41"),
    Line("comment",           PUBLIC,      ". ..3. ..3. ..3. . .1"),
    Line("comment",           NO_LINKS,    "4 ..3. ..3. ..3. . 41"),
    Line("comment",           NO_COMMENTS, "3 ..3. ..3. ..3. . 31"),
    Line("comment",           MISSING,     "4 4444 4444 4444 4 41"),

    Line("manage",            MEMBERS,     "4 3333 ..3. ..3. . 41"),
    Line("manage",            INVITED,     "4 4444 4444 ..3. . 41"),
    Line("manage",            LISTED,      "4 3333 ..3. ..3. . 41"),
    Line("manage",            PUBLIC,      "1 3333 ..3. ..3. . 11"),
    Line("manage",            MISSING,     "4 4444 4444 4444 4 41"),

    Line("read-only-manage",  MEMBERS,     "4 3334 ...4 ...4 . 41"),
    Line("read-only-manage",  INVITED,     "4 4444 4444 ...4 . 41"),
    Line("read-only-manage",  LISTED,      "4 3334 ...4 ...4 . 41"),
    Line("read-only-manage",  PUBLIC,      "1 3331 ...1 ...1 . 11"),
    Line("read-only-manage",  MISSING,     "4 4444 4444 4444 4 41"),

    Line("hidden-manage",     MEMBERS,     "4 4444 ..4. ..4. . 41"),
    Line("hidden-manage",     PUBLIC,      "4 4444 ..4. ..4. . 41"),
    Line("hidden-manage",     MISSING,     "4 4444 4444 4444 4 41"),

    Line("forbidding-manage", PUBLIC,      "3 3333 ..3. ..3. . 31"),
    Line("forbidding-manage", MEMBERS,     "4 3333 ..3. ..3. . 41"),
];

/// One request of the table, and what must come of it.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The path of the route.
    pub path: &'static str,
    /// The guard of the route.
    pub guard: Guard,
    /// How the project and the instance are.
    pub world: World,
    /// Who calls.
    pub caller: Caller,
    /// `None` when the caller passes, else the status of the refusal.
    pub refused: Option<u16>,
}

/// Every cell of the table.
///
/// # Panics
/// When the table is not well formed.
pub fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for Line(name, world, row) in TABLE {
        let wanted = format!("/api/v1/x/guards/{name}/{{project}}");
        let (path, guard) = GUARDS
            .into_iter()
            .find(|(path, _)| *path == wanted)
            .expect("the guard is listed");
        let marks: Vec<char> = row.chars().filter(|mark| *mark != ' ').collect();
        assert_eq!(marks.len(), CALLERS.len(), "{name} {world:?}");
        for (caller, mark) in CALLERS.into_iter().zip(marks) {
            let refused = match mark {
                '.' => None,
                '1' => Some(401),
                '3' => Some(403),
                '4' => Some(404),
                other => panic!("`{other}` in the row of {name}"),
            };
            cells.push(Cell {
                path,
                guard,
                world,
                caller,
                refused,
            });
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use galley_manifest::{CallerFacts, ProjectFacts, Role};

    fn role(name: &str) -> Role {
        match name {
            "viewer" => Role::Viewer,
            "editor" => Role::Editor,
            "admin" => Role::Admin,
            _ => panic!("{name}"),
        }
    }

    #[test]
    fn the_rule_is_the_table() {
        for cell in cells() {
            let caller = match cell.caller {
                Caller::Nobody | Caller::RemovedSession => CallerFacts::anonymous(),
                Caller::Admin => CallerFacts::admin(),
                Caller::Session(name) => CallerFacts::session(role(name)),
                Caller::Token(name, scopes) => {
                    CallerFacts::token(role(name), scopes.contains(&"read"), scopes.contains(&"write"))
                }
                // Refused before any guard.
                Caller::RemovedToken => {
                    assert_eq!(cell.refused, Some(401));
                    continue;
                }
            };
            let facts = ProjectFacts {
                access: cell.world.access,
                is_listed: cell.world.is_listed && caller.role < Some(Role::Admin) && caller.role.is_some(),
                public_links: cell.world.public_links,
                anonymous_comments: cell.world.anonymous_comments,
            };
            let project = (cell.world.project != "missing").then_some(&facts);
            let refused = cell.guard.decide(&caller, project).err().map(|refusal| refusal.status);
            assert_eq!(refused, cell.refused, "{cell:?}");
        }
    }

    #[test]
    fn every_guard_has_a_row() {
        let cells = cells();
        for (path, _) in GUARDS {
            assert!(cells.iter().any(|cell| cell.path == path), "{path}");
        }
    }
}
