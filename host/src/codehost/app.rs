//! The code host's app: it authenticates with its key, and gets tokens for the accounts it is installed on.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};

use super::client::{Client, Outgoing};
use super::signer::Signer;
use super::{CodeHostError, Secret};
use crate::config::{CodeHost, RepoApp};
use crate::storage::id::now_ms;

/// Seconds an app's signature is dated back, for clocks that differ.
const BACKDATED: i64 = 60;
/// Seconds until an app's signature expires. Together with [`BACKDATED`] nine of the ten allowed minutes.
const LIFE: i64 = 480;
/// Milliseconds before its expiry from which on an installation's token is not used for new work, so that started work can
/// finish.
const MARGIN: i64 = 5 * 60_000;
/// The longest time a token is kept, in milliseconds, even if the code host allows more.
const MAX_LIFE: i64 = 60 * 60_000;

/// An installation of the app, by its number at the code host.
pub type Installation = u64;

/// The app of the group "repositories".
pub struct CodeHostApp {
    id: String,
    signer: Signer,
    api: Arc<Client>,
    /// Where repositories are cloned from.
    url: String,
    install_url: String,
    tokens: Mutex<HashMap<Scope, Kept>>,
}

/// What a token reaches: an installation, or one repository of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Scope {
    installation: Installation,
    /// Its number at the code host.
    repository: Option<u64>,
}

/// A repository that can be cloned.
pub struct Opened {
    /// `owner/name`, as the code host calls it now.
    pub full_name: String,
    /// Reads its contents, and nothing else.
    pub token: Secret,
}

struct Kept {
    token: Secret,
    /// Milliseconds since 1970.
    until: i64,
}

impl CodeHostApp {
    /// The app, and the API's client.
    pub fn new(app: &RepoApp, host: &CodeHost, api: Arc<Client>) -> Result<Self, CodeHostError> {
        let signer = Signer::from_pem(app.private_key.expose()).ok_or_else(|| {
            let text = "SERVICE_REPO_APP_PRIVATE_KEY is not an RSA key of 2048 to 4096 bits in PEM form: download a new \
                        one from the app's settings";
            CodeHostError::Configuration(text.to_owned())
        })?;
        Ok(Self {
            id: app.id.clone(),
            signer,
            api,
            url: host.url.clone(),
            install_url: format!("{}/apps/{}/installations/new", host.url, app.slug),
            tokens: Mutex::default(),
        })
    }

    /// The API.
    pub fn api(&self) -> &Client {
        &self.api
    }

    /// Where somebody installs the app on an account.
    pub fn install_url(&self) -> &str {
        &self.install_url
    }

    /// Where a repository is cloned from. It holds no credential: that goes into a header.
    pub fn clone_url(&self, full_name: &str) -> String {
        format!("{}/{full_name}.git", self.url)
    }

    /// The app's own signature, valid for eight minutes.
    pub fn signature(&self) -> Result<Secret, CodeHostError> {
        let now = now_ms() / 1_000;
        let claims = json!({ "iat": now - BACKDATED, "exp": now + LIFE, "iss": self.id });
        let signed = self.signer.sign(&claims);
        let signed = signed.map_err(|error| CodeHostError::Configuration(format!("the app cannot sign: {error}")))?;
        Ok(Secret::new(signed))
    }

    /// A token of an installation that reads which repositories there are, and nothing in them.
    /// [`CodeHostError::NotFound`] when there is no such installation.
    pub async fn installation_token(&self, installation: Installation) -> Result<Secret, CodeHostError> {
        self.token(installation, None).await
    }

    /// Opens a repository of an installation: the one with this id, whatever it is called now, or the one with this name
    /// (`owner/name`) when its id is not known.
    ///
    /// [`CodeHostError::NotFound`] when there is no such installation, [`CodeHostError::Refused`] when it does not have
    /// the repository.
    pub async fn open_repository(
        &self,
        installation: Installation,
        id: Option<u64>,
        full_name: &str,
    ) -> Result<Opened, CodeHostError> {
        let id = match id {
            Some(id) => id,
            None => self.id_behind(installation, full_name).await?,
        };
        let token = self.token(installation, Some(id)).await?;
        match self.full_name(id, &token).await {
            Ok(full_name) => Ok(Opened { full_name, token }),
            Err(error) => {
                // It may have been revoked; the next build asks for another one.
                self.forget(&token);
                Err(error)
            }
        }
    }

