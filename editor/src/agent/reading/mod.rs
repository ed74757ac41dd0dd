//! What a chat may read: the prototype as it is on disk, and the folders of `readRoots`. Nothing here writes.
//!
//! A root that lies in git is read from its commits, so that what is read is what others have too; a plain folder is read from
//! disk. Links and `..` stay inside of the root, and files that usually hold secrets are not read anywhere.

mod commits;
mod live;
mod matches;
mod names;
mod place;
mod roots;
#[cfg(test)]
mod tests;

pub use names::is_withheld;
pub use roots::{DiffFile, ListCommits, ReadFile, Roots, Search};
