//! Edits of the element's own `style`.

use crate::source::classes::Coding;
use crate::source::model::{Branch, Choice, Code, Plan, Refusal, Replacement, Scope};

use super::inline::{Named, Own, OwnForm};
use super::member::MemberValue;
use super::object::usual_quote;
use super::properties::{camel, covers};
use super::style_edit::StyleEdit;
use super::subject::{Inline, Subject};
use crate::source::css::edit::Declarations;
use crate::source::css::{Dialect, NodeKind, Sheet};

/// What an own `style` says about a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// It declares it.
    Declares,
    /// It sets it through a shorthand.
    Covers,
    /// It might: something is spread into it.
    Spreads,
    /// It does not.
    Nothing,
    /// It cannot be read.
    Unknown,
}

/// The text of a static `style="…"`.
fn sheet(subject: &Subject<'_>, inline: &Inline) -> Option<Sheet> {
    Sheet::parse(&subject.text[inline.range.clone()], Dialect::Css).ok()
}

/// The properties of a text, with the index of their nodes.
fn properties(text: &str, sheet: &Sheet) -> Vec<(usize, String)> {
    let nodes = sheet.children(None);
    let named = nodes.filter_map(|(index, node)| match &node.kind {
        NodeKind::Declaration { property, .. } => Some((index, text[property.clone()].to_ascii_lowercase())),
        _ => None,
    });
    named.collect()
}

