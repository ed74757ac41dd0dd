//! Where a shown text really stands.
//!
//! [`Resolver`] answers, for an element of any file of the project, which texts it shows and where their characters are
//! written: between its tags, in a string that a name leads to, in an item of a list, in a language file, or where the
//! component is used. Made for one request:
//!
//! ```ignore
//! let resolver = Resolver::new(project);
//! let element = resolver.find(&stamp)?;
//! for run in resolver.runs(&element) { … }
//! ```

mod askers;
mod call;
mod catalogue;
mod catalogues;
mod evaluate;
mod exports;
mod find_uses;
mod given;
mod list;
mod member;
mod places;
mod props;
mod registered;
mod registry;
mod runs;
mod shows;
mod slots;
mod symbols;
mod translate;
mod uses;
mod value;

pub use evaluate::Resolver;
pub use given::Given;
pub use runs::{Run, Way};
pub use value::{Decision, ElementAt, FunctionAt, Provenance, Reason};
