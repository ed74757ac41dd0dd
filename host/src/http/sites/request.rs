//! The parts of a request that serving prototypes needs.

use http::{HeaderMap, HeaderName, Method, Uri, header};

/// A request without its body.
#[derive(Clone, Copy)]
pub(super) struct SiteRequest<'a> {
    pub method: &'a Method,
    pub uri: &'a Uri,
    pub headers: &'a HeaderMap,
}

impl<'a> SiteRequest<'a> {
    pub fn of<B>(request: &'a http::Request<B>) -> Self {
        Self {
            method: request.method(),
            uri: request.uri(),
            headers: request.headers(),
        }
    }

    /// A header's value; `None` when it is missing or not ASCII.
    pub fn header(&self, name: impl header::AsHeaderName) -> Option<&'a str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The `Host`, or the authority of the address.
    pub fn host(&self) -> Option<&'a str> {
        self.header(header::HOST)
            .or_else(|| self.uri.authority().map(http::uri::Authority::as_str))
    }

    /// Whether the method is GET or HEAD.
    pub fn reads(&self) -> bool {
        matches!(*self.method, Method::GET | Method::HEAD)
    }

    pub fn is_head(&self) -> bool {
        *self.method == Method::HEAD
    }

    /// Whether `?review=off` asks for the page as it was made, without the review layer.
    pub fn without_review(&self) -> bool {
        self.uri
            .query()
            .is_some_and(|query| query.split('&').any(|pair| pair == "review=off"))
    }

    /// Whether the answer may be a page: the client says that it understands HTML.
    pub fn accepts_html(&self) -> bool {
        self.header(header::ACCEPT)
            .is_some_and(|accept| accept.contains("text/html"))
    }

    /// The `Sec-Fetch-Dest` of a browser; `None` for other programs and old browsers.
    pub fn destination(&self) -> Option<&'a str> {
        static NAME: HeaderName = HeaderName::from_static("sec-fetch-dest");
        self.header(&NAME)
    }

    /// Whether the request is a navigation: of a window or a frame, or by a program without `Sec-Fetch-Dest` that wants HTML.
    pub fn navigates(&self) -> bool {
        match self.destination() {
            Some(destination) => matches!(
                destination,
                "document" | "iframe" | "frame" | "embed" | "object" | "fencedframe"
            ),
            None => self.accepts_html(),
        }
    }
}