    /// The id of the repository that a name leads to: the code host redirects the former name of a renamed one.
    async fn id_behind(&self, installation: Installation, full_name: &str) -> Result<u64, CodeHostError> {
        let token = self.installation_token(installation).await?;
        let request = Outgoing::get(format!("/repos/{full_name}"));
        let answer = self.api.send(request, Some(&token)).await?.json()?;
        let id = answer["id"].as_u64();
        id.ok_or_else(|| CodeHostError::Unexpected("a repository has no id".to_owned()))
    }

    /// What the only repository that a token reaches is called now.
    async fn full_name(&self, id: u64, token: &Secret) -> Result<String, CodeHostError> {
        let request = Outgoing::get("/installation/repositories?per_page=100");
        let answer = self.api.send(request, Some(token)).await?.json()?;
        let reached = answer["repositories"].as_array().map(Vec::as_slice).unwrap_or_default();
        let repository = reached.iter().find(|repository| repository["id"] == id);
        let repository = repository.ok_or(CodeHostError::NotFound)?;
        let parts = (repository["owner"]["login"].as_str(), repository["name"].as_str());
        match parts {
            (Some(owner), Some(name)) if is_plain(owner) && is_plain(name) => Ok(format!("{owner}/{name}")),
            _ => Err(CodeHostError::Unexpected("a repository has no usable name".to_owned())),
        }
    }

    /// A token, kept until shortly before it ends. With a repository it reads the contents of that one only.
    async fn token(&self, installation: Installation, repository: Option<u64>) -> Result<Secret, CodeHostError> {
        let scope = Scope {
            installation,
            repository,
        };
        if let Some(token) = self.kept(&scope) {
            return Ok(token);
        }
        let contents = json!({ "contents": "read" });
        let body = match &scope.repository {
            Some(id) => json!({ "repository_ids": [id], "permissions": contents }),
            None => json!({ "permissions": { "metadata": "read" } }),
        };
        let path = format!("/app/installations/{installation}/access_tokens");
        let answer = self
            .api
            .send(Outgoing::post(path, &body), Some(&self.signature()?))
            .await?;
        let answer = answer.json()?;
        let token = answer["token"].as_str().filter(|token| !token.is_empty());
        let token = token.ok_or_else(|| CodeHostError::Unexpected("it holds no token".to_owned()))?;
        let token = Secret::new(token.to_owned());
        self.keep(scope, token.clone(), &answer["expires_at"]);
        Ok(token)
    }

    /// Removes a token that the code host no longer accepts from the cache.
    pub fn forget(&self, token: &Secret) {
        self.tokens
            .lock()
            .retain(|_, kept| kept.token.expose() != token.expose());
    }

    fn kept(&self, scope: &Scope) -> Option<Secret> {
        let tokens = self.tokens.lock();
        let kept = tokens.get(scope).filter(|kept| kept.until > now_ms())?;
        Some(kept.token.clone())
    }

    fn keep(&self, scope: Scope, token: Secret, expires_at: &Value) {
        let now = now_ms();
        let ends = expires_at.as_str().and_then(milliseconds).unwrap_or(now);
        let until = ends.min(now + MAX_LIFE) - MARGIN;
        let mut tokens = self.tokens.lock();
        tokens.retain(|_, kept| kept.until > now);
        tokens.insert(scope, Kept { token, until });
    }
}

/// Whether a part of a repository's name may stand in an address that git is given.
fn is_plain(part: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !part.is_empty() && !part.starts_with('-') && part.bytes().all(plain) && !part.contains("..")
}

/// Parses a time of the API to milliseconds since 1970.
fn milliseconds(text: &str) -> Option<i64> {
    let time = time::OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339).ok()?;
    i64::try_from(time.unix_timestamp_nanos() / 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_none_is_named() {
        let host = CodeHost {
            url: "https://code.example".into(),
            api_url: "https://api.code.example".into(),
        };
        let app = RepoApp {
            id: "1".into(),
            private_key: Secret::new("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----".into()),
            private_key_file: None,
            slug: "galley".into(),
        };
        let api = Arc::new(Client::new(&host.api_url).unwrap());
        let error = CodeHostApp::new(&app, &host, api).err().unwrap().to_string();
        assert!(error.contains("SERVICE_REPO_APP_PRIVATE_KEY"), "{error}");
        assert!(!error.contains("AAAA"), "{error}");
    }

    #[test]
    fn times_of_the_wire_are_read() {
        assert_eq!(milliseconds("1970-01-01T00:00:01Z"), Some(1_000));
        assert_eq!(milliseconds("soon"), None);
    }
}
