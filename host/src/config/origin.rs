//! Origins: scheme and host, no path.

use super::error::ConfigError;

/// The host of a configured origin, with its port if it has one.
pub fn host_of(origin: &str) -> &str {
    origin.split_once("://").map_or(origin, |(_, host)| host)
}

/// Parses the value of a variable that is an origin.
pub(super) fn base_url(variable: &str, text: &str) -> Result<String, ConfigError> {
    let bad = |why: &str| {
        ConfigError(format!(
            "{variable} is `{text}`, {why}: it looks like https://review.example.org"
        ))
    };
    let url = url::Url::parse(text.trim()).map_err(|error| bad(&error.to_string()))?;
    if !["http", "https"].contains(&url.scheme()) || url.host_str().is_none() {
        return Err(bad("which is not an http or https address"));
    }
    // A trailing slash is a path, too: what is built from the address begins with one.
    if text.trim().ends_with('/')
        || url.path() != "/"
        || url.query().is_some()
        || url.fragment().is_some()
        || !url.username().is_empty()
    {
        return Err(bad(
            "which has more than scheme, host and port (a trailing slash counts)",
        ));
    }
    Ok(url.origin().ascii_serialization())
}
