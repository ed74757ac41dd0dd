//! A test's request and its answer.

use super::guard::{self, Refusal};
use super::host::TestHost;
use super::imports::http::{Bell, Tail, Upload};
use super::world::{Files, nobody};
use crate::accounts::Account;
use crate::bindings::galley::http::types::{Caller, Request};
use crate::extract::Parts;
use crate::response::Response;
use crate::route::{BodyKind, Method, Route};

/// A request builder.
#[must_use = "a call does nothing until `send`"]
pub struct Call<'a> {
    host: &'a TestHost,
    method: Method,
    path: String,
    caller: Caller,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    archive: Option<Files>,
}

/// The answer to a request.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The headers the plugin set.
    pub headers: Vec<(String, String)>,
    /// The bytes.
    pub body: Vec<u8>,
    tail: Option<Tail>,
}

impl<'a> Call<'a> {
    pub(super) fn new(host: &'a TestHost, method: Method, path: &str) -> Call<'a> {
        let caller = nobody("anonymous");
        Call {
            host,
            method,
            path: path.into(),
            caller,
            headers: Vec::new(),
            body: Vec::new(),
            archive: None,
        }
    }

    fn identity(mut self, kind: &str, account: &Account, can_write: bool) -> Self {
        self.caller = Caller {
            kind: kind.into(),
            user_id: Some(account.id.clone()),
            email: Some(account.email.clone()),
            name: Some(account.name.clone()),
            role: Some(account.role.clone()),
            can_write,
        };
        self
    }

    /// Sent by a browser in which this account is signed in.
    pub fn as_user(self, account: &Account) -> Self {
        self.identity("session", account, true)
    }

    /// Sent with a personal access token of this account that may write.
    pub fn as_token(self, account: &Account) -> Self {
        self.identity("token", account, true)
    }

    /// Sent with a personal access token of this account that may only read.
    pub fn as_read_token(self, account: &Account) -> Self {
        self.identity("token", account, false)
    }

    /// Sent with the static admin bearer.
    pub fn as_admin(mut self) -> Self {
        self.caller = nobody("admin");
        self
    }

    /// With a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_lowercase(), value.into()));
        self
    }

    /// With a JSON body.
    pub fn json(mut self, body: serde_json::Value) -> Self {
        self.body = body.to_string().into_bytes();
        self
    }

    /// With any body.
    pub fn bytes(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// With an archive of these files, as the host unpacked it.
    pub fn archive(mut self, files: &[(&str, &str)]) -> Self {
        self.archive = Some(
            files
                .iter()
                .map(|(path, text)| (path.to_string(), text.as_bytes().to_vec()))
                .collect(),
        );
        self
    }

    /// Sends it.
    pub fn send(self) -> Answer {
        match self.route() {
            Ok((index, params)) => self.dispatch(index, params),
            Err(Refusal(status, message)) => {
                let body = serde_json::json!({ "error": message }).to_string().into_bytes();
                Answer::from(Response::json(status, body))
            }
        }
    }

    /// The route of the request's path and method, and its parameters.
    fn route(&self) -> Result<(usize, Vec<String>), Refusal> {
        let path = self.path.split('?').next().unwrap_or_default();
        let routes = &self.host.plugin.routes;
        let matching = |(index, route): (usize, &Route)| Some((index, params(route.path, path)?));
        let found: Vec<_> = routes.iter().enumerate().filter_map(matching).collect();
        if found.is_empty() {
            return Err(Refusal(404, "Not found".into()));
        }
        let found = found
            .into_iter()
            .find(|(index, _)| routes[*index].method == self.method);
        found.ok_or_else(|| Refusal(405, "Method not allowed".into()))
    }

    fn dispatch(mut self, index: usize, params: Vec<String>) -> Answer {
        let route = &self.host.plugin.routes[index];
        if route.guard.kind == "signature" {
            // A valid signature authenticates the request alone, as a call of the host.
            self.caller = nobody("system");
        }
        let allowed = self.host.enter_as(nobody("system"), Vec::new(), || {
            guard::allow(route, &self.caller, &params)
        });
        let project = match allowed {
            Ok(project) => project,
            Err(Refusal(status, message)) => {
                let body = serde_json::json!({ "error": message }).to_string().into_bytes();
                return Response::json(status, body).into();
            }
        };
        let (path, query) = self.path.split_once('?').unwrap_or((&self.path, ""));
        let upload = match route.body.kind {
            BodyKind::Archive => Some(Upload::new(self.archive.unwrap_or_default())),
            _ => None,
        };
        let body = match route.body.kind {
            BodyKind::Json | BodyKind::Bytes => self.body,
            BodyKind::None | BodyKind::Archive => Vec::new(),
        };
        let request = Request {
            id: "test".into(),
            route: index as u32,
            method: format!("{:?}", self.method).to_uppercase(),
            path: path.into(),
            params,
            query: query.into(),
            caller: self.caller.clone(),
            project,
            body,
        };
        let answer = self.host.enter_as(self.caller, self.headers, || {
            self.host.plugin.handle(&mut Parts::new(request, upload.as_ref()))
        });
        Answer::from(answer)
    }
}

/// The parameters of `path`, if it is one of the route's.
fn params(route: &str, path: &str) -> Option<Vec<String>> {
    let (mut wanted, mut given) = (route.split('/'), path.split('/'));
    let mut params = Vec::new();
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Some(params),
            (Some(name), Some(value)) if name.starts_with('{') && !value.is_empty() => params.push(decode(value)?),
            (Some(wanted), Some(given)) if wanted == given => {}
            _ => return None,
        }
    }
}

/// Percent-decodes one segment; `None` when it is not UTF-8.
fn decode(segment: &str) -> Option<String> {
    let mut parts = segment.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

impl From<Response> for Answer {
    fn from(response: Response) -> Answer {
        let Response {
            status,
            headers,
            body,
            tail,
            ..
        } = response;
        Answer {
            status,
            headers,
            body,
            tail,
        }
    }
}

impl Answer {
    /// The body as JSON.
    ///
    /// # Panics
    /// When it is not JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in the {} answer {}", self.status, self.text()))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The `error` of the body; empty when there is none.
    pub fn error(&self) -> String {
        let body: serde_json::Value = serde_json::from_slice(&self.body).unwrap_or_default();
        body["error"].as_str().unwrap_or_default().to_owned()
    }

    /// The value of a header the plugin set.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The bell it goes on with.
    pub fn bell(&self) -> Option<&Bell> {
        match &self.tail {
            Some(Tail::Bell(bell)) => Some(bell),
            _ => None,
        }
    }

    /// The id of the log it goes on with.
    pub fn log(&self) -> Option<&str> {
        match &self.tail {
            Some(Tail::Log(id)) => Some(id),
            _ => None,
        }
    }
}
