//! Asking the review server a project is linked to.

use std::time::Duration;

use http::StatusCode;
use serde_json::{Value, json};
use url::Url;

use super::app::App;
use super::code::Code;
use super::error::ApiError;

/// Nobody waits longer for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
/// Larger answers are none of a review server's.
const MAX_ANSWER: usize = 16 << 20;

/// The address of a review server as people give it, in one spelling: no slash at the end, nothing but the place.
pub(super) fn base_url(given: &str) -> Result<String, ApiError> {
    let refuse = |why: &str| ApiError::bad_request(format!("`baseUrl` {why}")).with("key", "baseUrl");
    let url = Url::parse(given.trim()).map_err(|_| refuse("must be an address like https://review.example.com"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(refuse("must begin with https:// or http://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse("must not hold a name or a password: give a token instead"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(refuse("must end with the server's own path"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// One request to `{base}/api/v1{path}`.
pub(super) struct Ask<'a> {
    pub(super) method: reqwest::Method,
    pub(super) base: &'a str,
    pub(super) path: String,
    pub(super) token: Option<&'a str>,
    pub(super) body: Option<Value>,
}

/// The server's answer when it is a good one; its words, with its status, when it is not.
pub(super) async fn ask(app: &App, ask: Ask<'_>) -> Result<Value, ApiError> {
    let address = format!("{}/api/v1{}", ask.base, ask.path);
    let mut request = app.web.request(ask.method, &address).timeout(ANSWER_TIMEOUT);
    if let Some(token) = ask.token {
        request = request.bearer_auth(token);
    }
    if let Some(body) = &ask.body {
        request = request.json(body);
    }
    let unreachable = |why: String| {
        let reason = format!("The review server at {} {why}", ask.base);
        ApiError::new(Code::ReviewServer, reason)
    };
    let mut response = request.send().await.map_err(|error| unreachable(silence(&error)))?;
    let status = StatusCode::from_u16(response.status().as_u16()).unwrap_or(StatusCode::BAD_GATEWAY);
    let mut content = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(silence(&error)))? {
        if content.len() + chunk.len() > MAX_ANSWER {
            return Err(unreachable("sent too much".into()));
        }
        content.extend_from_slice(&chunk);
    }
    let answer = serde_json::from_slice::<Value>(&content).ok();
    if status.is_success() {
        // An answer without content is one too.
        let answer = if content.is_empty() { Some(json!({})) } else { answer };
        return answer
            .ok_or_else(|| unreachable("answered with something else than JSON: is that a review server?".into()));
    }
    if status.is_redirection() || status.is_server_error() {
        return Err(unreachable(format!("answered with status {status}")));
    }
    let words = answer
        .as_ref()
        .and_then(|answer| answer.get("error"))
        .and_then(Value::as_str);
    let words = match (words, status) {
        (Some(words), _) => words.to_owned(),
        (None, StatusCode::UNAUTHORIZED) => "The review server does not know the token".to_owned(),
        (None, _) => format!("The review server at {} answered with status {status}", ask.base),
    };
    Err(ApiError::new(Code::ReviewServer, words).status(status))
}

/// Why there was no answer, without the address: it stands beside.
fn silence(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "does not answer in time".into();
    }
    if error.is_connect() {
        return "cannot be reached: is the address right, and the network there?".into();
    }
    "broke off the connection".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_spelling() {
        assert_eq!(
            base_url(" https://Review.example.com/ ").unwrap(),
            "https://review.example.com"
        );
        assert_eq!(
            base_url("http://127.0.0.1:4000/galley/").unwrap(),
            "http://127.0.0.1:4000/galley"
        );
        for address in [
            "",
            "review.example.com",
            "file:///etc",
            "https://me:secret@host.org",
            "https://host.org/?a",
        ] {
            assert!(base_url(address).is_err(), "{address}");
        }
    }
}
