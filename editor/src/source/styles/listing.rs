//! The declarations of an element, for an inspection.

use crate::source::model::inspection::{self, Style, StyleFrom};
use crate::source::model::{LineIndex, Project, Stamp, Viewport};

use super::inline::{Own, OwnForm};
use super::member::MemberValue;
use super::own::{opaque, sides};
use super::sheets::{Source, sources};
use super::standing::Standings;
use super::subject::Subject;
use crate::source::css::condition::{self, Holds};
use crate::source::css::matching::{Match, Sure};
use crate::source::css::selector::Simple;
use crate::source::css::{Dialect, NodeKind, Sheet};

/// The declarations that hold for an element, or might: its own `style` first, then the rules, the strongest first.
#[must_use]
pub fn inspect(project: &dyn Project, subject: &Subject<'_>, viewport: &Viewport) -> Vec<Style> {
    let mut standings = Standings::new(project, subject);
    for (number, own) in Own::read(project, subject).iter().enumerate() {
        let mut styles = Vec::new();
        list_own(subject, own, &mut styles);
        standings.own(number, own.says(subject, "*"), styles);
    }
    let (sources, _) = sources(project, subject, viewport);
    let mut rules: Vec<(usize, &Source, &Match)> = sources
        .iter()
        .enumerate()
        .flat_map(|(order, source)| source.matches.iter().map(move |found| (order, source, found)))
        .collect();
    rules.sort_by_key(|(_, _, found)| std::cmp::Reverse((found.layer.is_empty(), found.weight, found.rule)));
    for (order, source, found) in rules {
        // What might hold for anything says nothing about this element, but it might win.
        let listed = found.selects != Sure::Maybe || names(subject, found);
        let styles = list_rule((project, viewport), subject, source, found, listed);
        standings.rule(order, found, listed, styles);
        if standings.is_full() {
            break;
        }
    }
    standings.decided(subject)
}

fn list_own(subject: &Subject<'_>, own: &Own<'_>, styles: &mut Vec<Style>) {
    let from = match own.kind {
        OwnForm::Named(_) => StyleFrom::Object,
        _ => StyleFrom::Inline,
    };
    let (path, shared) = match &own.kind {
        OwnForm::Named(named) => (named.path.as_str(), named.shared),
        _ => (subject.path, 1),
    };
    let spread = own
        .inline
        .spread_after
        .then(|| "A spread behind the element's style may replace it".to_owned());
    if let Some(object) = own.object(subject) {
        let text = match &own.kind {
            OwnForm::Named(named) => &*named.text,
            _ => subject.text,
        };
        let lines = LineIndex::new(text);
        for (index, member) in object.members.iter().enumerate() {
            let Some(property) = member.property.clone() else {
                continue;
            };
            let why = match &member.value {
                MemberValue::Expression(_) => Some("It is computed by an expression".to_owned()),
                _ => object.obstacle(index).err().map(|refusal| refusal.reason),
            };
            let (value, note) = match (&member.value, sides(&member.value)) {
                (MemberValue::Literal(literal), _) => (literal.css.clone(), None),
                (_, Some([(_, then), (_, other)])) => (
                    format!("{then} / {other}"),
                    Some("It depends on a condition".to_owned()),
                ),
                (MemberValue::Expression(range), _) => (text[range.clone()].chars().take(200).collect(), None),
                _ => continue,
            };
            let obstacle = why.or(spread.clone());
            let editable = obstacle.is_none();
            let at = Some(Stamp {
                path: path.to_owned(),
                at: lines.position(member.range.start),
            });
            let why = obstacle
                .or(note)
                .or_else(|| (shared > 1).then(|| format!("{shared} places share this object")));
            styles.push(Style {
                property,
                value,
                from,
                at,
                editable,
                why,
                shared,
                conditions: Vec::new(),
                wins: None,
                tokens: Vec::new(),
            });
        }
        return;
    }
    let text = &subject.text[own.inline.range.clone()];
    let sheet = Sheet::parse(text, Dialect::Css)
        .ok()
        .filter(|_| matches!(own.kind, OwnForm::Text));
    let lines = LineIndex::new(subject.text);
    for node in sheet.iter().flat_map(|sheet| &sheet.nodes) {
        let NodeKind::Declaration { property, value, .. } = &node.kind else {
            continue;
        };
        let at = Some(Stamp {
            path: path.to_owned(),
            at: lines.position(own.inline.range.start + node.range.start),
        });
        let (property, value) = (
            text[property.clone()].to_ascii_lowercase(),
            text[value.clone()].to_owned(),
        );
        styles.push(Style {
            property,
            value,
            from,
            at,
            editable: spread.is_none(),
            why: spread.clone(),
            shared,
            conditions: Vec::new(),
            wins: None,
            tokens: Vec::new(),
        });
    }
    if sheet.is_none() {
        let at = Some(Stamp {
            path: path.to_owned(),
            at: lines.position(own.inline.range.start),
        });
        let why = Some(opaque(subject, own.inline).reason);
        let value = text.chars().take(200).collect();
        styles.push(Style {
            property: "*".to_owned(),
            value,
            from,
            at,
            editable: false,
            why,
            shared,
            conditions: Vec::new(),
            wins: None,
            tokens: Vec::new(),
        });
    }
}

