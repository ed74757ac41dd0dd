//! Requests below one base address, bounded in size and time. No other address can be reached.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use reqwest::redirect::{Attempt, Policy};
use url::Url;

use super::{CodeHostError, Secret};
use crate::web;

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an answer may take as a whole.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of an answer, decompressed. A page of a hundred repositories has about 700 KB.
const MAX_BYTES: usize = 4 << 20;
/// The most redirects in a row; a renamed repository has one.
const MAX_REDIRECTS: usize = 3;

/// A base address and the connections to it.
pub struct Client {
    http: reqwest::Client,
    /// Ends with a slash.
    base: Url,
}

/// One request.
pub struct Outgoing {
    /// The method.
    pub method: Method,
    /// Path and query below the base, beginning with a slash.
    pub path: String,
    /// Headers; the credential is added.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Outgoing {
    /// A request for JSON without a body.
    pub fn get(path: impl Into<String>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/vnd.github+json"));
        Self {
            method: Method::GET,
            path: path.into(),
            headers,
            body: Vec::new(),
        }
    }

    /// A request that sends JSON and accepts JSON.
    pub fn post(path: impl Into<String>, body: &serde_json::Value) -> Self {
        let mut request = Self::get(path);
        request.method = Method::POST;
        let json = HeaderValue::from_static("application/json");
        request.headers.insert(header::CONTENT_TYPE, json);
        request.body = body.to_string().into_bytes();
        request
    }
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

impl Answer {
    /// The JSON of a successful answer; any other answer is an error. Errors do not repeat the code host's body, which may
    /// hold secrets.
    pub fn json(&self) -> Result<serde_json::Value, CodeHostError> {
        let status = self.status;
        match status {
            StatusCode::NOT_FOUND => return Err(CodeHostError::NotFound),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::UNPROCESSABLE_ENTITY => {
                return Err(CodeHostError::Refused(format!("it answered {status}")));
            }
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                return Err(CodeHostError::Unreachable(format!("it answered {status}")));
            }
            status if !status.is_success() => {
                return Err(CodeHostError::Unexpected(format!("it answered {status}")));
            }
            _ => {}
        }
        let json = serde_json::from_slice(&self.body);
        json.map_err(|_| CodeHostError::Unexpected("it is not JSON".to_owned()))
    }
}

impl Client {
    /// A client for everything below `base`, which the configuration checked.
    pub fn new(base: &str) -> Result<Self, CodeHostError> {
        let unusable =
            |error| CodeHostError::Configuration(format!("the address {base} of the code host is none: {error}"));
        let base = Url::parse(&format!("{}/", base.trim_end_matches('/'))).map_err(unusable)?;
        let http = web::client()
            // The code host refuses requests without one.
            .user_agent(web::AGENT)
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(REQUEST_TIMEOUT)
            .redirect(within(base.clone()))
            .build()
            .map_err(|error| {
                let way_out = "are the system's certificates there (the package ca-certificates)?";
                CodeHostError::Configuration(format!("requests to {base} cannot be made: {error}; {way_out}"))
            })?;
        Ok(Self { http, base })
    }

    /// Sends a request and reads the whole answer, whatever its status. The credential is attached here, where no other
    /// address can be reached.
    pub async fn send(&self, request: Outgoing, credential: Option<&Secret>) -> Result<Answer, CodeHostError> {
        let address = self.address(&request.path)?;
        let mut headers = request.headers;
        headers.remove(header::AUTHORIZATION);
        let mut outgoing = self.http.request(request.method, address).headers(headers);
        if let Some(credential) = credential {
            // `bearer_auth` also marks the header as sensitive.
            outgoing = outgoing.bearer_auth(credential.expose());
        }
        let response = outgoing.body(request.body).send().await.map_err(unreachable)?;
        let (status, headers) = (response.status(), response.headers().clone());
        if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
            return Err(CodeHostError::Unexpected("it redirects to another address".to_owned()));
        }
        let body = read(response).await?;
        Ok(Answer { status, headers, body })
    }

    /// The address of a path below the base.
    fn address(&self, path: &str) -> Result<Url, CodeHostError> {
        let forbidden =
            || CodeHostError::Forbidden("a path begins with `/` and stays below the base address".to_owned());
        let plain = path
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'#'));
        let route = path.split('?').next().unwrap_or_default();
        if !plain || !route.starts_with('/') || route.contains("//") {
            return Err(forbidden());
        }
        let address = format!("{}{path}", self.base.as_str().trim_end_matches('/'));
        let address = Url::parse(&address).map_err(|_| forbidden())?;
        // The parser has resolved `..` in any spelling.
        if is_below(&self.base, &address) {
            Ok(address)
        } else {
            Err(forbidden())
        }
    }
}

