//! The parts of a plugin's answer that reach the browser: a status, a body, and headers of a short list.
//!
//! Answers of plugins have the origin of the server's own pages. A page or a script of a plugin there would act with its
//! reader's session. So no answer is a document, and no header changes how the browser treats this origin.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode, header};

/// Headers that a plugin may set, besides `content-type`, `location` and those that start with `x-`.
const ALLOWED: [HeaderName; 4] = [header::CACHE_CONTROL, header::ETAG, header::LINK, header::RETRY_AFTER];

/// Headers starting with `x-` that a browser, a proxy or this server acts on.
const RESERVED: [&str; 6] = [
    "x-content-type-options",
    "x-frame-options",
    "x-lighttpd-send-file",
    "x-request-id",
    "x-reproxy-url",
    "x-xss-protection",
];

/// Content types that a plugin may answer with. No browser runs any of them as a document or a script.
const CONTENT_TYPES: [&str; 12] = [
    "application/gzip",
    "application/json",
    "application/octet-stream",
    "application/problem+json",
    "application/zip",
    "image/avif",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/webp",
    "text/csv",
    "text/plain",
];

/// Replaces every other content type.
const UNKNOWN: HeaderValue = HeaderValue::from_static("application/octet-stream");

/// Converts a plugin's answer. Headers that a plugin may not set are left out. `Err` names what is not valid HTTP, or a
/// redirect to another server than `public_url`.
pub fn convert(
    public_url: &str,
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
) -> Result<Response, String> {
    let status = StatusCode::from_u16(status)
        .ok()
        .filter(|status| status.as_u16() >= 200)
        .ok_or_else(|| format!("the plugin answered with the status {status}"))?;
    let has_body = !body.is_empty();
    let mut response = Response::new(Body::from(Bytes::from(body)));
    *response.status_mut() = status;
    let out = response.headers_mut();
    for (name, value) in headers {
        let valid = HeaderName::try_from(name.as_str())
            .ok()
            .zip(HeaderValue::try_from(value).ok());
        let (header, value) = valid.ok_or_else(|| format!("the plugin set a header `{name}` that is not valid"))?;
        if header == header::CONTENT_TYPE {
            out.insert(header, if is_allowed_type(&value) { value } else { UNKNOWN });
        } else if header == header::LOCATION {
            if !is_of_this_server(public_url, &value) {
                return Err("the plugin redirects to another server".to_owned());
            }
            out.insert(header, value);
        } else if is_allowed(&header) {
            out.append(header, value);
        }
    }
    if has_body && !out.contains_key(header::CONTENT_TYPE) {
        out.insert(header::CONTENT_TYPE, UNKNOWN);
    }
    Ok(response)
}

fn is_allowed(header: &HeaderName) -> bool {
    let name = header.as_str();
    // `x-accel-…` and `x-sendfile…` make a proxy in front of this server answer with a file of its own.
    let custom = name.starts_with("x-")
        && !name.starts_with("x-accel")
        && !name.starts_with("x-sendfile")
        && !RESERVED.contains(&name);
    custom || ALLOWED.contains(header)
}

fn is_allowed_type(value: &HeaderValue) -> bool {
    let essence = value.to_str().unwrap_or_default();
    let essence = essence.split(';').next().unwrap_or_default().trim();
    CONTENT_TYPES
        .iter()
        .any(|allowed| essence.eq_ignore_ascii_case(allowed))
}

/// Whether a browser that follows the address stays on this server. Browsers read `\` as `/` and leave tabs out.
fn is_of_this_server(public_url: &str, value: &HeaderValue) -> bool {
    let Ok(address) = value.to_str() else { return false };
    let plain = address.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let path = address.strip_prefix(public_url).unwrap_or(address);
    plain && path.starts_with('/') && !path.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(name: &str, value: &str) -> Result<Response, String> {
        let headers = vec![(name.to_owned(), value.to_owned())];
        convert("https://review.example", 200, headers, b"x".to_vec())
    }

    #[test]
    fn redirects_stay_on_this_server() {
        for address in ["/", "/p/shop/?a=b#c", "https://review.example/api/v1/me"] {
            let response = answer("location", address).unwrap();
            assert_eq!(response.headers()[header::LOCATION], address);
        }
        for address in [
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "https://evil.example/",
            "https://review.example.evil.example/",
            "https://review.example@evil.example/",
            "https://review.example//evil.example",
            "javascript:alert(1)",
            "evil",
            "",
        ] {
            assert!(answer("location", address).is_err(), "{address}");
        }
    }

    #[test]
    fn only_listed_headers_and_types_pass() {
        for (name, value) in [("etag", "\"1\""), ("x-total", "7"), ("link", "</a>; rel=\"next\"")] {
            assert_eq!(answer(name, value).unwrap().headers()[name], value);
        }
        for name in [
            "refresh",
            "set-cookie",
            "clear-site-data",
            "x-accel-redirect",
            "X-Frame-Options",
        ] {
            assert!(!answer(name, "value").unwrap().headers().contains_key(name), "{name}");
        }
        for (given, sent) in [
            ("text/plain; charset=utf-8", "text/plain; charset=utf-8"),
            ("Application/JSON", "Application/JSON"),
            ("text/html", "application/octet-stream"),
            ("image/svg+xml", "application/octet-stream"),
            ("text/html;application/json", "application/octet-stream"),
        ] {
            let response = answer("content-type", given).unwrap();
            assert_eq!(response.headers()[header::CONTENT_TYPE], sent, "{given}");
        }
        let untyped = answer("x-a", "b").unwrap();
        assert_eq!(untyped.headers()[header::CONTENT_TYPE], "application/octet-stream");
    }
}
