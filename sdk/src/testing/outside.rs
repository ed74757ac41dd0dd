//! Answers to outbound requests, for [`TestHost::outside`](super::TestHost::outside).

use crate::error::Problem;
use crate::outbound::Response;

/// Makes answers.
#[derive(Debug, Clone, Copy)]
pub struct Outside;

impl Outside {
    /// An answer with a JSON body.
    pub fn json(status: u16, body: serde_json::Value) -> Result<Response, Problem> {
        Ok(Response {
            status,
            headers: vec![("content-type".into(), "application/json".into())],
            body: body.to_string().into_bytes(),
        })
    }

    /// A page of a list that has a next page.
    pub fn page(body: serde_json::Value) -> Result<Response, Problem> {
        let mut answer = Outside::json(200, body)?;
        answer
            .headers
            .push(("link".into(), "<http://outside.test/?page=2>; rel=\"next\"".into()));
        Ok(answer)
    }

    /// An answer that is not JSON.
    pub fn text(status: u16, body: &str) -> Result<Response, Problem> {
        Ok(Response {
            status,
            headers: vec![("content-type".into(), "text/html".into())],
            body: body.as_bytes().to_vec(),
        })
    }

    /// The host's own refusal.
    pub fn problem(code: &str) -> Result<Response, Problem> {
        super::problem(code, format!("The outside says {code}"))
    }
}
