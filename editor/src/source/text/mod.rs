//! Changing a text where it stands: the `text` kind, for every language.
//!
//! [`plan`] plans the edit, [`texts`] is what an inspection says about texts. Both take any stamp of the project, that of an
//! element or of a component's use, in a JSX or in a Vue file.

mod choose;
mod inspect;
mod placeholders;
mod plan;
mod shown;

#[cfg(test)]
mod tests;

pub use inspect::{Texts, texts};
pub use plan::plan;
pub use shown::expect_shown;
