//! JSON bodies of the host's own routes.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use galley_people::name::is_disruptive;
use serde_json::{Map, Value};

use super::error::ApiError;
use super::{App, body};
use crate::identity::{self, Caller};

/// A body that has not been read yet, because the caller's rights are checked first.
pub struct Unread {
    app: Arc<App>,
    request: Request<Body>,
}

impl FromRequest<Arc<App>> for Unread {
    type Rejection = Infallible;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(Self {
            app: app.clone(),
            request,
        })
    }
}

impl Unread {
    /// Reads the body of a caller whom `admit` lets pass. It is asked again behind the body, of the caller as they are by then:
    /// a body takes its sender's time, and rights end meanwhile.
    pub async fn json(
        self,
        caller: &Caller,
        admit: impl Fn(&Caller) -> Result<(), ApiError>,
    ) -> Result<(JsonBody, Caller), ApiError> {
        admit(caller)?;
        let (parts, body) = self.request.into_parts();
        let bytes = body::receive_json(&parts.headers, body).await?;
        let caller = identity::authenticate_again(&self.app.core, &self.app.config, &parts.headers).await?;
        admit(&caller)?;
        Ok((JsonBody::parse(&bytes)?, caller))
    }
}

/// A body that is one JSON object, whatever its content type says. Fields are taken one by one; unknown ones are
/// ignored, a wrong type is a 400 that names the field.
pub struct JsonBody(Map<String, Value>);

impl JsonBody {
    /// Parses a body.
    pub fn parse(bytes: &[u8]) -> Result<Self, ApiError> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err(ApiError::bad_request("The body must be a JSON object")),
            Err(error) => Err(ApiError::bad_request(format!("The body is not valid JSON: {error}"))),
        }
    }

    /// The field, with `null` as absent.
    fn field(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// Whether the field is there, `null` included.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The names of all fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// A text, trimmed.
    pub fn text(&self, name: &str) -> Result<Option<String>, ApiError> {
        Ok(self.exact_text(name)?.map(|text| text.trim().to_owned()))
    }

    /// A text as it was sent.
    pub fn exact_text(&self, name: &str) -> Result<Option<String>, ApiError> {
        match self.field(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(ApiError::bad_request(format!("`{name}` must be a string"))),
        }
    }

    /// A text that must be there, of `1..=max` characters after trimming.
    pub fn required_text(&self, name: &str, max: usize) -> Result<String, ApiError> {
        let text = self.text(name)?.unwrap_or_default();
        match text.chars().count() {
            0 => Err(ApiError::bad_request(format!("`{name}` is required"))),
            length if length > max => Err(ApiError::bad_request(format!(
                "`{name}` has {length} characters, at most {max} are allowed"
            ))),
            _ => Ok(text),
        }
    }

    /// A name that must be there: a text of one line, without characters that turn how the text around it reads.
    pub fn required_name(&self, name: &str, max: usize) -> Result<String, ApiError> {
        let text = self.required_text(name, max)?;
        match text.chars().any(is_disruptive) {
            true => Err(ApiError::bad_request(format!(
                "`{name}` must be one line, without characters that turn its direction"
            ))),
            false => Ok(text),
        }
    }

    /// An object.
    pub fn object(&self, name: &str) -> Result<Option<Self>, ApiError> {
        match self.field(name) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(Self(fields.clone()))),
            Some(_) => Err(ApiError::bad_request(format!("`{name}` must be an object"))),
        }
    }

    /// `true` or `false`.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, ApiError> {
        let wrong = || ApiError::bad_request(format!("`{name}` must be true or false"));
        self.field(name)
            .map(|value| value.as_bool().ok_or_else(wrong))
            .transpose()
    }

    /// A whole number.
    pub fn integer(&self, name: &str) -> Result<Option<i64>, ApiError> {
        let wrong = || ApiError::bad_request(format!("`{name}` must be a whole number"));
        self.field(name)
            .map(|value| value.as_i64().ok_or_else(wrong))
            .transpose()
    }

    /// A list of texts.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>, ApiError> {
        let wrong = || ApiError::bad_request(format!("`{name}` must be a list of strings"));
        let Some(value) = self.field(name) else { return Ok(None) };
        let items = value.as_array().ok_or_else(wrong)?.iter();
        items
            .map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong))
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_checked_by_name() {
        let body = JsonBody::parse(br#"{"a":" x ","n":3,"l":["y"],"z":null,"f":1.5}"#).unwrap_or_else(|_| panic!());
        assert_eq!(body.required_text("a", 1).unwrap_or_default(), "x");
        assert_eq!(body.integer("n").unwrap_or_default(), Some(3));
        assert_eq!(body.texts("l").unwrap_or_default(), Some(vec!["y".to_owned()]));
        assert!(body.text("z").is_ok_and(|z| z.is_none()) && body.has("z"));
        assert!(body.text("n").is_err() && body.integer("f").is_err() && body.texts("a").is_err());
        assert!(body.required_text("missing", 5).is_err());
        assert!(JsonBody::parse(b"[1]").is_err() && JsonBody::parse(b"{\"a\":\"\xff\"}").is_err());
    }
}
