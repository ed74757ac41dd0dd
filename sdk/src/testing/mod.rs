//! Runs a plugin's handlers natively, under `cargo test`, against an in-memory host: an in-memory SQLite database with the
//! plugin's migrations, recorded bells, events and log lines, sites made of trees the test builds, projects, accounts and
//! settings the test sets, and a clock that stands still.
//!
//! It matches routes and evaluates guards as the host does, so that a test sees who is let in. What SQL may do, how long a
//! statement runs, what it may take and what may be published are the host's own rules (the crates `galley-sql` and
//! `galley-manifest`). Deadlines of a call, the bound of events that wait, and the sandbox are the real host's alone.
//!
//! A plugin that is for PostgreSQL, too ([`Plugin::postgres`](crate::Plugin::postgres)) has a second database: with the SDK's feature
//! `postgres`, each statement runs on both engines, and a test fails when they do not answer the same. Numbers that the database
//! gives are SQLite's on both. `GALLEY_TEST_POSTGRES` is `required`, `off` or the address of a server; without it one is started
//! when the machine has the programs.
//!
//! ```
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//! use serde_json::json;
//!
//! fn who(caller: Caller) -> Json<Option<String>> {
//!     Json(caller.user.map(|user| user.name))
//! }
//!
//! let route = get("/api/v1/projects/{project}/who", who).guard(Guard::project_read());
//! let host = TestHost::new(Plugin::new("demo", "1.0.0").route(route));
//! host.project("p1").access("invited");
//! let (ann, ben) = (host.account("ann@example.com"), host.account("ben@example.com"));
//! host.project("p1").list(&ann);
//!
//! let path = "/api/v1/projects/p1/who";
//! assert_eq!(host.get(path).as_user(&ann).send().json(), "Ann");
//! assert_eq!(host.get(path).as_user(&ben).send().status, 404);
//! assert_eq!(host.get(path).as_admin().send().json(), json!(null));
//! ```

mod administration;
mod call;
mod database;
mod description;
mod guard;
mod host;
mod identity;
pub(crate) mod imports;
mod outside;
mod statements;
mod world;

pub use call::{Answer, Call};
pub use description::check_description;
pub use host::{TestHost, TestProject};
pub use imports::http::Bell;
pub use outside::Outside;
pub use statements::check_statements;
#[doc(hidden)]
pub use statements::{Statement, inventory};

/// Answers a problem from the in-memory host.
pub(crate) fn problem<T>(code: &str, message: impl Into<String>) -> Result<T, crate::Problem> {
    Err(crate::Problem {
        code: code.into(),
        message: message.into(),
    })
}
