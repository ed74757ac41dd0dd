//! Typed parts of the request, as a handler's arguments. A part that is missing or malformed is a 400 that names it; the
//! handler does not run.
//!
//! ```
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct Page {
//!     size: u32,
//! }
//!
//! fn show(Path((project, name)): Path<(String, String)>, Query(page): Query<Page>) -> Json<String> {
//!     Json(format!("{project}/{name}, {} a page", page.size))
//! }
//!
//! let path = "/api/v1/projects/{project}/things/{name}";
//! let plugin = Plugin::new("demo", "1.0.0").route(get(path, show).guard(Guard::project_read()));
//! let host = TestHost::new(plugin);
//! host.project("p1");
//! let answer = host.get("/api/v1/projects/p1/things/a%20b?size=3").as_admin().send();
//! assert_eq!(answer.json(), "p1/a b, 3 a page");
//! let answer = host.get("/api/v1/projects/p1/things/a?size=many").as_admin().send();
//! assert_eq!((answer.status, answer.error()), (400, "`size` must be a whole number".into()));
//! ```

mod body;
mod params;
mod person;
mod project;
mod text;

pub use body::{Bytes, Json, Upload};
pub use params::{Path, Query};
pub use person::Administrator;
pub use project::{CommentableProject, ManagedProject, ProjectId};

use galley_manifest::BodyKind;

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::host::http;

/// A handler's argument.
pub trait FromRequest: Sized {
    /// What the route's guard must [guarantee](crate::guard::Guarantees) for it: the type itself, or `()` for nothing.
    type Needs;

    /// The kind of body it reads, which the route then declares.
    const BODY: BodyKind = BodyKind::None;

    /// Takes it from the request. A body can be taken once.
    fn from_request(parts: &mut Parts<'_>) -> Result<Self>;
}

/// A request on its way into a handler's arguments.
pub struct Parts<'a> {
    request: &'a http::Request,
    names: &'a [&'static str],
}

impl<'a> Parts<'a> {
    pub(crate) fn new(request: &'a http::Request) -> Parts<'a> {
        Parts { request, names: &[] }
    }

    pub(crate) fn route(&self) -> usize {
        self.request.route() as usize
    }

    pub(crate) fn id(&self) -> String {
        self.request.id()
    }

    /// Sets the names of the path parameters.
    pub(crate) fn name(&mut self, names: &'a [&'static str]) {
        self.names = names;
    }
}

fn taken(what: &str) -> Error {
    Error::internal(format_args!(
        "{what} of the request is missing, or an earlier argument took it"
    ))
}

impl FromRequest for Caller {
    type Needs = ();

    fn from_request(parts: &mut Parts<'_>) -> Result<Caller> {
        Ok(parts.request.caller().into())
    }
}

/// Further facts about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The request's id, as in the host's log.
    pub id: String,
    /// Upper-case method.
    pub method: String,
    /// The path as it was sent, without the query.
    pub path: String,
    /// The raw query string, without its `?`.
    pub query: String,
}

impl Request {
    /// A request header: `None` when it is absent or not UTF-8, the first when it was sent twice. Credentials are never
    /// given to a plugin.
    pub fn header(&self, name: &str) -> Option<String> {
        crate::host::header(name)
    }
}

impl FromRequest for Request {
    type Needs = ();

    fn from_request(parts: &mut Parts<'_>) -> Result<Request> {
        let request = parts.request;
        Ok(Request {
            id: request.id(),
            method: request.method(),
            path: request.path(),
            query: request.query(),
        })
    }
}
