//! How requests get to the store: by the client that the other rooms use, with its TLS.

use std::pin::Pin;
use std::time::Duration;

use http_body_util::BodyExt;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};

use crate::web;

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the store may be silent in a request: a part of an upload is sent, and answered, in this time.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(20);

/// The client.
#[derive(Debug, Clone)]
pub(super) struct Transport(reqwest::Client);

impl Transport {
    pub fn new() -> reqwest::Result<Self> {
        let client = web::client()
            .user_agent(web::AGENT)
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(SILENCE_TIMEOUT)
            // A request is signed for one address.
            .redirect(reqwest::redirect::Policy::none())
            // Objects are bytes: what the store says of their coding is no matter of the transport.
            .no_gzip()
            .no_brotli()
            .build()?;
        Ok(Self(client))
    }

    async fn send(client: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let address = parts.uri.to_string().parse();
        let address = address.map_err(|error| HttpError::new::<url::ParseError>(HttpErrorKind::Request, error))?;
        let mut outgoing = reqwest::Request::new(parts.method, address);
        *outgoing.headers_mut() = parts.headers;
        *outgoing.body_mut() = Some(match body.as_bytes() {
            Some(bytes) => bytes.clone().into(),
            None => reqwest::Body::wrap(body),
        });
        let answer = client.execute(outgoing).await.map_err(failure)?;
        let (parts, body) = http::Response::<reqwest::Body>::from(answer).into_parts();
        Ok(HttpResponse::from_parts(
            parts,
            HttpResponseBody::new(body.map_err(failure)),
        ))
    }
}

impl HttpService for Transport {
    // As `async_trait` writes it, without that crate.
    fn call<'s, 'f>(
        &'s self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        Box::pin(Self::send(self.0.clone(), request))
    }
}

impl HttpConnector for Transport {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

/// Only requests that failed before they were sent, or are harmless when sent twice, are tried again.
fn failure(error: reqwest::Error) -> HttpError {
    let kind = match &error {
        error if error.is_timeout() => HttpErrorKind::Timeout,
        error if error.is_connect() => HttpErrorKind::Connect,
        error if error.is_decode() => HttpErrorKind::Decode,
        // A kept connection that the store had closed, most of all.
        _ => HttpErrorKind::Interrupted,
    };
    HttpError::new(kind, error.without_url())
}
