//! What the HTTP clients of the program have in common.

use std::error::Error;

/// What requests say of their sender, unless they are between parts of the program.
pub const AGENT: &str = concat!("galley/", env!("CARGO_PKG_VERSION"));

/// A client to be, which can speak TLS.
pub fn client() -> reqwest::ClientBuilder {
    provide_tls();
    reqwest::Client::builder()
}

/// The same for where nothing is asynchronous. Not within the runtime.
pub fn blocking_client() -> reqwest::blocking::ClientBuilder {
    provide_tls();
    reqwest::blocking::Client::builder()
}

fn provide_tls() {
    // The first call wins; every caller installs the same provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Why there is no answer: the innermost cause without the address, whose query may hold a secret.
pub fn reason(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "it did not answer in time".to_owned();
    }
    let error = error.without_url();
    let mut reason: &dyn Error = &error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    reason.to_string()
}
