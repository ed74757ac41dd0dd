//! `/p/<slug>/…` on the server's own origin.

use std::sync::Arc;

use http::{Response, StatusCode};

use super::Sites;
use super::address::{Address, pinned};
use super::body::SiteBody;
use super::messages::{NOTHING_LIVE, away, broken, message, not_found, wrong_method};
use super::request::SiteRequest;
use super::respond;
use super::tree::Tree;
use crate::core::Project;
use crate::identity::access::may_read;
use crate::identity::{Caller, authenticate};
use crate::storage::sites::{Site, SiteError};

impl Sites {
    pub(super) async fn path_mode(&self, request: &SiteRequest<'_>, address: Address<'_>) -> Response<SiteBody> {
        if !request.reads() {
            return wrong_method();
        }
        let caller = match authenticate(&self.core, &self.config, request.headers).await {
            Ok(caller) => caller.into_reader(),
            Err(refusal) => return message(request, refusal.status, &refusal.message),
        };
        let Some(project) = self.readable(&caller, address.slug) else {
            return not_found(request);
        };
        if self.domain.is_some() {
            return self.to_own_origin(request, &project, address.rest.unwrap_or_default());
        }
        let Some(rest) = address.rest else {
            return with_slash(request, address.live_prefix);
        };
        self.version_of(request, &project, Some(address.live_prefix), rest)
            .await
    }

    /// The project, if the caller may read it.
    pub(super) fn readable(&self, caller: &Caller, slug: &str) -> Option<Arc<Project>> {
        self.core
            .project_by_slug(slug)
            .filter(|project| may_read(&self.core, caller, project))
    }

    /// Answers from the live version, or from the one that the path names. `prefix` is the path of the live version.
    pub(super) async fn version_of(
        &self,
        request: &SiteRequest<'_>,
        project: &Project,
        prefix: Option<&str>,
        rest: &str,
    ) -> Response<SiteBody> {
        if let Some((version, rest)) = pinned(rest) {
            let Some(rest) = rest else {
                return with_slash(request, request.uri.path());
            };
            let path = request.uri.path();
            let own = &path[..path.len() - rest.len()];
            return self
                .pinned_version(request, project, version, Some(own), prefix, rest)
                .await;
        }
        let Some(version) = &project.live_version else {
            return message(request, StatusCode::NOT_FOUND, NOTHING_LIVE);
        };
        let public = may_read(&self.core, &Caller::Anonymous, project);
        match self.open(&project.id, version).await {
            Ok(site) => {
                let tree = Tree {
                    site,
                    version,
                    prefix,
                    built_for: prefix,
                    pinned: false,
                    public,
                };
                self.answer_from(request, &tree, rest).await
            }
            Err(SiteError::Away) => away(request),
            Err(error) => broken(request, &error),
        }
    }

    /// Answers from the version that the address names, whichever is live. `own` is the path that it is served below.
    pub(super) async fn pinned_version(
        &self,
        request: &SiteRequest<'_>,
        project: &Project,
        version: &str,
        own: Option<&str>,
        built_for: Option<&str>,
        rest: &str,
    ) -> Response<SiteBody> {
        // Another server may have deleted one that is open here.
        let is_live = project.live_version.as_deref() == Some(version);
        if self.core.is_shared() && !is_live && !self.core.has_version(&project.id, version).await {
            return not_found(request);
        }
        match self.open(&project.id, version).await {
            Ok(site) => {
                let tree = Tree {
                    site,
                    version,
                    prefix: own,
                    built_for,
                    pinned: true,
                    public: may_read(&self.core, &Caller::Anonymous, project),
                };
                self.answer_from(request, &tree, rest).await
            }
            Err(SiteError::NotFound) => not_found(request),
            Err(SiteError::Away) => away(request),
            Err(error) => broken(request, &error),
        }
    }

    /// An opened version; waits for the disk when it is not open yet.
    pub(super) async fn open(&self, project: &str, version: &str) -> Result<Arc<Site>, SiteError> {
        if let Some(site) = self.store.opened(project, version) {
            return Ok(site);
        }
        let (store, project, version) = (self.store.clone(), project.to_owned(), version.to_owned());
        super::body::blocking(move || store.site(&project, &version)).await?
    }
}

/// The same address with a slash at the end.
pub(super) fn with_slash(request: &SiteRequest<'_>, path: &str) -> Response<SiteBody> {
    let query = request.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    respond::redirect(
        StatusCode::TEMPORARY_REDIRECT,
        &format!("{path}/{query}"),
        "private, no-cache",
    )
}
