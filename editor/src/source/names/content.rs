//! What may stand between the tags of an element of the page: one table for every edit and both languages.

use super::tags::{HTML, MATHML, SVG, is_void};

/// What an element shows of a text put directly into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// The text, and elements beside it.
    Any,
    /// The text, and no elements.
    Text,
    /// Only these children; browsers move or drop everything else.
    Only(&'static [&'static str]),
    /// Code: a script or a stylesheet.
    Code,
    /// A value, which an attribute sets.
    Value,
    /// Nothing: it draws, loads, or holds what is not shown.
    Unseen,
    /// There is no closing tag.
    Void,
}

/// What an element of the page can hold. Components and unknown names hold anything.
#[must_use]
pub fn content(tag: &str) -> Content {
    if is_void(tag) {
        return Content::Void;
    }
    match tag {
        "ul" | "ol" | "menu" | "dir" => Content::Only(&["li"]),
        "dl" => Content::Only(&["dt", "dd", "div"]),
        "table" => Content::Only(&["caption", "colgroup", "thead", "tbody", "tfoot", "tr"]),
        "thead" | "tbody" | "tfoot" => Content::Only(&["tr"]),
        "tr" => Content::Only(&["td", "th"]),
        "colgroup" => Content::Only(&["col"]),
        "select" => Content::Only(&["option", "optgroup", "hr"]),
        "optgroup" => Content::Only(&["option"]),
        "datalist" => Content::Only(&["option"]),
        "picture" => Content::Only(&["source", "img"]),
        "hgroup" => Content::Only(&["h1", "h2", "h3", "h4", "h5", "h6", "p"]),
        "html" => Content::Only(&["head", "body"]),
        "head" => Content::Only(&["title", "meta", "link", "script", "style", "base"]),
        "frameset" => Content::Only(&["frame"]),
        "option" | "title" => Content::Text,
        "script" | "style" => Content::Code,
        "textarea" => Content::Value,
        "iframe" | "video" | "audio" | "canvas" | "object" | "applet" | "template" | "noembed" | "noframes"
        | "meter" | "progress" | "frame" | "bgsound" | "basefont" | "keygen" | "image" => Content::Unseen,
        // What SVG and MathML write as text; HTML's names come first, as `a` is one of all.
        "text" | "tspan" | "textPath" | "desc" | "foreignObject" | "tref" | "altGlyph" => Content::Any,
        "mi" | "mn" | "mo" | "ms" | "mtext" | "annotation" | "annotation-xml" => Content::Any,
        _ if HTML.binary_search(&tag).is_ok() => Content::Any,
        _ if [SVG, MATHML].iter().any(|names| names.binary_search(&tag).is_ok()) => Content::Unseen,
        _ => Content::Any,
    }
}

impl Content {
    /// Why a text put into `<tag>` would not be shown; `None` where it is.
    #[must_use]
    pub fn no_text(self, tag: &str) -> Option<String> {
        Some(match self {
            Self::Any | Self::Text => return None,
            Self::Only(children) => {
                let children: Vec<String> = children.iter().map(|child| format!("<{child}>")).collect();
                format!(
                    "<{tag}> holds no text of its own, only {}: put the text into one of these",
                    children.join(", ")
                )
            }
            Self::Code => format!("What stands in <{tag}> is code and no text of the page: change it in the code"),
            Self::Value => format!(
                "What <{tag}> shows is its value and no text between its tags: set its placeholder, or change its value in the code"
            ),
            Self::Unseen => format!("<{tag}> shows no text that stands in it: put an element for the text beside it"),
            Self::Void => format!("<{tag}> cannot hold a text: put an element for it beside"),
        })
    }

    /// Why an element put into `<tag>` would not be shown; `None` where it is, or where it can be one of the right kind.
    #[must_use]
    pub fn no_elements(self, tag: &str) -> Option<String> {
        Some(match self {
            Self::Void => format!("<{tag}> never has content: choose a place before or after it"),
            Self::Text | Self::Code | Self::Value => {
                format!("<{tag}> holds text only, no elements: choose a place before or after it")
            }
            Self::Any | Self::Only(_) | Self::Unseen => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_show_no_text_are_known() {
        for tag in [
            "path",
            "circle",
            "rect",
            "use",
            "svg",
            "g",
            "iframe",
            "video",
            "audio",
            "canvas",
            "select",
            "optgroup",
            "ul",
            "ol",
            "dl",
            "table",
            "thead",
            "tbody",
            "tr",
            "colgroup",
            "style",
            "script",
            "textarea",
            "template",
            "img",
            "input",
            "br",
            "mrow",
            "math",
            "linearGradient",
            "progress",
            "picture",
            "object",
        ] {
            let why = content(tag).no_text(tag);
            assert!(why.is_some_and(|why| why.contains(tag)), "{tag}");
        }
        for tag in [
            "div",
            "p",
            "td",
            "th",
            "li",
            "dt",
            "dd",
            "option",
            "title",
            "label",
            "button",
            "legend",
            "summary",
            "caption",
            "text",
            "tspan",
            "a",
            "mi",
            "foreignObject",
            "my-card",
            "figcaption",
            "pre",
            "Card",
            "dialog",
            "slot",
        ] {
            assert_eq!(content(tag).no_text(tag), None, "{tag}");
        }
    }

    #[test]
    fn elements_that_hold_no_elements_are_known() {
        for tag in ["textarea", "title", "option", "script", "style", "img"] {
            assert!(content(tag).no_elements(tag).is_some(), "{tag}");
        }
        for tag in ["ul", "svg", "div", "table", "video"] {
            assert_eq!(content(tag).no_elements(tag), None, "{tag}");
        }
    }
}
