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

use std::marker::PhantomData;

use galley_manifest::{BodyLimits, RateLimit, Route as Rule, StreamLimits};

use crate::extract::Parts;
use crate::guard::{Guarantees, Guard, Guarded};
use crate::handler::{Handler, erase};
use crate::response::Response;

pub use galley_manifest::{BodyKind, Method};

type Erased = Box<dyn Fn(&mut Parts<'_>) -> Response>;

/// One route of a plugin. Its default guard is [`Guard::project_manage`], so that a forgotten guard opens nothing.
///
/// `Needs` is what the handler relies on, until a guard guarantees it.
pub struct Route<Needs = Guarded> {
    /// Its entry in the manifest.
    pub(crate) rule: Rule,
    /// The names of the path's parameters.
    pub(crate) names: Vec<&'static str>,
    pub(crate) handler: Erased,
    needs: PhantomData<fn() -> Needs>,
}

/// A GET route.
pub fn get<A, H: Handler<A>>(path: &'static str, handler: H) -> Route<H::Needs> {
    Route::new(Method::Get, path, handler)
}

/// A POST route.
pub fn post<A, H: Handler<A>>(path: &'static str, handler: H) -> Route<H::Needs> {
    Route::new(Method::Post, path, handler)
}

/// A PUT route.
pub fn put<A, H: Handler<A>>(path: &'static str, handler: H) -> Route<H::Needs> {
    Route::new(Method::Put, path, handler)
}

/// A PATCH route.
pub fn patch<A, H: Handler<A>>(path: &'static str, handler: H) -> Route<H::Needs> {
    Route::new(Method::Patch, path, handler)
}

/// A DELETE route.
pub fn delete<A, H: Handler<A>>(path: &'static str, handler: H) -> Route<H::Needs> {
    Route::new(Method::Delete, path, handler)
}

impl<Needs> Route<Needs> {
    fn new<A, H: Handler<A, Needs = Needs>>(method: Method, path: &'static str, handler: H) -> Route<Needs> {
        Route {
            rule: Rule {
                method,
                path,
                summary: "",
                guard: Guard::project_manage().rule(),
                body: BodyLimits::of(H::BODY),
                stream: None,
                rate: None,
            },
            names: galley_manifest::parameters(path).collect(),
            handler: erase(handler),
            needs: PhantomData,
        }
    }

    /// Sets who may call it. Default: [`Guard::project_manage`].
    pub fn guard<K: Guarantees<Needs>>(mut self, guard: Guard<K>) -> Route {
        self.rule.guard = guard.rule();
        self.into_guarded()
    }

    pub(crate) fn into_guarded(self) -> Route {
        Route {
            rule: self.rule,
            names: self.names,
            handler: self.handler,
            needs: PhantomData,
        }
    }

    /// One line for people and the API description.
    pub fn summary(mut self, summary: &'static str) -> Route<Needs> {
        self.rule.summary = summary;
        self
    }

    /// The most bytes a body may have; more is a 413. Default: 1 MiB, and 200 MiB for an archive.
    pub fn max_bytes(mut self, bytes: u64) -> Route<Needs> {
        self.rule.body.max_bytes = Some(bytes);
        self
    }

    /// The most bytes and files an archive may unpack to; more is a 400. Default: 200 MiB and 20,000.
    pub fn max_unpacked(mut self, bytes: u64, entries: u32) -> Route<Needs> {
        self.rule.body.max_unpacked_bytes = Some(bytes);
        self.rule.body.max_entries = Some(entries);
        self
    }

    /// How many tails of this route one client may hold open; one more is a 429 with `message` and `Retry-After`.
    pub fn stream(mut self, max_per_client: u32, retry_after: u32, message: &'static str) -> Route<Needs> {
        self.rule.stream = Some(StreamLimits {
            max_per_client,
            retry_after,
            message,
        });
        self
    }

    /// The most calls of one client address in a minute; more is a 429 with `Retry-After`.
    pub fn rate(mut self, per_minute: u32) -> Route<Needs> {
        let anonymous_only = false;
        self.rule.rate = Some(RateLimit {
            per_minute,
            anonymous_only,
        });
        self
    }

    /// The same, counting only callers without a credential.
    pub fn anonymous_rate(mut self, per_minute: u32) -> Route<Needs> {
        let anonymous_only = true;
        self.rule.rate = Some(RateLimit {
            per_minute,
            anonymous_only,
        });
        self
    }
}

impl<Needs> std::fmt::Debug for Route<Needs> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.rule.method, self.rule.path)
    }
}
