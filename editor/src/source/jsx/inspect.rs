//! What can be known about an element of a JSX file.

use super::framework::{Framework, react_only};
use super::source::Source;
use super::{attribute, class, delete, detach, insert, moving, slot, style};
use crate::source::model::hash;
use crate::source::model::inspection::{self, Able, AttributeForm, Can, Inspect, Inspection, Lanes, Language};
use crate::source::model::plan::Refusal;
use crate::source::model::position::ATTRIBUTE;
use crate::source::model::project::Project;
use crate::source::module::{Attribute, ElementId, ElementKind, Written};
use crate::source::{sfc, text};

pub(super) fn inspect(project: &dyn Project, inspect: &Inspect, lanes: Lanes) -> Result<Inspection, Refusal> {
    let (source, index) = Source::open(project, &inspect.src)?;
    let element = source.element(index);
    let positions = 0..element.attributes.len();
    let shown = positions.filter(|position| element.attributes[*position].name != ATTRIBUTE);
    let texts = text::texts(project, inspect)?;
    Ok(Inspection {
        src: inspect.src.clone(),
        path: source.path.clone(),
        hash: hash(&source.text),
        language: Language::Jsx,
        tag: element.tag.clone(),
        component: slot::component(&source, index)
            .or_else(|| source.path.ends_with(".vue").then(|| sfc::component_name(&source.path))),
        is_component: element.kind == ElementKind::Component,
        repeated: slot::is_repeated(&source, index),
        conditional: slot::is_conditional(&source, index),
        attributes: shown.map(|position| describe(&source, index, position)).collect(),
        classes: class::inspect(&source, element),
        utilities: None,
        text: texts.runs,
        styles: style::inspect(project, &source, index, &inspect.viewport),
        usages: texts.usages,
        can: can(project, &source, index, lanes, texts.can),
    })
}

fn describe(source: &Source, index: ElementId, position: usize) -> inspection::Attribute {
    let element = source.element(index);
    let attribute = &element.attributes[position];
    let able = attribute::able(source, element, position);
    let (form, value) = value(source, attribute);
    inspection::Attribute {
        name: match form {
            AttributeForm::Spread => "...".to_owned(),
            _ => attribute.name.clone(),
        },
        value,
        form,
        editable: able.is_ok(),
        why: able.err().map(|refusal| refusal.reason),
    }
}

fn value(source: &Source, attribute: &Attribute) -> (AttributeForm, Option<String>) {
    match &attribute.written {
        Written::Flag => (AttributeForm::Flag, None),
        Written::Text(..) => (
            AttributeForm::Literal,
            source.module.quoted(attribute).map(str::to_owned),
        ),
        Written::Expression(contained) => match source.module.literal(contained) {
            Some(literal) => (AttributeForm::Literal, Some(literal.value.shown())),
            None => (
                AttributeForm::Expression,
                Some(source.slice(&contained.inner).to_owned()),
            ),
        },
        Written::Element(_) => {
            let value = source.slice(&attribute.range).split_once('=');
            (AttributeForm::Expression, value.map(|(_, value)| value.to_owned()))
        }
        Written::Spread(range, _) => (AttributeForm::Spread, Some(source.slice(range).to_owned())),
    }
}

fn can(project: &dyn Project, source: &Source, index: ElementId, lanes: Lanes, text: Able) -> Can {
    let element = source.element(index);
    let classes = class::inspect(source, element);
    let lane = |awake: bool, key: &'static str| match (awake, element.kind) {
        (_, kind) if kind != ElementKind::Component => {
            Able::No("Only the use of a component can be replaced".to_owned())
        }
        (false, _) => Able::No(Refusal::dormant(key).reason),
        (true, _) if source.framework == Framework::Vue => Able::No(react_only().reason),
        (true, _) => Able::Yes,
    };
    Can {
        text,
        attribute: Able::Yes,
        style: Able::of(&style::able(project, source, index)),
        class: classes.why.map_or(Able::Yes, Able::No),
        insert: Able::of(&insert::able(project, source, index)),
        r#move: Able::of(&moving::movable(source, index)),
        duplicate: Able::of(&insert::duplicate(source, index)),
        delete: Able::of(&delete::plan(source, index, None)),
        detach: match lane(lanes.detach, "lanes.detach") {
            Able::Yes => Able::of(&detach::plan(project, source, index)),
            refused => refused,
        },
        swap: lane(lanes.swap, "lanes.swap"),
    }
}
