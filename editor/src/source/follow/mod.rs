//! Where a shown text really stands.
//!
//! [`Follower`] answers, for an element of any file of the project, which texts it shows and where their characters are
//! written: between its tags, in a string that a name leads to, in an item of a list, in a language file, or where the
//! component is used. Made for one request:
//!
//! ```ignore
//! let follower = Follower::new(project);
//! let element = follower.find(&stamp)?;
//! for run in follower.runs(&element) { … }
//! ```

mod call;
mod catalogue;
mod evaluate;
mod list;
mod lower;
mod member;
mod module;
mod modules;
mod places;
mod registered;
mod runs;
mod slots;
mod translate;
mod uses;
mod value;

use std::sync::Arc;

use serde_json::Value as Json;

pub use evaluate::Follower;
pub use lower::{Entered, Fragments};
pub use module::{Element, ElementId, Fixed, Module};
pub use modules::Modules;
pub use runs::{Run, Way};
pub use value::{Decision, ElementAt, FunctionAt, Trail, Why};

/// A JSON text with comments as a value; `null` when it is broken.
#[must_use]
pub fn json(path: &str, text: &Arc<str>) -> Json {
    use module::{Export, NodeId, Shape};
    fn value(module: &Module, id: NodeId) -> Json {
        match &module[id].shape {
            Shape::Text(fixed) => Json::from(fixed.text.as_str()),
            Shape::Object(properties) => {
                let pairs = properties.iter();
                let pairs = pairs.filter_map(|one| Some((one.key.clone()?, value(module, one.value))));
                Json::Object(pairs.collect())
            }
            Shape::List(items) => items.iter().map(|item| value(module, item.value)).collect(),
            _ => Json::Null,
        }
    }
    let module = modules::read(path, text);
    match module
        .as_ref()
        .and_then(|module| Some((module, module.exports.first()?)))
    {
        Some((module, (_, Export::Node(whole)))) => value(module, *whole),
        _ => Json::Null,
    }
}
