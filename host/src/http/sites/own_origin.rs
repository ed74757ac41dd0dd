//! Prototypes at `<slug>.<domain>`, where a prototype's script is confined to its own origin.
//!
//! The main origin, which has the session, decides who may read a prototype. A navigation without a valid cookie is
//! redirected to `/open/<slug>` there, and comes back with a one-time code, which is exchanged for a cookie of the
//! prototype's own host. That cookie only names its session; each request checks that the session still exists, and that
//! its account may read the project.

use std::sync::Arc;

use http::{Response, StatusCode};

use super::address::{label_of, pinned};
use super::body::SiteBody;
use super::handoff::{cookie_name, frame_cookie_name};
use super::messages::{NOT_FOUND, message, wrong_method};
use super::open::{ENTER, NEVER, escape};
use super::request::SiteRequest;
use super::respond::redirect;
use super::{OPEN, Sites};
use crate::accounts::Account;
use crate::core::Project;
use crate::identity::access::may_read;
use crate::identity::{Caller, Refusal, Scope, authenticate, cookie_values, has_bearer};
use crate::storage::id::now_ms;

impl Sites {
    /// The slug, when a request was sent to a prototype's own host.
    pub(super) fn own_host(&self, request: &SiteRequest<'_>) -> Option<String> {
        self.domain.as_ref()?.slug(request.host()?)
    }

    /// Answers on a prototype's own host, or on that of one version, which have none of the server's routes.
    pub(super) async fn own_origin(&self, request: &SiteRequest<'_>, label: &str) -> Response<SiteBody> {
        if !request.reads() {
            return wrong_method();
        }
        let shown = self.labelled(label).await;
        let project = shown.as_ref().map(|(project, _)| &**project);
        if request.uri.path() == ENTER {
            return self.enter(request, project).await;
        }
        let caller = match self.own_caller(request, project).await {
            Ok(caller) => caller,
            Err(refusal) => return message(request, refusal.status, &refusal.message),
        };
        let rest = request.uri.path().strip_prefix('/').unwrap_or_default();
        match shown.filter(|(project, _)| may_read(&self.core, &caller, project)) {
            Some((project, Some(version))) => self.pinned_version(request, &project, version, None, None, rest).await,
            // A version's own host has its root-absolute files. In a frame the address stays: its cookie is for this host.
            Some((project, None)) => match pinned(rest) {
                Some((version, Some(rest))) if request.destination() == Some("document") => {
                    self.to_host(request, &label_of(version), rest)
                }
                _ => self.version_of(request, &project, None, rest).await,
            },
            // Only the main origin reveals whether the project exists, to callers who may read it.
            None if request.navigates() && !has_bearer(request.headers) => {
                let path = request.uri.path_and_query().map_or("/", |path| path.as_str());
                let to = format!("{}{OPEN}{label}?to={}", self.config.public_url, escape(path));
                redirect(StatusCode::FOUND, &to, NEVER)
            }
            None => message(request, StatusCode::NOT_FOUND, NOT_FOUND),
        }
    }

    /// The caller: the owner of the bearer, else the account of the prototype's cookie. The session cookie does not count.
    async fn own_caller(&self, request: &SiteRequest<'_>, project: Option<&Project>) -> Result<Caller, Refusal> {
        if has_bearer(request.headers) {
            let caller = authenticate(&self.core, &self.config, request.headers).await;
            return caller.map(Caller::into_reader);
        }
        let viewer = match project {
            Some(project) => self.viewer(request, project).await,
            None => None,
        };
        Ok(match viewer {
            // The secret is not used here, and unknown.
            Some(account) => Caller::Session {
                account: Arc::new(account),
                secret: "".into(),
                scope: Scope::All,
            },
            None => Caller::Anonymous,
        })
    }

    /// The account whose session the project's cookie came from, while that session lasts. All cookies of the name are
    /// tried: over http another prototype can set one for the whole domain.
    async fn viewer(&self, request: &SiteRequest<'_>, project: &Project) -> Option<Account> {
        let (handoff, now) = (self.handoff.as_ref()?, now_ms());
        // A frame's cookie comes with what other prototypes load, too: they would run each other's scripts.
        let is_own = request.navigates() || request.header("sec-fetch-site") == Some("same-origin");
        let framed = cookie_values(request.headers, frame_cookie_name()).filter(|_| is_own);
        let grants = cookie_values(request.headers, cookie_name(&self.config))
            .chain(framed)
            .filter_map(|value| handoff.unseal(value, now))
            .filter(|grant| grant.project == project.id);
        for grant in grants {
            if let Ok(Some(account)) = self.core.session_account(&grant.session).await {
                return Some(account);
            }
        }
        None
    }

    /// From `/p/<slug>/…` on the main origin to the same place on the prototype's own, or on its version's.
    pub(super) fn to_own_origin(&self, request: &SiteRequest<'_>, project: &Project, rest: &str) -> Response<SiteBody> {
        match pinned(rest) {
            Some((version, rest)) => self.to_host(request, &label_of(version), rest.unwrap_or_default()),
            None => self.to_host(request, &project.slug, rest),
        }
    }

    fn to_host(&self, request: &SiteRequest<'_>, label: &str, rest: &str) -> Response<SiteBody> {
        let query = request.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        let origin = self.config.project_url(label);
        let to = format!("{origin}{}{query}", rest.trim_start_matches('/'));
        redirect(StatusCode::FOUND, &to, "private, no-cache")
    }
}