/// The declarations of a rule, each with its index in the stylesheet and whether it is important.
fn list_rule(
    (project, viewport): (&dyn Project, &Viewport),
    subject: &Subject<'_>,
    source: &Source,
    found: &Match,
    listed: bool,
) -> Vec<(usize, bool, Style)> {
    let selector = source.selector(found.rule);
    let condition = match (found.selects, found.holds) {
        (Sure::Yes, Holds::Yes) => None,
        (Sure::Yes, _) => condition::words(&found.conditions).map(|words| format!("{selector} holds only {words}")),
        (Sure::State, _) => Some(format!("{selector} holds only in some states of the element")),
        _ => Some(format!(
            "{selector} holds under conditions that this element's source does not tell"
        )),
    };
    let shared = if condition.is_none() && listed {
        source.shared(project, subject, found)
    } else {
        1
    };
    let lines = LineIndex::new(source.file());
    let list = source.declarations(found.rule).map(|declared| {
        let bound = declared
            .value
            .contains("v-bind(")
            .then(|| "It is bound to the component's data".to_owned());
        let obstacle = condition.clone().or(bound);
        let editable = obstacle.is_none();
        let position = lines.position(source.start() + declared.node.range.start);
        let at = Some(Stamp {
            path: source.path.clone(),
            at: position,
        });
        let why = obstacle.or_else(|| (shared > 1).then(|| many(shared, &selector)));
        let value = match declared.important {
            true => format!("{} !important", declared.value),
            false => declared.value.to_owned(),
        };
        let style = Style {
            property: declared.property,
            value,
            from: source.from,
            at,
            editable,
            why,
            shared: shared.min(1000),
            conditions: found
                .conditions
                .iter()
                .map(|condition| described(condition, viewport))
                .collect(),
            wins: None,
            tokens: Vec::new(),
        };
        (declared.index, declared.important, style)
    });
    list.collect()
}

fn described(condition: &condition::Condition, viewport: &Viewport) -> inspection::Condition {
    inspection::Condition {
        text: condition.text.clone(),
        words: condition.words(),
        holds: condition.holds(viewport).known(),
        ask: condition.can_be_asked(),
    }
}

fn many(shared: usize, selector: &str) -> String {
    match shared {
        0..1000 => format!("{shared} places of the source have {selector}"),
        _ => format!("{selector} holds for many elements"),
    }
}

/// Whether the rule names a class, the id or a module's class that the element certainly has.
fn names(subject: &Subject<'_>, found: &Match) -> bool {
    found.own.iter().flatten().any(|simple| match simple {
        Simple::Class(name) => {
            subject.classes.contains(name) || subject.modules.iter().any(|module| module.name == *name)
        }
        Simple::Id(id) => subject
            .attributes
            .iter()
            .any(|(name, value)| name == "id" && value.as_deref() == Some(id)),
        _ => false,
    })
}
