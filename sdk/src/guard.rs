//! Who may call a route. The host checks it before the handler runs and answers 401, 403 and the 404 of a project that
//! may not be read.
//!
//! ```
//! use galley_sdk::Guard;
//!
//! let guard = Guard::project_comment().message("Sign in to comment on this project");
//! assert_eq!(
//!     serde_json::to_value(guard).unwrap(),
//!     serde_json::json!({ "kind": "project:comment", "message": "Sign in to comment on this project" }),
//! );
//! ```
//!
//! # Guards are types
//! A guard's type says what it guarantees, and a handler's arguments say what the handler relies on. A handler that takes
//! [`ManagedProject`] fits a route that only those who manage the project may call:
//!
//! ```
//! use galley_sdk::ManagedProject;
//! use galley_sdk::prelude::*;
//!
//! fn close(_project: ManagedProject) -> NoContent {
//!     NoContent
//! }
//!
//! let route = post("/api/v1/projects/{project}/x/demo/close", close).guard(Guard::project_manage());
//! ```
//!
//! On a route that every reader may call it does not compile:
//!
//! ```compile_fail,E0277
//! # use galley_sdk::ManagedProject;
//! # use galley_sdk::prelude::*;
//! #
//! # fn close(_project: ManagedProject) -> NoContent {
//! #     NoContent
//! # }
//! #
//! let route = post("/api/v1/projects/{project}/x/demo/close", close).guard(Guard::project_read());
//! // error: the guard `ProjectRead` does not guarantee `ManagedProject`, which the handler takes
//! ```
//!
//! A second guard does not compile either: the first has been checked against the handler.
//!
//! ```compile_fail,E0277
//! # use galley_sdk::prelude::*;
//! let route = get("/api/v1/x/demo", || NoContent).guard(Guard::session()).guard(Guard::public());
//! ```
//!
//! | argument | guards |
//! |---|---|
//! | [`ProjectId`] | `project_read`, `project_comment`, `project_manage` |
//! | [`CommentableProject`] | `project_comment`, `project_manage` |
//! | [`ManagedProject`] | `project_manage`, unless it is [`read_only`](Guard::read_only) |
//! | [`User`] | `signed_in`, `session` |
//! | [`Administrator`] | `instance_admin` |
//! | every other | every guard |

use std::fmt;
use std::marker::PhantomData;

use galley_manifest::Guard as Rule;
use serde::{Serialize, Serializer};

pub use galley_manifest::{GuardKind, ProjectSource};

use crate::caller::User;
use crate::extract::{Administrator, CommentableProject, ManagedProject, ProjectId};

/// Who may call a route. `K` is the rule, as a type.
pub struct Guard<K = Unchecked> {
    rule: Rule,
    kind: PhantomData<fn() -> K>,
}

/// A guard of the type `Self` lets nobody pass for whom `Argument` would not be true. `Argument` is what one of a handler's
/// arguments needs, a tuple of such, or `()`.
#[diagnostic::on_unimplemented(
    message = "the guard `{Self}` does not guarantee `{Argument}`, which the handler takes",
    label = "the guard `{Self}` does not guarantee `{Argument}`",
    note = "give the route a guard that does (the module `galley_sdk::guard` has a table), or let the handler take less",
    note = "a route takes one guard"
)]
pub trait Guarantees<Argument> {}

