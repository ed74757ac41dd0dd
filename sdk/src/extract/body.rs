//! The body: as JSON, as bytes, as an unpacked archive.

use galley_manifest::BodyKind;
use serde::de::DeserializeOwned;

use super::{FromRequest, Parts, taken};
use crate::error::{Error, Result};
use crate::sites::Tree;

/// A JSON body as an argument, a JSON answer as a result.
///
/// As an argument: anything that is not JSON, or not what the type asks for, is a 400; the message names the field
/// (`` `position.page` must be a string ``). Unknown members are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Json<T> {
    type Needs = ();
    const BODY: BodyKind = BodyKind::Json;

    fn from_request(parts: &mut Parts<'_>) -> Result<Json<T>> {
        Ok(Json(crate::json::from_slice(&parts.request.take_body())?))
    }
}

/// The body as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl FromRequest for Bytes {
    type Needs = ();
    const BODY: BodyKind = BodyKind::Bytes;

    fn from_request(parts: &mut Parts<'_>) -> Result<Bytes> {
        Ok(Bytes(parts.request.take_body()))
    }
}

/// An uploaded gzipped tar, which the host received, checked and unpacked before the handler runs.
#[derive(Debug)]
pub struct Upload {
    /// Bytes received, compressed.
    pub size: u64,
    /// Lower-case hex SHA-256 of the received bytes.
    pub sha256: String,
    /// The unpacked files. Gone after the call, unless they are published.
    pub tree: Tree,
}

impl FromRequest for Upload {
    type Needs = ();
    const BODY: BodyKind = BodyKind::Archive;

    fn from_request(parts: &mut Parts<'_>) -> Result<Upload> {
        let upload = parts.request.take_upload().ok_or_else(|| taken("the archive"))?;
        let tree = upload.take_tree().map_err(Error::from)?;
        Ok(Upload {
            size: upload.size(),
            sha256: upload.sha256(),
            tree: Tree::from_host(tree),
        })
    }
}
