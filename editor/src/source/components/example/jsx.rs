//! Examples in JSX.

use oxc::ast::ast::{
    Expression, JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXChild, JSXElement, JSXElementName, Program,
    Statement,
};

use super::declared::{Declared, Use};
use super::value::{Value, check_text, value};
use crate::source::script;

/// The component that the example shows.
pub(super) fn check(declared: &Declared<'_>, example: &str) -> Result<String, String> {
    let read = script::with_program("example.tsx", &format!("({example}\n)"), |program: &Program<'_>| {
        if !program.comments.is_empty() {
            return Err("it has a comment".to_owned());
        }
        match program.body.as_slice() {
            [Statement::ExpressionStatement(statement)] if program.directives.is_empty() => {
                match statement.expression.get_inner_expression() {
                    Expression::JSXElement(shown) => element(declared, shown).map(|used| used.name().to_owned()),
                    _ => Err("it is not one element".to_owned()),
                }
            }
            _ => Err("it is not one element".to_owned()),
        }
    });
    read.map_err(|broken| format!("it cannot be read: {}", broken.message))?
}

fn element<'d>(declared: &Declared<'d>, shown: &JSXElement<'_>) -> Result<Use<'d>, String> {
    let JSXElementName::IdentifierReference(tag) = &shown.opening_element.name else {
        return Err("a tag in it is no component of the library".to_owned());
    };
    let mut used = declared.begin(tag.name.as_str())?;
    if shown.opening_element.type_arguments.is_some() {
        return Err("a component in it is given types".to_owned());
    }
    for attribute in &shown.opening_element.attributes {
        give(declared, &mut used, attribute)?;
    }
    content(declared, &used, &shown.children)?;
    used.end()?;
    Ok(used)
}

fn give(declared: &Declared<'_>, used: &mut Use<'_>, attribute: &JSXAttributeItem<'_>) -> Result<(), String> {
    let JSXAttributeItem::Attribute(attribute) = attribute else {
        return Err("it passes on properties that it does not name".to_owned());
    };
    let JSXAttributeName::Identifier(name) = &attribute.name else {
        return Err("a property in it has a name with a colon".to_owned());
    };
    let name = name.name.as_str();
    let inside = |inside: &JSXElement<'_>| element(declared, inside).map(drop);
    let given = match &attribute.value {
        None => Value::Flag,
        Some(JSXAttributeValue::StringLiteral(text)) => Value::Text(text.value.as_str()),
        Some(JSXAttributeValue::ExpressionContainer(container)) => match container.expression.as_expression() {
            Some(expression) => value(expression, &inside)?,
            None => return Err(format!("{name} is given nothing")),
        },
        Some(JSXAttributeValue::Element(shown)) => {
            inside(shown)?;
            Value::Other
        }
        Some(JSXAttributeValue::Fragment(_)) => return Err("it has an element without a name".to_owned()),
    };
    used.give(name, &given)
}

fn content(declared: &Declared<'_>, used: &Use<'_>, children: &[JSXChild<'_>]) -> Result<(), String> {
    for child in children {
        match child {
            JSXChild::Text(text) if text.value.trim().is_empty() => continue,
            JSXChild::Text(text) => check_text(text.value.as_str())?,
            JSXChild::Element(inside) => drop(element(declared, inside)?),
            JSXChild::ExpressionContainer(container) => {
                let inside = |inside: &JSXElement<'_>| element(declared, inside).map(drop);
                let expression = container.expression.as_expression();
                let expression = expression.ok_or_else(|| "it has an empty expression".to_owned())?;
                value(expression, &inside)?.checked()?;
            }
            _ => return Err("it has an element without a name".to_owned()),
        }
        used.show()?;
    }
    Ok(())
}
