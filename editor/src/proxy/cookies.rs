//! Cookies of the dev server, made to hold for this origin, and those that are not its business: all ports of a machine share
//! their cookies, and a review server may run beside it.

use axum::http::header::{self, HeaderMap, HeaderValue};
use url::Url;

/// How names of Galley's own cookies begin, after a prefix that browsers know.
const OWN: &str = "galley_";
const PREFIXES: [&str; 2] = ["__host-", "__secure-"];

/// Takes Galley's own cookies out of what the dev server is sent.
pub fn withhold_own(headers: &mut HeaderMap) {
    let sent: Vec<HeaderValue> = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|cookies| {
            let others: Vec<&[u8]> = cookies
                .as_bytes()
                .split(|byte| *byte == b';')
                .map(<[u8]>::trim_ascii)
                .filter(|pair| !pair.is_empty() && !is_own(pair))
                .collect();
            let others = others.join(b"; ".as_slice());
            HeaderValue::from_bytes(&others)
                .ok()
                .filter(|others| !others.is_empty())
        })
        .collect();
    headers.remove(header::COOKIE);
    for cookies in sent {
        headers.append(header::COOKIE, cookies);
    }
}

/// Leaves out what the dev server would set under Galley's names.
pub fn keep_own_out(headers: &mut HeaderMap) {
    let others: Vec<HeaderValue> = headers
        .get_all(header::SET_COOKIE)
        .iter()
        .filter(|cookie| !is_own(cookie.as_bytes()))
        .cloned()
        .collect();
    headers.remove(header::SET_COOKIE);
    for cookie in others {
        headers.append(header::SET_COOKIE, cookie);
    }
}

/// Whether a pair has a name of Galley's own. A cookie without a name comes back as its value alone, which can look like a pair.
fn is_own(pair: &[u8]) -> bool {
    let pair = pair.trim_ascii();
    let pair = pair
        .strip_prefix(b"=")
        .unwrap_or(pair)
        .trim_ascii()
        .to_ascii_lowercase();
    let prefix = PREFIXES.iter().find(|prefix| pair.starts_with(prefix.as_bytes()));
    pair[prefix.map_or(0, |prefix| prefix.len())..].starts_with(OWN.as_bytes())
}

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
    fn cookies_of_galley_stay_away_from_the_dev_server_in_both_directions() {
        for (cookies, left) in [
            ("a=1; galley_session=secret; b=2", Some("a=1; b=2")),
            ("galley_session=secret", None),
            ("__Host-galley_session=secret;GALLEY_x=1", None),
            ("__Secure-galley_a=1; __Host-other=2", Some("__Host-other=2")),
            (
                "my_galley_x=1; a=galley_session=x",
                Some("my_galley_x=1; a=galley_session=x"),
            ),
        ] {
            let mut headers = HeaderMap::new();
            headers.append(header::COOKIE, HeaderValue::from_static(cookies));
            headers.append(header::COOKIE, HeaderValue::from_static("c=3; galley_d=4"));
            withhold_own(&mut headers);
            let sent: Vec<&str> = headers
                .get_all(header::COOKIE)
                .iter()
                .filter_map(|value| value.to_str().ok())
                .collect();
            assert_eq!(sent, left.into_iter().chain(["c=3"]).collect::<Vec<_>>(), "{cookies}");
        }
        let mut headers = HeaderMap::new();
        for cookie in [
            "galley_session=x; Path=/",
            " =galley_session=x",
            "__Host-galley_session=x; Secure",
            "a=1",
        ] {
            headers.append(header::SET_COOKIE, HeaderValue::from_static(cookie));
        }
        keep_own_out(&mut headers);
        let set: Vec<_> = headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(set, ["a=1"]);
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
