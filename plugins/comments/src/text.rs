//! The bounds of texts that people write. A text is stored trimmed; lengths are counted in characters.

use galley_sdk::prelude::*;

/// The most characters of a comment's or a reply's body.
const MAX_BODY: usize = 10_000;

/// The most characters of a client's key.
const MAX_CLIENT_KEY: usize = 64;

/// The body of a comment or a reply.
pub(crate) fn body(text: &str) -> Result<&str> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::bad_request("`body` must not be empty"));
    }
    at_most("body", text, MAX_BODY)
}

/// `text`, when it has at most `max` characters.
pub(crate) fn at_most<'a>(field: &str, text: &'a str, max: usize) -> Result<&'a str> {
    // Bytes are at least as many as characters: most texts need no counting.
    if text.len() > max && text.chars().count() > max {
        return Err(Error::bad_request(format!(
            "`{field}` must have at most {max} characters"
        )));
    }
    Ok(text)
}

/// The key that a client gave a comment or a reply; empty without one.
pub(crate) fn client_key(key: Option<&str>) -> Result<&str> {
    match key {
        None => Ok(""),
        Some("") => Err(Error::bad_request("`clientKey` must not be empty")),
        Some(key) => at_most("clientKey", key, MAX_CLIENT_KEY),
    }
}
