//! Names of the page's elements: which tags are some, and what each of them can hold.

mod content;
mod tags;

pub use content::{Content, content};
pub use tags::{is_host, is_void};
