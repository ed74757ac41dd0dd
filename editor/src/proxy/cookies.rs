//! Cookies of the dev server, made to hold for this origin.

use axum::http::header::{self, HeaderMap, HeaderValue};
use url::Url;

/// Takes from each `Set-Cookie` what would make the browser refuse it here: a domain that is the dev server's, and, when the
/// dev server is reached by https, what binds it to https.
pub fn relocate(headers: &mut HeaderMap, upstream: &str) {
    let Ok(upstream) = Url::parse(upstream) else { return };
    let host = upstream.host_str().unwrap_or_default();
    let secure = upstream.scheme() == "https";
    let cookies: Vec<HeaderValue> = headers
        .get_all(header::SET_COOKIE)
        .iter()
        .map(|cookie| relocated(cookie, host, secure).unwrap_or_else(|| cookie.clone()))
        .collect();
    headers.remove(header::SET_COOKIE);
    for cookie in cookies {
        headers.append(header::SET_COOKIE, cookie);
    }
}

fn relocated(cookie: &HeaderValue, host: &str, secure: bool) -> Option<HeaderValue> {
    let text = cookie.to_str().ok()?;
    let keep = |attribute: &&str| {
        let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
        match name.as_str() {
            "domain" => !covers(value.trim_start_matches('.'), host),
            "secure" => !secure,
            "samesite" => !(secure && value == "none"),
            _ => true,
        }
    };
    let mut parts = text.split(';');
    let pair = parts.next()?;
    let kept: Vec<&str> = std::iter::once(pair).chain(parts.filter(keep)).collect();
    HeaderValue::try_from(kept.join(";")).ok()
}

/// Whether a cookie of `domain` holds for `host`.
fn covers(domain: &str, host: &str) -> bool {
    host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(cookie: &'static str, upstream: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.append(header::SET_COOKIE, HeaderValue::from_static(cookie));
        relocate(&mut headers, upstream);
        headers[header::SET_COOKIE].to_str().expect("text").to_owned()
    }

    #[test]
    fn a_domain_of_the_dev_server_is_left_out() {
        assert_eq!(
            moved("a=1; Domain=localhost; Path=/", "http://localhost:3000"),
            "a=1; Path=/"
        );
        assert_eq!(moved("a=1; domain=.app.test", "http://dev.app.test"), "a=1");
        assert_eq!(
            moved("a=1; Domain=other.test", "http://localhost:3000"),
            "a=1; Domain=other.test"
        );
    }

    #[test]
    fn https_of_the_dev_server_does_not_bind_the_cookie() {
        let cookie = "a=domain=localhost; Secure; SameSite=None; HttpOnly";
        assert_eq!(moved(cookie, "https://localhost:3000"), "a=domain=localhost; HttpOnly");
        assert_eq!(moved(cookie, "http://localhost:3000"), cookie);
    }
}
