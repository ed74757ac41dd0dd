//! Requests to a registry, and how they are allowed: without a credential where that will do, else with the one that
//! `docker login` keeps. Credentials are in no message.

use std::path::PathBuf;
use std::time::Duration;

use docker_credential::{CredentialRetrievalError, DockerCredential};
use http::{HeaderMap, StatusCode, header};
use reqwest::blocking::{Client, RequestBuilder, Response};
use serde::Deserialize;

use super::body::{bounded, failed};
use super::reference::{Reference, is_loopback};
use crate::cli::plugins::redirects::redirects;
use crate::plugins::operations::Refused;
use crate::web;

/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long one download may take as a whole.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(300);
/// The largest answer of a place that gives tokens, in bytes.
pub const MAX_TOKEN_BYTES: u64 = 64 << 10;

/// A registry, as one artifact of it is fetched.
pub struct Registry<'r> {
    http: Client,
    reference: &'r Reference,
    is_plain: bool,
    /// What `authorization` says, once the registry asked for it.
    authorization: Option<http::HeaderValue>,
}

/// What a registry asks for.
#[derive(Debug, PartialEq, Eq)]
enum Challenge {
    Basic,
    Bearer { realm: String, service: Option<String> },
}

#[derive(Deserialize)]
struct Token {
    #[serde(alias = "access_token")]
    token: String,
}

impl<'r> Registry<'r> {
    /// `plain_http` allows a connection that others can read and change; this machine itself needs no such word.
    pub fn new(reference: &'r Reference, plain_http: bool) -> Result<Self, Refused> {
        let http = web::blocking_client()
            .user_agent(web::AGENT)
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(DOWNLOAD_TIMEOUT)
            .redirect(redirects())
            .build();
        Ok(Self {
            http: http.map_err(|error| failed(reference, &error.without_url()))?,
            reference,
            is_plain: plain_http || reference.is_loopback(),
            authorization: None,
        })
    }

    /// Asks for something below the repository, such as `manifests/1.0`.
    pub fn get(&mut self, what: &str, accept: &str) -> Result<Response, Refused> {
        let answer = self.send(what, accept)?;
        if answer.status() != StatusCode::UNAUTHORIZED || self.authorization.is_some() {
            return self.check(answer);
        }
        let challenge = challenge(answer.headers()).ok_or_else(|| {
            failed(
                self.reference,
                &"the registry refuses the request and does not say what it asks for",
            )
        })?;
        self.authorization = Some(self.authorize(challenge)?);
        let answer = self.send(what, accept)?;
        self.check(answer)
    }

