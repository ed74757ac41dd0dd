//! CSS properties: their spelling in objects, which shorthands set them, and which texts may be written as values.

use crate::source::model::{Code, Refusal};

use crate::source::css::{Dialect, NodeKind, Sheet};

/// `background-color` for `backgroundColor`, `-webkit-mask` for `WebkitMask`; custom properties as they are.
pub(super) fn kebab(key: &str) -> String {
    if key.starts_with("--") || key.contains('-') {
        return key.to_owned();
    }
    let mut result = String::with_capacity(key.len() + 2);
    if key.starts_with("ms") && key[2..].starts_with(|c: char| c.is_ascii_uppercase()) {
        result.push('-');
    }
    for character in key.chars() {
        if character.is_ascii_uppercase() {
            result.push('-');
        }
        result.push(character.to_ascii_lowercase());
    }
    match result.as_str() {
        "css-float" => "float".to_owned(),
        _ => result,
    }
}

/// `backgroundColor` for `background-color`.
pub(super) fn camel(property: &str) -> String {
    let property = property
        .strip_prefix("-ms-")
        .map_or(property.to_owned(), |rest| format!("ms-{rest}"));
    let mut result = String::with_capacity(property.len());
    let mut raise = false;
    for character in property.chars() {
        if character == '-' {
            raise = true;
        } else if raise {
            result.push(character.to_ascii_uppercase());
            raise = false;
        } else {
            result.push(character);
        }
    }
    result
}

/// Properties whose numbers have no unit, in React as in CSS; sorted.
const UNITLESS: &[&str] = &[
    "animation-iteration-count",
    "aspect-ratio",
    "border-image-outset",
    "border-image-slice",
    "border-image-width",
    "box-flex",
    "box-flex-group",
    "box-ordinal-group",
    "column-count",
    "columns",
    "fill-opacity",
    "flex",
    "flex-grow",
    "flex-negative",
    "flex-order",
    "flex-positive",
    "flex-shrink",
    "flood-opacity",
    "font-weight",
    "grid-area",
    "grid-column",
    "grid-column-end",
    "grid-column-span",
    "grid-column-start",
    "grid-row",
    "grid-row-end",
    "grid-row-span",
    "grid-row-start",
    "line-clamp",
    "line-height",
    "opacity",
    "order",
    "orphans",
    "scale",
    "stop-opacity",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "tab-size",
    "widows",
    "z-index",
    "zoom",
];

/// Whether React writes numbers for this property without `px`.
pub(super) fn is_unitless(property: &str) -> bool {
    property.starts_with("--") || UNITLESS.binary_search(&property.trim_start_matches("-webkit-")).is_ok()
}

/// Whether the shorthand sets the longhand (or another shorthand within it).
pub(super) fn covers(shorthand: &str, longhand: &str) -> bool {
    if shorthand == longhand || longhand.starts_with("--") {
        return false;
    }
    let below = |prefix: &str| longhand.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('-'));
    match shorthand {
        "all" => true,
        "border" => {
            below("border") && !longhand.contains("radius") && !matches!(longhand, "border-collapse" | "border-spacing")
        }
        "border-color" | "border-width" | "border-style" => {
            below("border") && longhand.ends_with(&shorthand["border".len()..])
        }
        "border-radius" => below("border") && longhand.ends_with("-radius"),
        "font" => (below("font") || longhand == "line-height") && longhand != "font-smoothing",
        "flex" => matches!(longhand, "flex-grow" | "flex-shrink" | "flex-basis"),
        "flex-flow" => matches!(longhand, "flex-direction" | "flex-wrap"),
        "gap" => matches!(longhand, "row-gap" | "column-gap"),
        "inset" => matches!(longhand, "top" | "right" | "bottom" | "left") || below("inset"),
        "place-items" => matches!(longhand, "align-items" | "justify-items"),
        "place-content" => matches!(longhand, "align-content" | "justify-content"),
        "place-self" => matches!(longhand, "align-self" | "justify-self"),
        "columns" => matches!(longhand, "column-count" | "column-width"),
        "grid" => below("grid") && !matches!(longhand, "grid-area" | "grid-row" | "grid-column"),
        "text-decoration"
        | "background"
        | "margin"
        | "padding"
        | "overflow"
        | "outline"
        | "list-style"
        | "transition"
        | "animation"
        | "mask"
        | "column-rule"
        | "border-top"
        | "border-right"
        | "border-bottom"
        | "border-left"
        | "border-image"
        | "border-inline"
        | "border-block"
        | "margin-inline"
        | "margin-block"
        | "padding-inline"
        | "padding-block"
        | "inset-inline"
        | "inset-block"
        | "overscroll-behavior"
        | "grid-area"
        | "grid-row"
        | "grid-column"
        | "grid-template"
        | "text-emphasis"
        | "scroll-margin"
        | "scroll-padding" => below(shorthand),
        _ => false,
    }
}

