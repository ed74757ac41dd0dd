//! The caller, as an argument of the host's own routes.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;

use super::App;
use super::error::ApiError;
use crate::identity::{self, Caller};

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
        Ok(identity::authenticate(&app.core, &app.config, &parts.headers)?)
    }
}
