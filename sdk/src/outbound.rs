//! Requests to the outside, with credentials that the plugin never sees. The plugin names a credential, or a host; the server
//! attaches what belongs to it and reaches that address, and no other. The manifest names the credentials and the hosts
//! ([`Plugin::host`](crate::Plugin::host), [`Plugin::host_with`](crate::Plugin::host_with)), and the operator approves them.
//!
//! ```
//! use galley_sdk::outbound::{self, Credential};
//! use galley_sdk::testing::{Outside, TestHost};
//! use galley_sdk::Plugin;
//! use serde_json::json;
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0").host("codehost-app"));
//! host.outside(|_| Outside::json(200, json!({ "name": "Galley" })));
//! let name = host.run(|| {
//!     let answer = outbound::get(&Credential::app(), "/app")?;
//!     answer.json::<serde_json::Value>()
//! });
//! assert_eq!(name.unwrap()["name"], "Galley");
//! assert_eq!(host.fetched()[0].path, "/app");
//! ```
//!
//! A host of the manifest, with the operator's secret:
//!
//! ```
//! use galley_sdk::outbound::{self, Credential};
//! use galley_sdk::testing::{Outside, TestHost};
//! use galley_sdk::Plugin;
//! use serde_json::json;
//!
//! let plugin = Plugin::new("demo", "1.0.0")
//!     .secret("token", "The token of api.example.com")
//!     .host_with("api.example.com", "token");
//! let host = TestHost::new(plugin);
//! host.outside(|_| Outside::json(200, json!({ "sent": true })));
//! let send = || outbound::post(&Credential::host("api.example.com"), "/v1/messages", &json!({ "text": "Hello" }));
//! assert_eq!(host.run(send).unwrap_err().code, "unconfigured");
//! host.configure_secret("token");
//! assert_eq!(host.run(send).unwrap().status, 200);
//! assert_eq!(host.run(|| outbound::get(&Credential::host("other.example.com"), "/")).unwrap_err().code, "denied");
//! ```

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use crate::bindings::galley::outbound::outbound::{Request, Response};

use crate::error::Problem;
use crate::host;

/// The name of a credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential(String);

impl Credential {
    /// The code host's access token of this request's caller: `codehost-caller`. The code is `not-linked` when they did not
    /// sign in through the code host.
    pub fn caller() -> Credential {
        Credential("codehost-caller".into())
    }

    /// The server's app at the code host: `codehost-app`. For the admin bearer and `system` calls only.
    pub fn app() -> Credential {
        Credential("codehost-app".into())
    }

    /// An installation of the app: `codehost-installation:ID`. For the admin bearer and `system` calls only.
    pub fn installation(id: u64) -> Credential {
        Credential(format!("codehost-installation:{id}"))
    }

    /// A host of the manifest: `api.example.com`.
    pub fn host(name: &str) -> Credential {
        Credential(name.into())
    }

    /// The name on the wire.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Asks for JSON at a path below the credential's base address, or of the host.
pub fn get(credential: &Credential, path: &str) -> Result<Response, Problem> {
    fetch(&Request::get(credential, path))
}

/// Sends JSON to a path below the credential's base address, or of the host, and asks for JSON.
pub fn post<T: Serialize + ?Sized>(credential: &Credential, path: &str, body: &T) -> Result<Response, Problem> {
    fetch(&Request::post(credential, path, body)?)
}

impl Request {
    /// A request for JSON.
    pub fn get(credential: &Credential, path: &str) -> Request {
        // The code host answers in its own form of JSON; others may not know that.
        let accept = match credential.0.starts_with("codehost-") {
            true => "application/vnd.github+json",
            false => "application/json",
        };
        Request {
            credential: credential.0.clone(),
            method: "GET".into(),
            path: path.into(),
            headers: vec![("accept".into(), accept.into())],
            body: Vec::new(),
        }
    }

    /// A request that sends JSON and asks for JSON.
    pub fn post<T: Serialize + ?Sized>(credential: &Credential, path: &str, body: &T) -> Result<Request, Problem> {
        let mut request = Request::get(credential, path);
        request.method = "POST".into();
        request.headers.push(("content-type".into(), "application/json".into()));
        request.body = serde_json::to_vec(body).map_err(|error| Problem {
            code: "bad-request".into(),
            message: format!("The body is not JSON: {error}"),
        })?;
        Ok(request)
    }
}

/// Sends several requests, which overlap, and waits for all: at most 16. The answers are in the order of the requests.
///
/// ```
/// use galley_sdk::outbound::{self, Credential, Request};
/// use galley_sdk::testing::{Outside, TestHost};
/// use galley_sdk::Plugin;
///
/// let host = TestHost::new(Plugin::new("demo", "1.0.0").host("api.example.com"));
/// host.outside(|request| Outside::text(200, &request.path));
/// let api = Credential::host("api.example.com");
/// let requests = ["/a", "/b"].map(|path| Request::get(&api, path));
/// let answers = host.run(|| outbound::fetch_all(&requests));
/// assert_eq!(answers[1].as_ref().unwrap().body, b"/b");
/// ```
pub fn fetch_all(requests: &[Request]) -> Vec<Result<Response, Problem>> {
    host::outbound::fetch_all(requests)
}

/// Sends any request and waits for the whole answer, whatever its status.
pub fn fetch(request: &Request) -> Result<Response, Problem> {
    host::outbound::fetch(request)
}

/// Encodes a text as one segment of a path: everything but letters, digits and `-._~` is percent-encoded.
///
/// ```
/// assert_eq!(galley_sdk::outbound::segment("a/b c"), "a%2Fb%20c");
/// ```
pub fn segment(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    // A segment of dots only would be resolved away.
    if encoded == "." || encoded == ".." {
        encoded.replace('.', "%2E")
    } else {
        encoded
    }
}

impl Response {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The body as JSON. The code is `unreachable` when it is not JSON, as when a proxy answered.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_json::from_slice(&self.body).map_err(|error| Problem {
            code: "unreachable".into(),
            message: format!("The answer has an unexpected shape: {error}"),
        })
    }

    /// Whether this page of a list has a next one.
    pub fn has_next_page(&self) -> bool {
        self.header("link").is_some_and(|links| links.contains("rel=\"next\""))
    }
}
