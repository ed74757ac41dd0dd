//! Elements of JSX.

use std::ops::Range;

use oxc::ast::ast::{
    JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXChild, JSXElement, JSXElementName, JSXExpression,
    JSXExpressionContainer, JSXFragment, JSXMemberExpression, JSXMemberExpressionObject, StringLiteral,
};
use oxc::span::{GetSpan, Span};

use super::Lower;
use crate::source::module::element::{Attribute, Child, ChildKind, Contained, Element, ElementKind, Written};
use crate::source::module::expression::{Fixed, Key, Shape};
use crate::source::module::frame::FrameKind;
use crate::source::module::ids::{ElementId, NodeId};
use crate::source::notation::{Notation, jsx_text, references};

impl Lower<'_> {
    pub(super) fn element(&mut self, element: &JSXElement<'_>) -> ElementId {
        let opening = &element.opening_element;
        let name = self.shift.range(opening.name.span());
        let kind = match &opening.name {
            _ if self.scenes.enter(&opening.name) => ElementKind::Host,
            JSXElementName::Identifier(_) | JSXElementName::NamespacedName(_) => ElementKind::Foreign,
            _ => ElementKind::Component,
        };
        let types = opening.type_arguments.as_ref();
        let behind_name = types.map_or(name.end, |types| self.shift.range(types.span).end);
        let closing = element.closing_element.as_ref();
        let tags = Tags {
            kind,
            opening: self.shift.range(opening.span),
            name,
            behind_name,
            closing: closing.map(|closing| self.shift.range(closing.span)),
        };
        let id = self.begin(element.span, tags);
        let outer = self.parent.replace(id);
        let component = self.component(&opening.name);
        let attributes = opening.attributes.iter();
        let attributes = attributes.map(|attribute| self.attribute(attribute)).collect();
        let children = self.children(id, &element.children);
        self.parent = outer;
        self.scenes.leave();
        self.close();
        let written = &mut self.module.elements[id.index()];
        written.component = component;
        written.attributes = attributes;
        written.children = children;
        id
    }

    pub(super) fn fragment(&mut self, fragment: &JSXFragment<'_>) -> ElementId {
        let opening = self.shift.range(fragment.opening_fragment.span);
        let behind_name = opening.start + 1;
        let tags = Tags {
            kind: ElementKind::Fragment,
            opening,
            name: behind_name..behind_name,
            behind_name,
            closing: Some(self.shift.range(fragment.closing_fragment.span)),
        };
        let id = self.begin(fragment.span, tags);
        let outer = self.parent.replace(id);
        let children = self.children(id, &fragment.children);
        self.parent = outer;
        self.close();
        self.module.elements[id.index()].children = children;
        id
    }

    /// Elements are numbered from the outside in.
    fn begin(&mut self, span: Span, tags: Tags) -> ElementId {
        let id = ElementId::next(&self.module.elements);
        let frame = self.module.frames.len();
        self.open(FrameKind::Element(id), span);
        self.module.elements.push(Element {
            tag: self.module.excerpt(&tags.name).to_owned(),
            kind: tags.kind,
            range: self.shift.range(span),
            opening: tags.opening,
            name: tags.name,
            behind_name: tags.behind_name,
            closing: tags.closing,
            attributes: Vec::new(),
            children: Vec::new(),
            frame: Some(frame),
            parent: self.parent,
            holder: self.holder,
            component: None,
            function: self.function,
            conditional: self.guards > 0,
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

    fn attribute(&mut self, attribute: &JSXAttributeItem<'_>) -> Attribute {
        let span = attribute.span();
        let range = self.shift.range(span);
        self.open(FrameKind::Attribute, span);
        let (name, written) = match attribute {
            JSXAttributeItem::SpreadAttribute(spread) => {
                let inner = self.shift.range(spread.argument.span());
                (String::new(), Written::Spread(inner, self.node(&spread.argument)))
            }
            JSXAttributeItem::Attribute(attribute) => {
                let name = match &attribute.name {
                    JSXAttributeName::Identifier(name) => name.name.to_string(),
                    JSXAttributeName::NamespacedName(name) => {
                        self.module.excerpt(&self.shift.range(name.span)).to_owned()
                    }
                };
                let value = attribute.value.as_ref().and_then(|value| self.attribute_value(value));
                (name, value.unwrap_or(Written::Flag))
            }
        };
        self.close();
        Attribute { name, range, written }
    }

    fn attribute_value(&mut self, value: &JSXAttributeValue<'_>) -> Option<Written> {
        Some(match value {
            JSXAttributeValue::StringLiteral(literal) => {
                let shape = Shape::Text(self.quoted(literal));
                Written::Text(self.shift.range(literal.span), self.push(literal.span, shape))
            }
            JSXAttributeValue::ExpressionContainer(container) => Written::Expression(self.contained(container)?),
            JSXAttributeValue::Element(element) => {
                let shape = Shape::Element(self.element(element));
                Written::Element(self.push(element.span, shape))
            }
            JSXAttributeValue::Fragment(fragment) => {
                let shape = Shape::Element(self.fragment(fragment));
                Written::Element(self.push(fragment.span, shape))
            }
        })
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

    /// `None` for braces without an expression.
    fn contained(&mut self, container: &JSXExpressionContainer<'_>) -> Option<Contained> {
        let expression = match &container.expression {
            JSXExpression::EmptyExpression(_) => return None,
            expression => expression.as_expression()?,
        };
        self.open(FrameKind::Container, container.span);
        let node = self.node(expression);
        self.close();
        Some(Contained {
            range: self.shift.range(container.span),
            inner: self.shift.range(expression.span()),
            node,
        })
    }

    fn children(&mut self, id: ElementId, children: &[JSXChild<'_>]) -> Vec<Child> {
        let outer = self.holder.replace(id);
        let children = children.iter().map(|child| self.child(child)).collect();
        self.holder = outer;
        children
    }

    fn child(&mut self, child: &JSXChild<'_>) -> Child {
        let range = self.shift.range(child.span());
        let kind = match child {
            JSXChild::Text(_) => ChildKind::Text(self.between_tags(&range)),
            JSXChild::Element(element) => ChildKind::Element(self.element(element)),
            JSXChild::Fragment(fragment) => ChildKind::Element(self.fragment(fragment)),
            JSXChild::ExpressionContainer(container) => match self.contained(container) {
                Some(contained) => ChildKind::Expression(contained),
                None => ChildKind::Empty,
            },
            JSXChild::Spread(spread) => {
                self.open(FrameKind::Container, spread.span);
                let node = self.node(&spread.expression);
                self.close();
                ChildKind::Spread(node)
            }
        };
        Child { range, kind }
    }

    fn between_tags(&self, whole: &Range<usize>) -> Option<Fixed> {
        let shown = jsx_text(self.module.excerpt(whole))?;
        Some(Fixed {
            range: whole.start + shown.range.start..whole.start + shown.range.end,
            text: shown.text,
            notation: Notation::JsxText,
        })
    }
}

/// The parts of an element's tags.
struct Tags {
    kind: ElementKind,
    opening: Range<usize>,
    name: Range<usize>,
    behind_name: usize,
    closing: Option<Range<usize>>,
}
