//! The plugin of comments with its own tables, which can also take over the data of the guest `remarks`: the way back from
//! another plugin, without losing what was written there.

use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// The plugin of the slot `comments`.
pub fn plugin() -> Plugin {
    galley_comments::plugin().adopts_by("remarks@1", include_str!("from_remarks.sql"))
}
