//! What can be known about an element of a template.

use super::document::Document;
use super::{attribute, class, expression, structure, style, text};
use crate::source::model::Code;
use crate::source::model::inspection::{self, Able, AttributeForm, Can, Inspection, Lanes, Language, Run};
use crate::source::model::plan::Refusal;
use crate::source::model::position::ATTRIBUTE;
use crate::source::model::{Inserted, Inspect, Place, Project, Stamp, hash};
use crate::source::notation::references;
use crate::source::sfc::component_name;
use crate::source::sfc::tree::{Attribute, Bound, Element, Id};
use crate::source::styles::StyleEdit;

/// Everything about the element with this index.
pub(super) fn inspect(
    project: &dyn Project,
    document: &Document<'_>,
    id: Id,
    question: &Inspect,
    lanes: Lanes,
) -> Result<Inspection, Refusal> {
    let element = document.element(id)?;
    let sfc = &document.sfc;
    let has = |element: &Element, kind| document.directive(element, kind).is_some();
    let repeated = std::iter::once(id)
        .chain(document.ancestors(id))
        .any(|id| sfc.element(id).is_some_and(|element| has(element, Bound::For)));
    let conditional = [Bound::If, Bound::ElseIf, Bound::Else]
        .into_iter()
        .any(|kind| has(element, kind));
    let attributes = (0..element.attributes.len()).filter_map(|place| describe(document, element, place));
    let runs = text::inspect(project, document, element, question);
    Ok(Inspection {
        src: document.stamp(sfc.nodes[id].span.start),
        path: document.path.to_owned(),
        hash: hash(document.text),
        language: Language::Vue,
        tag: document.tag(element).to_owned(),
        component: Some(component_name(document.path)),
        is_component: sfc.is_component(element),
        repeated,
        conditional,
        attributes: attributes.collect(),
        classes: class::inspect(document, element),
        utilities: None,
        styles: style::inspect(project, document, id, &question.viewport),
        usages: crate::source::text::texts(project, question).map_or_else(|_| Vec::new(), |texts| texts.usages),
        can: can((project, &question.src), document, id, &runs, lanes)?,
        text: runs,
    })
}

fn describe(document: &Document<'_>, element: &Element, place: usize) -> Option<inspection::Attribute> {
    let attribute = &element.attributes[place];
    let name = document.sfc.sets(attribute).unwrap_or(attribute.name.of(document.text));
    if name == ATTRIBUTE {
        return None;
    }
    let (form, value) = read(document, attribute);
    let able = attribute::able(document, element, place);
    Some(inspection::Attribute {
        name: if form == AttributeForm::Spread {
            "...".to_owned()
        } else {
            name.to_owned()
        },
        value,
        form,
        editable: able.is_ok(),
        why: able.err().map(|refusal| refusal.reason),
    })
}

fn read(document: &Document<'_>, attribute: &Attribute) -> (AttributeForm, Option<String>) {
    let source = attribute.value.map(|value| value.inner.of(document.text));
    let Some(directive) = &attribute.directive else {
        let value = source.map(|source| references::html_attribute(source).into_owned());
        let form = if value.is_some() {
            AttributeForm::Literal
        } else {
            AttributeForm::Flag
        };
        return (form, value);
    };
    let expression = source.map(str::to_owned);
    if directive.kind != Bound::Bind {
        return (AttributeForm::Expression, expression);
    }
    if attribute::is_spread(document, attribute) {
        return (AttributeForm::Spread, expression);
    }
    match attribute::bound(document, attribute) {
        expression::ExpressionValue::Text(literal) => (AttributeForm::Literal, Some(literal.text)),
        _ => (AttributeForm::Bound, expression),
    }
}

fn can(
    (project, src): (&dyn Project, &Stamp),
    document: &Document<'_>,
    id: Id,
    runs: &[Run],
    lanes: Lanes,
) -> Result<Can, Refusal> {
    let element = document.element(id)?;
    let asleep = |awake: bool, lane| {
        let refusal = if awake { react_only() } else { Refusal::dormant(lane) };
        Able::No(refusal.reason)
    };
    let class = vec!["x".to_owned()];
    let edit = StyleEdit::plain("--x", Some("0"));
    let put = |place| structure::insert(project, document, id, place, &Inserted::Markup("<i></i>".to_owned()));
    let insert = put(Place::After).or_else(|refusal| put(Place::Last).map_err(|_| refusal));
    Ok(Can {
        text: text::able((project, src), document, element, runs),
        attribute: Able::Yes,
        style: Able::of(&style::plan(project, document, id, &edit)),
        class: Able::of(&class::plan(document, id, &class, &[], None)),
        insert: Able::of(&insert),
        r#move: Able::of(&structure::movable(document, id)),
        duplicate: Able::of(&structure::duplicate(document, id, None)),
        delete: Able::of(&structure::delete(document, id, None)),
        detach: asleep(lanes.detach, "lanes.detach"),
        swap: asleep(lanes.swap, "lanes.swap"),
    })
}

/// Detaching and swapping components.
pub(super) fn react_only() -> Refusal {
    let reason =
        "Detaching and swapping components works in React projects only; change the component's use in the code";
    Refusal::uncertain(Code::ReactOnly, reason)
}
