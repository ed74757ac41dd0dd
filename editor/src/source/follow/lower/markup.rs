//! Elements of JSX.

use oxc::ast::ast::{
    JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXChild, JSXElement, JSXElementName, JSXExpression,
    JSXFragment, JSXMemberExpression, JSXMemberExpressionObject, StringLiteral,
};
use oxc::span::{GetSpan, Span};

use super::Lower;
use crate::source::follow::module::{Child, Element, ElementId, Fixed, Key, NodeId, Prop, Shape};
use crate::source::notation::{Notation, jsx_text, references};

impl Lower<'_> {
    pub(super) fn element(&mut self, element: &JSXElement<'_>) -> ElementId {
        let opening = &element.opening_element;
        let id = self.begin(element.span);
        let component = self.component(&opening.name);
        let attributes = opening.attributes.iter();
        let attributes = attributes.map(|attribute| self.attribute(attribute)).collect();
        let children = self.children(id, &element.children);
        let tag = self.module.excerpt(&self.shift.range(opening.name.span())).to_owned();
        let opening = self.shift.range(opening.span);
        let closed = element.closing_element.is_some();
        let written = &mut self.module.elements[id.index()];
        written.tag = tag;
        written.component = component;
        written.attributes = attributes;
        written.children = children;
        written.open_end = opening.end - if closed { 1 } else { 2 };
        written.closed = closed;
        id
    }

    pub(super) fn fragment(&mut self, fragment: &JSXFragment<'_>) -> ElementId {
        let id = self.begin(fragment.span);
        let children = self.children(id, &fragment.children);
        self.module.elements[id.index()].children = children;
        id
    }

    /// Elements are numbered from the outside in, in the order of the text.
    fn begin(&mut self, span: Span) -> ElementId {
        let id = ElementId::next(&self.module.elements);
        let range = self.shift.range(span);
        self.module.elements.push(Element {
            at: range.start,
            open_end: range.start + 1,
            range,
            tag: String::new(),
            component: None,
            attributes: Vec::new(),
            children: Vec::new(),
            parent: self.parent,
            function: self.function,
            conditional: self.guards > 0,
            closed: true,
        });
        id
    }

    fn component(&mut self, name: &JSXElementName<'_>) -> Option<NodeId> {
        match name {
            JSXElementName::IdentifierReference(name) => {
                let symbol = self.binding(name.reference_id.get(), &name.name);
                Some(self.push(name.span, Shape::Name(symbol, name.name.to_string())))
            }
            JSXElementName::MemberExpression(member) => Some(self.member_tag(member)),
            _ => None,
        }
    }

    fn member_tag(&mut self, member: &JSXMemberExpression<'_>) -> NodeId {
        let object = match &member.object {
            JSXMemberExpressionObject::IdentifierReference(name) => {
                let symbol = self.binding(name.reference_id.get(), &name.name);
                self.push(name.span, Shape::Name(symbol, name.name.to_string()))
            }
            JSXMemberExpressionObject::MemberExpression(inner) => self.member_tag(inner),
            JSXMemberExpressionObject::ThisExpression(this) => self.push(this.span, Shape::This),
        };
        let key = Key::Named(member.property.name.to_string());
        self.push(member.span, Shape::Member(object, key))
    }

    fn attribute(&mut self, attribute: &JSXAttributeItem<'_>) -> Prop {
        match attribute {
            JSXAttributeItem::SpreadAttribute(spread) => Prop {
                name: String::new(),
                value: Some(self.node(&spread.argument)),
            },
            JSXAttributeItem::Attribute(attribute) => {
                let name = match &attribute.name {
                    JSXAttributeName::Identifier(name) => name.name.to_string(),
                    JSXAttributeName::NamespacedName(name) => format!("{}:{}", name.namespace.name, name.name.name),
                };
                let value = attribute.value.as_ref().and_then(|value| self.attribute_value(value));
                Prop { name, value }
            }
        }
    }

    fn attribute_value(&mut self, value: &JSXAttributeValue<'_>) -> Option<NodeId> {
        match value {
            JSXAttributeValue::StringLiteral(literal) => {
                let shape = Shape::Text(self.quoted(literal));
                Some(self.push(literal.span, shape))
            }
            JSXAttributeValue::ExpressionContainer(container) => self.contained(&container.expression),
            JSXAttributeValue::Element(element) => {
                let shape = Shape::Element(self.element(element));
                Some(self.push(element.span, shape))
            }
            JSXAttributeValue::Fragment(fragment) => {
                let shape = Shape::Element(self.fragment(fragment));
                Some(self.push(fragment.span, shape))
            }
        }
    }

    /// An attribute's string: markup, in which a backslash is a backslash.
    fn quoted(&self, literal: &StringLiteral<'_>) -> Fixed {
        let (range, quote) = self.quotes(literal.span);
        Fixed {
            text: references::jsx(self.module.excerpt(&range)).into_owned(),
            range,
            notation: Notation::JsxAttribute(quote),
        }
    }

    fn contained(&mut self, expression: &JSXExpression<'_>) -> Option<NodeId> {
        let expression = expression.as_expression()?;
        Some(self.node(expression))
    }

    fn children(&mut self, id: ElementId, children: &[JSXChild<'_>]) -> Vec<Child> {
        let outer = self.parent.replace(id);
        let children = children.iter().filter_map(|child| self.child(child)).collect();
        self.parent = outer;
        children
    }

    fn child(&mut self, child: &JSXChild<'_>) -> Option<Child> {
        match child {
            JSXChild::Text(text) => {
                let whole = self.shift.range(text.span);
                let shown = jsx_text(self.module.excerpt(&whole))?;
                Some(Child::Text(Fixed {
                    range: whole.start + shown.range.start..whole.start + shown.range.end,
                    text: shown.text,
                    notation: Notation::JsxText,
                }))
            }
            JSXChild::Element(element) => Some(Child::Element(self.element(element))),
            JSXChild::Fragment(fragment) => Some(Child::Element(self.fragment(fragment))),
            JSXChild::ExpressionContainer(container) => self.contained(&container.expression).map(Child::Expression),
            JSXChild::Spread(spread) => Some(Child::Expression(self.node(&spread.expression))),
        }
    }
}
