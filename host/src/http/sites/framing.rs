//! Who may frame a prototype: its own pages, and those of this server.

use http::{HeaderMap, HeaderValue, header};

use crate::config::Config;

/// The header of every answer for a prototype.
pub(super) struct Framing(HeaderValue);

impl Framing {
    pub fn new(config: &Config) -> Self {
        let policy = format!("frame-ancestors 'self' {}", config.public_url);
        // An address that could not stand in a header could not have been parsed as one.
        Self(HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("frame-ancestors 'self'")))
    }

    /// Adds it beside a policy that is there: browsers demand all of them.
    pub fn set(&self, headers: &mut HeaderMap) {
        headers.append(header::CONTENT_SECURITY_POLICY, self.0.clone());
    }
}
