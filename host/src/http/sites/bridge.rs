//! The bridge, a script that connects a page with the review layer: one file, under a name with a hash of its content.

use std::sync::OnceLock;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use http::{Response, StatusCode};
use sha2::{Digest, Sha256};

use super::body::SiteBody;
use super::encoding::accepted;
use super::ready::{Ready, made};
use super::request::SiteRequest;
use super::respond::{self, Caching};
use crate::storage::sites::{Coding, Effort, compress};

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The script in every form in which it is sent.
pub(super) struct Bridge {
    path: String,
    tag: String,
    plain: Ready,
    gzip: OnceLock<Option<Ready>>,
    brotli: OnceLock<Option<Ready>>,
}

impl Bridge {
    pub fn new(script: Bytes) -> Self {
        let hash = HEXLOWER.encode(&Sha256::digest(&script)[..8]);
        let path = format!("/.galley/bridge-{hash}.js");
        let tag = format!("<script src=\"{path}\" defer></script>");
        let plain = Ready {
            meta: made("bridge.js", SCRIPT, &script, Coding::Identity),
            bytes: script,
        };
        Self {
            path,
            tag,
            plain,
            gzip: OnceLock::new(),
            brotli: OnceLock::new(),
        }
    }

    /// The script element for a page.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Whether a request is for the script.
    pub fn is_at(&self, path: &str) -> bool {
        path == self.path
    }

    /// The script. It is public.
    pub fn answer(&self, request: &SiteRequest<'_>) -> Response<SiteBody> {
        let mut codings = accepted(request.headers).into_iter().flatten();
        let ready = codings.find_map(|coding| self.coded(coding)).unwrap_or(&self.plain);
        let caching = Caching {
            public: true,
            immutable: true,
        };
        respond::file(request, StatusCode::OK, &ready.meta, caching, |part| {
            respond::slice(&ready.bytes, part)
        })
    }

    /// Compressed when first asked for: boot does not wait for it.
    fn coded(&self, coding: Coding) -> Option<&Ready> {
        let slot = match coding {
            Coding::Identity => return Some(&self.plain),
            Coding::Gzip => &self.gzip,
            Coding::Brotli => &self.brotli,
        };
        let make = || {
            let bytes = compress(&self.plain.bytes, coding, Effort::Good)?;
            Some(Ready {
                meta: made("bridge.js", SCRIPT, &bytes, coding),
                bytes: bytes.into(),
            })
        };
        slot.get_or_init(make).as_ref()
    }
}
