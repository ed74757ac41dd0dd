//! Requests to the outside, with credentials that the plugin never sees. The plugin names a credential; the host attaches it
//! and reaches the address that belongs to it, and no other. The manifest names the credentials ([`Plugin::host`](crate::Plugin::host)),
//! and the operator approves them.
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

    /// The name on the wire.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Asks for JSON at a path below the credential's base address.
pub fn get(credential: &Credential, path: &str) -> Result<Response, Problem> {
    fetch(&Request {
        credential: credential.0.clone(),
        method: "GET".into(),
        path: path.into(),
        headers: vec![("accept".into(), "application/vnd.github+json".into())],
        body: Vec::new(),
    })
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
