//! Putting an element around another.

use super::markup::reindented;
use super::slot::Slot;
use super::source::Source;
use crate::source::model::{Code, Plan, Project, Refusal, Replacement, Stamp};
use crate::source::styles;

/// Puts an element with a style around the one at `src`.
///
/// # Errors
/// Where an element around it would not be what the code expects there.
pub fn wrap(project: &dyn Project, src: &Stamp, tag: &str, (property, value): (&str, &str)) -> Result<Plan, Refusal> {
    let (source, index) = Source::open(project, src)?;
    let slot = Slot::of(&source, index);
    let element = source.element(index);
    if !matches!(slot, Slot::Child | Slot::Guarded(_) | Slot::Side { .. } | Slot::Root) {
        return Err(slot.refusal(&source, "wrapped"));
    }
    if element.attribute("key").is_some() {
        let reason = "The element has a key, which an element around it would need: change it in the code";
        return Err(Refusal::uncertain(Code::Repeated, reason));
    }
    let style = styles::attribute(&source.text, property, value, true);
    let range = &element.range;
    let own = source.slice(range);
    let written = if source.stands_alone(range) {
        let line_end = source.line_end();
        let outer = source.indentation(range.start);
        let inner = format!("{outer}{}", source.step(index));
        let own = reindented(&source.path, own, outer, &inner, line_end);
        format!("<{tag} {style}>{line_end}{inner}{own}{line_end}{outer}</{tag}>")
    } else {
        format!("<{tag} {style}>{own}</{tag}>")
    };
    Ok(source.plan(vec![Replacement::new(range.clone(), written)]))
}
