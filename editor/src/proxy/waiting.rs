//! What somebody sees while there is no dev server: what is going on, in words, on a page that goes away by itself.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use super::shared::Upstream;

/// 503 while it starts, 502 when it is down. Anything but a page gets the words alone.
pub fn response(upstream: &Upstream, document: bool) -> Response {
    let status = if upstream.starting {
        StatusCode::SERVICE_UNAVAILABLE
    } else {
        StatusCode::BAD_GATEWAY
    };
    let mark = mark(upstream);
    let mut response = if document {
        (status, Html(page(upstream, &mark))).into_response()
    } else {
        (status, format!("{}\n", upstream.words)).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    if let Ok(mark) = HeaderValue::try_from(mark) {
        headers.insert("x-galley-waiting", mark);
    }
    response
}

/// Differs when there is something else to read: the page then loads itself again.
fn mark(upstream: &Upstream) -> String {
    let mut hasher = DefaultHasher::new();
    (upstream.starting, &upstream.words, &upstream.log).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn page(upstream: &Upstream, mark: &str) -> String {
    let title = if upstream.starting {
        "The dev server is starting"
    } else {
        "The dev server does not answer"
    };
    let log = if upstream.log.is_empty() {
        String::new()
    } else {
        format!("<pre>{}</pre>", escape(&upstream.log.join("\n")))
    };
    include_str!("waiting.html")
        .replace("{{title}}", title)
        .replace("{{mark}}", mark)
        .replace("{{words}}", &escape(&upstream.words))
        .replace("{{log}}", &log)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dev_servers_lines_are_text_and_no_markup() {
        let upstream = Upstream {
            origin: None,
            base: "/".to_owned(),
            starting: false,
            words: "It ended.".to_owned(),
            log: vec!["<script>alert(1)</script> & more".to_owned()],
        };
        let page = page(&upstream, "m");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; more"));
        assert!(page.contains("It ended."));
    }
}
