//! Values that depend on one condition: `on ? 'a' : 'b'`.

use oxc::ast::ast::Expression;
use oxc::span::GetSpan;

use super::source::Source;
use crate::source::document::{Contained, Literal, LiteralValue, range};
use crate::source::model::{Branch, Choice, Code, Refusal};
use crate::source::script;

/// The strings of a conditional.
pub(super) struct Sides {
    found: Vec<(Branch, Literal)>,
}

/// The sides of an expression that is one condition over strings; `None` for any other.
pub(super) fn sides(source: &Source, contained: &Contained) -> Option<Sides> {
    let text = source.slice(&contained.inner);
    let at = contained.inner.start;
    let found = script::with_expression(&source.path, text, |expression| {
        match expression.without_parentheses() {
            Expression::ConditionalExpression(conditional) => {
                let then = string(&conditional.consequent, at);
                let other = string(&conditional.alternate, at);
                [(Branch::Then, then), (Branch::Else, other)]
            }
            Expression::LogicalExpression(logical) if logical.operator.is_and() => {
                [(Branch::Then, string(&logical.right, at)), (Branch::Else, None)]
            }
            _ => [(Branch::Then, None), (Branch::Else, None)],
        }
    });
    let found: Vec<_> = found
        .ok()?
        .into_iter()
        .filter_map(|(branch, literal)| Some((branch, literal?)))
        .collect();
    (!found.is_empty()).then_some(Sides { found })
}

impl Sides {
    /// The side that the request names.
    pub fn chosen(&self, branch: Option<Branch>) -> Result<Literal, Refusal> {
        let Some(branch) = branch else {
            let choices = self.found.iter().map(|(branch, literal)| {
                let when = match branch {
                    Branch::Then => "when the condition holds",
                    Branch::Else => "otherwise",
                };
                Choice::branch(*branch, format!("“{}”, {when}", literal.value.shown()))
            });
            let reason = "The value depends on a condition: choose the side that is meant";
            return Err(Refusal::choose(reason, choices.collect()));
        };
        let found = self.found.iter().find(|(side, _)| *side == branch);
        found.map(|(_, literal)| literal.clone()).ok_or_else(|| {
            let reason = "That side of the condition is no text; change it in the code";
            Refusal::uncertain(Code::Expression, reason)
        })
    }
}

fn string(expression: &Expression<'_>, at: usize) -> Option<Literal> {
    let value = match expression.without_parentheses() {
        Expression::StringLiteral(string) => LiteralValue::String(string.value.to_string()),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            LiteralValue::Template(template.quasis.first()?.value.cooked.as_ref()?.to_string())
        }
        _ => return None,
    };
    let range = range(expression.without_parentheses().span());
    let range = range.start + at..range.end + at;
    Some(Literal { range, value })
}
