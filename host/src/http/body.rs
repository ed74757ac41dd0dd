//! Receiving a request's body within the bounds of its route.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use futures_util::StreamExt;
use http::{HeaderMap, StatusCode, header};
use http_body::Body as _;
use http_body_util::BodyExt;

use super::error::ApiError;
use crate::capabilities::objects::{TreeEntry, Upload};
use crate::plugins::manifest::{BodyKind, BodyLimits};
use crate::storage::sites::{Limits, SiteStore};

/// How long the next bytes of a body may take to arrive.
const CHUNK_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a small body may take as a whole.
const SMALL_BODY_TIMEOUT: Duration = Duration::from_secs(60);
/// The largest JSON body, in bytes.
const MAX_JSON_BYTES: u64 = 1 << 20;
/// The most bytes that are read of a refused body, so that the client gets to see the answer.
const MAX_DRAINED_BYTES: usize = 256 << 20;
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);

/// A received body.
#[derive(Default)]
pub struct Received {
    /// The bytes of a small body.
    pub bytes: Vec<u8>,
    /// An archive.
    pub upload: Option<Upload>,
}

/// Receives the body a route takes.
pub async fn receive(
    sites: &SiteStore,
    bounds: &BodyLimits,
    headers: &HeaderMap,
    body: Body,
) -> Result<Received, ApiError> {
    let bound = bounds.max_bytes();
    if announced(headers).is_some_and(|length| length > bound) {
        drain(body).await;
        return Err(too_large(bound));
    }
    match bounds.kind {
        BodyKind::None => small(body, bound).await.map(|_| Received::default()),
        BodyKind::Json | BodyKind::Bytes => small(body, bound).await.map(|bytes| Received {
            bytes,
            ..Received::default()
        }),
        BodyKind::Archive => {
            let limits = Limits {
                max_packed: bound,
                max_unpacked: bounds.max_unpacked_bytes(),
                max_entries: bounds.max_entries(),
            };
            archive(sites, limits, body).await.map(|upload| Received {
                upload: Some(upload),
                ..Received::default()
            })
        }
    }
}

/// Receives a JSON body of one of the host's own routes.
pub async fn receive_json(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, ApiError> {
    if announced(headers).is_some_and(|length| length > MAX_JSON_BYTES) {
        drain(body).await;
        return Err(too_large(MAX_JSON_BYTES));
    }
    small(body, MAX_JSON_BYTES).await
}

/// Receives a body of at most `bound` bytes, each part of it in its time.
pub async fn receive_bytes(headers: &HeaderMap, body: Body, bound: u64) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    if announced(headers).is_some_and(|length| length > bound) {
        drain(body).await;
        return Err(too_large(bound));
    }
    let mut chunks = body.into_data_stream();
    loop {
        let chunk: Bytes = match tokio::time::timeout(CHUNK_TIMEOUT, chunks.next()).await {
            Err(_) => return Err(too_slow()),
            Ok(None) => return Ok(bytes),
            Ok(Some(Err(_))) => return Err(cut_short()),
            Ok(Some(Ok(chunk))) => chunk,
        };
        if (bytes.len() + chunk.len()) as u64 > bound {
            drain(Body::from_stream(chunks)).await;
            return Err(too_large(bound));
        }
        bytes.extend_from_slice(&chunk);
    }
}

fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(bound: u64) -> ApiError {
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("The body is larger than the {bound} bytes allowed here"),
    )
}

fn too_slow() -> ApiError {
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "The body did not arrive in time")
}

fn cut_short() -> ApiError {
    ApiError::bad_request("The body ended before it was complete")
}

async fn small(mut body: Body, bound: u64) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    let receiving = async {
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame.map_err(|_| cut_short())?.into_data() else {
                continue;
            };
            if (bytes.len() + data.len()) as u64 > bound {
                drain(std::mem::take(&mut body)).await;
                return Err(too_large(bound));
            }
            bytes.extend_from_slice(&data);
        }
        Ok(())
    };
    tokio::time::timeout(SMALL_BODY_TIMEOUT, receiving)
        .await
        .map_err(|_| too_slow())??;
    Ok(bytes)
}

async fn archive(sites: &SiteStore, limits: Limits, body: Body) -> Result<Upload, ApiError> {
    let mut unpacker = match sites.begin(limits).await {
        Ok(unpacker) => unpacker,
        Err(refused) => {
            leave(body);
            return Err(refused.into());
        }
    };
    let mut chunks = body.into_data_stream();
    loop {
        let chunk: Bytes = match tokio::time::timeout(CHUNK_TIMEOUT, chunks.next()).await {
            Err(_) => return Err(too_slow()),
            Ok(None) => break,
            Ok(Some(Err(_))) => return Err(cut_short()),
            Ok(Some(Ok(chunk))) => chunk,
        };
        if let Err(refused) = unpacker.push(chunk).await {
            drain(Body::from_stream(chunks)).await;
            return Err(refused.into());
        }
    }
    let tree = unpacker.finish().await?;
    let (size, sha256) = (tree.packed_bytes(), HEXLOWER.encode(&tree.packed_sha256()));
    Ok(Upload {
        size,
        sha256,
        tree: Some(TreeEntry::new(tree)),
    })
}

/// Leaves the body of a request that is answered before it is read. What the client sends meanwhile is read behind the answer.
pub fn leave(body: Body) {
    if !body.is_end_stream() {
        tokio::spawn(drain(body));
    }
}

/// Reads and drops the body of a refused request for a while: a client that is still sending when the connection closes never
/// sees the answer.
pub async fn drain(body: Body) {
    let mut left = MAX_DRAINED_BYTES;
    let mut chunks = body.into_data_stream();
    let reading = async {
        while let Some(Ok(chunk)) = chunks.next().await {
            left = left.saturating_sub(chunk.len());
            if left == 0 {
                break;
            }
        }
    };
    let _ = tokio::time::timeout(DRAIN_TIMEOUT, reading).await;
}
