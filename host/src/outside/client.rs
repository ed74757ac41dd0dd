//! One request to a declared host, and its answer.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use memchr::memmem;
use reqwest::redirect::{Attempt, Policy};
use url::Url;

use super::resolve::Resolver;
use crate::config::{Config, Secret};
use crate::web;

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an answer may take as a whole.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of an answer's body, decompressed.
const MAX_BYTES: usize = 4 << 20;
/// The most redirects in a row.
const MAX_REDIRECTS: usize = 3;
/// A shorter secret can be in an answer by chance.
const MIN_SECRET_BYTES: usize = 8;

/// The client for all declared hosts.
pub struct Outside {
    own: Arc<BTreeMap<String, SocketAddr>>,
    certificates: Option<PathBuf>,
    /// Made with the first request: it reads the system's certificates.
    http: OnceLock<Result<reqwest::Client, String>>,
}

/// One request.
pub struct Outgoing {
    /// The method.
    pub method: Method,
    /// The host, which the manifest was checked for.
    pub host: String,
    /// Path and query, beginning with a slash.
    pub path: String,
    /// Headers; the credential is added.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
    /// What goes with it.
    pub credential: Option<Credential>,
}

/// A secret and the header that carries it.
pub struct Credential {
    /// The secret.
    pub secret: Secret,
    /// A header that carries it as it is; `authorization` with `Bearer` without one.
    pub header: Option<String>,
}

/// One answer, whole.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// All headers.
    pub headers: HeaderMap,
    /// The body, unpacked.
    pub body: Bytes,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum OutsideError {
    /// A request that must not be sent.
    #[error("{0}")]
    Bad(String),
    /// No answer, or one that is not passed on.
    #[error("{0}")]
    Unreachable(String),
    /// The operator has to mend something first.
    #[error("{0}")]
    Configuration(String),
}

/// The bytes that the answers of one call may have together.
#[derive(Debug)]
pub struct Budget(AtomicUsize);

impl Budget {
    /// So many bytes.
    pub fn new(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// Takes bytes; `false` when there are not so many left.
    pub fn take(&self, bytes: usize) -> bool {
        let left = |left: usize| left.checked_sub(bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok()
    }
}

impl Outside {
    /// Nothing is read or connected to yet.
    pub fn new(config: &Config) -> Self {
        Self {
            own: Arc::new(config.outbound.hosts.clone()),
            certificates: config.outbound.certificates.clone(),
            http: OnceLock::new(),
        }
    }

    /// Sends a request and reads the whole answer, whatever its status.
    pub async fn send(&self, request: Outgoing, budget: &Budget) -> Result<Answer, OutsideError> {
        let Outgoing {
            method,
            host,
            path,
            headers,
            body,
            credential,
        } = request;
        let address = address(&host, &path)?;
        let mut outgoing = self.client()?.request(method, address).headers(headers);
        if let Some(credential) = &credential {
            let (name, value) = credential.header()?;
            outgoing = outgoing.header(name, value);
        }
        let response = outgoing.body(body).send().await.map_err(unreachable)?;
        let (status, headers) = (response.status(), response.headers().clone());
        if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
            return Err(OutsideError::Unreachable("it redirects to another address".to_owned()));
        }
        let body = read(response, budget).await?;
        if credential.is_some_and(|credential| credential.is_in(&headers, &body)) {
            return Err(OutsideError::Unreachable("its answer repeats the secret".to_owned()));
        }
        Ok(Answer { status, headers, body })
    }

    fn client(&self) -> Result<&reqwest::Client, OutsideError> {
        let made = self.http.get_or_init(|| self.make());
        made.as_ref()
            .map_err(|reason| OutsideError::Configuration(reason.clone()))
    }

    fn make(&self) -> Result<reqwest::Client, String> {
        let mut certificates = Vec::new();
        if let Some(path) = &self.certificates {
            let unusable = |error: &dyn std::fmt::Display| {
                format!(
                    "SERVICE_OUTBOUND_CA is {}, which cannot be used: {error}",
                    path.display()
                )
            };
            let pem = std::fs::read(path).map_err(|error| unusable(&error))?;
            certificates = reqwest::Certificate::from_pem_bundle(&pem).map_err(|error| unusable(&error))?;
        }
        web::client()
            .user_agent(web::AGENT)
            .https_only(true)
            // A proxy would resolve the names again.
            .no_proxy()
            .dns_resolver(Arc::new(Resolver::new(self.own.clone())))
            .tls_certs_merge(certificates)
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(REQUEST_TIMEOUT)
            .redirect(Policy::custom(follow))
            .build()
            .map_err(|error| {
                format!(
                    "requests to hosts cannot be made: {error}; are the system's certificates there (ca-certificates)?"
                )
            })
    }
}

impl Credential {
    fn header(&self) -> Result<(HeaderName, HeaderValue), OutsideError> {
        let bad = || OutsideError::Configuration("the secret holds a character that no header can carry".to_owned());
        let (name, value) = match &self.header {
            Some(header) => (header.as_str(), self.secret.expose().to_owned()),
            None => ("authorization", format!("Bearer {}", self.secret.expose())),
        };
        let name = HeaderName::try_from(name).map_err(|_| bad())?;
        let mut value = HeaderValue::try_from(value).map_err(|_| bad())?;
        value.set_sensitive(true);
        Ok((name, value))
    }

