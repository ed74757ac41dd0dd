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

use serde::Serialize;

/// Who may call a route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Guard {
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) anonymous_status: Option<u16>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) identified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) write: Option<bool>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) hidden: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) project: Option<ProjectFrom>,
}

/// How the host finds the project of a `project:…` guard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum ProjectFrom {
    Param(&'static str),
    #[serde(rename_all = "camelCase")]
    Sql {
        param: &'static str,
        sql: &'static str,
        not_found: &'static str,
    },
}

impl Guard {
    const fn of(kind: &'static str) -> Guard {
        Guard {
            kind,
            message: None,
            anonymous_status: None,
            identified: false,
            write: None,
            hidden: false,
            project: None,
        }
    }

    /// Admits everybody.
    pub const fn public() -> Guard {
        Guard::of("public")
    }

    /// A session or a token.
    pub const fn signed_in() -> Guard {
        Guard::of("identified")
    }

    /// A browser session only.
    pub const fn session() -> Guard {
        Guard::of("session")
    }

    /// The admin bearer, or an admin's session or write-scoped token.
    pub const fn instance_admin() -> Guard {
        Guard::of("instance:admin")
    }

    /// Admits callers who may read the project.
    pub const fn project_read() -> Guard {
        Guard::of("project:read")
    }

    /// Admits callers who may read the project and write remarks on it. A token needs the write scope, an anonymous caller the
    /// setting `allowAnonymousComments`.
    pub const fn project_comment() -> Guard {
        Guard::of("project:comment")
    }

    /// The admin bearer, or an editor or admin who may read the project; a token needs the write scope.
    pub const fn project_manage() -> Guard {
        Guard::of("project:manage")
    }

    /// Admits a machine that signs the raw body with the secret it shares with the server (`X-Hub-Signature-256`). The caller
    /// is then `system`, which may do anything: the handler must limit itself to what the sender may ask for. While the
    /// server has no secret, the answer is a 503 with the [`message`](Guard::message).
    pub const fn signature() -> Guard {
        Guard::of("signature")
    }

    /// The `error` of the answer to an anonymous caller.
    pub const fn message(mut self, message: &'static str) -> Guard {
        self.message = Some(message);
        self
    }

    /// The status of that refusal, 401 or 403. Default: 401, but 403 for [`Guard::project_comment`].
    pub const fn anonymous_status(mut self, status: u16) -> Guard {
        self.anonymous_status = Some(status);
        self
    }

    /// Adds to a `project_…` guard that the caller is a session, a token with the write scope, or the admin bearer.
    pub const fn identified(mut self) -> Guard {
        self.identified = true;
        self
    }

    /// Lets a read-only token pass [`Guard::project_manage`]: for routes that change nothing.
    pub const fn read_only(mut self) -> Guard {
        self.write = Some(false);
        self
    }

    /// Turns every refusal into the 404 of an unknown path, so that callers who may not use the route cannot tell that it
    /// exists.
    pub const fn hidden(mut self) -> Guard {
        self.hidden = true;
        self
    }

    /// The path parameter that is the project's id. Default: `project`.
    pub const fn project_param(mut self, param: &'static str) -> Guard {
        self.project = Some(ProjectFrom::Param(param));
        self
    }

    /// Finds the project by a read-only statement on the plugin's own database: `?1` is the path parameter `param`, the
    /// first column of the first row is the project's id. `not_found` is the 404 both for a missing row and for a project
    /// the caller may not read.
    pub const fn project_sql(mut self, param: &'static str, sql: &'static str, not_found: &'static str) -> Guard {
        self.project = Some(ProjectFrom::Sql { param, sql, not_found });
        self
    }
}
