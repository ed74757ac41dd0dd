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

const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");

/// Keeps browsers on https, once they came by it. For every answer: also a prototype's host has https then.
pub fn stay_on_https(config: &Config, headers: &mut HeaderMap) {
    if config.secure_cookies() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    }
}

/// Cuts a page's window off from windows of other origins, keeps its bytes out of their processes, and gives up the
/// browser's devices. For pages, and for the API: what it answers is fetched by scripts, which this leaves alone, and never
/// shown as an image or run as a script elsewhere.
pub fn isolate(headers: &mut HeaderMap) {
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), SAME_ORIGIN);
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), SAME_ORIGIN);
    headers.insert(HeaderName::from_static("permissions-policy"), PERMISSIONS);
}

/// Keeps an answer of the API from becoming a document of this origin, whatever its body is, and out of caches unless it
/// says otherwise. All answers get the same headers, so that a plugin's 404 looks like that of an unknown path. The pages
/// among them bring a policy of their own; a plugin cannot.
pub fn contain(headers: &mut HeaderMap) {
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static("sandbox; default-src 'none'"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}
