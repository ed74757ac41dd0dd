//! Who makes a request. Every caller has the same few methods, so that a test reads alike for all of them.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::Value;

use crate::http::{Request, Response};
use crate::sse::EventStream;

/// What a caller shows to be let in.
#[derive(Debug, Clone)]
pub enum Credential {
    /// Nothing.
    None,
    /// A browser's session: the whole `Cookie` header.
    Cookie(String),
    /// A bearer: a personal access token or the admin token.
    Bearer(String),
}

/// One caller.
#[derive(Debug, Clone)]
pub struct Client {
    server: SocketAddr,
    from: Option<Ipv4Addr>,
    credential: Credential,
}

impl Client {
    /// A caller of `server`.
    pub fn new(server: SocketAddr, credential: Credential) -> Client {
        Client {
            server,
            from: None,
            credential,
        }
    }

    /// The same caller at another loopback address, which is another client for the server's limits.
    pub fn at(&self, address: [u8; 4]) -> Client {
        Client {
            from: Some(address.into()),
            ..self.clone()
        }
    }

    /// The credential.
    pub fn credential(&self) -> &Credential {
        &self.credential
    }

    /// The value of the bearer or cookie.
    pub fn secret(&self) -> &str {
        match &self.credential {
            Credential::None => "",
            Credential::Cookie(secret) | Credential::Bearer(secret) => secret,
        }
    }

    /// A request of this caller, for tests that need a say in its headers.
    pub fn request(&self, method: &str, target: &str) -> Request {
        let mut request = Request::new(self.server, method, target);
        request.from = self.from;
        match &self.credential {
            Credential::None => request,
            Credential::Bearer(token) => request.header("authorization", format!("Bearer {token}")),
            // A browser names its origin with everything but a GET.
            Credential::Cookie(cookie) if matches!(method, "GET" | "HEAD") => request.header("cookie", cookie),
            Credential::Cookie(cookie) => request
                .header("cookie", cookie)
                .header("origin", format!("http://{}", self.server)),
        }
    }

    /// GET.
    #[track_caller]
    pub fn get(&self, target: &str) -> Response {
        self.request("GET", target).send()
    }

    /// HEAD.
    #[track_caller]
    pub fn head(&self, target: &str) -> Response {
        self.request("HEAD", target).send()
    }

    /// POST with a JSON body.
    #[track_caller]
    pub fn post(&self, target: &str, body: Value) -> Response {
        self.request("POST", target).json(&body).send()
    }

    /// POST of a page's form, as a browser sends it.
    #[track_caller]
    pub fn submit(&self, target: &str, form: &str) -> Response {
        self.form(target, form).send()
    }

    /// The same, for tests that need a say in its headers.
    pub fn form(&self, target: &str, form: &str) -> Request {
        self.request("POST", target)
            .header("origin", format!("http://{}", self.server))
            .header("accept", "text/html,application/xhtml+xml")
            .header("sec-fetch-dest", "document")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form)
    }

    /// GET as a browser opens a page.
    #[track_caller]
    pub fn open(&self, target: &str) -> Response {
        self.request("GET", target)
            .header("accept", "text/html,application/xhtml+xml")
            .header("sec-fetch-dest", "document")
            .send()
    }

    /// PUT with a JSON body.
    #[track_caller]
    pub fn put(&self, target: &str, body: Value) -> Response {
        self.request("PUT", target).json(&body).send()
    }

    /// PATCH with a JSON body.
    #[track_caller]
    pub fn patch(&self, target: &str, body: Value) -> Response {
        self.request("PATCH", target).json(&body).send()
    }

    /// DELETE.
    #[track_caller]
    pub fn delete(&self, target: &str) -> Response {
        self.request("DELETE", target).send()
    }

    /// Opens a stream of server-sent events.
    ///
    /// # Panics
    /// When the answer is not one.
    #[track_caller]
    pub fn stream(&self, target: &str) -> EventStream {
        match EventStream::open(&self.request("GET", target)) {
            Ok(stream) => stream,
            Err(refusal) => panic!("GET {target} opened no stream: {}{}", refusal.head, refusal.text()),
        }
    }
}
