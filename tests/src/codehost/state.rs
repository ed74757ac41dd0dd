//! What the code host issued, what it was asked, and how it shall fail.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::git::Repositories;
use super::world::{Repository, World};

/// How a request fails.
#[derive(Debug, Clone)]
pub enum Failure {
    /// This status, with a JSON message as the host would send.
    Status(u16),
    /// A page of HTML with status 200, as a proxy in between would send.
    Html,
    /// The beginning of an answer without an end: far more bytes than anybody should take.
    Huge,
    /// The ordinary answer, later.
    Slow(Duration),
    /// No answer at all.
    Silence,
    /// The connection ends in the middle of the answer.
    HangUp,
    /// A redirect to this address.
    Redirect(String),
    /// This JSON with status 200.
    Json(Value),
}

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The method.
    pub method: String,
    /// The path, without the API's prefix.
    pub path: String,
    /// The query.
    pub query: String,
    /// Names in lower case, and values.
    pub headers: HashMap<String, String>,
    /// The body.
    pub body: String,
}

/// A code on its way back to the client.
#[derive(Debug, Clone)]
pub(super) struct Code {
    pub login: String,
    pub redirect_uri: String,
    pub challenge: String,
}

/// What an installation token may do.
#[derive(Debug, Clone)]
pub struct InstallationToken {
    /// The installation.
    pub installation: u64,
    /// Names of the repositories it is narrowed to; `None` when it is not narrowed by name.
    pub repositories: Option<Vec<String>>,
    /// Ids of the repositories it is narrowed to; `None` when it is not narrowed by id.
    pub repository_ids: Option<Vec<u64>>,
    /// The permissions it is narrowed to; `None` for all.
    pub permissions: Option<Value>,
}

impl InstallationToken {
    /// Whether it reaches the repository.
    pub fn reaches(&self, repository: &Repository) -> bool {
        let (names, ids) = (self.repositories.as_deref(), self.repository_ids.as_deref());
        names.is_none_or(|names| {
            names
                .iter()
                .any(|reached| reached.eq_ignore_ascii_case(&repository.name))
        }) && ids.is_none_or(|ids| ids.contains(&repository.id))
    }
}

#[derive(Debug, Default)]
struct Inner {
    signs_in: Option<String>,
    denies: bool,
    expiring: bool,
    user_life: Option<u64>,
    installation_life: Option<Duration>,
    codes: HashMap<String, Code>,
    user_tokens: HashMap<String, String>,
    refresh_tokens: HashMap<String, String>,
    installation_tokens: HashMap<String, InstallationToken>,
    issued: Vec<String>,
    requests: Vec<Recorded>,
    failures: Vec<(String, Failure)>,
}

/// All of it.
#[derive(Debug)]
pub struct State {
    pub(super) address: SocketAddr,
    pub(super) public_key: String,
    world: Mutex<World>,
    inner: Mutex<Inner>,
    pub(super) repositories: Repositories,
    count: AtomicU64,
}

