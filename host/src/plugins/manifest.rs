//! What a plugin says of itself: the JSON of `describe`, parsed and checked. Its shape is documented in wit/README.md.

use serde::{Deserialize, Serialize};

/// The largest manifest the host reads, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
const MIB: u64 = 1 << 20;

/// A checked manifest: slot and paths are well formed, migrations have no gap.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The place the plugin fills.
    pub slot: String,
    /// The plugin's own version.
    pub version: String,
    /// Its routes; requests name one by its index here.
    #[serde(default)]
    pub routes: Vec<Route>,
    /// Its database schema, step by step.
    #[serde(default)]
    pub migrations: Vec<Step>,
    /// Topics it wants delivered.
    #[serde(default)]
    pub subscriptions: Vec<String>,
    /// Outbound hosts it asks for.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// What the API's description says of its routes: `paths` and `components` of OpenAPI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openapi: Option<serde_json::Value>,
}

/// One migration.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub struct Step {
    /// 1 for the first.
    pub version: u32,
    /// Any number of statements.
    pub sql: String,
}

/// One route.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Route {
    /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
    pub method: String,
    /// With `{name}` for a part that varies.
    pub path: String,
    /// One line for people.
    #[serde(default)]
    pub summary: String,
    /// Who may pass.
    pub guard: Guard,
    /// What body it takes.
    #[serde(default)]
    pub body: Body,
    /// Bounds of its streaming answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<Stream>,
    /// How often one client may use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
}

impl Route {
    /// Whether passing needs no more than reading. There a token without the scope `read` is an anonymous caller; a route
    /// that asks for the scope `write` sees what the token's owner may read.
    pub fn only_reads(&self) -> bool {
        match self.guard.kind {
            GuardKind::Public => self.method == "GET",
            GuardKind::ProjectRead => !self.guard.identified,
            GuardKind::ProjectManage => !self.guard.write,
            // These are about who somebody is, not about what they read.
            GuardKind::Identified | GuardKind::Session | GuardKind::InstanceAdmin => false,
            GuardKind::ProjectContribute | GuardKind::Signature => false,
        }
    }
}

/// Who may pass a route.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Guard {
    /// The rule.
    pub kind: GuardKind,
    /// The refusal of an anonymous caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// 401 or 403: the status of that refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anonymous_status: Option<u16>,
    /// On top of a project rule: the caller must be somebody, and a token must have the write scope.
    #[serde(default)]
    pub identified: bool,
    /// Whether `project:manage` asks a token for the write scope.
    #[serde(default = "yes")]
    pub write: bool,
    /// Whether every refusal looks like the 404 of an unknown path.
    #[serde(default)]
    pub hidden: bool,
    /// How the project is found.
    #[serde(default)]
    pub project: ProjectFrom,
}

/// The closed list of rules.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
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
    /// Who may read the project and add remarks to it.
    #[serde(rename = "project:comment")]
    ProjectContribute,
    /// Who may change the project.
    #[serde(rename = "project:manage")]
    ProjectManage,
    /// A machine that signs its requests with the secret it shares with this server.
    #[serde(rename = "signature")]
    Signature,
}

impl GuardKind {
    /// Whether the rule is about one project.
    pub fn needs_project(self) -> bool {
        matches!(self, Self::ProjectRead | Self::ProjectContribute | Self::ProjectManage)
    }
}

impl std::fmt::Display for GuardKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Public => "public",
            Self::Identified => "identified",
            Self::Session => "session",
            Self::InstanceAdmin => "instance:admin",
            Self::ProjectRead => "project:read",
            Self::ProjectContribute => "project:comment",
            Self::ProjectManage => "project:manage",
            Self::Signature => "signature",
        })
    }
}

/// How a route's project is found.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
#[serde(untagged, rename_all = "camelCase")]
pub enum ProjectFrom {
    /// A path parameter is the project's id.
    Parameter(String),
    /// A path parameter is the key of a row in the slot's database.
    #[serde(rename_all = "camelCase")]
    Row {
        /// The path parameter, bound as `?1`.
        param: String,
        /// A read-only statement whose first column is the project's id.
        sql: String,
        /// The 404 of a missing row and of an unreadable project.
        not_found: String,
    },
}

impl Default for ProjectFrom {
    fn default() -> Self {
        Self::Parameter("project".to_owned())
    }
}

/// What body a route takes.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Body {
    /// Its kind.
    pub kind: BodyKind,
    /// The largest body, in bytes as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// The largest archive unpacked, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_unpacked_bytes: Option<u64>,
    /// Most entries in an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_entries: Option<u32>,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            kind: BodyKind::None,
            max_bytes: None,
            max_unpacked_bytes: None,
            max_entries: None,
        }
    }
}

impl Body {
    /// The bound in bytes as sent, with the kind's default.
    pub fn bound(&self) -> u64 {
        match self.kind {
            BodyKind::None | BodyKind::Json => self.max_bytes.unwrap_or(MIB).min(16 * MIB),
            BodyKind::Bytes => self.max_bytes.unwrap_or(MIB).min(16 * MIB),
            BodyKind::Archive => self.max_bytes.unwrap_or(200 * MIB),
        }
    }
}

/// The kinds of body.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum BodyKind {
    /// None is expected.
    None,
    /// JSON, parsed by the plugin.
    Json,
    /// Any bytes.
    Bytes,
    /// A gzipped tar, unpacked by the host while it arrives.
    Archive,
}

