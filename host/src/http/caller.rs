//! The caller, as an argument of the host's own routes.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::Method;
use http::request::Parts;

use super::error::ApiError;
use super::{App, unsubscribe};
use crate::identity::access::too_narrow;
use crate::identity::{self, Caller, Scope};

/// The caller of a route of the host that only reads. A token without the scope `read` counts as anonymous.
pub struct Reader(pub Caller);

impl FromRequestParts<Arc<App>> for Reader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        Ok(Self(Caller::from_request_parts(parts, app).await?.into_reader()))
    }
}

/// The caller of a route of the host.
impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let path = parts.uri.path();
        if !needs_key(path) {
            return Ok(identity::authenticate(&app.core, &app.config, &parts.headers).await?);
        }
        let caller = identity::authenticate_api(&app.core, &app.config, &parts.headers).await?;
        if *caller.scope() != Scope::All && !is_for_reviews(&parts.method, path) {
            return Err(too_narrow().into());
        }
        Ok(caller)
    }
}

/// Whether a browser's session needs the key of a page here. Signing in and out, and unsubscribing, are done by plain forms.
fn needs_key(path: &str) -> bool {
    let is_below = |page: &str| {
        path.strip_prefix(page)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    is_below("/api/v1") && !is_below("/api/v1/auth") && !is_below(unsubscribe::PATH)
}

/// Whether a page with the key of a project's review may ask for this. Of projects it sees its own only (`identity/access.rs`).
fn is_for_reviews(method: &Method, path: &str) -> bool {
    let rest = path.strip_prefix("/api/v1/").unwrap_or_default();
    let one_project = |id: &str| !id.is_empty() && !id.contains('/');
    matches!(*method, Method::GET | Method::HEAD)
        && (matches!(rest, "me" | "ui" | "projects") || rest.strip_prefix("projects/").is_some_and(one_project))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_for_the_api_without_its_forms() {
        for path in [
            "/api/v1",
            "/api/v1/me",
            "/api/v1/authx",
            "/api/v1/unsubscribes",
            "/api/v1/nothing",
        ] {
            assert!(needs_key(path), "{path}");
        }
        for path in [
            "/",
            "/sign-in",
            "/api/v1/auth/logout",
            "/api/v1/unsubscribe",
            "/p/api/v1/me",
            "/instance",
        ] {
            assert!(!needs_key(path), "{path}");
        }
    }

    #[test]
    fn reviews_ask_for_little() {
        for path in ["/api/v1/me", "/api/v1/ui", "/api/v1/projects", "/api/v1/projects/p1"] {
            assert!(
                is_for_reviews(&Method::GET, path) && !is_for_reviews(&Method::POST, path),
                "{path}"
            );
        }
        for path in [
            "/api/v1/me/sessions",
            "/api/v1/tokens",
            "/api/v1/directory",
            "/api/v1/projects/",
            "/api/v1/projects/p1/members",
            "/api/v1/instance/plugins",
        ] {
            assert!(!is_for_reviews(&Method::GET, path), "{path}");
        }
    }
}