macro_rules! kinds {
    ($($(#[$doc:meta])+ $kind:ident => $($argument:ident)*;)+) => {
        $(
            $(#[$doc])+
            #[derive(Debug)]
            pub enum $kind {}

            $(impl Guarantees<$argument> for $kind {})*
        )+
    };
}

kinds! {
    /// [`Guard::public`].
    Public => ;
    /// [`Guard::signed_in`].
    SignedIn => User;
    /// [`Guard::session`].
    Session => User;
    /// [`Guard::instance_admin`].
    InstanceAdmin => Administrator;
    /// [`Guard::project_read`].
    ProjectRead => ProjectId;
    /// [`Guard::project_comment`].
    ProjectComment => ProjectId CommentableProject;
    /// [`Guard::project_manage`].
    ProjectManage => ProjectId CommentableProject ManagedProject;
    /// [`Guard::project_manage`] with [`read_only`](Guard::read_only): the caller manages the project, with a credential that
    /// may be for reading only.
    ProjectInspect => ProjectId;
    /// [`Guard::signature`].
    Signature => ;
    /// A rule that is not known before the program runs: a handler can rely on nothing.
    Unchecked => ;
    /// What a route has while it was given no guard: `project_manage`.
    Default => ProjectId CommentableProject ManagedProject Guarded;
}

/// In place of what a handler needs, once a guard guarantees it.
#[derive(Debug)]
pub enum Guarded {}

impl<K> Guarantees<()> for K {}

macro_rules! tuples {
    ($($($name:ident)+;)+) => {
        $(impl<K, $($name),+> Guarantees<($($name,)+)> for K where $(K: Guarantees<$name>),+ {})+
    };
}

tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; }

/// Guards of one project.
pub trait OfProject {}

impl OfProject for ProjectRead {}
impl OfProject for ProjectComment {}
impl OfProject for ProjectManage {}
impl OfProject for ProjectInspect {}

impl<K> Guard<K> {
    const fn of(rule: Rule) -> Guard<K> {
        let kind = PhantomData;
        Guard { rule, kind }
    }

    /// The rule, as it stands in the manifest.
    pub const fn rule(self) -> Rule {
        self.rule
    }

    /// The `error` of the answer to an anonymous caller.
    pub const fn message(self, message: &'static str) -> Guard<K> {
        Guard::of(self.rule.message(message))
    }

    /// The status of that refusal, 401 or 403. Default: 401, but 403 for [`Guard::project_comment`].
    pub const fn anonymous_status(self, status: u16) -> Guard<K> {
        Guard::of(self.rule.anonymous_status(status))
    }

    /// Turns every refusal into the 404 of an unknown path, so that callers who may not use the route cannot see that it
    /// exists.
    pub const fn hidden(self) -> Guard<K> {
        Guard::of(self.rule.hidden())
    }
}

impl Guard<Public> {
    /// Admits everybody.
    pub const fn public() -> Guard<Public> {
        Guard::of(Rule::public())
    }
}

impl Guard<SignedIn> {
    /// Admits a session or a token.
    pub const fn signed_in() -> Guard<SignedIn> {
        Guard::of(Rule::signed_in())
    }
}

impl Guard<Session> {
    /// Admits a browser session only. A token gets 403, an anonymous caller 401.
    pub const fn session() -> Guard<Session> {
        Guard::of(Rule::session())
    }
}

impl Guard<InstanceAdmin> {
    /// Admits the admin bearer, or an admin's session or write-scoped token.
    pub const fn instance_admin() -> Guard<InstanceAdmin> {
        Guard::of(Rule::instance_admin())
    }
}

impl Guard<ProjectRead> {
    /// Admits callers who may read the project. A token without the read scope reads what an anonymous caller may.
    pub const fn project_read() -> Guard<ProjectRead> {
        Guard::of(Rule::project_read())
    }
}

impl Guard<ProjectComment> {
    /// Admits callers who may read the project and write remarks on it. A token needs the write scope, an anonymous caller the
    /// setting `allowAnonymousComments`.
    pub const fn project_comment() -> Guard<ProjectComment> {
        Guard::of(Rule::project_comment())
    }
}

impl Guard<ProjectManage> {
    /// Admits the admin bearer, or an editor or admin who may read the project; a token needs the write scope.
    pub const fn project_manage() -> Guard<ProjectManage> {
        Guard::of(Rule::project_manage())
    }

    /// Lets a read-only token pass: for routes that change nothing.
    pub const fn read_only(self) -> Guard<ProjectInspect> {
        Guard::of(self.rule.read_only())
    }
}

impl Guard<Signature> {
    /// Admits a machine that signs the raw body with the secret it shares with the server (`X-Hub-Signature-256`). The caller
    /// is then `system`, which may do anything: the handler must limit itself to what the sender may ask for. While the
    /// server has no secret, the answer is a 503 with the [`message`](Guard::message).
    pub const fn signature() -> Guard<Signature> {
        Guard::of(Rule::signature())
    }
}

impl<K: OfProject> Guard<K> {
    /// Adds that the caller is a session, a token with the write scope, or the admin bearer.
    pub const fn identified(self) -> Guard<K> {
        Guard::of(self.rule.identified())
    }

    /// The path parameter that is the project's id. Default: `project`.
    pub const fn project_param(self, param: &'static str) -> Guard<K> {
        Guard::of(self.rule.project_param(param))
    }

    /// Finds the project by a read-only statement on the plugin's own database: `?1` is the path parameter `param`, the
    /// first column of the first row is the project's id. `not_found` is the 404 both for a missing row and for a project
    /// the caller may not read.
    pub const fn project_sql(self, param: &'static str, sql: &'static str, not_found: &'static str) -> Guard<K> {
        Guard::of(self.rule.project_sql(param, sql, not_found))
    }
}

/// For a rule that is read from data.
impl From<Rule> for Guard<Unchecked> {
    fn from(rule: Rule) -> Guard<Unchecked> {
        Guard::of(rule)
    }
}

impl<K> Clone for Guard<K> {
    fn clone(&self) -> Guard<K> {
        *self
    }
}

impl<K> Copy for Guard<K> {}

impl<K> fmt::Debug for Guard<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)
    }
}

impl<K> Serialize for Guard<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rule.serialize(serializer)
    }
}
