//! Setting and removing attributes of elements and props of components.

use super::attribute_names::{flag_names, html_name, react_name};
use super::framework::Framework;
use super::sides::sides;
use super::source::Source;
use crate::source::model::Branch;
use crate::source::model::Code;
use crate::source::model::plan::{Plan, Refusal, Replacement, short};
use crate::source::model::position::ATTRIBUTE;
use crate::source::module::{Attribute, Contained, Element, ElementId, ElementKind, LiteralValue, Written};
use crate::source::notation::{Notation, Within};
use crate::source::script::is_number;

/// Sets the attribute, or removes it with `None`.
pub(super) fn plan(
    source: &Source,
    index: ElementId,
    name: &str,
    value: Option<&str>,
    branch: Option<Branch>,
) -> Result<Plan, Refusal> {
    let element = source.element(index);
    let name = &written_name(source, element, name)?;
    let Some(position) = element.attributes.iter().rposition(|attribute| attribute.name == *name) else {
        let insertion = match value {
            Some(value) => added(source, element, name, value)?,
            None => return Err(missing(element, name)),
        };
        return Ok(source.plan(vec![insertion]));
    };
    let attribute = &element.attributes[position];
    overridden(source, element, position)?;
    let replacement = match value {
        Some(value) => set(source, element, attribute, value, branch)?,
        None => {
            editable(source, attribute)?;
            removed(source, element, attribute)
        }
    };
    Ok(source.plan(vec![replacement]))
}

/// Whether planning would set this attribute, for inspection.
pub(super) fn able(source: &Source, element: &Element, position: usize) -> Result<(), Refusal> {
    let attribute = &element.attributes[position];
    if let Written::Spread(..) = attribute.written {
        let reason =
            "The attributes come from a value that is known only when the prototype runs; change them in the code";
        return Err(Refusal::uncertain(Code::Spread, reason));
    }
    written_name(source, element, &attribute.name)?;
    overridden(source, element, position)?;
    editable(source, attribute)
}

/// The name under which JSX takes an attribute; refuses what is no plain attribute.
fn written_name(source: &Source, element: &Element, name: &str) -> Result<String, Refusal> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'$');
    let begins = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$');
    if !name.bytes().all(allowed) || !name.as_bytes().first().is_some_and(begins) || name.ends_with(':') {
        let reason = format!("“{name}” is no name an attribute can have in JSX: use letters, digits and hyphens");
        return Err(Refusal::uncertain(Code::AttributeName, reason));
    }
    let name = match element.attribute(name) {
        Some(_) => name.to_owned(),
        None if element.kind == ElementKind::Host && !element.tag.contains('-') => own_name(source, element, name)?,
        None => name.to_owned(),
    };
    let is_vue = source.framework == Framework::Vue;
    let reason = match name.as_str() {
        "style" => "Styles are set property by property, not as one text",
        "ref" => "“ref” names a value of the component, not a text; change it in the code",
        "children" | "dangerouslySetInnerHTML" if !is_vue => "The element's content is changed as its text",
        "innerHTML" | "textContent" if is_vue => "The element's content is changed as its text",
        _ if is_vue && is_directive(&name) => "A directive is code, not a text; change it in the code",
        ATTRIBUTE => "This attribute is the Editor's own: choose another name",
        _ if is_handler(element, &name) => "What happens on an event is code, not a text; change it in the code",
        _ => return Ok(name),
    };
    Err(Refusal::uncertain(Code::AttributeKind, reason))
}

/// The framework's name for an attribute of an element of the page: `class`, `for` and `tabindex` in Vue are React's
/// `className`, `htmlFor` and `tabIndex`. One that stands there under its other name is that one.
fn own_name(source: &Source, element: &Element, name: &str) -> Result<String, Refusal> {
    let (react, html) = (react_name(name), html_name(name));
    if let Some(there) = [&react, &html]
        .into_iter()
        .find(|name| element.attribute(name).is_some())
    {
        return Ok(there.clone());
    }
    match source.framework {
        Framework::React => Ok(react),
        Framework::Vue => Ok(html),
        Framework::Unclear if react == html => Ok(react),
        Framework::Unclear => {
            let reason = format!(
                "The project has both React and Vue, and nothing in {} tells which of them shows it, so it is not certain whether the attribute is {react} or {html}: write it in the code",
                source.path
            );
            Err(Refusal::uncertain(Code::AttributeName, reason))
        }
    }
}

