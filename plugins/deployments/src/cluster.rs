//! What there is to know of other servers.

use galley_sdk::settings;

/// Whether no other server serves with these data. A server that does not say so is taken for one of some.
pub(crate) fn is_alone() -> bool {
    settings::get("cluster") == Some(false)
}
