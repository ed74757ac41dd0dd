//! Component libraries: which components there are to insert and to speak of, besides the project's own.
//!
//! They come from packages that the prototype depends on and that declare their types, from the `designSystems` somebody
//! declared, and from servers of documentation. All of it is prepared in the background, after the prototype's first page;
//! what fails is said and left out, and nothing of the prototype is run or changed.

mod entries;
mod fetched;
mod files;
mod installed;
mod prepare;
mod run;
mod storybook;
#[cfg(test)]
mod tests;

pub use prepare::{Report, Request, prepare};
