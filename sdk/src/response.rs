//! What a handler returns.
//!
//! ```
//! use galley_sdk::{IntoResponse, Json, NoContent, Status};
//!
//! let answer = (Status::CREATED, Json(["a", "b"])).into_response();
//! assert_eq!((answer.status, answer.body.as_slice()), (201, br#"["a","b"]"#.as_slice()));
//! assert_eq!(NoContent.into_response().status, 204);
//! ```

use serde::Serialize;

use crate::error::Error;
use crate::extract::Json;
use crate::host;

/// An answer, ready to be sent. Most handlers return a type that is turned into one by [`IntoResponse`].
#[derive(Debug, Default)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// Names and values. The host adds length, date and encoding.
    pub headers: Vec<(String, String)>,
    /// The bytes; ignored when there is a tail.
    pub body: Vec<u8>,
    pub(crate) tail: Option<host::http::Tail>,
    /// A failure of the plugin: the dispatcher names the request in its body.
    pub(crate) failed: bool,
}

impl Response {
    /// An answer without a body.
    pub fn empty(status: u16) -> Response {
        Response {
            status,
            ..Response::default()
        }
    }

    /// An answer whose body is JSON already.
    pub fn json(status: u16, body: Vec<u8>) -> Response {
        Response {
            status,
            body,
            ..Response::default()
        }
        .header("content-type", "application/json")
    }

    /// Adds a header.
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Response {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

/// An HTTP status before a body: `(Status::CREATED, Json(thing))`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status(pub u16);

impl Status {
    /// 200.
    pub const OK: Status = Status(200);
    /// 201.
    pub const CREATED: Status = Status(201);
    /// 202.
    pub const ACCEPTED: Status = Status(202);
}

/// 204, without a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoContent;

/// Types that can be turned into an answer.
pub trait IntoResponse {
    /// Makes the answer. When that fails, the failure is the answer.
    fn into_response(self) -> Response;
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let (status, body, cause) = self.into_parts();
        if let Some(cause) = cause {
            crate::log::error(&cause);
        }
        let mut response = Response::json(status, body.to_string().into_bytes());
        response.failed = status == 500;
        response
    }
}

impl IntoResponse for Response {
    fn into_response(self) -> Response {
        self
    }
}

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        Response::empty(204)
    }
}

impl IntoResponse for Status {
    fn into_response(self) -> Response {
        Response::empty(self.0)
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match crate::json::to_vec(&self.0) {
            Ok(body) => Response::json(200, body),
            Err(error) => Error::internal(error).into_response(),
        }
    }
}

/// The status replaces that of a successful answer; an answer that failed keeps its own.
impl<T: IntoResponse> IntoResponse for (Status, T) {
    fn into_response(self) -> Response {
        let mut response = self.1.into_response();
        if response.status < 400 {
            response.status = self.0.0;
        }
        response
    }
}

impl<T: IntoResponse, E: Into<Error>> IntoResponse for Result<T, E> {
    fn into_response(self) -> Response {
        match self {
            Ok(value) => value.into_response(),
            Err(error) => error.into().into_response(),
        }
    }
}
