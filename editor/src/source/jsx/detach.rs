//! Replacing a component's use by the markup that the component shows.

use std::ops::Range;

use super::super::imports::{ImportResolver, Target};
use super::definition::{self, Definition, PropUse, Within, refuse};
use super::markup::reindented;
use super::scope;
use super::source::Source;
use crate::source::model::Code;
use crate::source::model::plan::{Plan, Refusal, Replacement};
use crate::source::model::project::Project;
use crate::source::module::{ChildKind, Element, ElementId, ElementKind, Written};
use crate::source::notation::{Notation, Within as Quoted};

/// Writes the markup in place of the use, each prop replaced by what it is given there.
pub(super) fn plan(project: &dyn Project, source: &Source, index: ElementId) -> Result<Plan, Refusal> {
    let element = source.element(index);
    if element.kind != ElementKind::Component {
        let reason = "Only the use of a component can be replaced by what the component shows: select one";
        return Err(Refusal::uncertain(Code::NoComponent, reason));
    }
    let (path, text, definition) = definition(project, source, element)?;
    let given = Given::read(source, element)?;
    names_agree(source, element, &path, &definition, &given)?;
    let mut written = String::new();
    let mut done = definition.markup.start;
    for used in &definition.uses {
        if used.range.start < done {
            return Err(refuse("a prop stands within another"));
        }
        written.push_str(&text[done..used.range.start]);
        let value = given.value(used)?;
        if value.is_empty() && matches!(used.within, Within::Attribute(_)) {
            written.truncate(written.trim_end().len());
        }
        written.push_str(&value);
        done = used.range.end;
    }
    written.push_str(&text[done..definition.markup.end]);
    if let Some(key) = &given.key {
        written = keyed(&written, key)?;
    }
    let line_start = text[..definition.markup.start].rfind('\n').map_or(0, |end| end + 1);
    let line = &text[line_start..];
    let from = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    let to = source.indentation(element.range.start);
    let written = reindented(&source.path, &written, from, to, source.line_end());
    Ok(source.plan(vec![Replacement::new(element.range.clone(), written)]))
}

/// The file that declares the component, its text, and what it shows.
fn definition(
    project: &dyn Project,
    source: &Source,
    element: &Element,
) -> Result<(String, String, Definition), Refusal> {
    let Some(import) = source.module.import(&element.tag) else {
        let text = source.text.to_string();
        let found = definition::read(&source.path, &text, Some(&element.tag))?;
        return Ok((source.path.clone(), text, found));
    };
    let Target::File(path) = ImportResolver::new(project).resolve(&source.path, import.from) else {
        return Err(refuse(&format!(
            "it comes from {}, which is not part of this project",
            import.from
        )));
    };
    let text = project
        .read(&path)
        .ok_or_else(|| refuse(&format!("{path} cannot be read")))?;
    let found = definition::read(&path, &text, import.imported)?;
    Ok((path, text.to_string(), found))
}

/// Refuses when a name would mean something else at the place of the use.
fn names_agree(
    source: &Source,
    element: &Element,
    path: &str,
    definition: &Definition,
    given: &Given<'_>,
) -> Result<(), Refusal> {
    if *path != source.path && !definition.names.is_empty() {
        let names = definition.names.join(", ");
        return Err(refuse(&format!("it uses {names} of {path}")));
    }
    let start = element.range.start;
    if let Some(name) = scope::shadowed(&source.path, &source.text, start, &definition.names) {
        return Err(refuse(&format!("{name} means something else where it is used")));
    }
    let taken = given
        .names(&source.path)
        .into_iter()
        .find(|name| definition.declared.contains(name));
    match taken {
        Some(name) => Err(refuse(&format!("its markup declares {name}, which its use needs"))),
        None => Ok(()),
    }
}

/// What the use gives to the component.
struct Given<'s> {
    source: &'s Source,
    element: &'s Element,
    /// The source of the `key` attribute.
    key: Option<&'s str>,
}

