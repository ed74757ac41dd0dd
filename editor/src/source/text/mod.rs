//! Changing a text where it stands.

mod notation;
mod shown;

pub use notation::{Notation, Within};
pub use shown::{Shown, jsx_text, unescape};
