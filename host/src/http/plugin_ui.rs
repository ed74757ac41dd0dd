//! The files of plugins' parts of the pages, and what the pages need to know of them.
//!
//! A part is a document of an opaque origin, also where it is opened directly: no cookie, no storage, no request of its own. What
//! it does, the page around it does for it (`frame-ancestors`: only this server's pages are around it).

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use super::App;
use super::own_headers::{NO_INDEX, NO_SNIFF};
use super::request::Params;
use crate::plugins::plugin::Plugin;

/// Where the files are.
const FILES: &str = "/.galley/ui";

/// What a part may do: run its own scripts, show its own pictures, and nothing that leaves the frame. `sandbox` without
/// `allow-same-origin` makes its origin opaque.
const POLICY: HeaderValue = HeaderValue::from_static(
    "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; \
     style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'none'; form-action 'none'; \
     base-uri 'none'; frame-ancestors 'self'",
);

/// Headers of every file. An opaque origin is another one than this server's: modules and fonts are asked for as from elsewhere.
const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("cross-origin"),
    ),
    (
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=31536000, immutable"),
    ),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    NO_SNIFF,
    NO_INDEX,
];

/// Names are not looked up for links that a part writes.
const NO_PREFETCH: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-dns-prefetch-control"),
    HeaderValue::from_static("off"),
);

/// The files of all plugins.
pub fn router() -> Router<Arc<App>> {
    Router::new().route(&format!("{FILES}/{{slot}}/{{version}}/{{*path}}"), get(file))
}

async fn file(
    State(app): State<Arc<App>>,
    Params((slot, version, path)): Params<(String, String, String)>,
) -> Response {
    let serving = app.serving();
    let plugin = serving.slots.iter().find(|plugin| plugin.state.name == slot);
    let assets = plugin.map(|plugin| &plugin.assets);
    let file = assets
        .filter(|assets| assets.version == version)
        .and_then(|assets| assets.get(&path));
    match file {
        Some(file) => {
            let content_type = (header::CONTENT_TYPE, HeaderValue::from_static(file.content_type));
            (HEADERS, [NO_PREFETCH, content_type], file.content.clone()).into_response()
        }
        None => (StatusCode::NOT_FOUND, "Not found\n").into_response(),
    }
}

/// A plugin's parts, as pages are told: where each stands, its files' addresses, who sees it, and which requests the page makes
/// for it (`METHOD /path` with `{name}` for a segment): the slot's own routes and its `reads`.
pub fn parts(plugin: &Plugin) -> Vec<Value> {
    let manifest = &plugin.manifest;
    let address = |path: &String| format!("{FILES}/{}/{}/{path}", plugin.state.name, plugin.assets.version);
    let own = || {
        manifest
            .routes
            .iter()
            .map(|route| format!("{} {}", route.method, route.path))
    };
    let parts = manifest.ui.iter().map(|part| {
        let requests: Vec<String> = own().chain(part.reads.iter().cloned()).collect();
        json!({
            "at": part.at,
            "title": part.title,
            "icon": part.icon.as_ref().map(address),
            "entry": address(&part.entry),
            "guard": part.guard(),
            "requests": requests,
        })
    });
    parts.collect()
}
