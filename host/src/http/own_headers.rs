//! Headers of the server's own answers, as opposed to those of prototypes.

use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::config::Config;

/// How long browsers remember that this server is reached by https only: a year. It does not include other hosts of the
/// domain, which the operator decides about.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Features of browsers that no page of this server uses, nor any frame in it.
const PERMISSIONS: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), \
     microphone=(), midi=(), payment=(), usb=()",
);

/// Keeps the answer out of search engines.
pub const NO_INDEX: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-robots-tag"),
    HeaderValue::from_static("noindex"),
);

/// Keeps browsers from guessing a content type.
pub const NO_SNIFF: (HeaderName, HeaderValue) = (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// Keeps the answer out of caches.
const NO_STORE: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");

/// The policy of a page: it may load the stylesheet and the icon of this server, and nothing may frame it.
pub const PAGE_POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Headers of every page. The referrer stays on this server (links hold secrets), but is not dropped: without it browsers
/// send `Origin: null` with a form.
pub const PAGE: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY)),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    NO_SNIFF,
    (header::REFERRER_POLICY, SAME_ORIGIN),
    NO_STORE,
    NO_INDEX,
];

/// Headers of every answer that [`isolate`] adds.
const ISOLATION: [(HeaderName, HeaderValue); 3] = [
    (HeaderName::from_static("cross-origin-opener-policy"), SAME_ORIGIN),
    (HeaderName::from_static("cross-origin-resource-policy"), SAME_ORIGIN),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS),
];

/// Headers of an answer of the API that does not bring its own.
const API_DEFAULTS: [(HeaderName, HeaderValue); 2] = [
    NO_STORE,
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("sandbox; default-src 'none'"),
    ),
];

/// Sets each header, in place of a value it had.
pub fn set(headers: &mut HeaderMap, list: impl IntoIterator<Item = (HeaderName, HeaderValue)>) {
    for (name, value) in list {
        headers.insert(name, value);
    }
}

/// Keeps browsers on https, once they came by it. For every answer: also a prototype's host has https then.
pub fn stay_on_https(config: &Config, headers: &mut HeaderMap) {
    if config.secure_cookies() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    }
}

/// Cuts a page's window off from windows of other origins, keeps its bytes out of their processes, and gives up the
/// browser's devices. A page that says itself what may open it keeps that. For pages, and for the API: what it answers is fetched by scripts, which this leaves alone, and never
/// shown as an image or run as a script elsewhere.
pub fn isolate(headers: &mut HeaderMap) {
    for (name, value) in ISOLATION {
        headers.entry(name).or_insert(value);
    }
}

/// Keeps an answer of the API from becoming a document of this origin, whatever its body is, and out of caches unless it
/// says otherwise. All answers get the same headers, so that a plugin's 404 looks like that of an unknown path. The pages
/// among them bring a policy of their own; a plugin cannot.
pub fn contain(headers: &mut HeaderMap) {
    for (name, value) in API_DEFAULTS {
        headers.entry(name).or_insert(value);
    }
    set(headers, [NO_SNIFF]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_below_the_api_has_each_header_once_and_keeps_its_policy() {
        let mut headers = HeaderMap::new();
        set(&mut headers, PAGE);
        isolate(&mut headers);
        contain(&mut headers);
        assert_eq!(headers.len(), headers.keys_len());
        assert_eq!(headers[header::CONTENT_SECURITY_POLICY], PAGE_POLICY);
    }
}
