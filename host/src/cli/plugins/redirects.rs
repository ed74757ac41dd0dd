//! Where a download of a plugin may be sent on to.

use reqwest::redirect::Policy;

/// The most redirects in a row: registries send clients elsewhere for blobs.
const MAX_REDIRECTS: usize = 5;

/// Where a download may be sent on to: not out of https.
pub fn redirects() -> Policy {
    Policy::custom(|attempt| {
        let was_safe = attempt.previous().iter().any(|url| url.scheme() == "https");
        match (attempt.previous().len(), attempt.url().scheme()) {
            (count, _) if count > MAX_REDIRECTS => attempt.error("too many redirects"),
            (_, "http") if was_safe => attempt.error("a redirect from https to http"),
            _ => attempt.follow(),
        }
    })
}
