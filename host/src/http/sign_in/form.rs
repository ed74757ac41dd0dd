//! The fields of the sign-in forms, sent by pages as a form and by programs as JSON.

use std::collections::HashMap;

use axum::body::Body;
use galley_people::{email, name};
use http::{HeaderMap, Request, header};

use crate::http::body;
use crate::http::error::ApiError;
use crate::http::json::JsonBody;

/// The fields of a body by name, as they were sent.
pub struct Form {
    fields: HashMap<String, String>,
    /// Whether a program sent it.
    pub is_json: bool,
}

/// A field with a bad value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// `email` is not an address.
    Email,
    /// `displayName` is not a name.
    Name,
}

impl Wrong {
    /// The error with the field's name in the API.
    pub fn for_programs(self) -> ApiError {
        ApiError::bad_request(match self {
            Self::Email => "`email` must be an email address",
            Self::Name => "`displayName` must have 1 to 100 characters, and no control characters",
        })
    }

    /// The text beside the field.
    pub fn for_people(self) -> &'static str {
        match self {
            Self::Email => "Enter an email address, such as ana@example.org",
            Self::Name => "Enter a name of 1 to 100 characters",
        }
    }
}

impl Form {
    /// Reads the page's form, or the same fields of a JSON object. Malformed JSON and a wrong type are a 400.
    pub async fn receive(headers: &HeaderMap, body: Body, names: &[&str]) -> Result<Self, ApiError> {
        let bytes = body::receive_json(headers, body).await?;
        let content_type = headers.get(header::CONTENT_TYPE);
        let is_json = content_type.is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
        let mut fields = HashMap::new();
        if is_json {
            let object = JsonBody::parse(&bytes)?;
            for name in names {
                fields.insert((*name).to_owned(), object.exact_text(name)?.unwrap_or_default());
            }
        } else {
            let pairs = url::form_urlencoded::parse(&bytes);
            let known = pairs.filter(|(name, _)| names.contains(&name.as_ref()));
            fields.extend(known.map(|(name, value)| (name.into_owned(), value.into_owned())));
        }
        Ok(Self { fields, is_json })
    }

    /// A field as it was sent; empty when it was not.
    pub fn text(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// The address in `email`.
    pub fn email(&self) -> Result<String, Wrong> {
        email::parse(self.text("email")).ok_or(Wrong::Email)
    }

    /// The name in `displayName`.
    pub fn display_name(&self) -> Result<String, Wrong> {
        name::checked(self.text("displayName")).ok_or(Wrong::Name)
    }

    /// The name in `displayName`, when there is one.
    pub fn optional_name(&self) -> Result<Option<String>, Wrong> {
        if self.text("displayName").trim().is_empty() {
            return Ok(None);
        }
        self.display_name().map(Some)
    }
}

/// A request, taken apart for a handler that looks at its head first.
pub fn apart(request: Request<Body>) -> (HeaderMap, Body) {
    let (parts, body) = request.into_parts();
    (parts.headers, body)
}
