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
    /// Its text as the dev server read it.
    pub code: String,
    /// Names that Vue is told are custom elements of the browser.
    pub custom: Vec<String>,
}

#[derive(Deserialize)]
struct Asked {
    path: String,
    /// Length of the text in bytes.
    code: usize,
    #[serde(default)]
    custom: Vec<String>,
}

#[derive(Serialize)]
struct Answered {
    ok: bool,
    elements: usize,
    /// Lengths of the texts that follow, in bytes.
    code: usize,
    mappings: usize,
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
        let Asked { path, code, custom } = body::parse(line)?;
        let (text, behind) = rest
            .split_at_checked(code)
            .ok_or_else(|| wrong("its text is shorter than `code` says"))?;
        let code = str::from_utf8(text).map_err(|_| wrong("its text is not UTF-8"))?;
        modules.push(Module {
            path,
            code: code.to_owned(),
            custom,
        });
        bytes = behind;
    }
    if modules.is_empty() {
        return Err(ApiError::bad_request("The body holds no module"));
    }
    Ok(modules)
}

/// The part of a module that carries positions now. One without elements has no texts: it stays as it is.
pub(super) fn stamped(
    Stamped {
        code,
        mappings,
        elements,
    }: &Stamped,
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
    };
    let mut part = Vec::with_capacity(code.len() + mappings.len() + 80);
    serde_json::to_writer(&mut part, &head).expect("numbers can be written to memory");
    part.push(b'\n');
    part.extend_from_slice(code.as_bytes());
    part.extend_from_slice(mappings.as_bytes());
    part.into()
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
        let body = "{\"path\":\"a.tsx\",\"code\":5}\n<p/>\n{\"path\":\"b.vue\",\"code\":3,\"custom\":[\"x-y\"]}\né\n{\"path\":\"c.tsx\",\"code\":0}\n";
        let modules = read(body.as_bytes()).unwrap();
        let found: Vec<_> = modules
            .iter()
            .map(|module| (&*module.path, &*module.code, module.custom.len()))
            .collect();
        assert_eq!(found, [("a.tsx", "<p/>\n", 0), ("b.vue", "é\n", 1), ("c.tsx", "", 0)]);
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
            text(super::stamped(&stamped(1))),
            "{\"ok\":true,\"elements\":1,\"code\":2,\"mappings\":4}\néAAAA"
        );
        assert_eq!(
            text(super::stamped(&stamped(0))),
            "{\"ok\":true,\"elements\":0,\"code\":0,\"mappings\":0}\n"
        );
    }
}
