//! One route: method, path, guard, and the bounds of what it takes.

use std::fmt;

use galley_people::name::is_disruptive;
use serde::{Deserialize, Serialize};

use crate::error::ManifestError;
use crate::guard::{Guard, GuardKind};

const MIB: u64 = 1 << 20;

/// The largest `maxBytes` of a JSON or raw body, in bytes.
const MAX_SMALL_BODY_BYTES: u64 = 16 * MIB;

/// The methods a route can have. A GET route answers HEAD too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// GET, and HEAD.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// PATCH.
    Patch,
    /// DELETE.
    Delete,
}

/// As HTTP writes it.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// One route of a manifest. Requests name it by its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Route<S = &'static str> {
    /// The method.
    pub method: Method,
    /// Begins with `/api/v1/`; `{name}` stands for one segment.
    pub path: S,
    /// One line for people and the API's description.
    #[serde(default)]
    pub summary: S,
    /// Who may call it.
    pub guard: Guard<S>,
    /// The body it takes.
    #[serde(default)]
    pub body: BodyLimits,
    /// Bounds of its streaming answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<StreamLimits<S>>,
    /// How often one client address may call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<RateLimit>,
}

/// What the host does with a request's body before the handler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BodyLimits {
    /// The kind of body.
    pub kind: BodyKind,
    /// The most bytes as sent; see [`BodyLimits::max_bytes`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// The most bytes of an unpacked archive; see [`BodyLimits::max_unpacked_bytes`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_unpacked_bytes: Option<u64>,
    /// The most entries of an archive; see [`BodyLimits::max_entries`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_entries: Option<u32>,
}

/// The kinds of body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyKind {
    /// No body. One that is sent is dropped.
    None,
    /// JSON, which the plugin parses.
    Json,
    /// Any bytes.
    Bytes,
    /// A gzipped tar, which the host unpacks while it arrives.
    Archive,
}

impl Default for BodyLimits {
    fn default() -> BodyLimits {
        BodyLimits::of(BodyKind::None)
    }
}

impl BodyLimits {
    /// The kind's defaults.
    pub const fn of(kind: BodyKind) -> BodyLimits {
        BodyLimits {
            kind,
            max_bytes: None,
            max_unpacked_bytes: None,
            max_entries: None,
        }
    }

    /// The most bytes as sent. Default: 1 MiB, and 200 MiB for an archive. Only an archive may be larger than 16 MiB.
    pub fn max_bytes(&self) -> u64 {
        match self.kind {
            BodyKind::Archive => self.max_bytes.unwrap_or(200 * MIB),
            _ => self.max_bytes.unwrap_or(MIB).min(MAX_SMALL_BODY_BYTES),
        }
    }

    /// The most bytes an archive may unpack to. Default: 200 MiB.
    pub fn max_unpacked_bytes(&self) -> u64 {
        self.max_unpacked_bytes.unwrap_or(200 * MIB)
    }

    /// The most entries an archive may have. Default: 20,000.
    pub fn max_entries(&self) -> u32 {
        self.max_entries.unwrap_or(20_000)
    }
}

/// Bounds of the open streaming answers of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamLimits<S = &'static str> {
    /// The most open streams of one client.
    pub max_per_client: u32,
    /// `Retry-After` of one stream too many, in seconds.
    pub retry_after: u32,
    /// The message of that 429.
    pub message: S,
}

/// How often one client address may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RateLimit {
    /// Calls a minute.
    pub per_minute: u32,
    /// Whether only callers without a credential are counted.
    #[serde(default)]
    pub anonymous_only: bool,
}

/// The names of the `{parameters}` of a path, in order.
pub fn parameters(path: &str) -> impl Iterator<Item = &str> {
    path.split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

impl<S: AsRef<str>> Route<S> {
    /// The names of the path's parameters, in order.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        parameters(self.path.as_ref())
    }

    /// Whether calling it needs no more than reading. There a token without the scope `read` is an anonymous caller; a
    /// route that asks for the scope `write` sees what the token's owner may read.
    pub fn only_reads(&self) -> bool {
        match self.guard.kind {
            GuardKind::Public => self.method == Method::Get,
            _ => self.guard.only_reads(),
        }
    }

    /// The path without the names of its parameters: two routes with the same shape and method collide.
    pub fn shape(&self) -> String {
        let parts = self.path.as_ref().split('/');
        let parts = parts.map(|part| if part.starts_with('{') { "{}" } else { part });
        parts.collect::<Vec<_>>().join("/")
    }

    /// Method and path, for messages.
    fn name(&self) -> String {
        format!("the route {} {}", self.method, self.path.as_ref())
    }

    pub(crate) fn check(&self) -> Result<(), ManifestError> {
        let wrong = |what: &str| Err(ManifestError::new(format!("{} {what}", self.name())));
        let path = self.path.as_ref();
        if !path.starts_with("/api/v1/") || !path[1..].split('/').all(is_plain) {
            return wrong("does not start with /api/v1/ or has a part that is empty or not plain");
        }
        if self.summary.as_ref().chars().any(is_disruptive) {
            return wrong("has a summary that is not one line without control characters");
        }
        let first = path["/api/v1/".len()..].split('/').next().unwrap_or_default();
        if HOST_SEGMENTS.contains(&first) || first.starts_with('{') {
            return wrong("could answer at /api/v1/auth or /api/v1/unsubscribe, where only the server has pages");
        }
        if self
            .guard
            .anonymous_status
            .is_some_and(|status| status != 401 && status != 403)
        {
            return wrong("has a guard whose `anonymousStatus` is neither 401 nor 403");
        }
        let parameter = self.guard.project_parameter();
        if self.guard.kind.needs_project() && !self.parameters().any(|name| name == parameter) {
            return wrong(&format!("has no parameter {{{parameter}}}, which its guard needs"));
        }
        Ok(())
    }
}

/// First segments after `/api/v1/` that belong to the host with every path below them: browsers open pages there.
const HOST_SEGMENTS: [&str; 2] = ["auth", "unsubscribe"];

/// Whether a path segment, or the name of a parameter, needs no encoding.
fn is_plain(part: &str) -> bool {
    let name = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
    let text = name.unwrap_or(part);
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.~".contains(&b))
}
