//! The text of a log, and its pieces.

/// The longest log, in bytes.
pub const MAX_BYTES: u64 = 16 << 20;

/// A piece of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Piece {
    /// Whole characters; empty when there are no more of them at the moment.
    pub text: String,
    /// The final status, `None` while the log goes on. With an empty text it says that this is the log's end.
    pub status: Option<String>,
}

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