/// How often one client address may use a route.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Rate {
    /// Uses in a minute.
    pub per_minute: u32,
    /// Whether only callers without a credential are counted.
    #[serde(default)]
    pub anonymous_only: bool,
}

/// Bounds of a route's streaming answers.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Stream {
    /// Most open streams of one client.
    pub max_per_client: u32,
    /// Seconds in `Retry-After` when there is no place.
    pub retry_after: u32,
    /// The refusal.
    pub message: String,
}

/// Why a manifest is not accepted. The text names the part that is wrong.
#[derive(Debug, thiserror::Error)]
#[error("its manifest is not valid: {0}")]
pub struct ManifestError(String);

impl Manifest {
    /// Parses and checks the answer of `describe`.
    pub fn parse(json: &[u8]) -> Result<Self, ManifestError> {
        if json.len() > MAX_BYTES {
            return Err(ManifestError(format!(
                "it has {} bytes, at most {MAX_BYTES} are read",
                json.len()
            )));
        }
        let manifest: Self = serde_json::from_slice(json).map_err(|error| ManifestError(error.to_string()))?;
        manifest.check().map_err(ManifestError)?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), String> {
        check_slot(&self.slot)?;
        for (at, step) in (1..).zip(&self.migrations) {
            if step.version != at {
                return Err(format!("migration {} stands where {at} is expected", step.version));
            }
        }
        for topic in &self.subscriptions {
            if topic.is_empty() || topic.len() > 64 {
                return Err(format!("the subscription `{topic}` is not a topic of 1 to 64 bytes"));
            }
        }
        self.routes.iter().try_for_each(Route::check)
    }
}

/// Checks a slot's name: it becomes a file name and a part of addresses.
pub fn check_slot(slot: &str) -> Result<(), String> {
    let shape = slot.len() <= 32
        && slot.starts_with(|c: char| c.is_ascii_lowercase())
        && slot
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if shape {
        Ok(())
    } else {
        Err(format!(
            "the slot `{slot}` is not 1 to 32 of a-z, 0-9 and -, starting with a letter"
        ))
    }
}

impl Route {
    /// The names of the path's parameters, in order.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }

    /// The route without the names of its parameters: two routes with the same shape and method collide.
    pub fn shape(&self) -> String {
        let parts = self
            .path
            .split('/')
            .map(|part| if part.starts_with('{') { "{}" } else { part });
        parts.collect::<Vec<_>>().join("/")
    }

    fn check(&self) -> Result<(), String> {
        let name = format!("the route {} {}", self.method, self.path);
        if !["GET", "POST", "PUT", "PATCH", "DELETE"].contains(&self.method.as_str()) {
            return Err(format!("{name} has an unknown method"));
        }
        let plain = |part: &str| {
            let inner = part
                .strip_prefix('{')
                .and_then(|part| part.strip_suffix('}'))
                .unwrap_or(part);
            !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.~".contains(&b))
        };
        if !self.path.starts_with("/api/v1/") || !self.path[1..].split('/').all(plain) {
            return Err(format!(
                "{name} does not start with /api/v1/ or has a part that is empty or not plain"
            ));
        }
        if self
            .guard
            .anonymous_status
            .is_some_and(|status| status != 401 && status != 403)
        {
            return Err(format!(
                "{name} has a guard whose `anonymousStatus` is neither 401 nor 403"
            ));
        }
        if self.guard.kind.needs_project() {
            let (ProjectFrom::Parameter(parameter) | ProjectFrom::Row { param: parameter, .. }) = &self.guard.project;
            if !self.parameters().any(|name| name == parameter) {
                return Err(format!(
                    "{name} has no parameter {{{parameter}}}, which its guard needs"
                ));
            }
        }
        Ok(())
    }
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(routes: &str) -> Result<Manifest, ManifestError> {
        Manifest::parse(format!(r#"{{"slot":"hello","version":"1","routes":[{routes}]}}"#).as_bytes())
    }

    #[test]
    fn defaults_are_filled_in() {
        let manifest =
            parse(r#"{"method":"GET","path":"/api/v1/projects/{project}/x","guard":{"kind":"project:read"},"new":1}"#)
                .unwrap();
        let route = &manifest.routes[0];
        assert_eq!(route.guard.project, ProjectFrom::Parameter("project".into()));
        assert_eq!((route.body.kind, route.body.bound()), (BodyKind::None, 1 << 20));
        assert_eq!(route.shape(), "/api/v1/projects/{}/x");
        assert!(route.guard.write && !route.guard.hidden);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (routes, part) in [
            (r#"{"method":"GET","path":"/x","guard":{"kind":"public"}}"#, "/x"),
            (
                r#"{"method":"GET","path":"/api/v1//x","guard":{"kind":"public"}}"#,
                "/api/v1//x",
            ),
            (
                r#"{"method":"FETCH","path":"/api/v1/x","guard":{"kind":"public"}}"#,
                "unknown method",
            ),
            (r#"{"method":"GET","path":"/api/v1/x","guard":{"kind":"sudo"}}"#, "sudo"),
            (
                r#"{"method":"GET","path":"/api/v1/x","guard":{"kind":"project:read"}}"#,
                "{project}",
            ),
            (
                r#"{"method":"GET","path":"/api/v1/x","guard":{"kind":"public","anonymousStatus":200}}"#,
                "401",
            ),
        ] {
            let error = parse(routes).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert!(Manifest::parse(br#"{"slot":"../x","version":"1"}"#).is_err());
        assert!(Manifest::parse(b"[]").is_err());
    }
}