    fn send(&self, what: &str, accept: &str) -> Result<Response, Refused> {
        let Reference { host, repository, .. } = self.reference;
        let scheme = if self.is_plain { "http" } else { "https" };
        let mut request = self.http.get(format!("{scheme}://{host}/v2/{repository}/{what}"));
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization.clone());
        }
        let sent = request.header(header::ACCEPT, accept).send();
        sent.map_err(|error| {
            let hint = match error.is_connect() && !self.is_plain {
                true => "; a registry without https needs --plain-http",
                false => "",
            };
            failed(self.reference, &format!("{}{hint}", error_text(error)))
        })
    }

    fn check(&self, answer: Response) -> Result<Response, Refused> {
        let reference = self.reference;
        match answer.status() {
            status if status.is_success() => Ok(answer),
            StatusCode::NOT_FOUND => Err(failed(reference, &"the registry has no such artifact (404)")),
            status @ (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => Err(failed(
                reference,
                &format!(
                    "the registry refuses it ({}): `docker login {}` keeps a credential for it, which is read from \
                     ~/.docker/config.json or the folder that DOCKER_CONFIG names",
                    status.as_u16(),
                    reference.host
                ),
            )),
            status => Err(failed(reference, &format!("the registry answers {status}"))),
        }
    }

    /// Gets what the registry asked for.
    fn authorize(&self, challenge: Challenge) -> Result<http::HeaderValue, Refused> {
        let credential = self.credential()?;
        let (realm, service) = match challenge {
            Challenge::Basic => {
                let Some(DockerCredential::UsernamePassword(user, password)) = credential else {
                    let message = format!(
                        "the registry asks for a password: `docker login {}`",
                        self.reference.host
                    );
                    return Err(failed(self.reference, &message));
                };
                let pair = data_encoding::BASE64.encode(format!("{user}:{password}").as_bytes());
                return self.secret(format!("Basic {pair}"));
            }
            Challenge::Bearer { realm, service } => (realm, service),
        };
        let place = url::Url::parse(&realm).ok().filter(|url| self.may_know(url));
        let place = place.ok_or_else(|| {
            failed(
                self.reference,
                &"the registry sends clients to an address without https for tokens",
            )
        })?;
        let scope = format!("repository:{}:pull", self.reference.repository);
        let mut fields = vec![("scope", scope.as_str())];
        fields.extend(service.as_deref().map(|service| ("service", service)));
        let request: RequestBuilder = match &credential {
            Some(DockerCredential::IdentityToken(token)) => {
                fields.extend([
                    ("grant_type", "refresh_token"),
                    ("refresh_token", token),
                    ("client_id", "galley"),
                ]);
                self.http.post(place).form(&fields)
            }
            Some(DockerCredential::UsernamePassword(user, password)) => {
                self.http.get(place).query(&fields).basic_auth(user, Some(password))
            }
            None => self.http.get(place).query(&fields),
        };
        let answer = request
            .send()
            .map_err(|error| failed(self.reference, &error_text(error)))?;
        let answer = self.check(answer)?;
        let body = bounded(answer, MAX_TOKEN_BYTES, self.reference)?;
        let Token { token } = serde_json::from_slice(&body)
            .map_err(|_| failed(self.reference, &"the answer of the registry's tokens is not understood"))?;
        self.secret(format!("Bearer {token}"))
    }

    /// Whether a place for tokens may see a credential.
    fn may_know(&self, place: &url::Url) -> bool {
        let is_here = || place.host_str().is_some_and(is_loopback);
        match place.scheme() {
            "https" => true,
            "http" => self.is_plain && (is_here() || place.host_str() == self.host_name().as_deref()),
            _ => false,
        }
    }

    fn host_name(&self) -> Option<String> {
        let url = url::Url::parse(&format!("http://{}/", self.reference.host)).ok()?;
        url.host_str().map(str::to_owned)
    }

    fn secret(&self, text: String) -> Result<http::HeaderValue, Refused> {
        let mut value = http::HeaderValue::try_from(text).map_err(|_| {
            failed(
                self.reference,
                &"the registry's credential has characters that no header can hold",
            )
        })?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// What `docker login` keeps for the registry.
    fn credential(&self) -> Result<Option<DockerCredential>, Refused> {
        use CredentialRetrievalError as Error;
        let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".docker"));
        let folder = std::env::var_os("DOCKER_CONFIG").map(PathBuf::from).or_else(home);
        // To the crate, a file that is not there is one that cannot be read.
        if folder.is_none_or(|folder| !folder.join("config.json").exists()) {
            return Ok(None);
        }
        match docker_credential::get_credential(&self.reference.host) {
            Ok(credential) => Ok(Some(credential)),
            Err(Error::NoCredentialConfigured | Error::ConfigNotFound) => Ok(None),
            // What a helper printed may be a secret.
            Err(Error::HelperFailure { helper, .. }) => {
                let message = format!("the credential helper `{helper}` of docker's configuration failed");
                Err(failed(self.reference, &message))
            }
            Err(error) => {
                let message = format!("docker's configuration cannot be used: {error}");
                Err(failed(self.reference, &message))
            }
        }
    }
}

/// The causes of a failed request, without its address: that of a redirect can hold a credential.
fn error_text(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// What the header `www-authenticate` asks for.
fn challenge(headers: &HeaderMap) -> Option<Challenge> {
    let values = headers.get_all(header::WWW_AUTHENTICATE).into_iter();
    let mut challenges = values.filter_map(|value| read_challenge(value.to_str().ok()?));
    challenges.next()
}

fn read_challenge(value: &str) -> Option<Challenge> {
    let (scheme, rest) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
    if scheme.eq_ignore_ascii_case("basic") {
        return Some(Challenge::Basic);
    }
    if !scheme.eq_ignore_ascii_case("bearer") {
        return None;
    }
    let parameter = |wanted: &str| {
        let mut rest = rest;
        // A quoted value may hold commas: the scope does.
        while let Some((name, after)) = rest.split_once("=\"") {
            let (value, after) = after.split_once('"')?;
            if name.trim_matches([',', ' ']).eq_ignore_ascii_case(wanted) {
                return Some(value.to_owned());
            }
            rest = after;
        }
        None
    };
    Some(Challenge::Bearer {
        realm: parameter("realm")?,
        service: parameter("service"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_read() {
        let bearer = r#"Bearer realm="https://auth.example/token",scope="repository:a:pull,push", service="r.example""#;
        let expected = Challenge::Bearer {
            realm: "https://auth.example/token".into(),
            service: Some("r.example".into()),
        };
        assert_eq!(read_challenge(bearer), Some(expected));
        assert_eq!(read_challenge("Basic realm=\"x\""), Some(Challenge::Basic));
        for text in ["", "Negotiate", "Bearer", "Bearer realm=\"x"] {
            assert_eq!(read_challenge(text), None, "{text}");
        }
    }
}
