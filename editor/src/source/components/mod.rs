//! The project's own components: which there are, the properties their sources name, and writing the use of one with its import; pictures too are named as their neighbours are.
//!
//! Nothing is guessed. A property is what the source declares; an import is written as the file's others are, and leads to the
//! component; what cannot be used at a place is refused with the reason.

mod declarations;
mod example;
mod facts;
mod import;
mod library;
mod lower;
mod offered;
mod pictures;
mod properties;
mod read;
mod site;
mod specifier;
#[cfg(test)]
mod tests;
mod types;
mod usable;
mod vue;
mod write;

pub use example::check_example;
pub use library::declared;
pub use offered::{Offered, offered};
pub use pictures::{Named, Picture, imports_picture, is_picture, picture};
pub use site::Site;
pub use write::{Written, write};
