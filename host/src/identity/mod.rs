//! Authentication: turns the credential of a request into a caller.

pub mod access;
mod bearer;
mod browser;
mod caller;
mod cookies;
mod page_key;
mod session;

use std::sync::Arc;

use http::HeaderMap;

use crate::config::Config;
use crate::core::Core;

pub use access::Refusal;
pub use bearer::has_bearer;
pub use browser::browser;
pub use caller::Caller;
pub use cookies::cookie_values;
pub use page_key::{Scope, page_key};
pub use session::{session_cookie, session_secrets};

/// Authenticates a request. A bearer decides alone: an invalid one is a 401 even beside a valid cookie. Other schemes of
/// `Authorization` are ignored. Invalid and expired cookies count as no credential.
pub async fn authenticate(core: &Arc<Core>, config: &Config, headers: &HeaderMap) -> Result<Caller, Refusal> {
    match bearer::check(core, config, headers).await {
        Some(checked) => checked,
        None => session::check(core, config, headers).await,
    }
}

/// The same for a request to the API. There a browser's session counts together with the key of a page only.
pub async fn authenticate_api(core: &Arc<Core>, config: &Config, headers: &HeaderMap) -> Result<Caller, Refusal> {
    match bearer::check(core, config, headers).await {
        Some(checked) => checked,
        None => session::check_with_key(core, config, headers).await,
    }
}

/// The same behind the body of a request, which takes its sender's time: what was acknowledged meanwhile counts, also by another
/// server of the same database.
pub async fn authenticate_again(core: &Arc<Core>, config: &Config, headers: &HeaderMap) -> Result<Caller, Refusal> {
    if let Some(freshness) = core.freshness() {
        let checked = freshness.check().await;
        checked.map_err(|error| access::unavailable(&error.into()))?;
    }
    authenticate_api(core, config, headers).await
}
