//! `/open/<slug>?to=<path>` on the main origin leads to a prototype, and `/open/d-<version>?to=<path>` to one version of it.
//! Frames begin there. Where prototypes have origins of their own, it sends a one-time code along, which the prototype's host
//! exchanges for its cookies at [`ENTER`].

use std::sync::Arc;

use http::{HeaderValue, Response, StatusCode, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::Sites;
use super::address::pinned_label;
use super::body::SiteBody;
use super::handoff::{COOKIE_LENGTH, Grant, cookie_name, frame_cookie_name};
use super::messages::{away, message, not_found, wrong_method};
use super::request::SiteRequest;
use super::respond::redirect;
use crate::core::{CoreError, Project};
use crate::http::return_path::local;
use crate::identity::access::may_read;
use crate::identity::{Caller, authenticate};
use crate::storage::id::{hash_secret, now_ms};

/// The path on a prototype's origin that accepts a code.
pub(super) const ENTER: &str = "/.galley/enter";
/// Forbids caching.
pub(super) const NEVER: &str = "no-store";

impl Sites {
    /// The project that a name is of: a slug, or that of a version, which comes with it.
    pub(super) async fn labelled<'l>(&self, label: &'l str) -> Option<(Arc<Project>, Option<&'l str>)> {
        if let Some(project) = self.core.project_by_slug(label) {
            return Some((project, None));
        }
        let version = pinned_label(label)?;
        let project = match self.projects_of_versions.get(version) {
            Some(project) => project,
            None => {
                let project = self.core.project_of_version(version).await.ok()??;
                self.projects_of_versions.insert(version.to_owned(), project.clone());
                project
            }
        };
        Some((self.core.project(&project)?, Some(version)))
    }

    /// Redirects to the prototype, with a code when one is needed.
    pub(super) async fn open_prototype(&self, request: &SiteRequest<'_>, label: &str) -> Response<SiteBody> {
        if !request.reads() {
            return wrong_method();
        }
        let caller = match authenticate(&self.core, &self.config, request.headers).await {
            Ok(caller) => caller.into_reader(),
            Err(refusal) => return message(request, refusal.status, &refusal.message),
        };
        let shown = self.labelled(label).await;
        let Some((project, version)) = shown.filter(|(project, _)| may_read(&self.core, &caller, project)) else {
            return not_found(request);
        };
        let to = local(query(request, "to").unwrap_or_default());
        if self.domain.is_none() {
            let version = version.map(|version| format!("/@{version}")).unwrap_or_default();
            return redirect(
                StatusCode::SEE_OTHER,
                &format!("/p/{}{version}{to}", project.slug),
                NEVER,
            );
        }
        let origin = self.config.project_url(label);
        let origin = origin.trim_end_matches('/');
        let (Caller::Session { secret, .. }, Some(_)) = (&caller, &self.handoff) else {
            // No code is needed: everybody may read it, or the caller is a bearer, which must be sent to the prototype itself.
            return redirect(StatusCode::SEE_OTHER, &format!("{origin}{to}"), NEVER);
        };
        let code = self.codes.issue(&hash_secret(secret), &project.id, now_ms()).await;
        let code = match code {
            Ok(code) => code,
            Err(error) => return no_codes(request, &error),
        };
        match code {
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

    /// Exchanges a code for the cookies. Without a valid code it redirects to the prototype, which starts again.
    pub(super) async fn enter(&self, request: &SiteRequest<'_>, project: Option<&Project>) -> Response<SiteBody> {
        let to = local(query(request, "to").unwrap_or_default());
        let mut response = redirect(StatusCode::SEE_OTHER, &to, NEVER);
        response
            .headers_mut()
            .insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        // A HEAD request, as of programs that check links, must not redeem the code.
        if let (Some(handoff), Some(project), false) = (&self.handoff, project, request.is_head())
            && let Some(code) = query(request, "code")
        {
            let session = match self.codes.redeem(&code, &project.id, now_ms()).await {
                Ok(Some(session)) => session,
                Ok(None) => return response,
                Err(error) => return no_codes(request, &error),
            };
            let grant = Grant {
                session,
                project: project.id.clone(),
                expires: now_ms() + COOKIE_LENGTH,
            };
            for cookie in self.cookies(&handoff.seal(&grant)) {
                if let Ok(cookie) = HeaderValue::try_from(cookie) {
                    response.headers_mut().append(header::SET_COOKIE, cookie);
                }
            }
        }
        response
    }

    /// One cookie for windows, which no other site makes a browser send, and one for frames in the pages of this server, which are
    /// another site. Browsers keep the second one over https, and for names of this machine.
    fn cookies(&self, value: &str) -> [String; 2] {
        let age = COOKIE_LENGTH / 1000;
        let secure = if self.config.secure_cookies() { "; Secure" } else { "" };
        let (view, frame) = (cookie_name(&self.config), frame_cookie_name());
        [
            format!("{view}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}"),
            format!("{frame}={value}; Path=/; HttpOnly; SameSite=None; Max-Age={age}; Secure; Partitioned"),
        ]
    }
}

/// The answer when the database with the codes cannot be used.
fn no_codes(request: &SiteRequest<'_>, error: &CoreError) -> Response<SiteBody> {
    tracing::error!("a prototype cannot be opened on its own host: {error}");
    away(request)
}

fn query(request: &SiteRequest<'_>, name: &str) -> Option<String> {
    let pairs = url::form_urlencoded::parse(request.uri.query()?.as_bytes());
    pairs
        .into_iter()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

pub(super) fn escape(text: &str) -> impl std::fmt::Display + '_ {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}
