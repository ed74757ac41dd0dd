//! The strings of an expression that gives an element's classes, in JSX as in a Vue template: which of them are there always,
//! which in a condition, and what cannot be read.

use std::ops::Range;

use oxc::ast::ast::{
    Argument, ArrayExpressionElement, BinaryOperator, CallExpression, Expression, ObjectExpression, ObjectPropertyKind,
    PropertyKey, TemplateLiteral,
};
use oxc::span::{GetSpan, Span};

use super::joining::is_joined;
use super::parts::When;
use super::string::{ClassString, StringKind};
use crate::source::model::Branch;

/// The file an expression stands in.
pub struct ClassSource<'s> {
    /// Its text.
    pub text: &'s str,
    /// From places in what was parsed to places in the file.
    pub place: &'s dyn Fn(usize) -> usize,
    /// Whether a name of the file is a function that joins class lists.
    pub joins: &'s dyn Fn(&str) -> bool,
    /// Whether a name of the file is a CSS module.
    pub is_module: &'s dyn Fn(&str) -> bool,
}

impl ClassSource<'_> {
    /// Whether a call gives the classes that its arguments, or the list it is called on, name.
    #[must_use]
    pub fn joins_in(&self, call: &CallExpression<'_>) -> bool {
        match &call.callee {
            Expression::Identifier(name) => (self.joins)(name.name.as_str()),
            _ => is_joined(call),
        }
    }
}

/// What gives an element its classes.
#[derive(Debug, Default)]
pub struct ClassStrings {
    /// In the order of the source.
    pub strings: Vec<ClassString>,
    /// Members of CSS modules that are always there: the module's name in the file, and the member's.
    pub modules: Vec<(String, String)>,
    /// Whether there may be classes that no string here names.
    pub open: bool,
}

impl ClassStrings {
    /// Collects the strings of an expression.
    #[must_use]
    pub fn of(expression: &Expression<'_>, source: &ClassSource<'_>) -> Self {
        let mut collector = Collector {
            source,
            found: Self::default(),
        };
        collector.collect(expression, When::Always, [false; 2]);
        let mut found = collector.found;
        found.strings.sort_by_key(|string| string.range.start);
        found
    }
}

struct Collector<'s> {
    source: &'s ClassSource<'s>,
    found: ClassStrings,
}

