//! Values that depend on one condition: `on ? 'a' : 'b'`.

use super::source::Source;
use crate::source::model::{Branch, Choice, Code, Refusal};
use crate::source::module::{Contained, Literal, LiteralValue, Module, NodeId, Shape};

/// The strings of a conditional.
pub(super) struct Sides {
    found: Vec<(Branch, Literal)>,
}

/// The sides of an expression that is one condition over strings; `None` for any other.
pub(super) fn sides(source: &Source, contained: &Contained) -> Option<Sides> {
    let module = &source.module;
    let sides = match &module[contained.node].shape {
        Shape::Conditional(_, then, other) => [Some((Branch::Then, *then)), Some((Branch::Else, *other))],
        Shape::And(_, shown) => [Some((Branch::Then, *shown)), None],
        _ => return None,
    };
    let literal = |(branch, side)| Some((branch, string(module, side)?));
    let found: Vec<_> = sides.into_iter().flatten().filter_map(literal).collect();
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

fn string(module: &Module, side: NodeId) -> Option<Literal> {
    let literal = module.literal_at(side)?;
    matches!(literal.value, LiteralValue::String(_) | LiteralValue::Template(_)).then_some(literal)
}