impl Own<'_> {
    pub fn says(&self, subject: &Subject<'_>, property: &str) -> Says {
        let names: Vec<Option<String>> = match &self.kind {
            OwnForm::Opaque => return Says::Unknown,
            OwnForm::Text => {
                let text = &subject.text[self.inline.range.clone()];
                let Some(sheet) = sheet(subject, self.inline) else {
                    return Says::Unknown;
                };
                properties(text, &sheet)
                    .into_iter()
                    .map(|(_, name)| Some(name))
                    .collect()
            }
            OwnForm::Object | OwnForm::Named(_) => {
                let Some(object) = self.object(subject) else {
                    return Says::Unknown;
                };
                object.members.iter().map(|member| member.property.clone()).collect()
            }
        };
        let any = |wanted: &dyn Fn(&str) -> bool| names.iter().flatten().any(|name| wanted(name));
        match () {
            () if any(&|name| name == property) => Says::Declares,
            () if any(&|name| covers(name, property)) => Says::Covers,
            () if names.contains(&None) => Says::Spreads,
            () => Says::Nothing,
        }
    }

    /// Changes or adds the property.
    pub fn set(&self, subject: &Subject<'_>, edit: &StyleEdit<'_>, value: &str) -> Result<Plan, Refusal> {
        self.reachable()?;
        match &self.kind {
            OwnForm::Opaque => Err(opaque(subject, self.inline)),
            OwnForm::Text => self.set_text(subject, edit.property, value),
            OwnForm::Named(named) if named.shared > 1 && edit.scope == Some(Scope::Item) => {
                let source = &subject.text[self.inline.range.clone()];
                let outer = self.inline.quote;
                let replacement = spread(source, edit.property, value, outer, subject);
                Ok(Plan::of(
                    subject.path,
                    vec![Replacement::new(self.inline.range.clone(), replacement)],
                ))
            }
            OwnForm::Named(named) if named.shared > 1 && edit.scope.is_none() => Err(self.shared(subject, named)),
            OwnForm::Object | OwnForm::Named(_) => {
                let object = self.object(subject).ok_or_else(|| opaque(subject, self.inline))?;
                let replacement = match object.find(edit.property) {
                    Some(index) => object.change(index, value, edit.branch)?,
                    None => object.add(edit.property, value),
                };
                Ok(Plan::of(self.path(subject), vec![replacement]))
            }
        }
    }

    fn set_text(&self, subject: &Subject<'_>, property: &str, value: &str) -> Result<Plan, Refusal> {
        let text = &subject.text[self.inline.range.clone()];
        let sheet = sheet(subject, self.inline).ok_or_else(|| opaque(subject, self.inline))?;
        let declarations = Declarations::of(&sheet, text, None);
        let written = Coding::Markup(self.inline.quote.unwrap_or('"')).encode(value);
        let names = properties(text, &sheet);
        let last = names.iter().rposition(|(_, name)| name == property);
        let replacement = match last {
            Some(last) => {
                if let Some((_, later)) = names[last + 1..].iter().find(|(_, later)| covers(later, property)) {
                    return Err(replaced(property, later));
                }
                Declarations::change(&sheet.nodes[names[last].0], &written)
                    .ok_or_else(|| opaque(subject, self.inline))?
            }
            None => declarations.add(property, &written),
        };
        Ok(Plan::of(subject.path, vec![self.shifted(replacement)]))
    }

    /// Removes the property.
    pub fn remove(&self, subject: &Subject<'_>, edit: &StyleEdit<'_>) -> Result<Plan, Refusal> {
        self.reachable()?;
        match &self.kind {
            OwnForm::Opaque => Err(opaque(subject, self.inline)),
            OwnForm::Text => {
                let text = &subject.text[self.inline.range.clone()];
                let sheet = sheet(subject, self.inline).ok_or_else(|| opaque(subject, self.inline))?;
                let names = properties(text, &sheet);
                let own: Vec<usize> = names
                    .iter()
                    .filter(|(_, name)| name == edit.property)
                    .map(|(index, _)| *index)
                    .collect();
                if own.len() == sheet.nodes.len() {
                    return Ok(self.without(subject));
                }
                let [only] = own.as_slice() else {
                    return Err(several(edit.property));
                };
                let removed = Declarations::of(&sheet, text, None).remove(&sheet.nodes[*only]);
                Ok(Plan::of(subject.path, vec![self.shifted(removed)]))
            }
            OwnForm::Named(named) if named.shared > 1 && edit.scope.is_none() => Err(self.shared(subject, named)),
            OwnForm::Named(named) if named.shared > 1 && edit.scope == Some(Scope::Item) => {
                let reason = format!(
                    "{} is declared in an object that {} places share: it can only be removed for all of them",
                    edit.property, named.shared
                );
                Err(Refusal::uncertain(Code::SharedStyle, reason))
            }
            OwnForm::Object | OwnForm::Named(_) => {
                let object = self.object(subject).ok_or_else(|| opaque(subject, self.inline))?;
                let own: Vec<usize> = (0..object.members.len())
                    .filter(|index| object.members[*index].property.as_deref() == Some(edit.property))
                    .collect();
                let [only] = own.as_slice() else {
                    return Err(several(edit.property));
                };
                let removed = object.remove(*only)?;
                if object.members.len() == 1 && matches!(self.kind, OwnForm::Object) {
                    return Ok(self.without(subject));
                }
                Ok(Plan::of(self.path(subject), vec![removed]))
            }
        }
    }

    /// The element without the attribute.
    fn without(&self, subject: &Subject<'_>) -> Plan {
        let attribute = self.inline.attribute.clone();
        let before = subject.text[..attribute.start]
            .trim_end_matches([' ', '\t', '\r', '\n'])
            .len();
        Plan::of(subject.path, vec![Replacement::remove(before..attribute.end)])
    }

    fn shifted(&self, replacement: Replacement) -> Replacement {
        let shift = self.inline.range.start;
        Replacement {
            range: replacement.range.start + shift..replacement.range.end + shift,
            ..replacement
        }
    }

    /// A spread behind the attribute may bring another `style`.
    fn reachable(&self) -> Result<(), Refusal> {
        if !self.inline.spread_after {
            return Ok(());
        }
        let reason = "Behind the element's style follows a spread, which may replace it: move the spread before it";
        Err(Refusal::uncertain(Code::SpreadAfter, reason))
    }

    fn shared(&self, subject: &Subject<'_>, named: &Named) -> Refusal {
        let name = &subject.text[self.inline.range.clone()];
        let all = format!("All {} places that use {name}", named.shared);
        let choices = vec![
            Choice::scope(Scope::All, all),
            Choice::scope(Scope::Item, "Only this element"),
        ];
        Refusal::choose(
            format!("{} places share {name}: choose what the change is for", named.shared),
            choices,
        )
    }
}

