//! One route: method, path, guard, handler. The kind of body follows from the handler's arguments.
//!
//! ```
//! use galley_sdk::prelude::*;
//!
//! async fn not_a_handler() {} // handlers are plain functions: the host's calls do not need `await`
//! fn hello(Path(name): Path<String>) -> Json<String> {
//!     Json(format!("Hello, {name}"))
//! }
//!
//! let route = get("/api/v1/hello/{name}", hello).guard(Guard::public()).summary("Greet somebody");
//! # let _ = (route, not_a_handler);
//! ```

use serde::Serialize;

use crate::extract::Parts;
use crate::guard::Guard;
use crate::handler::{Handler, erase};
use crate::response::Response;

/// The methods a route can have. A GET route answers HEAD too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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

/// What the host does with a request's body before the handler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Body {
    pub(crate) kind: BodyKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_unpacked_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_entries: Option<u32>,
}

/// The kinds of body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyKind {
    /// No body. One that is sent is dropped.
    None,
    /// JSON, read by [`Json`](crate::Json).
    Json,
    /// Any bytes, read by [`Bytes`](crate::Bytes).
    Bytes,
    /// A gzipped tar which the host unpacks, read by [`Upload`](crate::Upload).
    Archive,
}

/// Bounds of the open [`Tail`](crate::Tail) answers of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Stream {
    pub(crate) max_per_client: u32,
    pub(crate) retry_after: u32,
    pub(crate) message: &'static str,
}

/// How often one client address may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rate {
    pub(crate) per_minute: u32,
    pub(crate) anonymous_only: bool,
}

type Erased = Box<dyn Fn(&mut Parts<'_>) -> Response>;

/// One route of a plugin. Its default guard is [`Guard::project_manage`], so that a forgotten guard opens nothing.
#[derive(Serialize)]
pub struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) guard: Guard,
    pub(crate) body: Body,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stream: Option<Stream>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rate: Option<Rate>,
    #[serde(skip)]
    pub(crate) names: Vec<&'static str>,
    #[serde(skip)]
    pub(crate) handler: Erased,
}

/// A GET route.
pub fn get<A>(path: &'static str, handler: impl Handler<A>) -> Route {
    Route::new(Method::Get, path, handler)
}

/// A POST route.
pub fn post<A>(path: &'static str, handler: impl Handler<A>) -> Route {
    Route::new(Method::Post, path, handler)
}

/// A PUT route.
pub fn put<A>(path: &'static str, handler: impl Handler<A>) -> Route {
    Route::new(Method::Put, path, handler)
}

/// A PATCH route.
pub fn patch<A>(path: &'static str, handler: impl Handler<A>) -> Route {
    Route::new(Method::Patch, path, handler)
}

/// A DELETE route.
pub fn delete<A>(path: &'static str, handler: impl Handler<A>) -> Route {
    Route::new(Method::Delete, path, handler)
}

impl Route {
    fn new<A, H: Handler<A>>(method: Method, path: &'static str, handler: H) -> Route {
        Route {
            method,
            path,
            summary: "",
            guard: Guard::project_manage(),
            body: Body {
                kind: H::BODY,
                max_bytes: None,
                max_unpacked_bytes: None,
                max_entries: None,
            },
            stream: None,
            rate: None,
            names: names(path).collect(),
            handler: erase(handler),
        }
    }

    /// Sets who may call it. Default: [`Guard::project_manage`].
    pub fn guard(mut self, guard: Guard) -> Route {
        self.guard = guard;
        self
    }

    /// One line for people and the API description.
    pub fn summary(mut self, summary: &'static str) -> Route {
        self.summary = summary;
        self
    }

    /// The most bytes a body may have; more is a 413. Default: 1 MiB, and 200 MiB for an archive.
    pub fn max_bytes(mut self, bytes: u64) -> Route {
        self.body.max_bytes = Some(bytes);
        self
    }

    /// The most bytes and files an archive may unpack to; more is a 400. Default: 200 MiB and 20,000.
    pub fn max_unpacked(mut self, bytes: u64, entries: u32) -> Route {
        self.body.max_unpacked_bytes = Some(bytes);
        self.body.max_entries = Some(entries);
        self
    }

    /// How many tails of this route one client may hold open; one more is a 429 with `message` and `Retry-After`.
    pub fn stream(mut self, max_per_client: u32, retry_after: u32, message: &'static str) -> Route {
        self.stream = Some(Stream {
            max_per_client,
            retry_after,
            message,
        });
        self
    }

    /// The most calls of one client address in a minute; more is a 429 with `Retry-After`.
    pub fn rate(mut self, per_minute: u32) -> Route {
        let anonymous_only = false;
        self.rate = Some(Rate {
            per_minute,
            anonymous_only,
        });
        self
    }

    /// The same, counting only callers without a credential.
    pub fn anonymous_rate(mut self, per_minute: u32) -> Route {
        let anonymous_only = true;
        self.rate = Some(Rate {
            per_minute,
            anonymous_only,
        });
        self
    }
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}", self.method, self.path)
    }
}

/// The names of the `{parameters}` of a path, in order.
fn names(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_named_in_order() {
        assert_eq!(names("/a/{one}/b/{two}").collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(names("/a/b").count(), 0);
    }
}
