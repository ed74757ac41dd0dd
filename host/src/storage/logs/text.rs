//! Pieces of a text.

/// The bytes of a piece as text. A character that is cut at the end is left for the next piece; other invalid bytes are shown as
/// they are.
pub(super) fn whole(mut bytes: Vec<u8>) -> String {
    let whole = match std::str::from_utf8(&bytes) {
        Ok(_) => bytes.len(),
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Err(_) => bytes.len(),
    };
    bytes.truncate(whole);
    String::from_utf8_lossy(&bytes).into_owned()
}
