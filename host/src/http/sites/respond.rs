//! Answering with a file: ranges, conditions and caching.

use std::ops::Range;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

use super::body::SiteBody;
use super::conditions::{Outcome, evaluate};
use super::ready::Meta;
use super::request::SiteRequest;
use crate::http::own_headers::{self, NO_INDEX};

/// Who may keep an answer, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Caching {
    /// Everybody may read the site, so shared caches may keep it.
    pub public: bool,
    /// What is at this address never changes.
    pub immutable: bool,
}

impl Caching {
    pub fn header(self) -> HeaderValue {
        HeaderValue::from_static(match (self.public, self.immutable) {
            (true, true) => "public, max-age=31536000, immutable",
            (false, true) => "private, max-age=31536000, immutable",
            (true, false) => "no-cache",
            (false, false) => "private, no-cache",
        })
    }
}

/// Answers with a file, or with the requested range of it. `bytes` reads a range.
pub(super) fn file(
    request: &SiteRequest<'_>,
    status: StatusCode,
    meta: &Meta,
    caching: Caching,
    bytes: impl FnOnce(Range<u64>) -> SiteBody,
) -> Response<SiteBody> {
    // Conditions and ranges are about the requested file, not about a page that is sent in its place.
    let outcome = if status == StatusCode::OK {
        evaluate(request, &meta.tag, meta.len)
    } else {
        Outcome::Whole
    };
    let mut headers = meta.headers.clone();
    headers.insert(header::CACHE_CONTROL, caching.header());
    let (status, body) = match outcome {
        Outcome::Whole if request.is_head() => (status, SiteBody::empty()),
        Outcome::Whole => (status, bytes(0..meta.len)),
        Outcome::Part(part) => {
            put(
                &mut headers,
                header::CONTENT_RANGE,
                format!("bytes {}-{}/{}", part.start, part.end - 1, meta.len),
            );
            put(
                &mut headers,
                header::CONTENT_LENGTH,
                (part.end - part.start).to_string(),
            );
            (StatusCode::PARTIAL_CONTENT, bytes(part))
        }
        Outcome::Unchanged => {
            headers.remove(header::CONTENT_LENGTH);
            headers.remove(header::CONTENT_TYPE);
            headers.remove(header::CONTENT_ENCODING);
            (StatusCode::NOT_MODIFIED, SiteBody::empty())
        }
        Outcome::Changed => (bare(&mut headers, StatusCode::PRECONDITION_FAILED), SiteBody::empty()),
        Outcome::Beyond => {
            put(&mut headers, header::CONTENT_RANGE, format!("bytes */{}", meta.len));
            (bare(&mut headers, StatusCode::RANGE_NOT_SATISFIABLE), SiteBody::empty())
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// An answer without a body does not describe one.
fn bare(headers: &mut HeaderMap, status: StatusCode) -> StatusCode {
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING, header::ETAG] {
        headers.remove(name);
    }
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("0"));
    status
}

/// A redirect to an ASCII address. Only callers who may read the site get one.
pub(super) fn redirect(status: StatusCode, to: &str, cache: &'static str) -> Response<SiteBody> {
    let mut response = Response::new(SiteBody::empty());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    put(headers, header::LOCATION, to.to_owned());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    own_headers::set(headers, [NO_INDEX]);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("0"));
    response
}

/// Adds a name to `Vary`.
pub(super) fn vary(headers: &mut HeaderMap, name: &'static str) {
    headers.append(header::VARY, HeaderValue::from_static(name));
}

/// A part of bytes in memory, shared.
pub(super) fn slice(bytes: &Bytes, part: Range<u64>) -> SiteBody {
    SiteBody::Bytes(bytes.slice(part.start as usize..part.end as usize))
}

/// Sets a header whose text was made here; one that cannot be a value is left out.
pub(super) fn put(headers: &mut HeaderMap, name: HeaderName, value: String) {
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}
