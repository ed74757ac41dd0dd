//! Lists in pages, with the `Link` header that says where the next one is.

use axum::http::{HeaderMap, HeaderValue, Uri, header};

use super::API_PATH;
use super::state::State;

/// The page of a list that the query asks for, and its headers.
pub fn page<T: Clone>(state: &State, uri: &Uri, all: &[T]) -> (HeaderMap, Vec<T>) {
    let query = uri.query().unwrap_or_default();
    let number = |wanted: &str, default: usize| {
        let mut pairs = url::form_urlencoded::parse(query.as_bytes());
        let value = pairs.find(|(name, _)| name == wanted).map(|(_, value)| value);
        value.and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let size = number("per_page", 30).clamp(1, 100);
    let at = number("page", 1).max(1);
    let items = all.iter().skip((at - 1) * size).take(size).cloned().collect();
    let mut headers = HeaderMap::new();
    let last = all.len().div_ceil(size);
    if at < last {
        let base = format!("http://{}{API_PATH}{}", state.address, uri.path());
        let link = |page: usize, rel: &str| format!("<{base}?per_page={size}&page={page}>; rel=\"{rel}\"");
        let links = format!("{}, {}", link(at + 1, "next"), link(last, "last"));
        headers.insert(header::LINK, HeaderValue::from_str(&links).expect("plain text"));
    }
    (headers, items)
}
