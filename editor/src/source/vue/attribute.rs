//! Setting and removing attributes of elements and props of components.

use super::document::Document;
use super::expression::{self, ExpressionValue};
use crate::source::model::Branch;
use crate::source::model::Code;
use crate::source::model::plan::{Plan, Refusal, Replacement, short};
use crate::source::model::position::ATTRIBUTE;
use crate::source::notation::{Notation, Within};
use crate::source::script::is_number;
use crate::source::sfc::tree::{self, Attribute, Bound, Element, Id, Span};

/// Sets the attribute, or removes it with `None`.
pub(super) fn plan(
    document: &Document<'_>,
    id: Id,
    name: &str,
    value: Option<&str>,
    branch: Option<Branch>,
) -> Result<Plan, Refusal> {
    let element = document.element(id)?;
    check_name(document, element, name)?;
    let Some(place) = position(document, element, name)? else {
        let Some(value) = value else {
            return Err(missing(document, element, name));
        };
        return Ok(document.plan(vec![appended(document, element, &written(name, value))]));
    };
    let attribute = &element.attributes[place];
    overridden(document, element, place)?;
    let replacement = match value {
        Some(value) => set(document, attribute, name, value, branch)?,
        None => {
            literal(document, attribute)?;
            removed(document, element, place)
        }
    };
    Ok(document.plan(vec![replacement]))
}

/// Whether planning would set this attribute, for inspection.
pub(super) fn able(document: &Document<'_>, element: &Element, place: usize) -> Result<(), Refusal> {
    let attribute = &element.attributes[place];
    let Some(name) = document.sfc.sets(attribute) else {
        let reason = match attribute.directive.as_ref().map(|directive| directive.kind) {
            Some(Bound::Bind) => {
                "The attributes come from a value that is known only when the prototype runs; change them in the code"
            }
            Some(Bound::On) => "What happens on an event is code, not a text; change it in the code",
            _ => "A directive is code, not a text; change it in the code",
        };
        return Err(Refusal::uncertain(Code::AttributeKind, reason));
    };
    check_name(document, element, name)?;
    overridden(document, element, place)?;
    literal(document, attribute)
}

/// Refuses what is no plain attribute.
fn check_name(document: &Document<'_>, element: &Element, name: &str) -> Result<(), Refusal> {
    let allowed =
        |character: char| !(character.is_whitespace() || character.is_control() || "\"'<>/=`{}".contains(character));
    let is_directive =
        name.starts_with(['v', ':', '@', '#', '.']) && (name.starts_with("v-") || !name.starts_with('v'));
    if name.is_empty() || is_directive || !name.chars().all(allowed) {
        let reason = format!("“{name}” is no name an attribute can have; directives are changed in the code");
        return Err(Refusal::uncertain(Code::AttributeName, reason));
    }
    let reason = match name {
        "style" => "Styles are set property by property, not as one text",
        "ref" | "key" | "is" => "This name has a meaning to Vue; change it in the code",
        ATTRIBUTE => "This attribute is the Editor's own: choose another name",
        _ if modelled(document, element, name) => {
            "The value belongs to v-model: it comes from the component's state; change that in the code"
        }
        _ => return Ok(()),
    };
    Err(Refusal::uncertain(Code::AttributeKind, reason))
}

/// Whether `v-model` sets this attribute.
fn modelled(document: &Document<'_>, element: &Element, name: &str) -> bool {
    let sfc = &document.sfc;
    element.attributes.iter().any(|attribute| {
        let Some(directive) = &attribute.directive else {
            return false;
        };
        if !attribute.name.of(sfc.text).starts_with("v-model") {
            return false;
        }
        let argument = directive.argument.map(|argument| argument.of(sfc.text));
        match argument {
            Some(argument) => same_prop(argument, name),
            None if !sfc.is_host(element) => same_prop("modelValue", name),
            // A radio button's own value stays beside v-model.
            None => match sfc.plain(element, "type") {
                Some("radio" | "checkbox") => name == "checked",
                _ => name == "value" && document.tag(element) != "option",
            },
        }
    })
}

