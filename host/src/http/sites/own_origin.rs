//! Prototypes at `<slug>.<domain>`, where a prototype's script is confined to its own origin.
//!
//! The main origin, which has the session, decides who may read a prototype. A navigation without a valid cookie is
//! redirected to `/open/<slug>` there, and comes back with a one-time code, which is exchanged for a cookie of the
//! prototype's own host. That cookie only names its session; each request checks that the session still exists, and that
//! its account may read the project.

use std::sync::Arc;

use http::{HeaderValue, Response, StatusCode, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::body::SiteBody;
use super::handoff::{COOKIE_LENGTH, Grant, cookie_name};
use super::messages::{NOT_FOUND, message, not_found, wrong_method};
use super::request::SiteRequest;
use super::respond::{put, redirect};
use super::{OPEN, Sites};
use crate::http::return_path::local;
use crate::identity::access::may_read;
use crate::identity::{Caller, Refusal, Scope, authenticate, cookie_values, has_bearer};
use crate::storage::core::{Account, Project};
use crate::storage::id::{hash_secret, now_ms};

/// The path on a prototype's origin that accepts a code.
const ENTER: &str = "/.galley/enter";
/// Forbids caching.
const NEVER: &str = "no-store";

impl Sites {
    /// The slug, when a request was sent to a prototype's own host.
    pub(super) fn own_host(&self, request: &SiteRequest<'_>) -> Option<String> {
        self.domain.as_ref()?.slug(request.host()?)
    }

    /// Answers on a prototype's own host, which has none of the server's routes.
    pub(super) async fn own_origin(&self, request: &SiteRequest<'_>, slug: &str) -> Response<SiteBody> {
        if !request.reads() {
            return wrong_method();
        }
        let project = self.core.project_by_slug(slug);
        if request.uri.path() == ENTER {
            return self.enter(request, project.as_deref());
        }
        let caller = match self.own_caller(request, project.as_deref()) {
            Ok(caller) => caller,
            Err(refusal) => return message(request, refusal.status, &refusal.message),
        };
        match project.filter(|project| may_read(&self.core, &caller, project)) {
            Some(project) => {
                let rest = request.uri.path().strip_prefix('/').unwrap_or_default();
                self.version_of(request, &project, None, rest).await
            }
            // Only the main origin reveals whether the project exists, to callers who may read it.
            None if request.navigates() && !has_bearer(request.headers) => {
                let path = request.uri.path_and_query().map_or("/", |path| path.as_str());
                let to = format!("{}{OPEN}{slug}?to={}", self.config.public_url, escape(path));
                redirect(StatusCode::FOUND, &to, NEVER)
            }
            None => message(request, StatusCode::NOT_FOUND, NOT_FOUND),
        }
    }

    /// The caller: the owner of the bearer, else the account of the prototype's cookie. The session cookie does not count.
    fn own_caller(&self, request: &SiteRequest<'_>, project: Option<&Project>) -> Result<Caller, Refusal> {
        if has_bearer(request.headers) {
            return authenticate(&self.core, &self.config, request.headers).map(Caller::into_reader);
        }
        let viewer = project.and_then(|project| self.viewer(request, project));
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
    fn viewer(&self, request: &SiteRequest<'_>, project: &Project) -> Option<Account> {
        let (handoff, now) = (self.handoff.as_ref()?, now_ms());
        cookie_values(request.headers, cookie_name(&self.config))
            .filter_map(|value| handoff.unseal(value, now))
            .filter(|grant| grant.project == project.id)
            .find_map(|grant| self.core.session_account(&grant.session).ok().flatten())
    }

    /// `/open/<slug>?to=<path>` on the main origin: redirects back to the prototype, with a code when one is needed.
    pub(super) fn hand_off(&self, request: &SiteRequest<'_>, slug: &str) -> Response<SiteBody> {
        if !request.reads() {
            return wrong_method();
        }
        let caller = match authenticate(&self.core, &self.config, request.headers) {
            Ok(caller) => caller.into_reader(),
            Err(refusal) => return message(request, refusal.status, &refusal.message),
        };
        let Some(project) = self.readable(&caller, slug) else {
            return not_found(request);
        };
        let to = local(query(request, "to").unwrap_or_default());
        let origin = self.config.project_url(&project.slug);
        let origin = origin.trim_end_matches('/');
        let (Caller::Session { secret, .. }, Some(handoff)) = (&caller, &self.handoff) else {
            // No code is needed: everybody may read it, or the caller is a bearer, which must be sent to the prototype itself.
            return redirect(StatusCode::SEE_OTHER, &format!("{origin}{to}"), NEVER);
        };
        match handoff.issue(&hash_secret(secret), &project.id, now_ms()) {
            Some(code) => {
                let to = format!("{origin}{ENTER}?code={code}&to={}", escape(&to));
                let mut response = redirect(StatusCode::SEE_OTHER, &to, NEVER);
                response
                    .headers_mut()
                    .insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
                response
            }
            None => message(
                request,
                StatusCode::TOO_MANY_REQUESTS,
                "The browser does not keep the cookie of the prototype: allow cookies for it, and try again in a minute",
            ),
        }
    }

    /// Exchanges a code for the cookie. Without a valid code it redirects to the prototype, which starts again.
    fn enter(&self, request: &SiteRequest<'_>, project: Option<&Project>) -> Response<SiteBody> {
        let to = local(query(request, "to").unwrap_or_default());
        let mut response = redirect(StatusCode::SEE_OTHER, &to, NEVER);
        response
            .headers_mut()
            .insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        // A HEAD request, as of programs that check links, must not redeem the code.
        if let (Some(handoff), Some(project), false) = (&self.handoff, project, request.is_head())
            && let Some(session) = query(request, "code").and_then(|code| handoff.redeem(&code, &project.id, now_ms()))
        {
            let grant = Grant {
                session,
                project: project.id.clone(),
                expires: now_ms() + COOKIE_LENGTH,
            };
            let secure = if self.config.secure_cookies() { "; Secure" } else { "" };
            let age = COOKIE_LENGTH / 1000;
            let value = handoff.seal(&grant);
            let name = cookie_name(&self.config);
            let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}");
            put(response.headers_mut(), header::SET_COOKIE, cookie);
        }
        response
    }

    /// From `/p/<slug>/…` on the main origin to the same place on the prototype's own.
    pub(super) fn to_own_origin(&self, request: &SiteRequest<'_>, project: &Project, rest: &str) -> Response<SiteBody> {
        let query = request.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        let to = format!(
            "{}{}{query}",
            self.config.project_url(&project.slug),
            rest.trim_start_matches('/')
        );
        redirect(StatusCode::FOUND, &to, "private, no-cache")
    }
}

fn query(request: &SiteRequest<'_>, name: &str) -> Option<String> {
    let pairs = url::form_urlencoded::parse(request.uri.query()?.as_bytes());
    pairs
        .into_iter()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

fn escape(text: &str) -> impl std::fmt::Display + '_ {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}