/// `v-model`, `vModel`: Vue's own.
fn is_directive(name: &str) -> bool {
    let rest = name.strip_prefix('v').unwrap_or_default();
    rest.starts_with(|first: char| first == '-' || first.is_ascii_uppercase())
}

/// `onClick`: the framework calls it.
fn is_handler(element: &Element, name: &str) -> bool {
    let rest = name.strip_prefix("on").unwrap_or_default();
    let upper = rest.starts_with(|first: char| first.is_ascii_uppercase());
    let lower = element.kind == ElementKind::Host && rest.starts_with(|first: char| first.is_ascii_lowercase());
    upper || (lower && !element.tag.contains('-'))
}

/// Refuses an attribute that something behind it may set again.
pub(super) fn overridden(source: &Source, element: &Element, position: usize) -> Result<(), Refusal> {
    let attribute = &element.attributes[position];
    let later = element.attributes[position + 1..]
        .iter()
        .find_map(|later| match &later.written {
            Written::Spread(range, node) if !source.module.leaves_out(*node, &attribute.name) => Some(range),
            _ => None,
        });
    match later {
        None => Ok(()),
        Some(spread) => {
            let spread = short(source.slice(spread));
            let reason = format!(
                "“{}” stands before {{...{spread}}}, which may set it again, so what the page shows is not certain; move it behind that in the code",
                attribute.name
            );
            Err(Refusal::uncertain(Code::SpreadAfter, reason))
        }
    }
}

/// Refuses an attribute whose value is computed.
fn editable(source: &Source, attribute: &Attribute) -> Result<(), Refusal> {
    match &attribute.written {
        Written::Expression(contained)
            if source.module.literal(contained).is_none() && sides(source, contained).is_none() =>
        {
            Err(computed(source, attribute, contained))
        }
        Written::Element(_) => {
            let reason = format!("“{}” is set to an element; select that element instead", attribute.name);
            Err(Refusal::uncertain(Code::Expression, reason))
        }
        _ => Ok(()),
    }
}

fn computed(source: &Source, attribute: &Attribute, contained: &Contained) -> Refusal {
    let expression = short(source.slice(&contained.inner));
    let reason = format!(
        "“{}” is computed from {{{expression}}}; change that in the code",
        attribute.name
    );
    Refusal::uncertain(Code::Expression, reason)
}

fn missing(element: &Element, name: &str) -> Refusal {
    let spread = element.has_spread();
    let reason = if spread {
        format!(
            "“{name}” is not written at this element; the value that is spread into it may set it: change that in the code"
        )
    } else {
        format!("The element has no “{name}”: there is nothing to remove")
    };
    Refusal::uncertain(Code::AttributeMissing, reason)
}

