//! The strings of an expression that gives classes.

use oxc::ast::ast::{Argument, ArrayExpressionElement, Expression, ObjectPropertyKind, PropertyKey, TemplateLiteral};

use super::joining::is_joining;
use super::text::{Text, TextKind};
use crate::source::classes::When;
use crate::source::model::Branch;
use crate::source::model::inspection::ClassForm;
use crate::source::sfc::expression::Shift;
use crate::source::sfc::tree::{Sfc, Span};
use crate::source::styles::ModuleClass;
use crate::source::vue::expression;

/// How the list is written.
pub(super) fn form_of(expression: &Expression<'_>) -> ClassForm {
    match expression {
        Expression::StringLiteral(_) => ClassForm::Literal,
        Expression::TemplateLiteral(_) => ClassForm::Template,
        Expression::CallExpression(_) => ClassForm::Call,
        Expression::StaticMemberExpression(_) | Expression::ComputedMemberExpression(_) => ClassForm::Module,
        _ => ClassForm::Object,
    }
}

/// Collects the strings of an expression.
pub(super) struct Reader<'t> {
    pub sfc: &'t Sfc<'t>,
    pub text: &'t str,
    pub within: char,
    pub strings: Vec<Text>,
    pub modules: Vec<ModuleClass>,
    pub computed: bool,
}

impl Reader<'_> {
    /// `glued`: whether what stands before it and behind it belongs to the same word.
    pub fn read(&mut self, expression: &Expression<'_>, shift: Shift, when: When, glued: [bool; 2]) {
        let expression = expression.get_inner_expression();
        match expression {
            Expression::StringLiteral(_) => {
                if let Some(literal) = expression::literal(expression, shift) {
                    self.string(literal.inner, literal.quote, glued, when);
                }
            }
            Expression::TemplateLiteral(template) => self.template(template, shift, when, glued),
            Expression::ArrayExpression(array) => {
                for element in &array.elements {
                    match element.as_expression() {
                        Some(element) => self.read(element, shift, when, [false; 2]),
                        None => self.computed |= matches!(element, ArrayExpressionElement::SpreadElement(_)),
                    }
                }
            }
            Expression::ObjectExpression(object) => {
                let properties: Vec<(Span, &ObjectPropertyKind<'_>)> = object
                    .properties
                    .iter()
                    .map(|property| (shift.span(property), property))
                    .collect();
                for (index, (span, property)) in properties.iter().enumerate() {
                    let before = index.checked_sub(1).map(|before| properties[before].0);
                    let after = properties.get(index + 1).map(|after| after.0);
                    self.property(property, *span, [before, after], shift, when);
                }
            }
            Expression::ConditionalExpression(condition) => {
                self.read(&condition.consequent, shift, inside(when, Some(Branch::Then)), glued);
                self.read(&condition.alternate, shift, inside(when, Some(Branch::Else)), glued);
            }
            Expression::LogicalExpression(logical) if logical.operator.is_and() => {
                self.read(&logical.right, shift, inside(when, Some(Branch::Then)), glued);
            }
            Expression::LogicalExpression(logical) => {
                self.read(&logical.left, shift, inside(when, None), glued);
                self.read(&logical.right, shift, inside(when, None), glued);
            }
            Expression::CallExpression(call) => {
                let name = call.callee.get_identifier_reference().map(|name| name.name.as_str());
                if !name.is_some_and(|name| is_joining(self.sfc, name)) {
                    self.computed = true;
                    return;
                }
                for argument in &call.arguments {
                    match argument.as_expression() {
                        Some(argument) => self.read(argument, shift, when, [false; 2]),
                        None => self.computed |= matches!(argument, Argument::SpreadElement(_)),
                    }
                }
            }
            Expression::NullLiteral(_) | Expression::BooleanLiteral(_) => {}
            Expression::StaticMemberExpression(member) if when == When::Always => {
                match member.object.get_identifier_reference() {
                    Some(object) => self.modules.push(ModuleClass {
                        object: object.name.to_string(),
                        name: member.property.name.to_string(),
                    }),
                    None => self.computed = true,
                }
            }
            _ => self.computed = true,
        }
    }

    fn template(&mut self, template: &TemplateLiteral<'_>, shift: Shift, when: When, glued: [bool; 2]) {
        let last = template.quasis.len().saturating_sub(1);
        for (index, quasi) in template.quasis.iter().enumerate() {
            let glued = [index > 0 || glued[0], index < last || glued[1]];
            self.string(shift.span(quasi), '`', glued, when);
        }
        let raw = |quasi: usize| template.quasis.get(quasi).map_or("", |quasi| quasi.value.raw.as_str());
        let space = |character: char| character.is_ascii_whitespace();
        for (index, inner) in template.expressions.iter().enumerate() {
            let (before, after) = (raw(index), raw(index + 1));
            // With nothing between them, it stands right behind or before another expression.
            let first = if before.is_empty() {
                index > 0 || glued[0]
            } else {
                !before.ends_with(space)
            };
            let end = if after.is_empty() {
                index + 1 < last || glued[1]
            } else {
                !after.starts_with(space)
            };
            self.read(inner, shift, inside(when, None), [first, end]);
        }
    }

    fn property(
        &mut self,
        property: &ObjectPropertyKind<'_>,
        span: Span,
        [before, after]: [Option<Span>; 2],
        shift: Shift,
        when: When,
    ) {
        let ObjectPropertyKind::ObjectProperty(property) = property else {
            self.computed = true;
            return;
        };
        let when = inside(when, Some(Branch::Then));
        match &property.key {
            PropertyKey::StringLiteral(key) => {
                let key_span = shift.span(&**key);
                let quote = self.text[key_span.start..].chars().next().unwrap_or('"');
                self.string(Span::new(key_span.start + 1, key_span.end - 1), quote, [false; 2], when);
            }
            PropertyKey::StaticIdentifier(key) => {
                let removal = match (before, after) {
                    (_, Some(after)) => Span::new(span.start, after.start),
                    (Some(before), None) => Span::new(before.end, span.end),
                    (None, None) => span,
                };
                self.strings.push(Text {
                    span: shift.span(&**key),
                    kind: TextKind::Key {
                        property: span,
                        removal,
                        within: self.within,
                        shorthand: property.shorthand,
                    },
                    glued: [false; 2],
                    when,
                });
            }
            _ => self.computed = true,
        }
    }

    fn string(&mut self, span: Span, quote: char, glued: [bool; 2], when: When) {
        let within = self.within;
        self.strings.push(Text {
            span,
            kind: TextKind::String { quote, within },
            glued,
            when,
        });
    }
}

/// What stands in a condition, in one that may stand in another.
fn inside(when: When, branch: Option<Branch>) -> When {
    match (when, branch) {
        (When::Always, Some(branch)) => When::Side(branch),
        _ => When::Sometimes,
    }
}
