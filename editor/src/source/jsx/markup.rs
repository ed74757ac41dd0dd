//! Markup on its way into a file: read, checked, and indented for its place.

use std::ops::Range;

use oxc::ast::AstKind;
use oxc::ast::ast::{Expression, JSXAttributeValue, JSXChild};
use oxc::ast_visit::Visit;
use oxc::span::GetSpan;

use super::scope;
use crate::source::model::position::ATTRIBUTE;
use crate::source::model::{Code, Refusal};
use crate::source::script;
use crate::source::script::range;

/// Elements that may be inserted.
#[derive(Debug)]
pub(super) struct Markup {
    /// Their source, without white space around it.
    pub text: String,
    /// Names it uses and does not declare.
    pub names: Vec<String>,
}

impl Markup {
    /// Reads what somebody wrote for a file at `path`.
    pub fn read(path: &str, markup: &str) -> Result<Self, Refusal> {
        let text = markup.trim();
        let refuse = |why: String| {
            Refusal::uncertain(
                Code::BadMarkup,
                format!("The markup cannot be inserted, because {why}: correct it first"),
            )
        };
        if text.contains(ATTRIBUTE) {
            return Err(refuse(format!("{} is the Editor's own attribute", ATTRIBUTE)));
        }
        let whole = format!("<>{text}</>");
        let elements = script::with_expression(path, &whole, |expression| match expression {
            Expression::JSXFragment(fragment) if range(fragment.span) == (0..whole.len()) => {
                let mut elements = 0;
                for child in &fragment.children {
                    match child {
                        JSXChild::Element(_) => elements += 1,
                        JSXChild::Text(text) if text.value.trim().is_empty() => {}
                        _ => return None,
                    }
                }
                Some(elements)
            }
            _ => None,
        });
        match elements {
            Ok(Some(1..)) => {}
            Ok(_) => {
                return Err(refuse(
                    "it is not one element or several with nothing beside them".into(),
                ));
            }
            Err(broken) => {
                return Err(refuse(format!(
                    "it cannot be read ({})",
                    broken.message.trim_end_matches('.')
                )));
            }
        }
        Ok(Self {
            names: scope::free(path, &whole),
            text: text.to_owned(),
        })
    }

    /// Refuses what names something that is not there at `offset` of a file.
    pub fn fits(&self, path: &str, file: &str, offset: usize) -> Result<(), Refusal> {
        let unknown = scope::unknown(path, file, offset, &self.names);
        let Some(name) = unknown.first() else { return Ok(()) };
        let reason = format!("{name} is not known at this place of {path}: import it there first");
        Err(Refusal::uncertain(Code::NotInScope, reason))
    }

    /// Its source at a place with this indentation.
    pub fn at(&self, path: &str, indentation: &str, line_end: &str) -> String {
        let protected = protected(path, &self.text);
        let own = common_indentation(&self.text, &protected);
        indented(&self.text, &protected, &own, indentation, line_end)
    }
}

/// An element's source, moved from one indentation to another.
pub(super) fn reindented(path: &str, element: &str, from: &str, to: &str, line_end: &str) -> String {
    if from == to {
        return element.to_owned();
    }
    indented(element, &protected(path, element), from, to, line_end)
}

/// Replaces the indentation `from` of every line but the first by `to`.
fn indented(text: &str, protected: &[Range<usize>], from: &str, to: &str, line_end: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_protected = protected
            .iter()
            .any(|range| range.start < offset && offset <= range.end);
        if number == 0 || is_protected {
            push_line(&mut result, line, line_end);
        } else if line.trim().is_empty() {
            push_line(&mut result, line.trim_start_matches([' ', '\t']), line_end);
        } else {
            let rest = line
                .strip_prefix(from)
                .unwrap_or_else(|| line.trim_start_matches([' ', '\t']));
            result.push_str(to);
            push_line(&mut result, rest, line_end);
        }
        offset += line.len();
    }
    result
}

fn push_line(result: &mut String, line: &str, line_end: &str) {
    match line.strip_suffix('\n') {
        Some(line) => {
            result.push_str(line.strip_suffix('\r').unwrap_or(line));
            result.push_str(line_end);
        }
        None => result.push_str(line),
    }
}

/// What all lines but the first are indented by at least.
fn common_indentation(text: &str, protected: &[Range<usize>]) -> String {
    let mut offset = 0;
    let mut common: Option<&str> = None;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_protected = protected
            .iter()
            .any(|range| range.start < offset && offset <= range.end);
        if number > 0 && !is_protected && !line.trim().is_empty() {
            let own = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            common = Some(match common {
                Some(common) if own.starts_with(common) => common,
                Some(common) if common.starts_with(own) => own,
                Some(_) => "",
                None => own,
            });
        }
        offset += line.len();
    }
    common.unwrap_or_default().to_owned()
}

/// Where white space is part of a value: template literals and attributes. `element` is the source of elements.
fn protected(path: &str, element: &str) -> Vec<Range<usize>> {
    const BEFORE: &str = "<>";
    let found = script::with_program(path, &format!("{BEFORE}{element}</>"), |program| {
        let mut values = Values(Vec::new());
        values.visit_program(program);
        values.0
    });
    let shift = |range: Range<usize>| range.start - BEFORE.len()..range.end - BEFORE.len();
    found.unwrap_or_default().into_iter().map(shift).collect()
}

struct Values(Vec<Range<usize>>);

impl<'a> Visit<'a> for Values {
    fn enter_node(&mut self, node: AstKind<'a>) {
        match node {
            AstKind::TemplateLiteral(_) => self.0.push(range(node.span())),
            AstKind::JSXAttribute(attribute) => {
                if let Some(JSXAttributeValue::StringLiteral(value)) = &attribute.value {
                    self.0.push(range(value.span));
                }
            }
            _ => {}
        }
    }
}