/// Writes a `style` attribute for an element that has none.
pub(super) fn insert(subject: &Subject<'_>, property: &str, value: &str) -> Result<Plan, Refusal> {
    let takes_style = !subject.is_component || subject.takes.style;
    let Some(insert) = subject.insert.as_ref().filter(|_| takes_style) else {
        return Err(no_place(property));
    };
    let attribute = attribute(subject.text, property, value, insert.jsx);
    Ok(Plan::of(
        subject.path,
        vec![Replacement::insert(insert.at, format!("{}{attribute}", insert.space))],
    ))
}

/// The refusal of a style that nothing declares and that can be added nowhere.
pub(super) fn no_place(property: &str) -> Refusal {
    let reason =
        format!("Nothing declares {property} for this element, and no style can be added to it; a class may do");
    Refusal::uncertain(Code::NoStylePlace, reason)
}

/// A `style` attribute with one property: JSX's object, in the quotes that `text` uses, or HTML's text.
#[must_use]
pub fn attribute(text: &str, property: &str, value: &str, jsx: bool) -> String {
    if !jsx {
        return format!("style=\"{property}: {}\"", Coding::Markup('"').encode(value));
    }
    let quote = usual_quote(text);
    let key = if property.starts_with("--") {
        format!("{quote}{property}{quote}")
    } else {
        camel(property)
    };
    let value = Coding::Script(quote).encode(value);
    format!("style={{{{ {key}: {quote}{value}{quote} }}}}")
}

/// `{ ...card, color: 'red' }`
fn spread(source: &str, property: &str, value: &str, outer: Option<char>, subject: &Subject<'_>) -> String {
    let quote = match outer {
        Some('\'') => '"',
        Some(_) => '\'',
        None => usual_quote(subject.text),
    };
    let key = if property.starts_with("--") {
        format!("{quote}{property}{quote}")
    } else {
        camel(property)
    };
    let value = Coding::Script(quote).encode(value).into_owned();
    let value = outer.map_or(value.clone(), |outer| Coding::Markup(outer).encode(&value).into_owned());
    format!("{{ ...{source}, {key}: {quote}{value}{quote} }}")
}

/// The reason why an own `style` cannot be changed.
pub(super) fn opaque(subject: &Subject<'_>, inline: &Inline) -> Refusal {
    let source: String = subject
        .text
        .get(inline.range.clone())
        .unwrap_or_default()
        .chars()
        .take(60)
        .collect();
    let reason = format!(
        "The element's style comes from {source}, which cannot be followed to an object; change it in the code"
    );
    Refusal::uncertain(Code::StyleExpression, reason)
}

/// A later shorthand wins.
pub(super) fn replaced(property: &str, shorthand: &str) -> Refusal {
    let reason = format!("Behind {property} follows {shorthand}, which replaces it: change {shorthand} instead");
    Refusal::uncertain(Code::ShorthandAfter, reason)
}

fn several(property: &str) -> Refusal {
    let reason = format!("{property} is declared several times here; remove what is too many in the code");
    Refusal::uncertain(Code::SeveralRules, reason)
}

/// The sides of a conditional value, for an inspection's words.
pub(super) fn sides(value: &MemberValue) -> Option<[(Branch, &str); 2]> {
    match value {
        MemberValue::Sides(then, other) => {
            Some([(Branch::Then, then.css.as_str()), (Branch::Else, other.css.as_str())])
        }
        _ => None,
    }
}
