//! A test's request and its answer.

use std::cell::RefCell;
use std::rc::Rc;

use galley_manifest::{CallerFacts, CallerKind, GuardKind, Refusal, Role};

use super::guard;
use super::identity::Identity;
use super::imports::http::{Bell, Request, Tail, Upload};
use super::world::{self, Files, World};
use crate::accounts::Account;
use crate::extract::Parts;
use crate::plugin::Plugin;
use crate::response::Response;
use crate::route::{BodyKind, Method, Route};

/// A request builder.
#[must_use = "a call does nothing until `send`"]
pub struct Call<'a> {
    plugin: &'a Plugin,
    world: &'a Rc<RefCell<World>>,
    method: Method,
    path: String,
    caller: Identity,
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
    pub(super) fn new(plugin: &'a Plugin, world: &'a Rc<RefCell<World>>, method: Method, path: &str) -> Call<'a> {
        let caller = Identity::nobody(CallerFacts::anonymous());
        Call {
            plugin,
            world,
            method,
            path: path.into(),
            caller,
            headers: Vec::new(),
            body: Vec::new(),
            archive: None,
        }
    }

    fn with_token(mut self, account: &Account, can_read: bool, can_write: bool) -> Self {
        self.caller = Identity::account(account, CallerFacts::token(Role::Viewer, can_read, can_write));
        self
    }

    /// Sent by a browser in which this account is signed in.
    pub fn as_user(mut self, account: &Account) -> Self {
        self.caller = Identity::account(account, CallerFacts::session(Role::Viewer));
        self
    }

    /// Sent with a personal access token of this account that may read and write.
    pub fn as_token(self, account: &Account) -> Self {
        self.with_token(account, true, true)
    }

    /// Sent with a personal access token of this account that may only read.
    pub fn as_read_token(self, account: &Account) -> Self {
        self.with_token(account, true, false)
    }

    /// Sent with a personal access token of this account that may only write.
    pub fn as_write_token(self, account: &Account) -> Self {
        self.with_token(account, false, true)
    }

    /// Sent with the static admin bearer.
    pub fn as_admin(mut self) -> Self {
        self.caller = Identity::nobody(CallerFacts::admin());
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
        self.archive = Some(world::files(files));
        self
    }

    /// Sends it.
    pub fn send(self) -> Answer {
        self.dispatch().unwrap_or_else(|Refusal { status, message }| {
            let body = serde_json::json!({ "error": message }).to_string().into_bytes();
            Answer::from(Response::json(status, body))
        })
    }

    /// The route of the request's path and method, and its parameters.
    fn route(&self) -> Result<(usize, Vec<String>), Refusal> {
        let path = self.path.split('?').next().unwrap_or_default();
        let routes = &self.plugin.routes;
        let matching = |(index, route): (usize, &Route)| Some((index, params(route.rule.path, path)?));
        let found: Vec<_> = routes.iter().enumerate().filter_map(matching).collect();
        if found.is_empty() {
            return Err(Refusal::new(404, "Not found"));
        }
        let found = found
            .into_iter()
            .find(|(index, _)| routes[*index].rule.method == self.method);
        found.ok_or_else(|| Refusal::new(405, "Method not allowed"))
    }

    /// The caller with the account as it is now. One that was removed has no session, and its tokens are not valid.
    fn current_caller(&self) -> Result<Identity, Refusal> {
        let world = self.world.borrow();
        let mut accounts = world.accounts.iter();
        let account = accounts.find(|account| self.caller.described.user_id.as_ref() == Some(&account.id));
        match (account, self.caller.facts.kind) {
            (None, _) => Ok(self.caller.clone()),
            (Some(account), _) if !account.removed => Ok(Identity::account(account, self.caller.facts)),
            (_, CallerKind::Session) => Ok(Identity::nobody(CallerFacts::anonymous())),
            _ => Err(Refusal::new(
                401,
                "The bearer token is not valid: it is unknown, expired or revoked",
            )),
        }
    }

    fn dispatch(self) -> Result<Answer, Refusal> {
        let (index, params) = self.route()?;
        let route = &self.plugin.routes[index];
        let rule = &route.rule;
        let mut caller = self.current_caller()?;
        if rule.guard.kind == GuardKind::Signature {
            // A valid signature authenticates the request alone, as a call of the host.
            caller = Identity::system();
        }
        if rule.only_reads() {
            caller = caller.into_reader();
        }
        let project = world::enter_as(self.world, Identity::system(), Vec::new(), || {
            guard::allow(route, &caller, &params)
        })?;
        let (path, query) = self.path.split_once('?').unwrap_or((&self.path, ""));
        let upload = match rule.body.kind {
            BodyKind::Archive => Some(Upload::new(self.archive.unwrap_or_default())),
            _ => None,
        };
        let body = match rule.body.kind {
            BodyKind::Json | BodyKind::Bytes => self.body,
            BodyKind::None | BodyKind::Archive => Vec::new(),
        };
        let request = Request {
            route: index as u32,
            method: self.method.to_string(),
            path: path.into(),
            params,
            query: query.into(),
            caller: caller.described.clone(),
            project,
            body: RefCell::new(body),
            upload: RefCell::new(upload),
        };
        let answer = world::enter_as(self.world, caller, self.headers, || {
            self.plugin.handle(&mut Parts::new(&request))
        });
        Ok(Answer::from(answer))
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

    /// The bell that the answer's event stream follows.
    pub fn bell(&self) -> Option<&Bell> {
        match &self.tail {
            Some(Tail::Bell(bell)) => Some(bell),
            _ => None,
        }
    }

    /// The id of the log that the answer's event stream follows.
    pub fn log(&self) -> Option<&str> {
        match &self.tail {
            Some(Tail::Log(id)) => Some(id),
            _ => None,
        }
    }
}
