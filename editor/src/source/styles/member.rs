//! The members of a style object: which property each declares, and how its value is written.

use std::ops::Range;

use oxc::ast::ast::{Expression, ObjectPropertyKind, PropertyKey};
use oxc::span::{GetSpan, Span};

use super::properties::{is_unitless, kebab};

/// Where an object stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Whether numbers are pixels, as React has it.
    pub pixels: bool,
    /// The quotes around it in markup.
    pub quote: Option<char>,
}

#[derive(Debug, Clone)]
pub(super) struct Member {
    /// The property in CSS's spelling; `None` for a spread or a computed key.
    pub property: Option<String>,
    /// Whether the key is a string.
    pub quoted: bool,
    pub range: Range<usize>,
    pub value: MemberValue,
}

#[derive(Debug, Clone)]
pub(super) enum MemberValue {
    Literal(Literal),
    /// `on ? a : b` of literals.
    Sides(Literal, Literal),
    /// Anything else; the range of the expression.
    Expression(Range<usize>),
}

#[derive(Debug, Clone)]
pub(super) struct Literal {
    pub range: Range<usize>,
    /// As CSS text.
    pub css: String,
    /// The quotes of a string; `None` for a number.
    pub quote: Option<char>,
}

impl Member {
    pub fn read(property: &ObjectPropertyKind<'_>, text: &str, shift: usize, place: Place) -> Self {
        let of = |span: Span| span.start as usize - 1 + shift..span.end as usize - 1 + shift;
        let property = match property {
            ObjectPropertyKind::SpreadProperty(spread) => {
                let value = MemberValue::Expression(of(spread.argument.span()));
                return Self {
                    property: None,
                    quoted: false,
                    range: of(spread.span),
                    value,
                };
            }
            ObjectPropertyKind::ObjectProperty(property) => property,
        };
        let (name, quoted) = match &property.key {
            _ if property.computed => (None, false),
            PropertyKey::StaticIdentifier(name) => (Some(kebab(name.name.as_str())), false),
            PropertyKey::StringLiteral(name) => (Some(kebab(name.value.as_str())), true),
            _ => (None, false),
        };
        let pixels = place.pixels && !name.as_deref().is_some_and(is_unitless);
        let literal = |value: &Expression<'_>| {
            literal(value, text, pixels).map(|literal| Literal {
                range: of(literal.0),
                css: literal.1,
                quote: literal.2,
            })
        };
        let value = match plain(&property.value) {
            Expression::ConditionalExpression(sides) => match (literal(&sides.consequent), literal(&sides.alternate)) {
                (Some(then), Some(other)) => MemberValue::Sides(then, other),
                _ => MemberValue::Expression(of(sides.span)),
            },
            value => match literal(value) {
                Some(literal) if !property.shorthand => MemberValue::Literal(literal),
                _ => MemberValue::Expression(of(value.span())),
            },
        };
        Self {
            property: name,
            quoted,
            range: of(property.span),
            value,
        }
    }
}

/// The span, the CSS text and the quotes of a literal.
fn literal(value: &Expression<'_>, text: &str, pixels: bool) -> Option<(Span, String, Option<char>)> {
    let value = plain(value);
    let source = |span: Span| &text[span.start as usize..span.end as usize];
    let number = |source: &str| match pixels && source.trim_start_matches('-') != "0" {
        true => format!("{source}px"),
        false => source.to_owned(),
    };
    Some(match value {
        Expression::StringLiteral(string) => (
            string.span,
            string.value.to_string(),
            source(string.span).chars().next(),
        ),
        Expression::NumericLiteral(literal) => (literal.span, number(source(literal.span)), None),
        Expression::UnaryExpression(unary) if matches!(unary.argument, Expression::NumericLiteral(_)) => {
            let source = source(unary.span);
            if !source.starts_with('-') {
                return None;
            }
            (unary.span, number(source), None)
        }
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            let text = template.quasis.first()?.value.cooked.as_ref()?.to_string();
            (template.span, text, Some('`'))
        }
        _ => return None,
    })
}

/// An expression without parentheses and what only TypeScript reads.
pub(super) fn plain<'e, 'a>(mut expression: &'e Expression<'a>) -> &'e Expression<'a> {
    loop {
        expression = match expression {
            Expression::ParenthesizedExpression(inner) => &inner.expression,
            Expression::TSAsExpression(inner) => &inner.expression,
            Expression::TSSatisfiesExpression(inner) => &inner.expression,
            Expression::TSNonNullExpression(inner) => &inner.expression,
            _ => return expression,
        };
    }
}