/// `myProp` and `my-prop` are the same to Vue.
fn same_prop(one: &str, other: &str) -> bool {
    let plain = |name: &str| -> String {
        let mut result = String::new();
        for character in name.chars() {
            if character.is_ascii_uppercase() {
                result.push('-');
            }
            result.push(character.to_ascii_lowercase());
        }
        result
    };
    one == other || plain(one) == plain(other)
}

/// The attribute that sets `name`. `class` may stand there twice: plain and bound.
pub(super) fn position(document: &Document<'_>, element: &Element, name: &str) -> Result<Option<usize>, Refusal> {
    let component = !document.sfc.is_host(element);
    let places: Vec<usize> = (0..element.attributes.len())
        .filter(|place| {
            let own = document.sfc.sets(&element.attributes[*place]);
            own.is_some_and(|own| own == name || (component && same_prop(own, name)))
        })
        .collect();
    let plain = |place: &&usize| element.attributes[**place].directive.is_none();
    match places.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        several if name == "class" => Ok(several.iter().find(plain).copied()),
        _ => {
            let reason = format!("“{name}” stands at the element twice; remove one of them in the code");
            Err(Refusal::uncertain(Code::AttributeTwice, reason))
        }
    }
}

/// What stands behind an attribute can set it again. Classes are joined instead.
pub(super) fn overridden(document: &Document<'_>, element: &Element, place: usize) -> Result<(), Refusal> {
    if document.sfc.sets(&element.attributes[place]) == Some("class") {
        return Ok(());
    }
    let over = element.attributes[place + 1..]
        .iter()
        .find(|attribute| is_spread(document, attribute));
    let Some(over) = over else { return Ok(()) };
    let source = over.span.of(document.text);
    let reason = format!(
        "{} stands behind it and may set the attribute again; move it to the front in the code",
        short(source)
    );
    Err(Refusal::uncertain(Code::SpreadAfter, reason))
}

/// `v-bind="object"` and `:[name]="value"`: they may set any attribute.
pub(super) fn is_spread(document: &Document<'_>, attribute: &Attribute) -> bool {
    let Some(directive) = &attribute.directive else {
        return false;
    };
    let dynamic = |argument: Span| argument.of(document.text).starts_with('[');
    directive.kind == Bound::Bind && directive.argument.is_none_or(dynamic)
}

fn missing(document: &Document<'_>, element: &Element, name: &str) -> Refusal {
    let reason = if element
        .attributes
        .iter()
        .any(|attribute| is_spread(document, attribute))
    {
        format!(
            "“{name}” is not written at this element; the value that is bound to it with v-bind may set it: change that in the code"
        )
    } else {
        format!("The element has no “{name}”: there is nothing to remove")
    };
    Refusal::uncertain(Code::AttributeMissing, reason)
}

/// Refuses what is computed.
fn literal(document: &Document<'_>, attribute: &Attribute) -> Result<(), Refusal> {
    if attribute.directive.is_none() {
        return Ok(());
    }
    match bound(document, attribute) {
        ExpressionValue::Other => Err(computed(document, attribute)),
        _ => Ok(()),
    }
}

/// What a bound attribute is bound to.
pub(super) fn bound(document: &Document<'_>, attribute: &Attribute) -> ExpressionValue {
    match document.expression(attribute) {
        Some(span) => expression::value(document.text, span),
        None => ExpressionValue::Other,
    }
}

fn computed(document: &Document<'_>, attribute: &Attribute) -> Refusal {
    let reason = format!(
        "{} is computed when the prototype runs; change it in the code",
        short(attribute.span.of(document.text))
    );
    Refusal::uncertain(Code::Expression, reason)
}

