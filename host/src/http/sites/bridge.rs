//! The bridge, a script that connects a page with the review layer: one file, under a name with a hash of its content.

use bytes::Bytes;
use data_encoding::HEXLOWER;
use http::Response;
use sha2::{Digest, Sha256};

use super::body::SiteBody;
use super::request::SiteRequest;
use super::shared::SharedFile;

/// The script, and what pages say about themselves in the element that loads it.
pub(super) struct Bridge {
    path: String,
    parent: String,
    file: SharedFile,
}

impl Bridge {
    /// `parent` is the origin of the pages that frame prototypes: the script talks to no other one.
    pub fn new(script: Bytes, parent: &str) -> Self {
        let hash = HEXLOWER.encode(&Sha256::digest(&script)[..8]);
        let path = format!("/.galley/bridge-{hash}.js");
        let file = SharedFile::new("bridge.js", script);
        Self {
            path,
            parent: parent.to_owned(),
            file,
        }
    }

    /// The script element for a page of a version. The page around the frame learns from it which version it shows: another
    /// one may have gone live since.
    pub fn tag(&self, version: &str) -> String {
        let Self { path, parent, .. } = self;
        format!("<script src=\"{path}\" data-version=\"{version}\" defer data-parent-origin=\"{parent}\"></script>")
    }

    /// Whether a request is for the script.
    pub fn is_at(&self, path: &str) -> bool {
        path == self.path
    }

    /// The script. It is public.
    pub async fn answer(&self, request: &SiteRequest<'_>) -> Response<SiteBody> {
        self.file.send(request).await
    }
}
