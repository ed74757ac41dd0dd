//! Changing a text where it stands: the `text` kind, for every language.
//!
//! [`plan`] plans the edit, [`texts`] is what an inspection says about texts. Both take any stamp of the project, that of an
//! element or of a component's use, in a JSX or in a Vue file.

mod choose;
mod inspect;
mod notation;
mod placeholders;
mod plan;
mod shown;
mod units;

#[cfg(test)]
mod tests;

pub use inspect::{Texts, texts};
pub use notation::{Notation, Within};
pub use plan::plan;
pub use shown::{Shown, jsx_text, unescape};
pub use units::smallest;
