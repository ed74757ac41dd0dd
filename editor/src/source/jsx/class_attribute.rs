//! Which attribute holds an element's classes: `className`, or `class`.

use super::framework::Framework;
use super::source::Source;
use crate::source::model::{Code, Refusal};
use crate::source::module::{Element, ElementKind};

/// The names of the attribute that holds the classes: React's, and that of HTML, which Vue and custom elements take.
pub(super) const NAMES: [&str; 2] = ["className", "class"];

/// The attribute that holds the classes.
pub(super) fn position(source: &Source, element: &Element) -> Result<Option<usize>, Refusal> {
    let of = |name: &str| {
        let mut attributes = element.attributes.iter();
        attributes.rposition(|attribute| attribute.name == name)
    };
    match NAMES.map(of) {
        // Vue takes `className` for a property of the page's element, which replaces what `class` says.
        [Some(_), Some(_)] if element.kind != ElementKind::Component || source.framework == Framework::Vue => {
            let reason = "The element has both a class and a className, and one of them replaces the other: join them in the code";
            Err(Refusal::uncertain(Code::ClassShape, reason))
        }
        [one, other] => Ok(one.or(other)),
    }
}

/// The name under which an element without classes is given some.
pub(super) fn new_name(source: &Source, element: &Element) -> Result<&'static str, Refusal> {
    let is_custom = element.kind == ElementKind::Host && element.tag.contains('-');
    let [react, html] = NAMES;
    match source.framework {
        Framework::React if is_custom => Ok(html),
        Framework::React => Ok(react),
        Framework::Vue => Ok(html),
        Framework::Unclear => {
            // What the rest of the file writes tells, when it writes one of them only.
            let written = |name: &str| {
                source
                    .module
                    .elements
                    .iter()
                    .any(|element| element.attribute(name).is_some())
            };
            match NAMES.map(written) {
                [true, false] => Ok(react),
                [false, true] => Ok(html),
                _ => {
                    let reason = format!(
                        "The project has both React and Vue, and nothing in {} tells which of them shows it, so it is not certain whether the attribute is className or class: write it in the code",
                        source.path
                    );
                    Err(Refusal::uncertain(Code::ClassShape, reason))
                }
            }
        }
    }
}