impl State {
    pub(super) fn new(world: World, address: SocketAddr, public_key: &str) -> State {
        State {
            address,
            public_key: public_key.to_owned(),
            world: Mutex::new(world),
            inner: Mutex::default(),
            repositories: Repositories::new(),
            count: AtomicU64::new(1),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The world as it is now.
    pub fn world(&self) -> World {
        self.world.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the world.
    pub fn edit(&self, edit: impl FnOnce(&mut World)) {
        edit(&mut self.world.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Who approves the next sign-ins.
    #[track_caller]
    pub fn sign_in_as(&self, login: &str) {
        assert!(self.world().person(login).is_some(), "nobody is called {login}");
        let mut inner = self.inner();
        (inner.signs_in, inner.denies) = (Some(login.to_owned()), false);
    }

    /// Whoever signs in next says no.
    pub fn deny_sign_in(&self) {
        self.inner().denies = true;
    }

    /// From now on user tokens come with a refresh token and a length of life.
    pub fn expire_user_tokens(&self) {
        self.inner().expiring = true;
    }

    pub(super) fn expiring(&self) -> bool {
        self.inner().expiring
    }

    /// The login of who approves; `None` when they say no.
    pub(super) fn approver(&self) -> Option<String> {
        let inner = self.inner();
        if inner.denies { None } else { inner.signs_in.clone() }
    }

    /// A value nobody had before, with a prefix as the host's own have.
    fn issue(&self, prefix: &str) -> String {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let secret = format!("{prefix}{number:04}{:016x}{:016x}", rand(), rand());
        self.inner().issued.push(secret.clone());
        secret
    }

    pub(super) fn issue_code(&self, code: Code) -> String {
        let secret = self.issue("code");
        self.inner().codes.insert(secret.clone(), code);
        secret
    }

    pub(super) fn spend_code(&self, code: &str) -> Option<Code> {
        self.inner().codes.remove(code)
    }

    pub(super) fn issue_user_token(&self, login: &str) -> String {
        let token = self.issue("ghu_");
        self.inner().user_tokens.insert(token.clone(), login.to_owned());
        token
    }

    pub(super) fn issue_refresh_token(&self, login: &str) -> String {
        let token = self.issue("ghr_");
        self.inner().refresh_tokens.insert(token.clone(), login.to_owned());
        token
    }

    pub(super) fn spend_refresh_token(&self, token: &str) -> Option<String> {
        self.inner().refresh_tokens.remove(token)
    }

    pub(super) fn issue_installation_token(&self, token: InstallationToken) -> String {
        let secret = self.issue("ghs_");
        self.inner().installation_tokens.insert(secret.clone(), token);
        secret
    }

    /// The login behind a user token.
    pub fn user_of(&self, token: &str) -> Option<String> {
        self.inner().user_tokens.get(token).cloned()
    }

    /// What an installation token may do.
    pub fn installation_token(&self, token: &str) -> Option<InstallationToken> {
        self.inner().installation_tokens.get(token).cloned()
    }

    /// How many seconds user tokens that end live from now on; eight hours, unless a test says otherwise.
    pub fn user_tokens_live(&self, seconds: u64) {
        self.inner().user_life = Some(seconds);
    }

    pub(super) fn user_life(&self) -> u64 {
        self.inner().user_life.unwrap_or(28_800)
    }

    /// How long installation tokens live from now on; an hour, unless a test says otherwise.
    pub fn installation_tokens_live(&self, life: Duration) {
        self.inner().installation_life = Some(life);
    }

    /// When an installation token that is issued now ends, as it stands on the wire.
    pub(super) fn installation_tokens_end(&self) -> String {
        let life = self.inner().installation_life.unwrap_or(Duration::from_secs(3600));
        let end = time::OffsetDateTime::now_utc() + life;
        let end = end.replace_nanosecond(0).unwrap_or(end);
        end.format(&time::format_description::well_known::Rfc3339)
            .expect("a time has a text")
    }

    /// Ends all user tokens, as their owners could.
    pub fn revoke_user_tokens(&self) {
        self.inner().user_tokens.clear();
    }

    /// Ends all installation tokens.
    pub fn revoke_installation_tokens(&self) {
        self.inner().installation_tokens.clear();
    }

    /// Every installation token that was issued and still lives.
    pub fn installation_tokens(&self) -> Vec<InstallationToken> {
        self.inner().installation_tokens.values().cloned().collect()
    }

    /// Every code and token there ever was.
    pub fn issued(&self) -> Vec<String> {
        self.inner().issued.clone()
    }

    pub(super) fn record(&self, request: Recorded) {
        self.inner().requests.push(request);
    }

    /// What was asked so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.inner().requests.clone()
    }

    /// See [`super::CodeHost::fail`].
    pub fn fail(&self, path: &str, failure: Failure) {
        self.inner().failures.push((path.to_owned(), failure));
    }

    /// See [`super::CodeHost::recover`].
    pub fn recover(&self) {
        self.inner().failures.clear();
    }

    pub(super) fn failure_at(&self, path: &str) -> Option<Failure> {
        let inner = self.inner();
        let (_, failure) = inner
            .failures
            .iter()
            .rev()
            .find(|(prefix, _)| path.starts_with(prefix))?;
        Some(failure.clone())
    }
}

fn rand() -> u64 {
    use rsa::rand_core::RngCore;
    rsa::rand_core::OsRng.next_u64()
}