    /// Whether an answer repeats the secret.
    fn is_in(&self, headers: &HeaderMap, body: &[u8]) -> bool {
        let secret = self.secret.expose().as_bytes();
        let holds = |bytes: &[u8]| memmem::find(bytes, secret).is_some();
        secret.len() >= MIN_SECRET_BYTES && (holds(body) || headers.values().any(|value| holds(value.as_bytes())))
    }
}

/// The address of a path on a host.
fn address(host: &str, path: &str) -> Result<Url, OutsideError> {
    let bad = || OutsideError::Bad("a path begins with `/` and is visible ASCII without `\\` and `#`".to_owned());
    if !galley_manifest::is_request_path(path) {
        return Err(bad());
    }
    let address = Url::parse(&format!("https://{host}{path}")).map_err(|_| bad())?;
    let is_same = address.host_str() == Some(host)
        && address.port().is_none()
        && address.username().is_empty()
        && address.password().is_none();
    is_same.then_some(address).ok_or_else(bad)
}

/// Follows redirects on the same host, where the secret may go as well. Any other is the answer.
fn follow(attempt: Attempt) -> reqwest::redirect::Action {
    let first = attempt.previous().first();
    if attempt.previous().len() <= MAX_REDIRECTS && first.is_some_and(|first| first.origin() == attempt.url().origin())
    {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

async fn read(mut response: reqwest::Response, budget: &Budget) -> Result<Bytes, OutsideError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(OutsideError::Unreachable(format!(
                "its answer has more than {MAX_BYTES} bytes"
            )));
        }
        if !budget.take(chunk.len()) {
            let message = "the answers of these requests have too many bytes together".to_owned();
            return Err(OutsideError::Unreachable(message));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

fn unreachable(error: reqwest::Error) -> OutsideError {
    OutsideError::Unreachable(web::reason(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_on_its_host() {
        let at = |path: &str| Some(address("api.example.com", path).ok()?.to_string());
        assert_eq!(at("/v1/x?y=//z").unwrap(), "https://api.example.com/v1/x?y=//z");
        assert_eq!(at("/a/../b").unwrap(), "https://api.example.com/b");
        for path in [
            "",
            "v1",
            "@evil.example/",
            ":8443/",
            ".evil.example/",
            "/a\\b",
            "/a b",
            "/a\r\nx: y",
            "/a#b",
            "/é",
        ] {
            assert_eq!(at(path), None, "{path:?}");
        }
    }

    #[test]
    fn an_answer_that_repeats_the_secret_is_told() {
        let credential = |secret: &str| Credential {
            secret: Secret::new(secret.to_owned()),
            header: None,
        };
        let none = HeaderMap::new();
        assert!(credential("hush-hush-9").is_in(&none, b"{\"token\":\"hush-hush-9\"}"));
        assert!(!credential("hush-hush-9").is_in(&none, b"{}"));
        let headers = HeaderMap::from_iter([(
            HeaderName::from_static("x-echo"),
            HeaderValue::from_static("hush-hush-9"),
        )]);
        assert!(credential("hush-hush-9").is_in(&headers, b""));
        assert!(!credential("e").is_in(&none, b"hello"));
    }

    #[test]
    fn a_budget_is_shared() {
        let budget = Budget::new(10);
        assert!(budget.take(6) && !budget.take(5) && budget.take(4) && !budget.take(1));
    }
}
