//! The `Referer` fallback: root-absolute addresses that a script or stylesheet requests are looked up in the prototype of
//! the referring page.
//!
//! It applies to paths outside of `/p/` that the router does not know. The caller must be able to read the prototype, as for
//! its other files. No shared cache may store the answer, because another page gets another file.

use http::{HeaderValue, Response, StatusCode, header};
use url::Url;

use super::Sites;
use super::address::{Address, pinned};
use super::body::SiteBody;
use super::request::SiteRequest;
use super::resolve::{Found, decode, named};
use super::respond::{redirect, vary};
use super::tree::Tree;
use crate::identity::authenticate;

/// Only the browser may store the answer, and must revalidate it.
const CACHE: &str = "private, no-cache";

impl Sites {
    /// `None` where the ordinary 404 stands.
    pub(super) async fn by_referer(&self, request: &SiteRequest<'_>) -> Option<Response<SiteBody>> {
        let path = request.uri.path();
        if self.domain.is_some() || !request.reads() || !is_sub_resource(request) || is_reserved(path) {
            return None;
        }
        let referer = Url::parse(request.header(header::REFERER)?).ok()?;
        if !self.is_same_origin(request, &referer) {
            return None;
        }
        let address = Address::parse(referer.path())?;
        // A router may leave out the slash behind the slug when it is at its root.
        let rest = address.rest.unwrap_or_default();
        let live = format!("{}/", address.live_prefix.trim_end_matches('/'));
        let caller = authenticate(&self.core, &self.config, request.headers).await.ok()?;
        let project = self.readable(&caller, address.slug)?;
        let (version, prefix, is_pinned) = match pinned(rest) {
            Some((version, Some(rest))) => (version, &referer.path()[..referer.path().len() - rest.len()], true),
            _ => (project.live_version.as_deref()?, live.as_str(), false),
        };
        let site = self.open(&project.id, version).await.ok()?;
        let wanted = decode(path.strip_prefix('/')?)?;
        let Some(Found::File(file)) = named(&site, &wanted) else {
            return None;
        };
        let mut response = if is_program(request) {
            // A module resolves what it imports against its own address: that must be the one inside the prefix, or
            // the next import is lost, and a module loaded from both addresses exists twice.
            let query = request.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
            let to = format!("{}{}{query}", prefix, path.strip_prefix('/')?);
            redirect(StatusCode::TEMPORARY_REDIRECT, &to, CACHE)
        } else {
            let built_for = Some(live.as_str());
            let tree = Tree {
                site,
                version,
                prefix: Some(prefix),
                built_for,
                pinned: is_pinned,
                public: false,
            };
            self.send(request, &tree, file, StatusCode::OK).await
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHE));
        vary(headers, "referer");
        vary(headers, "sec-fetch-dest");
        Some(response)
    }

    /// Whether the referring page is on the requested origin.
    fn is_same_origin(&self, request: &SiteRequest<'_>, referer: &Url) -> bool {
        let origin = referer.origin().ascii_serialization();
        // The scheme is not compared with a host that the client names: behind a proxy it is unknown here.
        let host = origin.split_once("://").map_or("", |(_, host)| host);
        origin == self.config.public_url || request.host().is_some_and(|request| request.eq_ignore_ascii_case(host))
    }
}

/// Something a page loads. Navigations never get here; a service worker at the root would take over the whole origin.
fn is_sub_resource(request: &SiteRequest<'_>) -> bool {
    if request.headers.contains_key("service-worker") || request.header("sec-fetch-mode") == Some("navigate") {
        return false;
    }
    match request.destination() {
        Some(destination) => !request.navigates() && !matches!(destination, "serviceworker" | "report" | "webidentity"),
        None => !request.accepts_html(),
    }
}

/// Something that loads further files relative to its own address.
fn is_program(request: &SiteRequest<'_>) -> bool {
    let programs = [
        "script",
        "style",
        "worker",
        "sharedworker",
        "audioworklet",
        "paintworklet",
        "xslt",
    ];
    request
        .destination()
        .is_some_and(|destination| programs.contains(&destination))
}

/// What belongs to the server itself.
fn is_reserved(path: &str) -> bool {
    ["/p/", "/api/", "/.galley/"].iter().any(|root| path.starts_with(root))
}
