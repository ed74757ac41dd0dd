//! Who may call a route: the rule as data, and its builder.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Who may call a route. The host checks it before the handler runs; [`Guard::decide`] is the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Guard<S = &'static str> {
    /// The rule.
    pub kind: GuardKind,
    /// The message of the refusal for an anonymous caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<S>,
    /// The status of that refusal, 401 or 403.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anonymous_status: Option<u16>,
    /// In addition to a project rule: the caller must not be anonymous, and a token must have the write scope.
    #[serde(default, skip_serializing_if = "is_false")]
    pub identified: bool,
    /// Whether `project:manage` asks a token for the write scope.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub write: bool,
    /// Whether every refusal looks like the 404 of an unknown path.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// How the project is found. `None` is the path parameter `project`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectSource<S>>,
}

/// The closed list of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GuardKind {
    /// Everybody.
    #[serde(rename = "public")]
    Public,
    /// A session or a token.
    #[serde(rename = "identified")]
    Identified,
    /// A browser session only.
    #[serde(rename = "session")]
    Session,
    /// The admin bearer, or an admin.
    #[serde(rename = "instance:admin")]
    InstanceAdmin,
    /// Who may read the project.
    #[serde(rename = "project:read")]
    ProjectRead,
    /// Who may read the project and comment on it.
    #[serde(rename = "project:comment")]
    ProjectComment,
    /// Who may change the project.
    #[serde(rename = "project:manage")]
    ProjectManage,
    /// A machine that signs its requests with the secret it shares with the server.
    #[serde(rename = "signature")]
    Signature,
}

impl GuardKind {
    /// Whether the rule is about one project.
    pub const fn needs_project(self) -> bool {
        matches!(self, Self::ProjectRead | Self::ProjectComment | Self::ProjectManage)
    }
}

/// The name in the manifest.
impl fmt::Display for GuardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// How a route's project is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ProjectSource<S = &'static str> {
    /// A path parameter is the project's id.
    Parameter(S),
    /// A path parameter is the key of a row in the slot's database.
    #[serde(rename_all = "camelCase")]
    Row {
        /// The path parameter, bound as `?1`.
        param: S,
        /// A read-only statement whose first column is the project's id.
        sql: S,
        /// The 404 of a missing row and of an unreadable project.
        not_found: S,
    },
}

impl<S: AsRef<str>> Guard<S> {
    /// The path parameter that leads to the project.
    pub fn project_parameter(&self) -> &str {
        match &self.project {
            None => "project",
            Some(ProjectSource::Parameter(param) | ProjectSource::Row { param, .. }) => param.as_ref(),
        }
    }
}

impl Guard {
    const fn of(kind: GuardKind) -> Guard {
        Guard {
            kind,
            message: None,
            anonymous_status: None,
            identified: false,
            write: true,
            hidden: false,
            project: None,
        }
    }

    /// Admits everybody.
    pub const fn public() -> Guard {
        Guard::of(GuardKind::Public)
    }

    /// Admits a session or a token.
    pub const fn signed_in() -> Guard {
        Guard::of(GuardKind::Identified)
    }

    /// Admits a browser session only. A token gets 403, an anonymous caller 401.
    pub const fn session() -> Guard {
        Guard::of(GuardKind::Session)
    }

    /// Admits the admin bearer, or an admin's session or write-scoped token.
    pub const fn instance_admin() -> Guard {
        Guard::of(GuardKind::InstanceAdmin)
    }

    /// Admits callers who may read the project. A token without the read scope reads what an anonymous caller may.
    pub const fn project_read() -> Guard {
        Guard::of(GuardKind::ProjectRead)
    }

    /// Admits callers who may read the project and write remarks on it. A token needs the write scope, an anonymous caller the
    /// setting `allowAnonymousComments`.
    pub const fn project_comment() -> Guard {
        Guard::of(GuardKind::ProjectComment)
    }

    /// Admits the admin bearer, or an editor or admin who may read the project; a token needs the write scope.
    pub const fn project_manage() -> Guard {
        Guard::of(GuardKind::ProjectManage)
    }

    /// Admits a machine that signs the raw body with the secret it shares with the server (`X-Hub-Signature-256`). The caller
    /// is then `system`, which may do anything: the handler must limit itself to what the sender may ask for. While the
    /// server has no secret, the answer is a 503 with the [`message`](Guard::message).
    pub const fn signature() -> Guard {
        Guard::of(GuardKind::Signature)
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
        self.write = false;
        self
    }

    /// Turns every refusal into the 404 of an unknown path, so that callers who may not use the route cannot see that it
    /// exists.
    pub const fn hidden(mut self) -> Guard {
        self.hidden = true;
        self
    }

    /// The path parameter that is the project's id. Default: `project`.
    pub const fn project_param(mut self, param: &'static str) -> Guard {
        self.project = Some(ProjectSource::Parameter(param));
        self
    }

    /// Finds the project by a read-only statement on the plugin's own database: `?1` is the path parameter `param`, the
    /// first column of the first row is the project's id. `not_found` is the 404 both for a missing row and for a project
    /// the caller may not read.
    pub const fn project_sql(mut self, param: &'static str, sql: &'static str, not_found: &'static str) -> Guard {
        self.project = Some(ProjectSource::Row { param, sql, not_found });
        self
    }
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

fn is_false(value: &bool) -> bool {
    !value
}