fn is_below(base: &Url, address: &Url) -> bool {
    address.origin() == base.origin()
        && address.path().starts_with(base.path())
        && address.username().is_empty()
        && address.password().is_none()
}

/// Follows redirects below the base. Any other is the answer.
fn within(base: Url) -> Policy {
    Policy::custom(move |attempt: Attempt| {
        if attempt.previous().len() <= MAX_REDIRECTS && is_below(&base, attempt.url()) {
            attempt.follow()
        } else {
            attempt.stop()
        }
    })
}

async fn read(mut response: reqwest::Response) -> Result<Bytes, CodeHostError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(CodeHostError::Unexpected(format!("it has more than {MAX_BYTES} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

fn unreachable(error: reqwest::Error) -> CodeHostError {
    CodeHostError::Unreachable(web::reason(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(base: &str, path: &str) -> Option<String> {
        Some(Client::new(base).unwrap().address(path).ok()?.to_string())
    }

    #[test]
    fn paths_stay_below_the_base() {
        let base = "https://code.example/api/v3";
        let inside = |path| address(base, path);
        assert_eq!(inside("/user").unwrap(), "https://code.example/api/v3/user");
        assert_eq!(inside("/a/../b?c=//d").unwrap(), "https://code.example/api/v3/b?c=//d");
        assert_eq!(inside("/a%2Fb").unwrap(), "https://code.example/api/v3/a%2Fb");
        for path in [
            "",
            "user",
            "//evil.example/",
            "/..",
            "/../v4/user",
            "/%2e%2e/v4",
            "/.%2E/v4",
            "https://evil.example/",
            "@evil.example/",
            "/a//b",
            "/a\\b",
            "/a b",
            "/a\r\nx: y",
            "/a#b",
            "/é",
        ] {
            assert_eq!(inside(path), None, "{path:?}");
        }
        assert_eq!(
            address("http://127.0.0.1:9", "/user").unwrap(),
            "http://127.0.0.1:9/user"
        );
    }

    #[test]
    fn redirects_stay_below_the_base() {
        let base = Url::parse("https://code.example/api/v3/").unwrap();
        let below = |address: &str| is_below(&base, &Url::parse(address).unwrap());
        assert!(below("https://code.example/api/v3/repositories/7"));
        for address in [
            "http://code.example/api/v3/x",
            "https://code.example:444/api/v3/x",
            "https://evil.example/api/v3/x",
            "https://code.example/api/v33",
            "https://code.example/login",
            "https://a@code.example/api/v3/x",
        ] {
            assert!(!below(address), "{address}");
        }
    }

    #[test]
    fn answers_that_are_no_success_are_told_apart() {
        let answer = |status: u16, body: &'static str| Answer {
            status: StatusCode::from_u16(status).unwrap(),
            headers: HeaderMap::new(),
            body: Bytes::from_static(body.as_bytes()),
        };
        assert_eq!(answer(200, "{}").json().unwrap(), serde_json::json!({}));
        assert!(matches!(
            answer(200, "<html>").json(),
            Err(CodeHostError::Unexpected(_))
        ));
        assert!(matches!(answer(404, "{}").json(), Err(CodeHostError::NotFound)));
        assert!(matches!(answer(401, "{}").json(), Err(CodeHostError::Refused(_))));
        assert!(matches!(answer(503, "{}").json(), Err(CodeHostError::Unreachable(_))));
        assert!(matches!(answer(302, "{}").json(), Err(CodeHostError::Unexpected(_))));
    }
}
