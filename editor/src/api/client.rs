//! Connections to the review server a project is linked to.

use std::time::Duration;

/// The client for its API. Redirects are not followed: the token is for the server that people named.
pub(super) fn client() -> reqwest::Result<reqwest::Client> {
    // Another part of the program may have chosen already, and that is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .connect_timeout(Duration::from_secs(10))
        .redirect(reqwest::redirect::Policy::none())
        .build()
}
