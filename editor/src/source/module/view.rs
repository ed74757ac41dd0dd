//! What planning an edit of a script asks its module.

use std::ops::Range;

use super::binding::{Imported, Origin};
use super::element::{Attribute, Contained, ElementKind, Literal, LiteralValue};
use super::expression::Shape;
use super::frame::Frame;
use super::ids::{ElementId, NodeId};
use super::table::Module;
use crate::source::notation::Notation;
use crate::source::script::Body;

/// A name that an import declares.
#[derive(Debug, Clone, Copy)]
pub struct Import<'m> {
    /// The name in this file.
    pub local: &'m str,
    /// The name in the other; `None` for the default, `*` for all of it.
    pub imported: Option<&'m str>,
    /// The module, as written.
    pub from: &'m str,
}

impl Module {
    /// The names that imports declare.
    pub fn imported(&self) -> impl Iterator<Item = Import<'_>> {
        self.symbols.iter().filter_map(|symbol| match &symbol.origin {
            Origin::Import(from, imported) => Some(Import {
                local: &symbol.name,
                imported: match imported {
                    Imported::Name(name) => Some(name.as_str()).filter(|name| *name != "default"),
                    Imported::All => Some("*"),
                },
                from,
            }),
            _ => None,
        })
    }

    /// The import that declares a name.
    #[must_use]
    pub fn import(&self, local: &str) -> Option<Import<'_>> {
        self.imported().find(|import| import.local == local)
    }

    /// The element of a script (no fragment) whose `<` stands at `offset`.
    #[must_use]
    pub fn element_of_script(&self, offset: usize) -> Option<ElementId> {
        let found = self.element_at(offset)?;
        let element = &self[found];
        (element.kind != ElementKind::Fragment && element.frame.is_some()).then_some(found)
    }

    /// The frames an element stands in, the innermost first.
    pub fn frames_around(&self, element: ElementId) -> impl Iterator<Item = &Frame> {
        let own = self[element].frame.and_then(|frame| self.frames[frame].parent);
        std::iter::successors(own.map(|frame| &self.frames[frame]), |frame| {
            frame.parent.map(|frame| &self.frames[frame])
        })
    }

    /// The innermost function whose block holds a range between its braces.
    #[must_use]
    pub fn body_around(&self, range: &Range<usize>) -> Option<&Body> {
        let bodies = self.functions.iter().filter_map(|function| function.body.as_ref());
        let mut holding = bodies.filter(|body| body.range.start < range.start && range.end < body.range.end);
        holding.next_back()
    }

    /// Whether the value that is spread is certainly without a property, because a pattern took it out:
    /// `{...props}` of `({ className, ...props })` brings no `className`.
    #[must_use]
    pub fn leaves_out(&self, spread: NodeId, property: &str) -> bool {
        let Shape::Name(Some(symbol), _) = &self[spread].shape else {
            return false;
        };
        let mut rests = self.rests.iter().filter(|(rest, _)| rest == symbol);
        let (Some((_, taken)), None) = (rests.next(), rests.next()) else {
            return false;
        };
        let own = &self[*symbol];
        let may_set = |key: &Option<String>| key.as_ref().is_none_or(|key| key == property);
        own.write.is_none()
            && !own.touched.iter().any(|touch| may_set(&touch.key))
            && taken.iter().any(|taken| taken == property)
    }

    /// The text of an attribute that is one in quotes.
    #[must_use]
    pub fn quoted(&self, attribute: &Attribute) -> Option<&str> {
        match &self[attribute.value()?].shape {
            Shape::Text(fixed) if matches!(fixed.notation, Notation::JsxAttribute(_)) => Some(&fixed.text),
            _ => None,
        }
    }

    /// The value of an expression that is nothing but a literal.
    #[must_use]
    pub fn literal(&self, contained: &Contained) -> Option<Literal> {
        match self[contained.node].range == contained.inner {
            true => self.literal_at(contained.node),
            false => None,
        }
    }

    /// The literal that an expression is.
    #[must_use]
    pub fn literal_at(&self, node: NodeId) -> Option<Literal> {
        let node = &self[node];
        let value = match &node.shape {
            Shape::Text(fixed) => match fixed.notation {
                Notation::Script('`', _) => LiteralValue::Template(fixed.text.clone()),
                _ => LiteralValue::String(fixed.text.clone()),
            },
            Shape::Number(number) => LiteralValue::Number(number.clone()),
            Shape::Nothing => match self.excerpt(&node.range) {
                "true" => LiteralValue::Boolean(true),
                "false" => LiteralValue::Boolean(false),
                _ => return None,
            },
            _ => return None,
        };
        let range = node.range.clone();
        Some(Literal { range, value })
    }

    /// Whether an expression is a function.
    #[must_use]
    pub fn is_function(&self, contained: &Contained) -> bool {
        let node = &self[contained.node];
        node.range == contained.inner && matches!(node.shape, Shape::Function(_))
    }
}
