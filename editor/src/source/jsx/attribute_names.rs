//! Attribute names as HTML and SVG write them, which Vue takes, and as React takes them.

/// React's name for an attribute of an element of the page. Names it has no own spelling for are themselves.
/// <https://react.dev/reference/react-dom/components/common>
pub(super) fn react_name(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    if let Some((_, react)) = RENAMED.iter().find(|(html, _)| *html == lower) {
        return (*react).to_owned();
    }
    if let Some(react) = CAMEL.iter().find(|react| react.eq_ignore_ascii_case(name)) {
        return (*react).to_owned();
    }
    let dashed = |prefix: &str| lower.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('-'));
    if SVG_PREFIXES.iter().any(|prefix| dashed(prefix)) {
        return camel(&lower);
    }
    name.to_owned()
}

/// HTML's and SVG's name for an attribute of an element of the page, as Vue takes it: [`react_name`] turned around.
pub(super) fn html_name(name: &str) -> String {
    let react = react_name(name);
    if let Some((html, _)) = RENAMED.iter().find(|(_, own)| *own == react) {
        return (*html).to_owned();
    }
    // What follows `attributeName` in the list are SVG's names, which are written like that in the page.
    let svg = CAMEL
        .iter()
        .position(|name| *name == "attributeName")
        .unwrap_or(CAMEL.len());
    if let Some(at) = CAMEL.iter().position(|name| **name == react) {
        return if at < svg { react.to_ascii_lowercase() } else { react };
    }
    let words = react.find(|letter: char| letter.is_ascii_uppercase());
    let presents = words.is_some_and(|end| SVG_PREFIXES.contains(&&react[..end]));
    if presents && react != "textContent" && react.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return dashed(&react);
    }
    name.to_owned()
}

/// Attributes that are there or not.
pub(super) fn flag_names() -> &'static [&'static str] {
    &[
        "allowFullScreen",
        "async",
        "autoFocus",
        "autoPlay",
        "checked",
        "controls",
        "default",
        "defaultChecked",
        "defer",
        "disabled",
        "disablePictureInPicture",
        "formNoValidate",
        "hidden",
        "inert",
        "itemScope",
        "loop",
        "multiple",
        "muted",
        "noModule",
        "noValidate",
        "open",
        "playsInline",
        "readOnly",
        "required",
        "reversed",
        "selected",
    ]
}

const RENAMED: &[(&str, &str)] = &[
    ("class", "className"),
    ("for", "htmlFor"),
    ("accept-charset", "acceptCharset"),
    ("http-equiv", "httpEquiv"),
    ("xlink:href", "xlinkHref"),
    ("xml:lang", "xmlLang"),
    ("xml:space", "xmlSpace"),
];

const CAMEL: &[&str] = &[
    "accessKey",
    "allowFullScreen",
    "autoCapitalize",
    "autoComplete",
    "autoCorrect",
    "autoFocus",
    "autoPlay",
    "cellPadding",
    "cellSpacing",
    "charSet",
    "className",
    "classID",
    "colSpan",
    "contentEditable",
    "contextMenu",
    "controlsList",
    "crossOrigin",
    "dateTime",
    "defaultChecked",
    "defaultValue",
    "disablePictureInPicture",
    "encType",
    "enterKeyHint",
    "fetchPriority",
    "formAction",
    "formEncType",
    "formMethod",
    "formNoValidate",
    "formTarget",
    "frameBorder",
    "hrefLang",
    "htmlFor",
    "imageSizes",
    "imageSrcSet",
    "inputMode",
    "itemID",
    "itemProp",
    "itemRef",
    "itemScope",
    "itemType",
    "keyParams",
    "keyType",
    "marginHeight",
    "marginWidth",
    "maxLength",
    "mediaGroup",
    "minLength",
    "noModule",
    "noValidate",
    "playsInline",
    "popoverTarget",
    "popoverTargetAction",
    "radioGroup",
    "readOnly",
    "referrerPolicy",
    "rowSpan",
    "spellCheck",
    "srcDoc",
    "srcLang",
    "srcSet",
    "tabIndex",
    "useMap",
    "attributeName",
    "baseFrequency",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "xChannelSelector",
    "yChannelSelector",
];

/// SVG's presentation attributes with a dash begin with these.
const SVG_PREFIXES: &[&str] = &[
    "alignment",
    "baseline",
    "clip",
    "color",
    "dominant",
    "fill",
    "flood",
    "font",
    "image",
    "letter",
    "lighting",
    "marker",
    "paint",
    "pointer",
    "shape",
    "stop",
    "stroke",
    "text",
    "vector",
    "word",
    "writing",
];

fn dashed(camel: &str) -> String {
    let mut name = String::with_capacity(camel.len() + 2);
    for character in camel.chars() {
        if character.is_ascii_uppercase() {
            name.push('-');
        }
        name.push(character.to_ascii_lowercase());
    }
    name
}

fn camel(dashed: &str) -> String {
    let mut parts = dashed.split('-');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut characters = part.chars();
        name.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(characters.as_str());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_html_and_svg_become_reacts() {
        for (html, react) in [
            ("class", "className"),
            ("for", "htmlFor"),
            ("tabindex", "tabIndex"),
            ("readonly", "readOnly"),
            ("stroke-width", "strokeWidth"),
            ("clip-path", "clipPath"),
            ("viewbox", "viewBox"),
            ("data-id", "data-id"),
            ("aria-label", "aria-label"),
            ("title", "title"),
        ] {
            assert_eq!(react_name(html), react);
        }
    }

    #[test]
    fn names_of_react_become_those_of_html_and_svg() {
        for (name, html) in [
            ("className", "class"),
            ("class", "class"),
            ("htmlFor", "for"),
            ("tabIndex", "tabindex"),
            ("readonly", "readonly"),
            ("strokeWidth", "stroke-width"),
            ("stroke-width", "stroke-width"),
            ("viewbox", "viewBox"),
            ("xlinkHref", "xlink:href"),
            ("data-id", "data-id"),
            ("textContent", "textContent"),
            ("title", "title"),
        ] {
            assert_eq!(html_name(name), html, "{name}");
        }
    }
}
