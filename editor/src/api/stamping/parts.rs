//! How modules travel to `/__stamp` and back: for each a line of JSON, and behind it the texts themselves, whose lengths in
//! bytes the line says. In JSON a module would be escaped and read letter by letter, in both directions.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::body;
use super::super::code::Code;
use super::super::error::ApiError;
use crate::stamp::Stamped;

/// More modules than a dev server compiles at the same time.
const MAX_MODULES: usize = 1024;

/// A module of the dev server.
#[derive(Debug, PartialEq)]
pub(super) struct Module {
    /// Relative to the prototype's root.
    pub path: String,
    pub content: Content,
    /// Names that Vue is told are custom elements of the browser.
    pub custom: Vec<String>,
}

/// What a module says.
#[derive(Debug, PartialEq)]
pub(super) enum Content {
    /// Its text as the dev server read it.
    Text(String),
    /// The same as when this answer was given, which the dev server kept.
    Tag(String),
}

#[derive(Deserialize)]
struct Asked {
    path: String,
    /// Length of the text in bytes.
    code: Option<usize>,
    tag: Option<String>,
    #[serde(default)]
    custom: Vec<String>,
}

#[derive(Serialize)]
struct Answered<'t> {
    ok: bool,
    elements: usize,
    /// Lengths of the texts that follow, in bytes.
    code: usize,
    mappings: usize,
    /// Names this answer.
    tag: &'t str,
}

/// All modules of a request.
///
/// # Errors
/// 400, with the number of the part that does not fit.
pub(super) fn read(mut bytes: &[u8]) -> Result<Vec<Module>, ApiError> {
    let mut modules = Vec::new();
    while !bytes.is_empty() {
        let number = modules.len() + 1;
        let wrong = |why: &str| ApiError::bad_request(format!("Module {number}: {why}"));
        if number > MAX_MODULES {
            return Err(wrong("a request has at most 1,024 modules"));
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (line, rest) = end
            .and_then(|end| Some((bytes.get(..end)?, bytes.get(end + 1..)?)))
            .ok_or_else(|| wrong("its line of JSON does not end"))?;
        let Asked {
            path,
            code,
            tag,
            custom,
        } = body::parse(line)?;
        let (text, behind) = rest
            .split_at_checked(code.unwrap_or(0))
            .ok_or_else(|| wrong("its text is shorter than `code` says"))?;
        let content = match (code, tag) {
            (Some(_), None) => {
                let text = str::from_utf8(text).map_err(|_| wrong("its text is not UTF-8"))?;
                Content::Text(text.to_owned())
            }
            (None, Some(tag)) => Content::Tag(tag),
            _ => return Err(wrong("its line of JSON needs either `code` or `tag`")),
        };
        modules.push(Module { path, content, custom });
        bytes = behind;
    }
    if modules.is_empty() {
        return Err(ApiError::bad_request("The body holds no module"));
    }
    Ok(modules)
}

/// The part of a module that carries positions now. One without elements has no texts: it stays as it is. `tag` names it, so
/// that the next time the dev server need not send and get the texts.
pub(super) fn stamped(
    Stamped {
        code,
        mappings,
        elements,
    }: &Stamped,
    tag: &str,
) -> Bytes {
    let (code, mappings) = if *elements == 0 {
        ("", "")
    } else {
        (&**code, &**mappings)
    };
    let head = Answered {
        ok: true,
        elements: *elements,
        code: code.len(),
        mappings: mappings.len(),
        tag,
    };
    let mut part = Vec::with_capacity(code.len() + mappings.len() + 110);
    serde_json::to_writer(&mut part, &head).expect("numbers can be written to memory");
    part.push(b'\n');
    part.extend_from_slice(code.as_bytes());
    part.extend_from_slice(mappings.as_bytes());
    part.into()
}

/// The part of a module that was asked for by its tag: whether the answer of that name still holds.
pub(super) fn same(holds: bool) -> Bytes {
    Bytes::from_static(if holds {
        b"{\"ok\":true,\"same\":true}\n"
    } else {
        b"{\"ok\":true,\"same\":false}\n"
    })
}

/// The part of a module that cannot carry positions.
pub(super) fn unstamped(why: &str) -> Bytes {
    let line = json!({ "ok": false, "code": Code::Unstamped, "reason": why });
    format!("{line}\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_follow_each_other() {
        let body = "{\"path\":\"a.tsx\",\"code\":5}\n<p/>\n{\"path\":\"b.vue\",\"code\":3,\"custom\":[\"x-y\"]}\né\n{\"path\":\"c.tsx\",\"code\":0}\n{\"path\":\"d.tsx\",\"tag\":\"5\"}\n";
        let modules = read(body.as_bytes()).unwrap();
        let found: Vec<_> = modules
            .iter()
            .map(|module| (&*module.path, &module.content, module.custom.len()))
            .collect();
        let text = |text: &str| Content::Text(text.to_owned());
        let tag = Content::Tag("5".to_owned());
        let expected = [
            ("a.tsx", &text("<p/>\n"), 0),
            ("b.vue", &text("é\n"), 1),
            ("c.tsx", &text(""), 0),
            ("d.tsx", &tag, 0),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn bodies_that_do_not_fit_are_refused() {
        let many = "{\"path\":\"a\",\"code\":0}\n".repeat(MAX_MODULES + 1);
        for body in [
            &b""[..],
            b"{\"path\":\"a\",\"code\":1}",
            b"{\"path\":\"a\",\"code\":2}\nx",
            b"{\"path\":\"a\",\"code\":99999999999999999999}\nx",
            b"{\"path\":\"a\",\"code\":-1}\nx",
            b"{\"path\":\"a\",\"code\":1}\n\xff",
            b"{\"path\":\"a\",\"code\":1}\nxy",
            b"{\"code\":1}\nx",
            b"{\"path\":\"a\"}\n",
            b"{\"path\":\"a\",\"code\":1,\"tag\":\"5\"}\nx",
            b"\n",
            many.as_bytes(),
        ] {
            assert!(read(body).is_err(), "{}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn a_module_without_elements_comes_back_without_texts() {
        let stamped = |elements| Stamped {
            code: "é".to_owned(),
            mappings: "AAAA".to_owned(),
            elements,
        };
        let text = |part: Bytes| String::from_utf8(part.to_vec()).unwrap();
        assert_eq!(
            text(super::stamped(&stamped(1), "5")),
            "{\"ok\":true,\"elements\":1,\"code\":2,\"mappings\":4,\"tag\":\"5\"}\néAAAA"
        );
        assert_eq!(
            text(super::stamped(&stamped(0), "5")),
            "{\"ok\":true,\"elements\":0,\"code\":0,\"mappings\":0,\"tag\":\"5\"}\n"
        );
    }
}