/// Checks that a property's name can be written.
///
/// # Errors
/// `bad-property`
pub(super) fn check_property(property: &str) -> Result<(), Refusal> {
    let custom = property.strip_prefix("--").is_some_and(|name| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii())
    });
    let name = property.strip_prefix('-').unwrap_or(property);
    let plain =
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    if custom || plain {
        return Ok(());
    }
    let reason = format!("“{property}” is no CSS property: write it as background-color, or --name for a variable");
    Err(Refusal::uncertain(Code::BadProperty, reason))
}

/// Checks that a text is one value and nothing else: it could be anything a browser knows, but it must not end the
/// declaration it goes into.
///
/// # Errors
/// `bad-value`
pub(super) fn check_value(value: &str) -> Result<&str, Refusal> {
    let value = value.trim();
    let refused = |what: &str| {
        Err(Refusal::uncertain(
            Code::BadValue,
            format!("“{value}” is no CSS value: {what}"),
        ))
    };
    if value.is_empty() {
        return refused("it is empty; send null to remove the declaration");
    }
    if value.contains(['\n', '\r', '\0']) || value.len() > 10_000 {
        return refused("it has line breaks, or is too long");
    }
    // `</style` would end the block in a single-file component.
    if value.contains("</") || value.contains("/*") {
        return refused("it contains a comment or a tag");
    }
    let text = format!("a: {value}");
    let fits = Sheet::parse(&text, Dialect::Css).is_ok_and(|sheet| match sheet.nodes.as_slice() {
        [node] => match &node.kind {
            NodeKind::Declaration {
                value: range,
                important,
                semicolon: false,
                ..
            } => important.as_ref().map_or(range.end, |important| important.end) == text.len() && !range.is_empty(),
            _ => false,
        },
        _ => false,
    });
    if fits {
        Ok(value)
    } else {
        refused("a bracket or quote does not close, or something stands behind it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_turned_into_each_other() {
        for (css, script) in [
            ("background-color", "backgroundColor"),
            ("-webkit-line-clamp", "WebkitLineClamp"),
            ("-ms-flex", "msFlex"),
            ("color", "color"),
        ] {
            assert_eq!(camel(css), script);
            assert_eq!(kebab(script), css);
        }
        assert_eq!(kebab("--gapX"), "--gapX");
        assert_eq!(kebab("cssFloat"), "float");
    }

    #[test]
    fn shorthands_are_known() {
        for (shorthand, longhand, wanted) in [
            ("padding", "padding-left", true),
            ("padding", "padding", false),
            ("border", "border-top-color", true),
            ("border", "border-top-left-radius", false),
            ("border-radius", "border-top-left-radius", true),
            ("border-color", "border-left-color", true),
            ("border-color", "border-left-width", false),
            ("inset", "top", true),
            ("font", "line-height", true),
            ("gap", "row-gap", true),
            ("all", "--x", false),
            ("color", "color-scheme", false),
        ] {
            assert_eq!(covers(shorthand, longhand), wanted, "{shorthand} {longhand}");
        }
    }

    #[test]
    fn values_must_stay_in_their_place() {
        for value in [
            "red",
            "1px solid var(--x)",
            "url(a;b.png)",
            "\"a;b\"",
            "red !important",
            "calc((1px + 2px) * 2)",
        ] {
            assert_eq!(check_value(value).unwrap(), value);
        }
        for value in [
            "",
            " ",
            "red;",
            "red; top: 0",
            "red}",
            "{",
            "a(",
            "\"a",
            "a\nb",
            "a/*",
            "</style>",
            "a;b",
            ")",
        ] {
            assert_eq!(check_value(value).unwrap_err().code, "bad-value", "{value}");
        }
        for property in ["Color", "a b", "", "--", "-", "color:red", "a;"] {
            assert_eq!(check_property(property).unwrap_err().code, "bad-property", "{property}");
        }
        for property in ["color", "--gap-x", "-webkit-mask", "--é"] {
            assert!(check_property(property).is_ok());
        }
    }

    #[test]
    fn numbers_without_a_unit_are_known() {
        assert!(is_unitless("z-index") && is_unitless("-webkit-line-clamp") && is_unitless("--x"));
        assert!(!is_unitless("width"));
        assert!(UNITLESS.is_sorted());
    }
}
