//! Headers on their way: what belongs to one connection stays there, and each side hears of the origin it knows.

use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};

use super::cookies;

/// Headers of one connection (RFC 9110, 7.6.1), and those that the client writes itself.
const HOP_BY_HOP: [&str; 11] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "http2-settings",
    "expect",
];

/// The protocol a request wants to change to.
pub fn upgrade(headers: &HeaderMap) -> Option<HeaderValue> {
    let wanted = headers.get(header::UPGRADE)?;
    named_in_connection(headers)
        .any(|name| name == "upgrade")
        .then(|| wanted.clone())
}

/// What the dev server hears: the same, as if the browser had come to it. Uncompressed, so that pages can be read.
pub fn to_upstream(headers: &HeaderMap, own: &str, upstream: &str) -> HeaderMap {
    let mut sent = forwardable(headers);
    sent.remove(header::HOST);
    cookies::withhold_own(&mut sent);
    sent.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    for name in [header::ORIGIN, header::REFERER] {
        replace_origin(&mut sent, &name, own, upstream);
        replace_origin(&mut sent, &name, &own.replace("127.0.0.1", "localhost"), upstream);
    }
    sent
}

/// What the browser hears.
pub fn to_browser(headers: &HeaderMap) -> HeaderMap {
    let mut back = forwardable(headers);
    // This origin has no certificate to insist on.
    back.remove(header::STRICT_TRANSPORT_SECURITY);
    back
}

/// Leads redirects that name the dev server here.
pub fn relocate(headers: &mut HeaderMap, upstream: &str, own: &str) {
    let mut known = vec![upstream.to_owned()];
    // Many dev servers call themselves `localhost`, whatever they were called by.
    if upstream.contains("//127.0.0.1") {
        known.push(upstream.replace("//127.0.0.1", "//localhost"));
    } else if upstream.contains("//localhost") {
        known.push(upstream.replace("//localhost", "//127.0.0.1"));
    }
    for from in known {
        replace_origin(headers, &header::LOCATION, &from, own);
        replace_origin(headers, &header::CONTENT_LOCATION, &from, own);
        replace_origin(headers, &header::ACCESS_CONTROL_ALLOW_ORIGIN, &from, own);
    }
}

/// Puts another origin into a header that begins with this one.
fn replace_origin(headers: &mut HeaderMap, name: &HeaderName, from: &str, to: &str) {
    let Some(value) = headers.get(name).and_then(|value| value.to_str().ok()) else {
        return;
    };
    let Some(rest) = value.strip_prefix(from) else {
        return;
    };
    // `http://127.0.0.1:51` is no part of `http://127.0.0.1:5173`.
    if !rest.is_empty() && !rest.starts_with(['/', '?', '#']) {
        return;
    }
    if let Ok(value) = HeaderValue::try_from(format!("{to}{rest}")) {
        headers.insert(name, value);
    }
}

fn forwardable(headers: &HeaderMap) -> HeaderMap {
    let named: Vec<String> = named_in_connection(headers).collect();
    let mut kept = HeaderMap::with_capacity(headers.len());
    for (name, value) in headers {
        if HOP_BY_HOP.contains(&name.as_str()) || named.iter().any(|named| named == name.as_str()) {
            continue;
        }
        kept.append(name, value.clone());
    }
    kept
}

/// The names in `Connection`, in lower case.
fn named_in_connection(headers: &HeaderMap) -> impl Iterator<Item = String> + '_ {
    headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "http://127.0.0.1:4401";
    const DEV: &str = "http://127.0.0.1:5173";

    fn map(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn headers_of_a_connection_stay_there() {
        let sent = to_upstream(
            &map(&[
                ("connection", "keep-alive, X-Hop"),
                ("x-hop", "1"),
                ("te", "trailers"),
                ("x-kept", "2"),
            ]),
            OWN,
            DEV,
        );
        assert!(sent.get("x-hop").is_none() && sent.get("te").is_none() && sent.get("connection").is_none());
        assert_eq!(sent["x-kept"], "2");
        assert_eq!(sent["accept-encoding"], "identity");
    }

    #[test]
    fn the_dev_server_hears_its_own_origin_and_foreign_ones_unchanged() {
        let sent = to_upstream(
            &map(&[("origin", OWN), ("referer", "http://localhost:4401/a?b")]),
            OWN,
            DEV,
        );
        assert_eq!(sent["origin"], DEV);
        assert_eq!(sent["referer"], "http://127.0.0.1:5173/a?b");
        let sent = to_upstream(&map(&[("origin", "http://127.0.0.1:44010")]), OWN, DEV);
        assert_eq!(sent["origin"], "http://127.0.0.1:44010");
    }

    #[test]
    fn redirects_to_the_dev_server_lead_here() {
        let lead = |to: &'static str| {
            let mut headers = map(&[("location", to)]);
            relocate(&mut headers, DEV, OWN);
            headers["location"].to_str().expect("text").to_owned()
        };
        assert_eq!(
            lead("http://127.0.0.1:5173/login?a#b"),
            "http://127.0.0.1:4401/login?a#b"
        );
        assert_eq!(lead("http://localhost:5173"), "http://127.0.0.1:4401");
        assert_eq!(lead("/relative"), "/relative");
        assert_eq!(lead("https://elsewhere.test/"), "https://elsewhere.test/");
    }

    #[test]
    fn an_upgrade_is_one_only_when_the_connection_says_so() {
        assert!(upgrade(&map(&[("upgrade", "websocket"), ("connection", "keep-alive, Upgrade")])).is_some());
        assert!(upgrade(&map(&[("upgrade", "websocket")])).is_none());
    }
}
