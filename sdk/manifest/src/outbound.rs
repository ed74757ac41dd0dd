//! What a request of a plugin to the outside may hold.

use crate::hosts::{HostRule, may_send_header};

/// The longest body, in bytes.
const MAX_BODY: usize = 1 << 20;
/// The most headers of a request to a host, and their bytes.
const MAX_HEADERS: usize = 32;
const MAX_HEADER_BYTES: usize = 16 << 10;
/// The most requests that are sent together.
const MAX_REQUESTS: usize = 16;
/// The most bytes of bodies that are sent together.
const MAX_SENT: usize = 4 << 20;
/// The methods of a request.
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/// Headers that go to the code host.
const TO_CODE_HOST: [&str; 4] = ["accept", "content-type", "if-none-match", "x-github-api-version"];

/// A request that a plugin wants to send.
#[derive(Debug, Clone, Copy)]
pub struct OutboundRequest<'r> {
    /// Upper-case.
    pub method: &'r str,
    /// The path with its query.
    pub path: &'r str,
    /// Names and values.
    pub headers: &'r [(String, String)],
    /// Bytes of the body.
    pub body: usize,
}

impl OutboundRequest<'_> {
    /// Checks the request against the rule that allows its host; the error is a sentence for people.
    pub fn check<S: AsRef<str>>(&self, rule: &HostRule<S>) -> Result<(), String> {
        if !METHODS.contains(&self.method) {
            return Err(format!("A request has no method `{}`.", self.method.escape_debug()));
        }
        if self.body > MAX_BODY {
            return Err(format!("A body has at most {MAX_BODY} bytes."));
        }
        let bytes: usize = self.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        if rule.is_host() && (self.headers.len() > MAX_HEADERS || bytes > MAX_HEADER_BYTES) {
            return Err(format!(
                "A request has at most {MAX_HEADERS} headers with {MAX_HEADER_BYTES} bytes."
            ));
        }
        let may_send = |name: &str| match rule.is_host() {
            true => may_send_header(name) && rule.header() != Some(name),
            false => TO_CODE_HOST.contains(&name),
        };
        let is_value = |value: &str| value.bytes().all(|b| (b >= b' ' || b == b'\t') && b != 0x7f);
        let refused = |(name, value): &&(String, String)| !may_send(&name.to_ascii_lowercase()) || !is_value(value);
        if let Some((name, _)) = self.headers.iter().find(refused) {
            return Err(format!("The header `{}` cannot be sent.", name.escape_debug()));
        }
        if rule.is_host() && !is_request_path(self.path) {
            return Err(format!(
                "The request to `{}`: a path begins with `/` and is visible ASCII without `\\` and `#`.",
                rule.name()
            ));
        }
        Ok(())
    }
}

/// Whether a path with its query can be sent to a host, and leads nowhere else.
pub fn is_request_path(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'#');
    path.starts_with('/') && path.bytes().all(is_plain)
}

/// Checks how much is sent together; the error is a sentence for people. `bytes` are those of all bodies.
pub fn check_together(requests: usize, bytes: usize) -> Result<(), String> {
    match requests > MAX_REQUESTS || bytes > MAX_SENT {
        true => Err(format!(
            "At most {MAX_REQUESTS} requests with {MAX_SENT} bytes of bodies are sent together."
        )),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rule: &HostRule<&str>, change: impl FnOnce(&mut OutboundRequest<'_>), headers: &[(&str, &str)]) -> bool {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let headers: Vec<_> = headers.iter().map(own).collect();
        let mut request = OutboundRequest {
            method: "GET",
            path: "/app",
            headers: &headers,
            body: 0,
        };
        change(&mut request);
        request.check(rule).is_ok()
    }

    #[test]
    fn a_plugin_does_not_say_who_asks() {
        let rule = HostRule::WithSecret {
            host: "api.example.com",
            secret: "token",
            header: Some("x-api-key"),
        };
        assert!(check(&rule, |_| {}, &[("X-Anything", "é"); 32]));
        for name in [
            "Authorization",
            "Host",
            "cookie",
            "X-Api-Key",
            "proxy-authorization",
            "x-forwarded-for",
            "transfer-encoding",
            "content-length",
            "a b",
            "x\r\ny",
        ] {
            assert!(!check(&rule, |_| {}, &[(name, "x")]), "{name}");
        }
        assert!(!check(&rule, |_| {}, &[("x-many", "x"); 33]));
        assert!(!check(&rule, |_| {}, &[("x-line", "a\r\nb: c")]));
    }

    #[test]
    fn the_code_host_gets_what_the_contract_names() {
        let rule = HostRule::Named("codehost-app");
        assert!(check(&rule, |_| {}, &[("Accept", "x")]));
        for name in ["authorization", "host", "x-anything", "a b"] {
            assert!(!check(&rule, |_| {}, &[(name, "x")]), "{name}");
        }
    }

    #[test]
    fn methods_bodies_and_paths_have_bounds() {
        for rule in [HostRule::Named("codehost-app"), HostRule::Named("api.example.com")] {
            for method in ["get", "TRACE", "", "GET\r\n"] {
                assert!(!check(&rule, |request| request.method = method, &[]), "{method:?}");
            }
            assert!(check(&rule, |request| request.body = MAX_BODY, &[]));
            assert!(!check(&rule, |request| request.body = MAX_BODY + 1, &[]));
        }
        let rule = HostRule::Named("api.example.com");
        for path in ["", "v1", "@evil.example/", "/a\\b", "/a b", "/a\r\nx: y", "/a#b", "/é"] {
            assert!(!check(&rule, |request| request.path = path, &[]), "{path:?}");
        }
        assert!(check_together(16, 4 << 20).is_ok());
        assert!(check_together(17, 0).is_err() && check_together(1, (4 << 20) + 1).is_err());
    }
}
