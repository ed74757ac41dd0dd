//! Character references: read as browsers read them, written only where something else would be read.

use std::borrow::Cow;

/// The characters of a text between tags.
#[must_use]
pub fn decode(text: &str) -> Cow<'_, str> {
    if text.contains('&') {
        htmlize::unescape(text)
    } else {
        Cow::Borrowed(text)
    }
}

/// The characters of an attribute's value.
#[must_use]
pub fn decode_attribute(value: &str) -> Cow<'_, str> {
    if value.contains('&') {
        htmlize::unescape_attribute(value)
    } else {
        Cow::Borrowed(value)
    }
}
