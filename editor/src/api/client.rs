//! Connections to the review server a project is linked to, and to the Editor that has a prototype open.

use std::time::Duration;

/// The client for its API.
pub(super) fn client() -> reqwest::Result<reqwest::Client> {
    builder(Duration::from_secs(10)).build()
}

/// The client for an Editor of this machine, which no proxy stands before.
pub(super) fn local(timeout: Duration) -> reqwest::Result<reqwest::Client> {
    builder(timeout).no_proxy().build()
}

/// Redirects are not followed: the token is for the server that people named.
fn builder(timeout: Duration) -> reqwest::ClientBuilder {
    // Another part of the program may have chosen already, and that is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .connect_timeout(timeout)
        .redirect(reqwest::redirect::Policy::none())
}