impl<'s> Given<'s> {
    fn read(source: &'s Source, element: &'s Element) -> Result<Self, Refusal> {
        if element.has_spread() {
            return Err(refuse("not all of its props are named where it is used"));
        }
        if element.attribute("ref").is_some() {
            return Err(refuse("it is given a ref"));
        }
        let key = element.attribute("key").map(|key| source.slice(&key.range));
        Ok(Self { source, element, key })
    }

    /// Names that the given values use.
    fn names(&self, path: &str) -> Vec<String> {
        scope::free(path, self.source.slice(&self.element.range))
    }

    /// What stands between the tags.
    fn children(&self) -> Option<Range<usize>> {
        let closing = self.element.closing.as_ref()?;
        let shown = self.element.children.iter().any(|child| match child.kind {
            ChildKind::Text(_) => !self.source.slice(&child.range).trim().is_empty(),
            _ => true,
        });
        shown.then_some(self.element.opening.end..closing.start)
    }

    /// What takes the place of a prop.
    fn value(&self, used: &PropUse) -> Result<String, Refusal> {
        if used.name == "children"
            && let Some(children) = self.children()
        {
            let children = self.source.slice(&children);
            return match used.within {
                Within::Children => Ok(children.trim().to_owned()),
                _ => Err(refuse("it does more with its children than to show them")),
            };
        }
        let value = self
            .element
            .attribute(&used.name)
            .map(|attribute| match &attribute.written {
                Written::Text(..) => (self.source.module.quoted(attribute).map(str::to_owned), None),
                Written::Flag => (None, Some("true".to_owned())),
                Written::Expression(contained) => (None, Some(self.source.slice(&contained.inner).to_owned())),
                _ => (
                    None,
                    Some(self.source.slice(&attribute.range)[used.name.len() + 1..].to_owned()),
                ),
            });
        let (text, expression) = value.unwrap_or_else(|| (None, used.default.clone()));
        let string = |text: &str| format!("'{}'", Notation::Script('\'', Quoted::File).write(text));
        Ok(match (&used.within, text, expression) {
            (Within::Children, Some(text), _) => between_tags(&text),
            (Within::Children, None, Some(expression)) => format!("{{{expression}}}"),
            (Within::Children, None, None) => String::new(),
            (Within::Attribute(name), Some(text), _) => {
                format!("{name}=\"{}\"", Notation::JsxAttribute('"').write(&text))
            }
            (Within::Attribute(name), None, Some(expression)) => format!("{name}={{{expression}}}"),
            (Within::Attribute(_), None, None) => String::new(),
            (Within::Shorthand, Some(text), _) => format!("{}: {}", used.name, string(&text)),
            (Within::Shorthand, None, expression) => {
                format!("{}: {}", used.name, expression.as_deref().unwrap_or("undefined"))
            }
            (Within::Expression, Some(text), _) => string(&text),
            (Within::Expression, None, Some(expression)) => format!("({expression})"),
            (Within::Expression, None, None) => "undefined".to_owned(),
        })
    }
}

/// The element with the key that its use had.
fn keyed(markup: &str, key: &str) -> Result<String, Refusal> {
    let name =
        markup[1..].find(|character: char| !character.is_alphanumeric() && !matches!(character, '.' | '-' | '_'));
    match name {
        Some(end @ 1..) => Ok(format!("{} {key}{}", &markup[..=end], &markup[end + 1..])),
        _ => Err(refuse(
            "it shows several elements, which cannot take the key of its use",
        )),
    }
}

/// A text between tags, which keeps the white space at its ends.
fn between_tags(text: &str) -> String {
    if text.trim() == text && !text.is_empty() && !text.contains('\n') {
        return Notation::JsxText.write(text);
    }
    format!("{{'{}'}}", Notation::Script('\'', Quoted::File).write(text))
}
