//! What a request brings: JSON bodies and queries, with errors that name the key.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use http::Uri;
use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::code::Code;
use super::error::ApiError;

/// What an edit, or a file of the code view, may weigh.
pub(super) const MAX_BODY: usize = 8 << 20;

/// A body that is JSON, whatever its content type says.
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, ApiError> {
        let bytes = read(request.into_body(), MAX_BODY).await?;
        parse(&bytes).map(Self)
    }
}

/// A body that may be absent: then the request reads.
pub(super) struct Maybe<T>(pub(super) Option<T>);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Maybe<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, ApiError> {
        let bytes = read(request.into_body(), MAX_BODY).await?;
        if bytes.is_empty() {
            return Ok(Self(None));
        }
        parse(&bytes).map(|value| Self(Some(value)))
    }
}

/// All of a body, when it is not larger than allowed.
pub(super) async fn read(body: Body, largest: usize) -> Result<bytes::Bytes, ApiError> {
    axum::body::to_bytes(body, largest).await.map_err(|error| {
        let too_large =
            std::error::Error::source(&error).is_some_and(|source| source.is::<http_body_util::LengthLimitError>());
        if too_large {
            let reason = format!("The body is larger than {} MiB", largest >> 20);
            ApiError::new(Code::TooLarge, reason)
        } else {
            ApiError::bad_request("The body could not be read to its end")
        }
    })
}

/// JSON as a type; the error names the first key that does not fit.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| describe(&error))?;
    match deserializer.end() {
        Ok(()) => Ok(value),
        Err(error) => Err(ApiError::bad_request(format!("The body is not valid JSON: {error}"))),
    }
}

fn describe(error: &serde_path_to_error::Error<serde_json::Error>) -> ApiError {
    let path = error.path().to_string();
    let inner = error.inner();
    if !inner.is_data() {
        return ApiError::bad_request(format!("The body is not valid JSON: {inner}"));
    }
    if path == "." {
        return ApiError::bad_request(format!("The body does not fit: {inner}"));
    }
    ApiError::bad_request(format!("`{path}`: {inner}")).with("key", path)
}

/// A JSON value as a type.
pub(super) fn fit<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    serde_path_to_error::deserialize(value).map_err(|error| describe(&error))
}

/// The query of an address, decoded. The last of several values counts.
pub(super) struct Query(BTreeMap<String, String>);

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.uri))
    }
}

impl Query {
    fn of(uri: &Uri) -> Self {
        let query = uri.query().unwrap_or_default();
        Self(url::form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    /// A value; an empty one is none.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// A value that is understood.
    pub(super) fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(&self, key: &str) -> Result<Option<T>, ApiError> {
        let parse = |value: &str| {
            value
                .parse()
                .map_err(|error| ApiError::bad_request(format!("`{key}`: {error}")).with("key", key))
        };
        self.get(key).map(parse).transpose()
    }

    /// A value that must be there.
    pub(super) fn require<T: std::str::FromStr<Err: std::fmt::Display>>(&self, key: &str) -> Result<T, ApiError> {
        let missing = || ApiError::bad_request(format!("`{key}` is missing in the address")).with("key", key);
        self.parse(key)?.ok_or_else(missing)
    }
}
