//! Which attributes hold addresses, and of what shape.

/// The shape of an attribute's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One address.
    Url,
    /// One address to go to: a fragment in it means the page, not a part of its picture.
    Link,
    /// Candidates with descriptors.
    Srcset,
    /// Addresses separated by spaces.
    List,
    /// The content of a `meta` refresh: seconds, then perhaps an address.
    Refresh,
}

/// The shape of an attribute; `None` for one that holds no address. Names in lower case.
pub fn shape(tag: &str, attribute: &str) -> Option<Shape> {
    Some(match attribute {
        "href" | "xlink:href" if matches!(tag, "a" | "area") => Shape::Link,
        "href" | "src" | "xlink:href" | "action" | "formaction" | "poster" | "background" => Shape::Url,
        "data" if tag == "object" => Shape::Url,
        "manifest" if tag == "html" => Shape::Url,
        "srcset" | "imagesrcset" => Shape::Srcset,
        "ping" => Shape::List,
        _ => return None,
    })
}
