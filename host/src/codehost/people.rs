//! People: their profiles at the code host, and the tokens they granted to this server, encrypted at rest.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::client::{Client, Outgoing};
use super::oauth::{OAuth, Tokens};
use super::{CodeHostError, Secret};
use crate::core::{Core, Work};
use crate::storage::id::now_ms;
use crate::storage::seal::{Sealer, Unsealable};

/// Milliseconds before its expiry from which on a token is exchanged for the next one.
const MARGIN: i64 = 60_000;

/// How often it is looked whether another server has exchanged a token.
const LOOK_PAUSE: Duration = Duration::from_millis(50);

/// Sign-in, and the resulting tokens.
pub struct People {
    oauth: OAuth,
    api: Arc<Client>,
    core: Arc<Core>,
    sealer: Arc<Sealer>,
    /// A refresh token works once, so only one task at a time exchanges one, and of several servers one.
    refreshing: tokio::sync::Mutex<()>,
}

/// A person's profile at the code host. The texts are unchecked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Never changes, unlike everything else.
    pub id: String,
    /// The name in addresses.
    pub login: String,
    /// The name for people, when there is one.
    pub name: Option<String>,
    /// The address that is both primary and verified, when there is one.
    pub email: Option<String>,
}

/// Tokens in the form that is encrypted and stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    access: String,
    refresh: Option<String>,
    expires_at: Option<i64>,
}

/// The purpose of the encryption, which holds the account: a row moved to another account cannot be decrypted.
fn purpose(account: &str) -> String {
    format!("tokens of the code host for the account {account}")
}

impl People {
    /// People of the code host whose API is given.
    pub fn new(oauth: OAuth, api: Arc<Client>, core: Arc<Core>, sealer: Arc<Sealer>) -> Self {
        Self {
            oauth,
            api,
            core,
            sealer,
            refreshing: tokio::sync::Mutex::default(),
        }
    }

    /// The OAuth client.
    pub fn oauth(&self) -> &OAuth {
        &self.oauth
    }

    /// The sealer of the data folder.
    pub fn sealer(&self) -> &Sealer {
        &self.sealer
    }

    /// The profile of a token's owner.
    pub async fn person(&self, token: &Secret) -> Result<Person, CodeHostError> {
        let user = self.api.send(Outgoing::get("/user"), Some(token)).await?.json()?;
        let emails = self
            .api
            .send(Outgoing::get("/user/emails?per_page=100"), Some(token))
            .await?;
        Person::parse(&user, &emails.json()?)
    }

    /// Stores the tokens of an account, in place of the ones before.
    pub async fn keep(&self, account: &str, tokens: &Tokens) -> Result<(), CodeHostError> {
        let stored = Stored {
            access: tokens.access.expose().to_owned(),
            refresh: tokens.refresh.as_ref().map(|token| token.expose().to_owned()),
            expires_at: tokens.expires_at,
        };
        let plain = serde_json::to_vec(&stored).map_err(|_| Unsealable)?;
        let sealed = self.sealer.seal(&purpose(account), &plain)?;
        Ok(self.core.keep_code_host_token(account, sealed).await?)
    }

    /// A token of an account that has not expired. [`CodeHostError::NotLinked`] when there is
    /// none.
    pub async fn token(&self, account: &str) -> Result<Secret, CodeHostError> {
        let (_, tokens) = self.stored(account).await?;
        if !is_ending(tokens.expires_at) {
            return Ok(Secret::new(tokens.access));
        }
        let _alone = self.refreshing.lock().await;
        let mut work = Work::new(self.core.clone(), format!("code-host-token/{account}"));
        while work.lease().await?.is_none() {
            // Another server is at it.
            tokio::time::sleep(LOOK_PAUSE).await;
            let (_, tokens) = self.stored(account).await?;
            if !is_ending(tokens.expires_at) {
                return Ok(Secret::new(tokens.access));
            }
        }
        let refreshed = work.during(self.refresh(account)).await;
        if let Err(error) = work.give_up().await {
            tracing::warn!("other servers wait before they renew the token of {account}: {error}");
        }
        refreshed
    }

