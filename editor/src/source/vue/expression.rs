//! Expressions of templates: which of them are texts.

use oxc::ast::ast::Expression;

use crate::source::model::Branch;
use crate::source::model::Code;
use crate::source::model::plan::{Choice, Refusal};
use crate::source::sfc::expression::{Shift, with_expression};
use crate::source::sfc::tree::Span;

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ExpressionValue {
    /// `'text'`, or a template literal without expressions.
    Text(Literal),
    /// `3`
    Number(Span),
    /// `true`
    Boolean(Span),
    /// A condition with a text on at least one side.
    Condition(Sides),
    /// Anything else.
    Other,
}

/// A string in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    /// Between the quotes.
    pub inner: Span,
    pub quote: char,
    /// The characters it stands for.
    pub text: String,
}

/// The texts of `a ? 'b' : 'c'` and `a && 'b'`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sides {
    pub then: Option<Literal>,
    pub otherwise: Option<Literal>,
}

impl Sides {
    /// The side that is meant.
    pub fn chosen(&self, branch: Option<Branch>) -> Result<&Literal, Refusal> {
        let side = match branch {
            None => {
                let reason = "The value depends on a condition: choose the side that is meant";
                return Err(Refusal::choose(reason, self.choices()));
            }
            Some(Branch::Then) => &self.then,
            Some(Branch::Else) => &self.otherwise,
        };
        side.as_ref().ok_or_else(|| {
            let reason = "That side of the condition is no text; change it in the code";
            Refusal::uncertain(Code::Expression, reason)
        })
    }

    pub fn choices(&self) -> Vec<Choice> {
        let side = |branch, when: &str, literal: &Option<Literal>| {
            let literal = literal.as_ref()?;
            Some(Choice::branch(branch, format!("“{}”, {when}", literal.text)))
        };
        let then = side(Branch::Then, "when the condition holds", &self.then);
        let otherwise = side(Branch::Else, "otherwise", &self.otherwise);
        then.into_iter().chain(otherwise).collect()
    }
}

/// Reads the expression at `span`.
pub(super) fn value(text: &str, span: Span) -> ExpressionValue {
    with_expression(text, span, read).unwrap_or(ExpressionValue::Other)
}

fn read(expression: &Expression<'_>, shift: Shift) -> ExpressionValue {
    match expression {
        Expression::NumericLiteral(number) => ExpressionValue::Number(shift.span(&**number)),
        Expression::BooleanLiteral(boolean) => ExpressionValue::Boolean(shift.span(&**boolean)),
        Expression::ConditionalExpression(condition) => sides(
            literal(&condition.consequent, shift),
            literal(&condition.alternate, shift),
        ),
        Expression::LogicalExpression(logical) if logical.operator.is_and() => {
            sides(literal(&logical.right, shift), None)
        }
        _ => literal(expression, shift).map_or(ExpressionValue::Other, ExpressionValue::Text),
    }
}

fn sides(then: Option<Literal>, otherwise: Option<Literal>) -> ExpressionValue {
    if then.is_none() && otherwise.is_none() {
        return ExpressionValue::Other;
    }
    ExpressionValue::Condition(Sides { then, otherwise })
}

/// A string, or a template literal without expressions.
pub(super) fn literal(expression: &Expression<'_>, shift: Shift) -> Option<Literal> {
    let expression = expression.get_inner_expression();
    let span = shift.span(expression);
    let inner = Span::new(span.start + 1, span.end - 1);
    match expression {
        Expression::StringLiteral(string) => {
            let raw = string.raw.as_ref()?;
            let quote = raw.chars().next()?;
            let text = string.value.to_string();
            Some(Literal { inner, quote, text })
        }
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            let text = template.quasis.first()?.value.cooked.as_ref()?.to_string();
            Some(Literal {
                inner,
                quote: '`',
                text,
            })
        }
        _ => None,
    }
}
