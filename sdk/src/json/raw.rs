//! Text that is JSON already.

use serde::ser::{Serialize, Serializer};

/// Text that is JSON already, such as a column that holds JSON. It is written unchanged and unchecked; other serializers write
/// it as a string.
///
/// ```
/// use galley_sdk::json::{Raw, to_vec};
///
/// assert_eq!(to_vec(&(Raw("[1,2]"), 3)).unwrap(), b"[[1,2],3]");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(pub &'a str);

/// The name under which the writer recognizes a [`Raw`].
pub(super) const RAW: &str = "$galley::json::Raw";

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(RAW, self.0)
    }
}
