//! A second plugin for the slot of comments. It serves the same API by the same rules, and keeps everything in tables of its
//! own: replies are remarks like comments, mentions are rows, and nothing that can be counted is stored. It takes over the data
//! of the plugin that comes with the program.

mod tables;

use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// The plugin `remarks` of the slot `comments`.
pub fn plugin() -> Plugin {
    galley_comments::over::<tables::Tables>()
}
