//! Values in an example: written out or named, and never a piece of work.

use oxc::ast::ast::{
    ArrayExpressionElement, ArrowFunctionBody, BindingPattern, Expression, JSXElement, ObjectPropertyKind, PropertyKind,
};

/// The longest text in an example, in characters: a word or two that a page shows, and no speech.
const MAX_TEXT: usize = 60;

/// What an attribute is given, as far as a declaration can speak against it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value<'e> {
    /// These characters.
    Text(&'e str),
    Number,
    /// True or false.
    Flag,
    /// A list, an object, a function, markup, or a name that stands for anything.
    Other,
}

/// An element within an expression, which is checked by whoever reads elements.
pub(super) type Element<'c> = &'c dyn Fn(&JSXElement<'_>) -> Result<(), String>;

/// Refuses texts that an example has no need of.
pub(super) fn check_text(text: &str) -> Result<(), String> {
    if text.trim().chars().count() > MAX_TEXT {
        return Err(format!("a text in it is longer than {MAX_TEXT} characters"));
    }
    if text.contains("//") {
        return Err("it names an address".to_owned());
    }
    Ok(())
}

/// What an expression gives. Calls, assignments and everything else that does something are refused.
pub(super) fn value<'e>(expression: &'e Expression<'_>, element: Element<'_>) -> Result<Value<'e>, String> {
    let inner = |expression: &Expression<'_>| value(expression, element).and_then(|value| value.checked());
    match expression {
        Expression::StringLiteral(text) => Ok(Value::Text(text.value.as_str())),
        Expression::NumericLiteral(_) => Ok(Value::Number),
        Expression::BooleanLiteral(_) => Ok(Value::Flag),
        Expression::NullLiteral(_) | Expression::Identifier(_) => Ok(Value::Other),
        Expression::TemplateLiteral(text) if text.expressions.is_empty() => {
            let text = text.quasis.first().map_or("", |part| part.value.raw.as_str());
            Ok(Value::Text(text))
        }
        Expression::UnaryExpression(unary) if unary.operator.is_arithmetic() => match &unary.argument {
            Expression::NumericLiteral(_) => Ok(Value::Number),
            _ => Err(works()),
        },
        Expression::ParenthesizedExpression(inner) => value(&inner.expression, element),
        Expression::ArrayExpression(list) => {
            for one in &list.elements {
                match one {
                    ArrayExpressionElement::SpreadElement(_) | ArrayExpressionElement::Elision(_) => {
                        return Err(works());
                    }
                    one => inner(one.to_expression())?,
                }
            }
            Ok(Value::Other)
        }
        Expression::ObjectExpression(object) => {
            for property in &object.properties {
                match property {
                    ObjectPropertyKind::ObjectProperty(property)
                        if property.kind == PropertyKind::Init && !property.computed && !property.method =>
                    {
                        inner(&property.value)?;
                    }
                    _ => return Err(works()),
                }
            }
            Ok(Value::Other)
        }
        Expression::ArrowFunctionExpression(function) => {
            let plain = |pattern: &BindingPattern<'_>| matches!(pattern, BindingPattern::BindingIdentifier(_));
            let parameters = &function.params;
            let are_plain = parameters.rest.is_none()
                && parameters
                    .items
                    .iter()
                    .all(|one| plain(&one.pattern) && one.initializer.is_none());
            if function.r#async || !are_plain {
                return Err(works());
            }
            match &function.body {
                ArrowFunctionBody::FunctionBody(body) if body.statements.is_empty() && body.directives.is_empty() => {}
                body => inner(body.as_expression().ok_or_else(works)?)?,
            }
            Ok(Value::Other)
        }
        Expression::JSXElement(inside) => element(inside).map(|()| Value::Other),
        _ => Err(works()),
    }
}

impl Value<'_> {
    /// The same, within a list or an object.
    pub fn checked(self) -> Result<(), String> {
        match self {
            Self::Text(text) => check_text(text),
            _ => Ok(()),
        }
    }
}

fn works() -> String {
    "an expression in it does more than to name a value".to_owned()
}
