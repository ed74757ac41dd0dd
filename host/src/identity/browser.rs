//! What a browser says of itself, in words for the owner of a session. The header itself is not kept: it tells more than
//! is needed to recognise one's own browsers.

use http::{HeaderMap, header};
use woothee::parser::Parser;

/// The longest header that is read, in bytes. Real ones have about a hundred.
const MAX_HEADER: usize = 512;
/// What the parser says for a part that it does not know.
const UNKNOWN: &str = "UNKNOWN";

/// The browser of a request, such as `Firefox on Linux`; `None` when the request does not say.
pub fn browser(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::USER_AGENT)?.to_str().ok()?;
    let found = Parser::new().parse(&text[..text.len().min(MAX_HEADER)])?;
    let system = match found.os {
        "Mac OSX" => "macOS",
        system => system,
    };
    match (found.name, system) {
        (UNKNOWN, UNKNOWN) => None,
        (UNKNOWN, system) => Some(format!("A browser on {system}")),
        (name, UNKNOWN) => Some(name.to_owned()),
        (name, system) => Some(format!("{name} on {system}")),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn of(text: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::USER_AGENT, HeaderValue::from_str(text).unwrap());
        browser(&headers)
    }

    #[test]
    fn browsers_are_named_as_people_name_them() {
        for (text, words) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                "Chrome on Windows 10",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                "Edge on Windows 10",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
        ] {
            assert_eq!(of(text).as_deref(), Some(words), "{text}");
        }
    }

    #[test]
    fn a_header_that_says_nothing_is_no_browser() {
        assert_eq!(browser(&HeaderMap::new()), None);
        for text in ["", "-", "x", "<script>alert(1)</script>", &"(".repeat(5_000)] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
