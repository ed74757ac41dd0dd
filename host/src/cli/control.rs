//! The control socket, `<data>/control.sock`: HTTP with two routes, for whoever may open the file. The command line speaks it.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use tokio::net::UnixListener;
use tokio::sync::watch;

use crate::accounts::Actor;
use crate::plugins::artifacts::MAX_ARTIFACT_BYTES;
use crate::plugins::operations::{Operations, Refused, Request};
use crate::storage::durable;

/// Takes an artifact; the answer is [`Staged`].
pub const ARTIFACTS: &str = "/artifacts";
/// Runs a [`Request`]; the answer is its outcome, or why it was refused.
pub const OPERATIONS: &str = "/operations";

/// The longest path of a socket, in bytes.
const MAX_SOCKET_PATH_BYTES: usize = 100;

/// An artifact that was stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct Staged {
    /// Hex SHA-256.
    pub sha256: String,
}

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
}

/// Where the socket is.
pub fn path(data_dir: &Path) -> PathBuf {
    data_dir.join("control.sock")
}

/// A path to the socket that is short enough for the kernel.
pub struct Reached {
    path: PathBuf,
    _folder: Option<OwnedFd>,
}

impl Reached {
    /// Good as long as this lives.
    pub fn path(&self) -> PathBuf {
        self.path.clone()
    }
}

/// The socket by a path that is short enough: a long one leads through the opened folder.
pub fn reach(data_dir: &Path) -> Reached {
    let direct = path(data_dir);
    let folder = match direct.as_os_str().as_bytes().len() > MAX_SOCKET_PATH_BYTES {
        true => fs::File::open(data_dir).ok().map(OwnedFd::from),
        false => None,
    };
    let path = match &folder {
        Some(folder) => PathBuf::from(format!("/proc/self/fd/{}/control.sock", folder.as_raw_fd())),
        None => direct,
    };
    Reached { path, _folder: folder }
}

/// Opens the socket and serves it until `stop` turns true. The caller holds the data folder's lock: a socket that is there
/// already was left by a server that was killed.
pub fn serve(data_dir: &Path, operations: Arc<Operations>, mut stop: watch::Receiver<bool>) -> io::Result<()> {
    let socket = path(data_dir);
    durable::remove_file(&socket)?;
    let listener = UnixListener::bind(reach(data_dir).path())?;
    fs::set_permissions(&socket, fs::Permissions::from_mode(0o600))?;
    let router = Router::new()
        .route(ARTIFACTS, post(stage))
        .route(OPERATIONS, post(run))
        .layer(DefaultBodyLimit::max(MAX_ARTIFACT_BYTES))
        .with_state(operations);
    tokio::spawn(async move {
        let stopped = async move {
            let _ = stop.wait_for(|stop| *stop).await;
        };
        if let Err(error) = axum::serve(listener, router).with_graceful_shutdown(stopped).await {
            tracing::error!("the control socket ended: {error}");
        }
        let _ = durable::remove_file(&socket);
    });
    Ok(())
}

async fn stage(State(operations): State<Arc<Operations>>, Query(named): Query<Named>, wasm: Bytes) -> Response {
    let staged = operations.stage(&named.name, wasm.to_vec()).await;
    answer(staged.map(|sha256| Staged { sha256 }))
}

async fn run(State(operations): State<Arc<Operations>>, Json(request): Json<Request>) -> Response {
    // Who may open the socket operates the server: no account does this.
    answer(operations.run(request, Actor::System).await)
}

fn answer<T: Serialize>(done: Result<T, Refused>) -> Response {
    match done {
        Ok(done) => Json(done).into_response(),
        Err(refused) => (StatusCode::CONFLICT, Json(refused)).into_response(),
    }
}
