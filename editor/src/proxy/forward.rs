//! A request's way to the dev server and its answer's way back. Bodies are streamed in both directions; when the browser
//! goes away, so does the request to the dev server.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::TokioIo;
use rand::RngExt as _;

use super::inject::{self, OWN_FOLDER, Tag};
use super::shared::{Shared, Upstream};
use super::{cookies, csp, headers, waiting};

/// Everything that is not the Editor's own.
pub async fn forward(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    if !names_this_origin(&request, &shared.origin) {
        // Otherwise a page elsewhere could point a name of its own here, and read the prototype's source.
        let words = format!(
            "This is the prototype's own origin, which is {} and nothing else.\n",
            shared.origin
        );
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    if headers::upgrade(request.headers()).is_some() && !comes_from_here(&request, &shared.origin) {
        // A web socket is not kept from other sites by the browser: who accepts it has to look where it comes from.
        let words = format!(
            "Only pages of {} may open a connection here that is more than a request.\n",
            shared.origin
        );
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    let upstream = shared.options.upstream.borrow().clone();
    let document = is_document(&request);
    let Some(origin) = &upstream.origin else {
        return waiting::response(&upstream, document);
    };
    if document && request.uri().path() == "/" && upstream.base.len() > 1 {
        return (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, upstream.base)]).into_response();
    }
    match ask(&shared, origin, request, document).await {
        Ok(response) => response,
        Err(error) => {
            let mut words = format!("The dev server at {origin} does not answer ({}).", innermost(&error));
            if !upstream.words.is_empty() {
                words = format!("{words} {}", upstream.words);
            }
            waiting::response(&Upstream { words, ..upstream }, document)
        }
    }
}

/// Whether the request names this origin, by address or as `localhost`.
fn names_this_origin(request: &Request, origin: &str) -> bool {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let (Some(host), Some(own)) = (host, origin.strip_prefix("http://")) else {
        return false;
    };
    let port = own.rsplit_once(':').map_or("", |(_, port)| port);
    host == own || host.strip_prefix("localhost:") == Some(port)
}

/// Whether a page of this origin asks, or no page at all: browsers always say which.
fn comes_from_here(request: &Request, origin: &str) -> bool {
    let local = origin.replace("127.0.0.1", "localhost");
    let mut named = request.headers().get_all(header::ORIGIN).iter();
    named.all(|named| [origin, &local].iter().any(|own| named == own.as_bytes()))
}

/// Whether the browser wants a page to show, and not data that happens to be HTML.
fn is_document(request: &Request) -> bool {
    if request.method() != Method::GET {
        return false;
    }
    match request.headers().get("sec-fetch-dest") {
        Some(wanted) => matches!(wanted.as_bytes(), b"document" | b"iframe" | b"frame"),
        None => !request.headers().contains_key(header::UPGRADE),
    }
}

async fn ask(shared: &Shared, origin: &str, mut request: Request, document: bool) -> reqwest::Result<Response> {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let address = format!("{origin}{path}");
    let upgrade = headers::upgrade(request.headers());
    let mut sent = headers::to_upstream(request.headers(), &shared.origin, origin);
    if document {
        // The page gets a tag that changes from run to run: what the browser kept of an earlier one is of no use.
        for conditional in [
            header::IF_NONE_MATCH,
            header::IF_MODIFIED_SINCE,
            header::IF_RANGE,
            header::RANGE,
        ] {
            sent.remove(conditional);
        }
    }
    if let Some(protocol) = &upgrade {
        sent.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        sent.insert(header::UPGRADE, protocol.clone());
    }
    let browser = upgrade.is_some().then(|| hyper::upgrade::on(&mut request));
    let has_body = request.headers().contains_key(header::CONTENT_LENGTH)
        || request.headers().contains_key(header::TRANSFER_ENCODING);
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let again = (only_reads && !has_body && upgrade.is_none()).then(|| {
        let method = request.method().clone();
        shared.fresh.request(method, &address).headers(sent.clone())
    });
    let mut asking = shared.client.request(request.method().clone(), address).headers(sent);
    if has_body && upgrade.is_none() {
        asking = asking.body(reqwest::Body::wrap_stream(request.into_body().into_data_stream()));
    }
    let answer = match (asking.send().await, again) {
        // A dev server that was busy for longer than it keeps connections closes them first, with what was just asked on them.
        (Err(error), Some(again)) if !error.is_connect() => again.send().await?,
        (answer, _) => answer?,
    };
    let status = answer.status();
    let mut back = headers::to_browser(answer.headers());
    if status == StatusCode::SWITCHING_PROTOCOLS {
        if let (Some(browser), Some(protocol)) = (browser, upgrade) {
            back.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
            back.insert(header::UPGRADE, protocol);
            tokio::spawn(copy(browser, answer));
            return Ok(respond(status, back, Body::empty()));
        }
        let words = "The dev server changed the protocol without being asked to.\n";
        return Ok((StatusCode::BAD_GATEWAY, words).into_response());
    }
    headers::relocate(&mut back, origin, &shared.origin);
    cookies::keep_own_out(&mut back);
    cookies::relocate(&mut back, origin);
    if !document || !is_html(&back) {
        return Ok(respond(status, back, Body::from_stream(answer.bytes_stream())));
    }
    let scripts = format!("{}{OWN_FOLDER}", shared.origin);
    let nonce = format!("{:032x}", rand::rng().random::<u128>());
    let needs_nonce = csp::adjust(&mut back, &shared.options.interface, &scripts, &nonce);
    let tag = Tag {
        parent: &shared.options.interface,
        nonce: &shared.options.nonce,
        script_nonce: needs_nonce.then_some(nonce.as_str()),
    };
    for stale in [
        header::CONTENT_LENGTH,
        header::ETAG,
        header::LAST_MODIFIED,
        header::ACCEPT_RANGES,
    ] {
        back.remove(stale);
    }
    back.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(respond(
        status,
        back,
        Body::from_stream(inject::into_page(answer.bytes_stream(), tag.to_string())),
    ))
}

/// Copies what a browser and the dev server say to each other, as it is, until one of them ends.
async fn copy(browser: hyper::upgrade::OnUpgrade, answer: reqwest::Response) {
    let (Ok(browser), Ok(mut server)) = (browser.await, answer.upgrade().await) else {
        return;
    };
    let mut browser = TokioIo::new(browser);
    // A connection that breaks off ends both sides; there is nobody to tell.
    let _ = tokio::io::copy_bidirectional(&mut browser, &mut server).await;
}

fn respond(status: StatusCode, headers: HeaderMap, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

fn is_html(headers: &HeaderMap) -> bool {
    let content = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = content.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    // What arrives encoded nevertheless cannot be read here.
    let readable = headers
        .get(header::CONTENT_ENCODING)
        .is_none_or(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    readable && (kind.eq_ignore_ascii_case("text/html") || kind.eq_ignore_ascii_case("application/xhtml+xml"))
}

/// The cause that means something to people: "connection refused" instead of "error sending request".
fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
