//! Which text an edit was made for.

use sha2::{Digest, Sha256};

/// What names a text's exact state: `sourceHash` of an edit, `hash` of an inspection. The byte order mark does not count.
#[must_use]
pub fn hash(text: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}
