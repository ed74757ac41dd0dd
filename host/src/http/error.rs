//! Error answers, `{ "error": "…" }`, and conversions of other errors to them.

use std::borrow::Cow;

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde_json::{Map, Value};

use crate::capabilities::trouble::Obstacle;
use crate::core::CoreError;
use crate::identity::Refusal;
use crate::storage::id::new_id;
use crate::storage::sites::Refused;

/// When something that the database could not do may be tried again, in seconds.
pub const RETRY_AFTER: HeaderValue = HeaderValue::from_static("2");
/// The same of the object store.
const RETRY_STORE_AFTER: HeaderValue = HeaderValue::from_static("30");
/// The field of an answer to a change of which nobody knows whether it was made: a program must not just repeat it.
const IN_DOUBT: &str = "inDoubt";

/// An error answer.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    message: Cow<'static, str>,
    fields: Map<String, Value>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl ApiError {
    /// An error with this status and message.
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            message: message.into(),
            fields: Map::new(),
            headers: Vec::new(),
        }
    }

    /// 400.
    pub fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// 403.
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// 404.
    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// 409.
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// 500: the cause goes to the log under an id, the answer shows only the id.
    pub fn internal(what: &str, cause: &dyn std::fmt::Display) -> Self {
        let id = new_id();
        tracing::error!(id, "{what}: {cause}");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("Something went wrong on the server (id {id})"),
        )
    }

    /// 503: the database of the servers does not answer, and nothing was changed.
    pub fn database_away() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "The server's database does not answer: try again in a moment",
        )
        .with_header(header::RETRY_AFTER, RETRY_AFTER)
    }

    /// 503: the database was lost in a commit. It is soon worth a look whether the change is there.
    pub fn in_doubt() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "The server's database was lost while this was saved: look whether it is there before you try again",
        )
        .with_header(header::RETRY_AFTER, RETRY_AFTER)
        .with_field(IN_DOUBT, true.into())
    }

    /// 503: what was in the way of a plugin's call.
    pub fn of_obstacle(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::InDoubt => Self::in_doubt(),
            Obstacle::Busy | Obstacle::Database => Self::database_away(),
            Obstacle::Store => Self::store_away(),
        }
    }

    fn store_away() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, Refused::Away.to_string())
            .with_header(header::RETRY_AFTER, RETRY_STORE_AFTER)
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// For people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The headers that were added.
    pub fn into_headers(self) -> Vec<(HeaderName, HeaderValue)> {
        self.headers
    }

    /// Adds a header.
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }
}

impl ApiError {
    /// Adds a field to the body.
    pub fn with_field(mut self, name: &str, value: Value) -> Self {
        self.fields.insert(name.to_owned(), value);
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut body = self.fields;
        body.insert("error".to_owned(), Value::String(self.message.into_owned()));
        let mut response = (self.status, Json(Value::Object(body))).into_response();
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            // RFC 9110, 15.5.2: a 401 names the expected credentials.
            headers.insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static("Bearer realm=\"galley\""),
            );
        }
        headers.extend(self.headers);
        response
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let mut error = Self::new(refusal.status, refusal.message);
        if refusal.status == StatusCode::SERVICE_UNAVAILABLE {
            error = error.with_header(header::RETRY_AFTER, RETRY_AFTER);
        }
        match refusal.key {
            Some(key) => error.with_field("key", key.into()),
            None => error,
        }
    }
}

/// For errors that a handler does not expect. The handler itself maps those that it expects.
impl From<CoreError> for ApiError {
    fn from(error: CoreError) -> Self {
        match error {
            CoreError::NotFound => Self::not_found("Not found"),
            error if error.is_passing() => {
                error.tell("the database could not be used");
                Self::database_away()
            }
            error if error.is_in_doubt() => {
                tracing::error!("a change may be saved or not: {error}");
                Self::in_doubt()
            }
            error => Self::internal("the core failed", &error),
        }
    }
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::TooLarge(message) => Self::new(StatusCode::PAYLOAD_TOO_LARGE, message),
            Refused::Bad(message) => Self::bad_request(message),
            Refused::Full(message) => Self::new(StatusCode::INSUFFICIENT_STORAGE, message),
            Refused::Away => Self::store_away(),
            Refused::Storage(reason) => Self::internal("an upload could not be stored", &reason),
            Refused::Aborted => Self::bad_request("The upload ended before it was complete"),
        }
    }
}
