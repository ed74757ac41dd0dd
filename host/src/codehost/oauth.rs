//! OAuth with PKCE: redirects people to the code host, and exchanges codes for tokens.

use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::client::{Client, Outgoing};
use super::{CodeHostError, Secret};
use crate::config::{CodeHost, SignIn};
use crate::storage::id::now_ms;

/// The requested scopes: profile and email addresses. For a GitHub App the code host ignores this and asks for the app's
/// own permissions.
const SCOPE: &str = "read:user user:email";

/// The client of the group "sign-in".
pub struct OAuth {
    client_id: String,
    client_secret: Secret,
    url: String,
    /// The client of the code host's pages, not of its API.
    client: Arc<Client>,
}

/// The tokens that a person granted to this server.
pub struct Tokens {
    /// For the API.
    pub access: Secret,
    /// Gets the next pair, once.
    pub refresh: Option<Secret>,
    /// When the first one ends, in milliseconds since 1970; `None` when it does not.
    pub expires_at: Option<i64>,
}

impl OAuth {
    /// The client.
    pub fn new(sign_in: &SignIn, host: &CodeHost) -> Result<Self, CodeHostError> {
        Ok(Self {
            client_id: sign_in.client_id.clone(),
            client_secret: sign_in.client_secret.clone(),
            url: host.url.clone(),
            client: Arc::new(Client::new(&host.url)?),
        })
    }

    /// The address that a browser is redirected to. It comes back with `state` and a code, which only works together with
    /// `verifier`.
    pub fn authorize_url(&self, redirect_uri: &str, state: &str, verifier: &str) -> String {
        let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(verifier.as_bytes()));
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("client_id", &self.client_id)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("scope", SCOPE)
            .append_pair("state", state)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            .finish();
        format!("{}/login/oauth/authorize?{query}", self.url)
    }

    /// Exchanges a code.
    pub async fn exchange(&self, code: &str, verifier: &str, redirect_uri: &str) -> Result<Tokens, CodeHostError> {
        self.ask(&[
            ("code", code),
            ("code_verifier", verifier),
            ("redirect_uri", redirect_uri),
        ])
        .await
    }

    /// Exchanges a refresh token, which is spent by it.
    pub async fn refresh(&self, token: &Secret) -> Result<Tokens, CodeHostError> {
        self.ask(&[("grant_type", "refresh_token"), ("refresh_token", token.expose())])
            .await
    }

    async fn ask(&self, fields: &[(&str, &str)]) -> Result<Tokens, CodeHostError> {
        let body = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("client_id", &self.client_id)
            .append_pair("client_secret", self.client_secret.expose())
            .extend_pairs(fields)
            .finish();
        let headers = [
            (ACCEPT, HeaderValue::from_static("application/json")),
            (
                CONTENT_TYPE,
                HeaderValue::from_static("application/x-www-form-urlencoded"),
            ),
        ];
        let request = Outgoing {
            method: Method::POST,
            path: "/login/oauth/access_token".to_owned(),
            headers: HeaderMap::from_iter(headers),
            body: body.into_bytes(),
        };
        let answer = self.client.send(request, None).await?;
        Tokens::parse(&answer.json()?, now_ms())
    }
}

impl Tokens {
    /// Reads the answer. Errors come with the status 200, too.
    fn parse(answer: &Value, now: i64) -> Result<Self, CodeHostError> {
        if let Some(error) = answer["error"].as_str() {
            // Only the error code, which is one of a few words; the description may hold anything.
            let plain: String = error
                .chars()
                .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
                .take(64)
                .collect();
            return Err(CodeHostError::Refused(plain));
        }
        let secret = |name: &str| {
            let text = answer[name].as_str().filter(|text| !text.is_empty())?;
            Some(Secret::new(text.to_owned()))
        };
        let access = secret("access_token").ok_or_else(|| CodeHostError::Unexpected("it holds no token".to_owned()))?;
        let life = answer["expires_in"].as_i64().filter(|seconds| *seconds > 0);
        Ok(Self {
            access,
            refresh: secret("refresh_token"),
            expires_at: life.map(|seconds| now.saturating_add(seconds.saturating_mul(1_000))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_error_with_the_status_of_a_success_is_one() {
        let answer = json!({ "error": "bad_verification_code", "error_description": "ghu_x", "access_token": "y" });
        let error = Tokens::parse(&answer, 0).err().unwrap().to_string();
        assert!(
            error.contains("bad_verification_code") && !error.contains("ghu_x"),
            "{error}"
        );
        assert!(Tokens::parse(&json!({}), 0).is_err());
        assert!(Tokens::parse(&json!([]), 0).is_err());
        assert!(Tokens::parse(&json!({ "access_token": 5 }), 0).is_err());
    }

    #[test]
    fn tokens_may_end() {
        let tokens = Tokens::parse(&json!({ "access_token": "a" }), 7).unwrap();
        assert!(tokens.refresh.is_none() && tokens.expires_at.is_none());
        let answer = json!({ "access_token": "a", "refresh_token": "r", "expires_in": 28_800 });
        let tokens = Tokens::parse(&answer, 7).unwrap();
        assert_eq!(tokens.refresh.unwrap().expose(), "r");
        assert_eq!(tokens.expires_at, Some(28_800_007));
    }
}