impl Collector<'_> {
    /// `glued`: whether what stands right before it and right behind it may belong to the same word.
    fn collect(&mut self, expression: &Expression<'_>, when: When, glued: [bool; 2]) {
        match expression.get_inner_expression() {
            Expression::StringLiteral(string) => self.quoted(string.span, when, glued),
            Expression::TemplateLiteral(template) => self.template(template, when, glued),
            Expression::ConditionalExpression(conditional) => {
                self.collect(&conditional.consequent, inside(when, Some(Branch::Then)), glued);
                self.collect(&conditional.alternate, inside(when, Some(Branch::Else)), glued);
            }
            Expression::LogicalExpression(logical) if logical.operator.is_and() => {
                self.collect(&logical.right, inside(when, Some(Branch::Then)), glued);
            }
            Expression::LogicalExpression(logical) => {
                self.collect(&logical.left, inside(when, None), glued);
                self.collect(&logical.right, inside(when, None), glued);
            }
            Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition => {
                self.collect(&binary.left, when, [glued[0], true]);
                self.collect(&binary.right, when, [true, glued[1]]);
            }
            Expression::CallExpression(call) if self.source.joins_in(call) => match &call.callee {
                Expression::StaticMemberExpression(member) => self.collect(&member.object, when, glued),
                _ => call.arguments.iter().for_each(|argument| match argument {
                    Argument::SpreadElement(_) => self.found.open = true,
                    argument => self.item(argument.as_expression(), when),
                }),
            },
            Expression::ArrayExpression(array) => array.elements.iter().for_each(|element| match element {
                ArrayExpressionElement::SpreadElement(_) => self.found.open = true,
                element => self.item(element.as_expression(), when),
            }),
            Expression::ObjectExpression(object) => self.object(object, when),
            Expression::StaticMemberExpression(member) => {
                self.member(&member.object, Some(member.property.name.as_str()), when);
            }
            Expression::ComputedMemberExpression(member) => {
                let name = match &member.expression {
                    Expression::StringLiteral(name) => Some(name.value.as_str()),
                    _ => None,
                };
                self.member(&member.object, name, when);
            }
            Expression::BooleanLiteral(_) | Expression::NullLiteral(_) => {}
            Expression::Identifier(name) if name.name == "undefined" => {}
            _ => self.found.open = true,
        }
    }

    /// What a function or a list joins with spaces.
    fn item(&mut self, expression: Option<&Expression<'_>>, when: When) {
        if let Some(expression) = expression {
            self.collect(expression, when, [false; 2]);
        }
    }

    /// `{ 'a b': on, c }`
    fn object(&mut self, object: &ObjectExpression<'_>, when: When) {
        let properties: Vec<Range<usize>> = object
            .properties
            .iter()
            .map(|property| self.range(property.span()))
            .collect();
        for (index, property) in object.properties.iter().enumerate() {
            let ObjectPropertyKind::ObjectProperty(property) = property else {
                self.found.open = true;
                continue;
            };
            let always = matches!(&property.value, Expression::BooleanLiteral(value) if value.value);
            let when = if always { when } else { inside(when, Some(Branch::Then)) };
            match &property.key {
                PropertyKey::StringLiteral(key) => self.quoted(key.span, when, [false; 2]),
                PropertyKey::StaticIdentifier(key) => {
                    let own = properties[index].clone();
                    let before = index.checked_sub(1).map(|before| properties[before].end);
                    let removal = match (before, properties.get(index + 1)) {
                        (_, Some(after)) => own.start..after.start,
                        (Some(before), None) => before..own.end,
                        (None, None) => own.clone(),
                    };
                    let kind = StringKind::Key {
                        property: own,
                        removal,
                        shorthand: property.shorthand,
                    };
                    self.string(self.range(key.span), kind, when, [false; 2]);
                }
                _ => self.found.open = true,
            }
        }
    }

    /// A member of an object: of a CSS module, it is a class.
    fn member(&mut self, object: &Expression<'_>, name: Option<&str>, when: When) {
        let object = object.get_identifier_reference().map(|object| object.name.as_str());
        match (object, name) {
            (Some(object), Some(name)) if when == When::Always && (self.source.is_module)(object) => {
                self.found.modules.push((object.to_owned(), name.to_owned()));
            }
            _ => self.found.open = true,
        }
    }

    fn template(&mut self, template: &TemplateLiteral<'_>, when: When, glued: [bool; 2]) {
        let last = template.quasis.len().saturating_sub(1);
        for (index, quasi) in template.quasis.iter().enumerate() {
            let glued = [index > 0 || glued[0], index < last || glued[1]];
            self.string(self.range(quasi.span), StringKind::Quoted('`'), when, glued);
        }
        let raw = |quasi: usize| template.quasis.get(quasi).map_or("", |quasi| quasi.value.raw.as_str());
        let space = |character: char| character.is_ascii_whitespace();
        for (index, inner) in template.expressions.iter().enumerate() {
            let (before, after) = (raw(index), raw(index + 1));
            // With nothing between them, it stands right behind or before another expression.
            let before = match before.is_empty() {
                true => index > 0 || glued[0],
                false => !before.ends_with(space),
            };
            let after = match after.is_empty() {
                true => index + 1 < last || glued[1],
                false => !after.starts_with(space),
            };
            self.collect(inner, when, [before, after]);
        }
    }

    /// A string with its quotes.
    fn quoted(&mut self, literal: Span, when: When, glued: [bool; 2]) {
        let range = self.range(literal);
        let quote = match self.source.text[range.start..].starts_with('\'') {
            true => '\'',
            false => '"',
        };
        self.string(range.start + 1..range.end - 1, StringKind::Quoted(quote), when, glued);
    }

    fn string(&mut self, range: Range<usize>, kind: StringKind, when: When, glued: [bool; 2]) {
        // A word may go on in what stands beside it.
        let text = &self.source.text[range.clone()];
        let goes_on = |edge: Option<char>| edge.is_some_and(|edge| !edge.is_ascii_whitespace());
        self.found.open |= glued[0] && goes_on(text.chars().next()) || glued[1] && goes_on(text.chars().next_back());
        self.found.strings.push(ClassString {
            range,
            kind,
            glued,
            when,
        });
    }

    fn range(&self, span: Span) -> Range<usize> {
        (self.source.place)(span.start as usize)..(self.source.place)(span.end as usize)
    }
}

/// What stands on a side of a condition, or somewhere in one, within `when`.
fn inside(when: When, branch: Option<Branch>) -> When {
    match (when, branch) {
        (When::Always, Some(branch)) => When::Side(branch),
        _ => When::Sometimes,
    }
}
