//! The same-origin rule: a browser's request that changes something must come from this server's own pages.

use http::{HeaderMap, Method, Request, header};

use super::unsubscribe;
use crate::config::Config;
use crate::identity::session_secrets;

/// Whether a request must be refused because a page of another site made the browser send it. Checked for requests that
/// change state and either carry a session cookie or sign somebody in: another site must neither act as the person at the
/// browser nor sign that person in to another account. Unsubscribing is exempt: it needs no cookie, and webmail programs send it
/// from their own pages (RFC 8058).
pub fn is_foreign<B>(config: &Config, request: &Request<B>) -> bool {
    let path = request.uri().path();
    let signs_in = path.starts_with("/api/v1/auth/");
    changes_state(request.method())
        && path != unsubscribe::PATH
        && (signs_in || session_secrets(config, request.headers()).next().is_some())
        && !is_same_origin(config, request.headers())
}

fn changes_state(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::TRACE)
}

/// Browsers send `Origin` with every change. Programs send neither header, and hold no cookies that they did not ask for.
fn is_same_origin(config: &Config, headers: &HeaderMap) -> bool {
    if let Some(origin) = headers.get(header::ORIGIN) {
        return origin
            .to_str()
            .is_ok_and(|origin| origin == config.public_url || is_host(config, origin, headers));
    }
    match headers.get("sec-fetch-site") {
        Some(site) => matches!(site.as_bytes(), b"same-origin" | b"none"),
        None => true,
    }
}

/// Whether the page came from the very host the request goes to, under a name that is not the public one: `localhost`
/// beside 127.0.0.1, or the server's own address behind a proxy. With https only a loopback host may do without it.
fn is_host(config: &Config, origin: &str, headers: &HeaderMap) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else {
        return false;
    };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let public_scheme = config.public_url.split("://").next();
    host == Some(authority) && (Some(scheme) == public_scheme || is_loopback(authority))
}

fn is_loopback(authority: &str) -> bool {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    };
    let address = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<std::net::IpAddr>();
    host == "localhost" || host.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreign(public_url: &str, method: &str, path: &str, headers: &[(&str, &str)]) -> bool {
        let variables = [("SERVICE_PUBLIC_URL".into(), public_url.into())];
        let config = Config::parse(variables, "/".into()).unwrap();
        let mut request = http::Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        is_foreign(&config, &request.body(()).unwrap())
    }

    const PLAIN: &str = "http://127.0.0.1:4310";
    const COOKIE: (&str, &str) = ("cookie", "galley_session=x");

    #[test]
    fn the_origin_decides_and_then_the_fetch_site() {
        let post = |header| foreign(PLAIN, "POST", "/api/v1/projects", &[COOKIE, header]);
        assert!(!post(("origin", PLAIN)));
        for origin in [
            "http://evil.example",
            "null",
            "http://127.0.0.1",
            "http://127.0.0.1:1",
            "",
        ] {
            assert!(post(("origin", origin)), "{origin}");
        }
        assert!(!post(("sec-fetch-site", "same-origin")) && !post(("sec-fetch-site", "none")));
        assert!(post(("sec-fetch-site", "same-site")) && post(("sec-fetch-site", "cross-site")));
        assert!(!post(("accept", "*/*")));
    }

    #[test]
    fn only_changes_by_cookie_and_sign_ins_are_asked() {
        let evil = ("origin", "http://evil.example");
        assert!(!foreign(PLAIN, "GET", "/api/v1/projects", &[COOKIE, evil]));
        assert!(!foreign(PLAIN, "POST", "/api/v1/projects", &[evil]));
        assert!(foreign(PLAIN, "POST", "/api/v1/auth/local?token=t", &[evil]));
        assert!(!foreign(PLAIN, "POST", "/api/v1/auth/local?token=t", &[]));
        assert!(!foreign(PLAIN, "POST", "/api/v1/unsubscribe?token=t", &[COOKIE, evil]));
        assert!(foreign(PLAIN, "POST", "/api/v1/unsubscribe/x", &[COOKIE, evil]));
    }

    #[test]
    fn the_host_of_the_request_is_an_origin_too() {
        let post = |public: &str, host, origin| {
            let cookie = ("cookie", "galley_session=x; __Host-galley_session=x");
            foreign(
                public,
                "POST",
                "/api/v1/projects",
                &[cookie, ("host", host), ("origin", origin)],
            )
        };
        assert!(!post(PLAIN, "localhost:4310", "http://localhost:4310"));
        assert!(post(PLAIN, "localhost:4310", "http://localhost:4311"));
        let https = "https://review.example.org";
        assert!(!post(https, "other.example.org", "https://other.example.org"));
        assert!(post(https, "review.example.org", "http://review.example.org"));
        assert!(!post(https, "127.0.0.1:4310", "http://127.0.0.1:4310"));
        assert!(!post(https, "[::1]:4310", "http://[::1]:4310"));
    }
}
