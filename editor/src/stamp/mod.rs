//! Source positions on elements: `data-desde-src`, added while the dev server compiles.

use crate::source::model::Language;

mod jsx;
mod map;
mod stamped;
mod vue;

pub use crate::source::model::position::ATTRIBUTE;
pub use stamped::{Stamped, Unstamped};

/// Stamps every element of `code`, the file's text without byte order mark. `path` is relative to the prototype's root.
///
/// # Errors
/// When the code is not understood: the dev server should then take it as it is.
pub fn stamp(path: &str, code: &str) -> Result<Stamped, Unstamped> {
    stamp_with(path, code, &[])
}

/// Like [`stamp`]; `custom` are the names that the project's build of Vue takes for custom elements of the browser
/// (`compilerOptions.isCustomElement`), which no file shows. Only those with a dash and in lower case can be some: others, as
/// `TresMesh`, belong to a renderer of their own, which knows no `data-` attributes.
///
/// # Errors
/// As there.
pub fn stamp_with(path: &str, code: &str, custom: &[String]) -> Result<Stamped, Unstamped> {
    match Language::of(path) {
        Some(Language::Jsx) => jsx::stamp(path, code),
        Some(Language::Vue) => vue::stamp(path, code, custom),
        None => Err(Unstamped::NoLanguage(path.to_owned())),
    }
}

#[cfg(test)]
mod tests;
