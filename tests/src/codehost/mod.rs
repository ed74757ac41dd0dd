//! A code host: a real server on this machine that speaks GitHub's OAuth and REST API as far as Galley uses them, and is
//! as strict as GitHub is. Signatures, codes, verifiers and scopes of tokens are checked, lists come in pages.
//!
//! ```no_run
//! use galley_tests::codehost::CodeHost;
//! use galley_tests::prelude::*;
//!
//! let host = CodeHost::start();
//! let server = host.configure(Server::build()).start();
//! host.sign_in_as("octo-ed");
//! ```
//!
//! | file | what it plays |
//! |---|---|
//! | `world.rs` | people, installations, repositories |
//! | `state.rs` | what was issued, what was asked, what shall fail |
//! | `oauth.rs` | `/login/oauth/…` |
//! | `api.rs` | the REST API for user and installation tokens |
//! | `app.rs` | the REST API for the app itself |
//! | `git.rs` | repositories over smart HTTP |
//! | `delivery.rs` | what it tells about pushes |
//! | `examples.rs` | what GitHub itself tells, about everything |
//! | `journey.rs` | a browser on its way from the server to the host and back |
//!
//! What is deliberately absent: any knowledge of Galley apart from the names of its variables.
#![allow(
    clippy::result_large_err,
    reason = "the error of a handler is its answer, and nothing here is in a hurry"
)]

mod api;
mod app;
pub mod delivery;
pub mod examples;
mod git;
pub mod journey;
mod oauth;
mod paging;
mod router;
mod state;
pub mod world;

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use rsa::pkcs1::EncodeRsaPrivateKey;
use rsa::pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding};

use crate::server::Build;

pub use delivery::Delivery;
pub use git::WorkingCopy;
pub use journey::Journey;
pub use state::{Failure, InstallationToken, Recorded, State};
pub use world::{Installation, Person, Repository, World};

/// The OAuth client's id.
pub const CLIENT_ID: &str = "Iv1.c0ffee0123456789";
/// The OAuth client's secret.
pub const CLIENT_SECRET: &str = "client-secret-of-the-code-host-double";
/// The app's id.
pub const APP_ID: &str = "424242";
/// The app's name in addresses.
pub const APP_SLUG: &str = "galley-review";
/// The secret that signs deliveries: the one of GitHub's documentation.
pub const WEBHOOK_SECRET: &str = "It's a Secret to Everybody";
/// Where the API is, below the host's address: as on GitHub Enterprise, so that a base with a path is tested.
pub const API_PATH: &str = "/api/v3";

/// A running code host. Dropped, it ends.
#[derive(Debug)]
pub struct CodeHost {
    address: SocketAddr,
    state: Arc<State>,
    /// Ends the server with the host.
    _runtime: Runtime,
}

#[derive(Debug)]
struct Runtime(Option<tokio::runtime::Runtime>);

impl Drop for Runtime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // Answers that hang on purpose are not waited for.
            runtime.shutdown_background();
        }
    }
}

impl CodeHost {
    /// A code host with the people and repositories of [`World::default`].
    pub fn start() -> CodeHost {
        CodeHost::with(World::default())
    }

    /// A code host with another world.
    pub fn with(world: World) -> CodeHost {
        CodeHost::at("127.0.0.1", world)
    }

    /// A code host on another address of this machine: another host, to programs that compare names.
    pub fn at(address: &str, world: World) -> CodeHost {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind((address, 0)))
            .expect("a port");
        let address = listener.local_addr().expect("it is bound");
        let state = Arc::new(State::new(world, address, &keys().public));
        let router = router::router(state.clone());
        runtime.spawn(async move { axum::serve(listener, router).await });
        CodeHost {
            address,
            state,
            _runtime: Runtime(Some(runtime)),
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address for browsers and git.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The base of its API.
    pub fn api_url(&self) -> String {
        format!("{}{API_PATH}", self.url())
    }

    /// What it knows: issued tokens, recorded requests, failures to come.
    pub fn state(&self) -> &Arc<State> {
        &self.state
    }

    /// Sets every variable of a server that uses this host: sign-in, repositories, and the secret of deliveries.
    pub fn configure(&self, build: Build) -> Build {
        self.configure_repositories(self.configure_sign_in(build))
            .env("SERVICE_REPO_APP_WEBHOOK_SECRET", WEBHOOK_SECRET)
    }

    /// Sets the group "sign-in" only.
    pub fn configure_sign_in(&self, build: Build) -> Build {
        self.addresses(build)
            .env("SERVICE_CODEHOST_CLIENT_ID", CLIENT_ID)
            .env("SERVICE_CODEHOST_CLIENT_SECRET", CLIENT_SECRET)
    }

    /// Sets the group "repositories" only.
    pub fn configure_repositories(&self, build: Build) -> Build {
        self.addresses(build)
            .env("SERVICE_REPO_APP_ID", APP_ID)
            .env("SERVICE_REPO_APP_SLUG", APP_SLUG)
            .env("SERVICE_REPO_APP_PRIVATE_KEY", private_key())
    }

    fn addresses(&self, build: Build) -> Build {
        build
            .env("SERVICE_CODEHOST_URL", self.url())
            .env("SERVICE_CODEHOST_API_URL", self.api_url())
    }

    /// Who approves the next sign-ins, by login.
    #[track_caller]
    pub fn sign_in_as(&self, login: &str) {
        self.state.sign_in_as(login);
    }

    /// Changes people, installations or repositories.
    pub fn edit(&self, edit: impl FnOnce(&mut World)) {
        self.state.edit(edit);
    }

    /// Makes every request whose path starts with `path` fail; paths of the API are given without [`API_PATH`].
    pub fn fail(&self, path: &str, failure: Failure) {
        self.state.fail(path, failure);
    }

    /// Ends all failures.
    pub fn recover(&self) {
        self.state.recover();
    }

    /// What was asked so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.state.requests()
    }

    /// Every secret it issued or shares with the server: none may be found where it does not belong.
    pub fn secrets(&self) -> Vec<String> {
        let mut secrets = self.state.issued();
        secrets.extend([CLIENT_SECRET, WEBHOOK_SECRET].map(str::to_owned));
        // One line of the key's middle is enough to know it by.
        secrets.extend(private_key().lines().nth(5).map(str::to_owned));
        secrets
    }
}

/// The same key in the other form of PEM, PKCS #8.
pub fn private_key_pkcs8() -> &'static str {
    &keys().pkcs8
}

/// The app's private key, as PEM in the form of PKCS #1, as GitHub gives it.
pub fn private_key() -> &'static str {
    &keys().private
}

struct Keys {
    private: String,
    pkcs8: String,
    public: String,
}

/// Made when first needed, and shared by all hosts of a test program.
fn keys() -> &'static Keys {
    static KEYS: OnceLock<Keys> = OnceLock::new();
    KEYS.get_or_init(|| {
        let key = rsa::RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048).expect("a key");
        let private = key.to_pkcs1_pem(LineEnding::LF).expect("a key has a text");
        let public = key.to_public_key().to_public_key_pem(LineEnding::LF);
        Keys {
            private: private.to_string(),
            pkcs8: key.to_pkcs8_pem(LineEnding::LF).expect("a key has a text").to_string(),
            public: public.expect("a key has a text"),
        }
    })
}