/// Replaces a value, in the way it is written.
fn set(
    source: &Source,
    element: &Element,
    attribute: &Attribute,
    value: &str,
    branch: Option<Branch>,
) -> Result<Replacement, Refusal> {
    let name = &attribute.name;
    editable(source, attribute)?;
    Ok(match &attribute.written {
        Written::Flag => match truth(element, name, value) {
            Some(true) => Replacement::insert(attribute.range.end, ""),
            Some(false) => Replacement::insert(attribute.range.end, "={false}"),
            None => Replacement::insert(
                attribute.range.end,
                format!("=\"{}\"", Notation::JsxAttribute('"').write(value)),
            ),
        },
        Written::Text(range, _) => {
            let quote = if source.text[range.clone()].starts_with('\'') {
                '\''
            } else {
                '"'
            };
            Replacement::new(
                range.start + 1..range.end - 1,
                Notation::JsxAttribute(quote).write(value),
            )
        }
        Written::Expression(contained) => {
            let own = source.module.literal(contained);
            let whole = own.is_some();
            let literal = match (own, sides(source, contained)) {
                (Some(literal), _) => literal,
                (None, Some(sides)) => sides.chosen(branch)?,
                (None, None) => return Err(computed(source, attribute, contained)),
            };
            let range = literal.range.clone();
            match &literal.value {
                LiteralValue::String(_) => {
                    let quote = if source.text[range.clone()].starts_with('\'') {
                        '\''
                    } else {
                        '"'
                    };
                    Replacement::new(
                        range.start + 1..range.end - 1,
                        Notation::Script(quote, Within::File).write(value),
                    )
                }
                LiteralValue::Template(_) => Replacement::new(
                    range.start + 1..range.end - 1,
                    Notation::Script('`', Within::File).write(value),
                ),
                LiteralValue::Number(_) if is_number(value) => Replacement::new(range, value),
                LiteralValue::Boolean(_) if matches!(value, "true" | "false") => Replacement::new(range, value),
                LiteralValue::Number(_) | LiteralValue::Boolean(_)
                    if element.kind == ElementKind::Component || !whole =>
                {
                    let wanted = match literal.value {
                        LiteralValue::Number(_) => "a number",
                        _ => "true or false",
                    };
                    let reason =
                        format!("“{name}” is {wanted} here, and “{value}” is not: write one, or change it in the code");
                    return Err(Refusal::uncertain(Code::ValueKind, reason));
                }
                _ => Replacement::new(
                    contained.range.clone(),
                    format!("\"{}\"", Notation::JsxAttribute('"').write(value)),
                ),
            }
        }
        Written::Element(_) | Written::Spread(..) => return Err(missing(element, name)),
    })
}

/// Writes a new attribute behind the others, where nothing sets it again.
fn added(source: &Source, element: &Element, name: &str, value: &str) -> Result<Replacement, Refusal> {
    let written = match truth(element, name, value) {
        Some(true) => name.to_owned(),
        Some(false) => format!("{name}={{false}}"),
        None => format!("{name}=\"{}\"", Notation::JsxAttribute('"').write(value)),
    };
    Ok(appended(source, element, &written))
}

/// Inserts the source of an attribute behind the last one, on a line of its own when that one has one.
pub(super) fn appended(source: &Source, element: &Element, written: &str) -> Replacement {
    let Some(last) = element.attributes.last() else {
        return Replacement::insert(element.behind_name, format!(" {written}"));
    };
    let space = if source.begins_line(last.range.start) {
        format!("{}{}", source.line_end(), source.indentation(last.range.start))
    } else {
        " ".to_owned()
    };
    Replacement::insert(last.range.end, format!("{space}{written}"))
}

/// Removes an attribute with the white space before it.
pub(super) fn removed(source: &Source, element: &Element, attribute: &Attribute) -> Replacement {
    let earlier = element.attributes.iter().map(|attribute| attribute.range.end);
    let before = earlier.filter(|end| *end <= attribute.range.start).max();
    let gap = &source.text[before.unwrap_or(element.behind_name)..attribute.range.start];
    // Behind a comment the white space stays: the rest of the tag must not become part of it.
    let blank = match gap.contains("//") {
        true => 0,
        false => super::source::trailing_blank(gap),
    };
    Replacement::remove(attribute.range.start - blank..attribute.range.end)
}

/// Whether a value means a flag that is on or off.
fn truth(element: &Element, name: &str, value: &str) -> Option<bool> {
    let flag = match element.attribute(name).map(|attribute| &attribute.written) {
        Some(Written::Flag) => true,
        // HTML's names are React's in small letters.
        _ => element.kind == ElementKind::Host && flag_names().iter().any(|flag| flag.eq_ignore_ascii_case(name)),
    };
    match value {
        _ if !flag => None,
        "false" => Some(false),
        "" | "true" => Some(true),
        _ if value == name => Some(true),
        _ => None,
    }
}
