//! Putting an element around another.

use super::document::{self, Document};
use super::markup::Markup;
use super::{chain, structure};
use crate::source::model::{Code, Plan, Project, Refusal, Replacement, Stamp};
use crate::source::sfc::tree::Bound;
use crate::source::styles;

/// Puts an element with a style around the one at `src`.
///
/// # Errors
/// Where an element around it would change what Vue makes of it.
pub fn wrap(project: &dyn Project, src: &Stamp, tag: &str, (property, value): (&str, &str)) -> Result<Plan, Refusal> {
    let text = document::text(project, &src.path)?;
    let document = &Document::new(&src.path, &text)?;
    let id = document.locate(src)?;
    let element = document.element(id)?;
    structure::not_only_root(
        document,
        id,
        "wrapped: attributes that are given to the component would reach the element around it",
    )?;
    let decides = [Bound::For, Bound::Slot]
        .iter()
        .any(|kind| document.directive(element, *kind).is_some());
    let is_keyed = document.sfc.attributes_of(element, "key").next().is_some();
    if decides || is_keyed || chain::is_linked(document, id) {
        let reason = "The element is repeated, or one side of a condition, so an element around it would need its directives: change it in the code";
        return Err(Refusal::uncertain(Code::Conditional, reason));
    }
    let span = document.sfc.nodes[id].span;
    let style = styles::attribute(document.text, property, value, false);
    let markup = Markup::of(document, id);
    let written = if document.stands_alone(span) {
        let line_end = document.line_end();
        let outer = document.indentation(span.start);
        let inner = format!("{outer}{}", document.step());
        let own = markup.indented(document, &inner);
        format!("<{tag} {style}>{line_end}{inner}{own}{line_end}{outer}</{tag}>")
    } else {
        format!("<{tag} {style}>{}</{tag}>", markup.source())
    };
    Ok(document.plan(vec![Replacement::new(span.range(), written)]))
}