/// Replaces a value, in the way it is written.
fn set(
    document: &Document<'_>,
    attribute: &Attribute,
    name: &str,
    value: &str,
    branch: Option<Branch>,
) -> Result<Replacement, Refusal> {
    if attribute.directive.is_none() {
        return Ok(set_plain(attribute, value));
    }
    let quote = attribute.value.map_or('"', quote_of);
    let within = Within::Attribute(quote);
    let kind = |wanted: &str| {
        let reason = format!("“{name}” is {wanted} here, and “{value}” is not: write one, or change it in the code");
        Refusal::uncertain(Code::ValueKind, reason)
    };
    Ok(match bound(document, attribute) {
        ExpressionValue::Text(literal) => Replacement::new(
            literal.inner.range(),
            Notation::Script(literal.quote, within).write(value),
        ),
        ExpressionValue::Condition(sides) => {
            let literal = sides.chosen(branch)?;
            Replacement::new(
                literal.inner.range(),
                Notation::Script(literal.quote, within).write(value),
            )
        }
        ExpressionValue::Number(span) if is_number(value) => Replacement::new(span.range(), value),
        ExpressionValue::Number(_) => return Err(kind("a number")),
        ExpressionValue::Boolean(span) if matches!(value, "true" | "false") => Replacement::new(span.range(), value),
        ExpressionValue::Boolean(_) => return Err(kind("true or false")),
        ExpressionValue::Other => return Err(computed(document, attribute)),
    })
}

fn set_plain(attribute: &Attribute, value: &str) -> Replacement {
    match attribute.value {
        // `disabled` and `disabled=""` are the same.
        None if value.is_empty() => Replacement::insert(attribute.name.end, ""),
        None => Replacement::insert(
            attribute.name.end,
            format!("=\"{}\"", Notation::HtmlAttribute('"').write(value)),
        ),
        Some(tree::AttributeValue { span, quote: None, .. }) => Replacement::new(
            span.range(),
            format!("\"{}\"", Notation::HtmlAttribute('"').write(value)),
        ),
        Some(own) => Replacement::new(own.inner.range(), Notation::HtmlAttribute(quote_of(own)).write(value)),
    }
}

/// The quote of a value; a space for none.
pub(super) fn quote_of(value: tree::AttributeValue) -> char {
    value.quote.map_or(' ', char::from)
}

fn written(name: &str, value: &str) -> String {
    format!("{name}=\"{}\"", Notation::HtmlAttribute('"').write(value))
}

/// Inserts the source of an attribute behind the last one, on a line of its own when that one has one.
pub(super) fn appended(document: &Document<'_>, element: &Element, written: &str) -> Replacement {
    let Some(last) = element.attributes.last() else {
        return Replacement::insert(element.name.end, format!(" {written}"));
    };
    let space = if document.begins_line(last.span.start) {
        format!("{}{}", document.line_end(), document.indentation(last.span.start))
    } else {
        " ".to_owned()
    };
    Replacement::insert(last.span.end, format!("{space}{written}"))
}

/// Removes an attribute with the white space before it.
pub(super) fn removed(document: &Document<'_>, element: &Element, place: usize) -> Replacement {
    let span = element.attributes[place].span;
    let start = document.text[..span.start]
        .trim_end_matches([' ', '\t', '\n', '\r', '\x0c'])
        .len();
    // `a="b"c="d"` needs no space, but its neighbours would; `a=b c/>` without it would take the slash into the value.
    let unquoted = |before: usize| {
        element.attributes[before]
            .value
            .is_some_and(|value| value.quote.is_none())
    };
    let parts = match document.text.as_bytes().get(span.end) {
        Some(b'/') => place.checked_sub(1).is_some_and(unquoted),
        Some(b'>' | b' ' | b'\t' | b'\n' | b'\r' | b'\x0c') => false,
        _ => true,
    };
    Replacement::new(start..span.end, if parts { " " } else { "" })
}
