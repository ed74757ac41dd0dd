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

use galley_manifest::{BodyLimits, RateLimit, Route as Rule, StreamLimits};

use crate::extract::Parts;
use crate::guard::Guard;
use crate::handler::{Handler, erase};
use crate::response::Response;

pub use galley_manifest::{BodyKind, Method};

type Erased = Box<dyn Fn(&mut Parts<'_>) -> Response>;

/// One route of a plugin. Its default guard is [`Guard::project_manage`], so that a forgotten guard opens nothing.
pub struct Route {
    /// Its entry in the manifest.
    pub(crate) rule: Rule,
    /// The names of the path's parameters.
    pub(crate) names: Vec<&'static str>,
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
            rule: Rule {
                method,
                path,
                summary: "",
                guard: Guard::project_manage(),
                body: BodyLimits::of(H::BODY),
                stream: None,
                rate: None,
            },
            names: galley_manifest::parameters(path).collect(),
            handler: erase(handler),
        }
    }

    /// Sets who may call it. Default: [`Guard::project_manage`].
    pub fn guard(mut self, guard: Guard) -> Route {
        self.rule.guard = guard;
        self
    }

    /// One line for people and the API description.
    pub fn summary(mut self, summary: &'static str) -> Route {
        self.rule.summary = summary;
        self
    }

    /// The most bytes a body may have; more is a 413. Default: 1 MiB, and 200 MiB for an archive.
    pub fn max_bytes(mut self, bytes: u64) -> Route {
        self.rule.body.max_bytes = Some(bytes);
        self
    }

    /// The most bytes and files an archive may unpack to; more is a 400. Default: 200 MiB and 20,000.
    pub fn max_unpacked(mut self, bytes: u64, entries: u32) -> Route {
        self.rule.body.max_unpacked_bytes = Some(bytes);
        self.rule.body.max_entries = Some(entries);
        self
    }

    /// How many tails of this route one client may hold open; one more is a 429 with `message` and `Retry-After`.
    pub fn stream(mut self, max_per_client: u32, retry_after: u32, message: &'static str) -> Route {
        self.rule.stream = Some(StreamLimits {
            max_per_client,
            retry_after,
            message,
        });
        self
    }

    /// The most calls of one client address in a minute; more is a 429 with `Retry-After`.
    pub fn rate(mut self, per_minute: u32) -> Route {
        let anonymous_only = false;
        self.rule.rate = Some(RateLimit {
            per_minute,
            anonymous_only,
        });
        self
    }

    /// The same, counting only callers without a credential.
    pub fn anonymous_rate(mut self, per_minute: u32) -> Route {
        let anonymous_only = true;
        self.rule.rate = Some(RateLimit {
            per_minute,
            anonymous_only,
        });
        self
    }
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.rule.method, self.rule.path)
    }
}
