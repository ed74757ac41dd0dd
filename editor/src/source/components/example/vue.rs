//! Examples in templates of Vue.

use super::declared::{Declared, Use};
use super::value::{Value, check_text, value};
use crate::source::notation::references;
use crate::source::sfc::expression::with_expression;
use crate::source::sfc::scan;
use crate::source::sfc::tree::{Attribute, Bound, Id, NodeKind, Sfc, Span};
use crate::source::sfc::whitespace;

/// The component that the example shows.
pub(super) fn check(declared: &Declared<'_>, example: &str) -> Result<String, String> {
    let around = format!("<template>{example}</template>");
    let sfc = scan(&around)
        .checked()
        .map_err(|broken| format!("it cannot be read: {}", broken.message))?;
    let [template] = sfc.roots.as_slice() else {
        return Err("it closes a tag that it does not open".to_owned());
    };
    // `</template>` in it would end more than itself.
    if sfc.nodes[*template].span != Span::new(0, around.len()) {
        return Err("it closes a tag that it does not open".to_owned());
    }
    let is_blank = |id: &&Id| !matches!(sfc.nodes[**id].kind, NodeKind::Text(_)) || !text(&sfc, **id).trim().is_empty();
    let shown: Vec<Id> = sfc.children(Some(*template)).iter().filter(is_blank).copied().collect();
    match shown.as_slice() {
        [one] => Ok(element(declared, &sfc, *one)?.name().to_owned()),
        _ => Err("it is not one element".to_owned()),
    }
}

fn text(sfc: &Sfc<'_>, id: Id) -> String {
    whitespace::shown(sfc, id)
}

fn element<'d>(declared: &Declared<'d>, sfc: &Sfc<'_>, id: Id) -> Result<Use<'d>, String> {
    let shown = sfc.element(id).ok_or_else(|| "it is not one element".to_owned())?;
    let mut used = declared.begin(sfc.tag(shown))?;
    for attribute in &shown.attributes {
        give(sfc, &mut used, attribute)?;
    }
    for child in &shown.children {
        match &sfc.nodes[*child].kind {
            NodeKind::Text(_) if text(sfc, *child).trim().is_empty() => continue,
            NodeKind::Text(_) => check_text(&text(sfc, *child))?,
            NodeKind::Element(_) => drop(element(declared, sfc, *child)?),
            NodeKind::Interpolation(inner) => with(sfc, *inner, false, |value| value.checked())?,
            NodeKind::Comment => return Err("it has a comment".to_owned()),
        }
        used.show()?;
    }
    used.end()?;
    Ok(used)
}

fn give(sfc: &Sfc<'_>, used: &mut Use<'_>, attribute: &Attribute) -> Result<(), String> {
    let written = attribute.name.of(sfc.text);
    let inner = attribute.value.map(|value| value.inner);
    let Some(directive) = &attribute.directive else {
        return match inner {
            None => used.give(written, &Value::Flag),
            Some(inner) => used.give(written, &Value::Text(&references::html_attribute(inner.of(sfc.text)))),
        };
    };
    let unknown = || format!("{written} is no property");
    let argument = directive.argument.map(|argument| argument.of(sfc.text));
    if argument.is_some_and(|argument| argument.starts_with('[')) || !directive.modifiers.is_empty() {
        return Err(unknown());
    }
    let name = match (directive.kind, argument) {
        (Bound::Bind, Some(argument)) => argument.to_owned(),
        // What hears an event is the property of its name.
        (Bound::On, Some(argument)) => format!("on-{argument}"),
        (Bound::Other, argument) if written.split(':').next() == Some("v-model") => {
            argument.unwrap_or("modelValue").to_owned()
        }
        _ => return Err(unknown()),
    };
    let inner = inner.ok_or_else(|| format!("{written} is given nothing"))?;
    with(sfc, inner, true, |value| used.give(&name, &value))
}

/// Reads an expression; in attributes characters are written by references.
fn with(
    sfc: &Sfc<'_>,
    inner: Span,
    in_attribute: bool,
    read: impl FnOnce(Value<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let written = inner.of(sfc.text);
    let decoded = if in_attribute {
        references::html_attribute(written)
    } else {
        written.into()
    };
    if decoded.contains("/*") || decoded.contains("//") {
        return Err("it has a comment or an address in an expression".to_owned());
    }
    let no_elements = |_: &oxc::ast::ast::JSXElement<'_>| Err("it has JSX in a template".to_owned());
    let outcome = with_expression(&decoded, Span::new(0, decoded.len()), |expression, _| {
        value(expression, &no_elements).and_then(read)
    });
    outcome.map_err(|broken| format!("it cannot be read: {}", broken.message))?
}
