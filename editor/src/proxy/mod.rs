//! The prototype's own origin: forwards to the dev server and injects the bridge.
//!
//! A page of the prototype comes from here, so that a script may be put into it, and from another origin than the
//! interface's, so that the browser keeps the two apart. There is no route of the local API here, and none that leads to it:
//! everything but the bridge's scripts belongs to the prototype.

mod cookies;
mod csp;
mod forward;
mod headers;
mod inject;
mod shared;
#[cfg(test)]
mod tests;
mod waiting;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub use inject::BRIDGE_PATH;
use inject::READING_PATH;
use shared::Shared;
pub use shared::{Options, Upstream};

/// The running proxy. Dropped, it takes no more connections.
#[derive(Debug)]
pub struct Proxy {
    origin: String,
    task: JoinHandle<()>,
}

impl Proxy {
    /// The prototype's own origin, as `http://127.0.0.1:40123`.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves the prototype on a free port of 127.0.0.1.
///
/// # Errors
/// When there is no free port.
pub async fn serve(options: Options) -> std::io::Result<Proxy> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let shared = Arc::new(Shared {
        options,
        origin: origin.clone(),
        client: client().map_err(std::io::Error::other)?,
        fresh: settings()
            .pool_max_idle_per_host(0)
            .build()
            .map_err(std::io::Error::other)?,
    });
    let router = Router::new()
        .route(BRIDGE_PATH, get(bridge))
        .route(READING_PATH, get(reading))
        .route("/__galley/{*other}", any(no_such_file))
        .fallback(forward::forward)
        .with_state(shared);
    let task = tokio::spawn(async move {
        // Ends only with the task: an accepted connection that fails is its own matter.
        let _ = axum::serve(listener, router).await;
    });
    Ok(Proxy { origin, task })
}

/// Asks dev servers: without a proxy of the environment's, without following redirects, without waiting for slow answers
/// to end. A dev server's certificate is its own; it is believed, since what is asked is a server somebody named.
pub(crate) fn client() -> reqwest::Result<reqwest::Client> {
    settings().build()
}

fn settings() -> reqwest::ClientBuilder {
    // A second call finds the provider there.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(std::time::Duration::from_secs(10))
        .danger_accept_invalid_certs(true)
}

/// The script, as it stands on disk now.
async fn bridge(State(shared): State<Arc<Shared>>) -> Response {
    match tokio::fs::read(&shared.options.bridge).await {
        Ok(script) => as_script(script),
        Err(error) => {
            let words = format!(
                "Bridge bundle not found at {}: {error}\n",
                shared.options.bridge.display()
            );
            (StatusCode::NOT_FOUND, words).into_response()
        }
    }
}

/// The module that reads a page for the Editor.
async fn reading(State(shared): State<Arc<Shared>>) -> Response {
    as_script(shared.options.reading.clone())
}

fn as_script(text: impl Into<Body>) -> Response {
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/javascript; charset=utf-8"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // A page that isolates itself may load it all the same.
        (
            header::HeaderName::from_static("cross-origin-resource-policy"),
            HeaderValue::from_static("same-origin"),
        ),
    ];
    (headers, text.into()).into_response()
}

async fn no_such_file() -> Response {
    (StatusCode::NOT_FOUND, "The Editor has no such file.\n").into_response()
}
