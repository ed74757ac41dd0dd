//! Files of the server itself: in memory, the same for everybody, at addresses with a hash of their content.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::body::{SiteBody, blocking};
use super::encoding::accepted;
use super::ready::{Ready, made};
use super::request::SiteRequest;
use super::respond::{self, Caching};
use crate::storage::sites::{Coding, Effort, compress, content_type, is_compressible};

/// A file in every form in which it is sent. Cheap to clone.
#[derive(Clone)]
pub struct SharedFile(Arc<Forms>);

struct Forms {
    /// Its ending tells the type.
    name: String,
    plain: Ready,
    gzip: OnceLock<Option<Ready>>,
    brotli: OnceLock<Option<Ready>>,
}

impl SharedFile {
    /// A file with this name, whose ending tells the type.
    pub fn new(name: &str, bytes: Bytes) -> Self {
        let plain = Ready {
            meta: made(name, &content_type(name), &bytes, Coding::Identity),
            bytes,
        };
        Self(Arc::new(Forms {
            name: name.to_owned(),
            plain,
            gzip: OnceLock::new(),
            brotli: OnceLock::new(),
        }))
    }

    /// Answers a GET or HEAD. Browsers and shared caches may keep the answer for ever.
    pub fn answer<'a, B>(
        &'a self,
        request: &'a Request<B>,
    ) -> impl Future<Output = Response<SiteBody>> + Send + use<'a, B> {
        let request = SiteRequest::of(request);
        async move { self.send(&request).await }
    }

    pub(super) async fn send(&self, request: &SiteRequest<'_>) -> Response<SiteBody> {
        let mut ready = &self.0.plain;
        for coding in accepted(request.headers).into_iter().flatten() {
            if let Some(coded) = self.coded(coding).await {
                ready = coded;
                break;
            }
        }
        let caching = Caching {
            public: true,
            immutable: true,
        };
        respond::file(request, StatusCode::OK, &ready.meta, caching, |part| {
            respond::slice(&ready.bytes, part)
        })
    }

    /// Compressed when first asked for, on a thread that may be busy: boot does not wait for it.
    async fn coded(&self, coding: Coding) -> Option<&Ready> {
        let form = match coding {
            Coding::Identity => return Some(&self.0.plain),
            Coding::Gzip => &self.0.gzip,
            Coding::Brotli => &self.0.brotli,
        };
        if form.get().is_none() {
            let forms = self.0.clone();
            blocking(move || forms.make(coding)).await.ok()?;
        }
        form.get()?.as_ref()
    }
}

impl Forms {
    fn make(&self, coding: Coding) {
        let form = match coding {
            Coding::Identity => return,
            Coding::Gzip => &self.gzip,
            Coding::Brotli => &self.brotli,
        };
        form.get_or_init(|| {
            let bytes = is_compressible(&self.name)
                .then(|| compress(&self.plain.bytes, coding, Effort::Good))
                .flatten()?;
            Some(Ready {
                meta: made(&self.name, &content_type(&self.name), &bytes, coding),
                bytes: bytes.into(),
            })
        });
    }
}
