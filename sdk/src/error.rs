//! The error of a handler. It becomes the specification's `{ "error": "…" }` with its status.
//!
//! Handlers return an [`Error`], made by the constructor for its status. Host functions return a [`Problem`], which `?` turns
//! into an [`Error`]. The client never sees a cause: it goes to the operator's log.
//!
//! ```
//! use galley_sdk::{Error, Problem};
//!
//! fn load(id: &str) -> Result<String, Error> {
//!     if id == "1" { Ok("one".into()) } else { Err(Error::not_found("No such thing")) }
//! }
//! assert_eq!(load("2").unwrap_err().status(), 404);
//!
//! let problem = Problem { code: "sql".into(), message: "no such table: things".into() };
//! let error = Error::from(problem);
//! assert_eq!((error.status(), error.message()), (500, "Something went wrong on the server"));
//! ```

use std::borrow::Cow;
use std::fmt;

pub use crate::bindings::galley::errors::errors::Problem;

/// What handlers return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A refusal or a failure: what the client reads, and the cause, which only the operator reads.
pub struct Error {
    status: u16,
    message: Cow<'static, str>,
    /// Further members of the body, beside `error`.
    fields: Vec<(&'static str, serde_json::Value)>,
    /// The code of the problem it was made from; empty otherwise.
    code: Cow<'static, str>,
    cause: Option<String>,
}

impl Error {
    /// An error with any status.
    pub fn new(status: u16, message: impl Into<Cow<'static, str>>) -> Error {
        Error {
            status,
            message: message.into(),
            fields: Vec::new(),
            code: Cow::Borrowed(""),
            cause: None,
        }
    }

    /// 400: the request is malformed or breaks a rule.
    pub fn bad_request(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(400, message)
    }

    /// 401: the caller is not signed in.
    pub fn unauthorized(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(401, message)
    }

    /// 403: the caller has no right to do this.
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(403, message)
    }

    /// 404: there is no such thing, or the caller may not know of it.
    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(404, message)
    }

    /// 409: impossible in the resource's present state.
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(409, message)
    }

    /// 503: temporarily impossible, or not configured.
    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(503, message)
    }

    /// 500. `cause` goes to the operator's log; the client reads a general sentence with the request's id.
    pub fn internal(cause: impl fmt::Display) -> Error {
        Error {
            cause: Some(cause.to_string()),
            ..Error::new(500, "Something went wrong on the server")
        }
    }

    /// Adds a member to the body, beside `error`.
    pub fn with(mut self, name: &'static str, value: impl Into<serde_json::Value>) -> Error {
        self.fields.push((name, value.into()));
        self
    }

    /// The status of the answer.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The sentence the client reads.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Status, body, and the cause for the operator's log.
    pub(crate) fn into_parts(self) -> (u16, serde_json::Value, Option<String>) {
        let mut body = serde_json::Map::new();
        body.insert("error".into(), self.message.into_owned().into());
        body.extend(self.fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
        (self.status, body.into(), self.cause)
    }

    /// Whether it was made from a [`Problem`] with this code.
    pub fn is(&self, code: &str) -> bool {
        self.code == code
    }
}

impl Problem {
    /// Whether this is the problem `code` (`constraint`, `expectation`, `not-found` …).
    ///
    /// ```
    /// # use galley_sdk::Problem;
    /// assert!(Problem { code: "exists".into(), message: String::new() }.is("exists"));
    /// ```
    pub fn is(&self, code: &str) -> bool {
        self.code == code
    }
}

/// `denied` becomes 403; `limit` and `interrupted` become 503; every other code becomes 500, as a fault of the plugin or the
/// host. The handler itself maps the codes that have a meaning for its route (`constraint`, `not-found`).
impl From<Problem> for Error {
    fn from(problem: Problem) -> Error {
        let mut error = match problem.code.as_str() {
            "denied" => Error::forbidden(problem.message),
            "limit" | "interrupted" => Error {
                cause: Some(format!("{}: {}", problem.code, problem.message)),
                ..Error::unavailable("The server is busy; try again")
            },
            code => Error::internal(format_args!("{code}: {}", problem.message)),
        };
        error.code = problem.code.into();
        error
    }
}

/// For event and start handlers, which return a [`Problem`]: its message is the cause, or the error's message without one.
impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let code = if error.code.is_empty() {
            "internal".into()
        } else {
            error.code.into_owned()
        };
        Problem {
            code,
            message: error.cause.unwrap_or_else(|| error.message.into_owned()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("status", &self.status)
            .field("message", &self.message)
            .field("code", &self.code)
            .field("cause", &self.cause)
            .finish()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
