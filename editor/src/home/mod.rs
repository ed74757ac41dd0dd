//! The user's own folder, `~/.config/tool`: what a person gave the Editor on this machine, whichever prototype is open. Nothing of
//! it lies in a repository, and nothing but its owner reads it.

mod private;
pub mod tokens;

pub use private::{PrivateError, change, load};
