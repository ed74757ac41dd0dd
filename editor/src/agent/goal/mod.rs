//! Whether a page is as it should be after a change of a model. Where it can say beforehand what would be right, it is compared with that
//! ([`Watch`]), else it is to go on working ([`Working`]). The review browser reads it, or the page that people look at.

mod browser;
mod live;
mod look;
mod reader;
mod source;
mod watch;
mod working;

pub use live::Preview;
pub use source::state;
pub use watch::Watch;
pub use working::Working;
