//! Changing a text where it stands: the `text` kind, for every language.
//!
//! [`plan`] plans the edit, [`runs`] and [`usages`] are what an inspection says about texts. All three take any stamp of the
//! project, that of an element or of a component's use, in a JSX or in a Vue file.

mod choose;
mod inspect;
mod notation;
mod placeholders;
mod plan;
mod shown;
mod units;

#[cfg(test)]
mod tests;

pub use inspect::{runs, usages};
pub use notation::{Notation, Within};
pub use plan::plan;
pub use shown::{Shown, jsx_text, unescape};