    /// Exchanges a token for the next one. One task of all servers is here at a time.
    async fn refresh(&self, account: &str) -> Result<Secret, CodeHostError> {
        // Another one may have refreshed it meanwhile.
        let (sealed, tokens) = self.stored(account).await?;
        if !is_ending(tokens.expires_at) {
            return Ok(Secret::new(tokens.access));
        }
        let refresh = tokens.refresh.ok_or(CodeHostError::NotLinked)?;
        match self.oauth.refresh(&Secret::new(refresh)).await {
            Ok(next) => {
                self.keep(account, &next).await?;
                Ok(next.access)
            }
            Err(CodeHostError::Refused(reason)) => {
                tracing::info!("the code host does not renew the token of {account}: {reason}");
                self.core.forget_code_host_token(account, sealed).await?;
                Err(CodeHostError::NotLinked)
            }
            Err(error) => Err(error),
        }
    }

    /// Deletes a token that the code host no longer accepts. A token stored since then stays.
    pub async fn forget(&self, account: &str, token: &Secret) -> Result<(), CodeHostError> {
        match self.stored(account).await {
            Ok((sealed, tokens)) if tokens.access == token.expose() => {
                Ok(self.core.forget_code_host_token(account, sealed).await?)
            }
            Ok(_) | Err(CodeHostError::NotLinked) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn stored(&self, account: &str) -> Result<(Vec<u8>, Stored), CodeHostError> {
        let sealed = self
            .core
            .code_host_token(account)
            .await?
            .ok_or(CodeHostError::NotLinked)?;
        let opened = self.sealer.unseal(&purpose(account), &sealed);
        let tokens = opened.ok().and_then(|plain| serde_json::from_slice(&plain).ok());
        let Some(tokens) = tokens else {
            tracing::warn!("the stored token of {account} cannot be opened; signing in again replaces it");
            return Err(CodeHostError::NotLinked);
        };
        Ok((sealed, tokens))
    }
}

fn is_ending(expires_at: Option<i64>) -> bool {
    expires_at.is_some_and(|end| end - MARGIN <= now_ms())
}

impl Person {
    fn parse(user: &Value, emails: &Value) -> Result<Self, CodeHostError> {
        let unexpected = |what: &str| CodeHostError::Unexpected(format!("it holds no {what}"));
        let id = user["id"].as_u64().ok_or_else(|| unexpected("id of a person"))?;
        let login = user["login"].as_str().ok_or_else(|| unexpected("login"))?;
        let emails = emails.as_array().ok_or_else(|| unexpected("list of addresses"))?;
        let mut good = emails
            .iter()
            .filter(|email| email["primary"] == true && email["verified"] == true);
        let email = good.find_map(|email| email["email"].as_str());
        Ok(Self {
            id: id.to_string(),
            login: login.to_owned(),
            name: user["name"].as_str().map(str::to_owned),
            email: email.map(str::to_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_verified_primary_address_counts() {
        let user = json!({ "id": 7, "login": "octo", "name": "Octo", "email": "public@x.org" });
        let read = |emails: Value| Person::parse(&user, &emails).unwrap().email;
        let email = |address: &str, primary: bool, verified: bool| json!({ "email": address, "primary": primary, "verified": verified });
        let emails = json!([email("a@x.org", false, true), email("b@x.org", true, true)]);
        assert_eq!(read(emails).as_deref(), Some("b@x.org"));
        assert_eq!(
            read(json!([email("a@x.org", false, true), email("b@x.org", true, false)])),
            None
        );
        assert_eq!(
            read(json!([{ "email": "a@x.org", "primary": "true", "verified": 1 }])),
            None
        );
        assert_eq!(read(json!([{ "email": 5, "primary": true, "verified": true }])), None);
        assert_eq!(read(json!([])), None);
    }

    #[test]
    fn what_is_no_person_is_an_error() {
        for user in [
            json!({}),
            json!([]),
            json!({ "id": "7", "login": "a" }),
            json!({ "id": 7 }),
            json!({ "id": -1, "login": "a" }),
        ] {
            assert!(Person::parse(&user, &json!([])).is_err(), "{user}");
        }
        assert!(Person::parse(&json!({ "id": 7, "login": "a" }), &json!({})).is_err());
    }
}
