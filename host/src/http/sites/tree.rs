//! Answering from one version of a site.

use std::sync::Arc;

use http::{Response, StatusCode};

use super::Sites;
use super::body::{SiteBody, blocking};
use super::encoding::accepted;
use super::messages::{NO_SUCH_FILE, broken, message};
use super::ready::{Key, MAX_LEN, Meta, Ready, made, page_type, stored};
use super::request::SiteRequest;
use super::resolve::{Found, resolve};
use super::respond::{self, Caching};
use crate::storage::sites::{Coding, Effort, FileId, Site, View, compress};

/// Pages up to this size are compressed well when they are first read; larger ones are compressed quickly.
const SMALL_PAGE: usize = 64 * 1024;

/// A version, and the address it is served at.
pub(super) struct Tree<'a> {
    pub site: Arc<Site>,
    /// The id of the version.
    pub version: &'a str,
    /// The path it is served below, with a slash at both ends; `None` at the root of an origin.
    pub prefix: Option<&'a str>,
    /// The prefix of the live view, for which the site may have been built.
    pub built_for: Option<&'a str>,
    /// Whether this is the version's own address, where nothing ever changes.
    pub pinned: bool,
    /// Whether everybody may read it.
    pub public: bool,
}

impl Sites {
    /// Answers a GET or HEAD for a path below the tree. The path has no leading slash and is still percent-encoded.
    pub(super) async fn answer_from(
        &self,
        request: &SiteRequest<'_>,
        tree: &Tree<'_>,
        raw: &str,
    ) -> Response<SiteBody> {
        match resolve(&tree.site, raw, request) {
            Found::File(file) => self.send(request, tree, file, StatusCode::OK).await,
            Found::Missing(file) => self.send(request, tree, file, StatusCode::NOT_FOUND).await,
            Found::Folder(path) => {
                let query = request.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
                let to = format!("{}{path}{query}", tree.prefix.unwrap_or("/"));
                respond::redirect(StatusCode::TEMPORARY_REDIRECT, &to, "private, no-cache")
            }
            Found::Nothing => message(request, StatusCode::NOT_FOUND, NO_SUCH_FILE),
        }
    }

    /// Sends one file of the tree.
    pub(super) async fn send(
        &self,
        request: &SiteRequest<'_>,
        tree: &Tree<'_>,
        file: FileId,
        status: StatusCode,
    ) -> Response<SiteBody> {
        let site = &tree.site;
        let page = site.is_page(file);
        let coding = coding(request, site, file, page);
        let caching = |meta: &Meta| Caching {
            public: tree.public,
            immutable: !page && status == StatusCode::OK && (tree.pinned || meta.hashed),
        };
        let len = site.size(file, coding).unwrap_or_default();
        if !page && len > MAX_LEN {
            let meta = stored(site, file, coding, len);
            let body = |part| SiteBody::part(site.clone(), file, coding, part);
            return respond::file(request, status, &meta, caching(&meta), body);
        }
        let bridged = page && !request.without_review();
        let view = if page {
            1 | u8::from(bridged) << 1 | u8::from(tree.pinned) << 2 | u8::from(tree.prefix.is_some()) << 3
        } else {
            0
        };
        let key = Key {
            serial: site.serial(),
            file,
            coding,
            view,
        };
        let ready = match self.ready.get(&key) {
            Some(ready) => Ok(ready),
            None if page => self.make_page(key, tree, bridged).await,
            None => self.load(key, site).await,
        };
        match ready {
            Ok(ready) => {
                let body = |part| respond::slice(&ready.bytes, part);
                respond::file(request, status, &ready.meta, caching(&ready.meta), body)
            }
            Err(error) => broken(request, &error),
        }
    }

    async fn load(&self, key: Key, site: &Arc<Site>) -> std::io::Result<Arc<Ready>> {
        let site = site.clone();
        let Key { file, coding, .. } = key;
        let ready = blocking(move || {
            let bytes = site.read(file, coding, 0, u64::MAX)?;
            Ok::<_, std::io::Error>(Ready {
                meta: stored(&site, file, coding, bytes.len() as u64),
                bytes: bytes.into(),
            })
        });
        Ok(self.ready.put(key, ready.await??))
    }

    async fn make_page(&self, key: Key, tree: &Tree<'_>, bridged: bool) -> std::io::Result<Arc<Ready>> {
        let site = tree.site.clone();
        let (prefix, built_for) = (tree.prefix.map(str::to_owned), tree.built_for.map(str::to_owned));
        let bridge = bridged.then(|| self.bridge.tag(tree.version));
        let Key { file, coding, .. } = key;
        let ready = blocking(move || {
            let view = View {
                prefix: prefix.as_deref(),
                built_for: built_for.as_deref(),
                bridge: bridge.as_deref(),
            };
            let page = site.page(file, &view)?;
            let kind = page_type(&page);
            let effort = if page.len() <= SMALL_PAGE {
                Effort::Good
            } else {
                Effort::Quick
            };
            let (coding, bytes) = match compress(&page, coding, effort) {
                Some(bytes) => (coding, bytes),
                None => (Coding::Identity, page),
            };
            Ok::<_, std::io::Error>(Ready {
                meta: made(site.path(file), kind, &bytes, coding),
                bytes: bytes.into(),
            })
        });
        Ok(self.ready.put(key, ready.await??))
    }
}

/// The coding in which a file is sent: the client's preferred one among those that are stored. Pages can be made in any.
fn coding(request: &SiteRequest<'_>, site: &Site, file: FileId, page: bool) -> Coding {
    if !page && !site.has_variants() {
        return Coding::Identity;
    }
    let mut codings = accepted(request.headers).into_iter().flatten();
    codings
        .find(|coding| page || site.size(file, *coding).is_some())
        .unwrap_or(Coding::Identity)
}
