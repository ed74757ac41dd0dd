//! The server's own HTML pages, as answers.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::error::ApiError;
use super::own_headers;
use crate::config::Config;

#[derive(Template)]
#[template(path = "message.html")]
struct Message<'m> {
    title: &'m str,
    text: &'m str,
    /// Links below the text: addresses and their texts.
    links: &'m [(&'m str, &'m str)],
}

/// Renders a page.
pub fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, own_headers::PAGE, Html(html)).into_response(),
        Err(error) => ApiError::internal("a page could not be rendered", &error).into_response(),
    }
}

/// Renders a page whose form ends at a prototype, which may have an origin of its own. Browsers ask `form-action` for
/// every redirect that follows a form, too.
pub fn page_leading_to_sites(config: &Config, status: StatusCode, template: &impl Template) -> Response {
    let mut response = page(status, template);
    if let Some(origins) = config.prototype_origins() {
        let policy = own_headers::PAGE_POLICY.replace("form-action 'self'", &format!("form-action 'self' {origins}"));
        // A domain that could not stand in a header could not have been parsed as one.
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
    response
}

/// A page with a title and one sentence.
pub fn message(status: StatusCode, title: &str, text: &str) -> Response {
    message_with_links(status, title, text, &[])
}

/// A page with a title, one sentence, and links.
pub fn message_with_links(status: StatusCode, title: &str, text: &str, links: &[(&str, &str)]) -> Response {
    page(status, &Message { title, text, links })
}

/// An error, as a page for people and as JSON for programs.
pub fn refuse(headers: &HeaderMap, title: &str, error: ApiError) -> Response {
    if !wants_page(headers) {
        return error.into_response();
    }
    let mut response = message(error.status(), title, error.message());
    response.headers_mut().extend(error.into_headers());
    response
}

/// Whether a client asks for HTML: it names `text/html` and does not prefer `application/json`. `*/*` asks for nothing in
/// particular, and gets JSON.
pub fn wants_page(headers: &HeaderMap) -> bool {
    let html = preference(headers, "text/html");
    html > 0.0 && html >= preference(headers, "application/json")
}

/// How much a client wants a media type that it names (RFC 9110, 12.4.2): 0 to 1, 0 for one that it does not name.
fn preference(headers: &HeaderMap, wanted: &str) -> f32 {
    let accepts = headers.get_all(header::ACCEPT).iter();
    let ranges = accepts
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    let weights = ranges.filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_wanted = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted));
        let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        is_wanted.then(|| weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0)))
    });
    weights.fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_for_who_asks_for_it() {
        for (accept, page) in [
            (
                Some("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
                true,
            ),
            (Some("Text/HTML"), true),
            (Some("text/html, application/json"), true),
            (Some("application/json, text/html;q=0.5"), false),
            (Some("text/html;q=0"), false),
            (Some("text/html;q=x"), false),
            (Some("application/json"), false),
            (Some("*/*"), false),
            (Some(""), false),
            (None, false),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            }
            assert_eq!(wants_page(&headers), page, "{accept:?}");
        }
    }
}
