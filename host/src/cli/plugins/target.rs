//! Whom a command asks: the running server, over its control socket, or this process where no server runs.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::data_folder::check;
use crate::accounts::Actor;
use crate::cli::boot;
use crate::cli::control::{self, ARTIFACTS, OPERATIONS, Reached, Staged};
use crate::config::Config;
use crate::core::CoreError;
use crate::http::OWN_PATHS;
use crate::plugins::engine;
use crate::plugins::loader::Loader;
use crate::plugins::operations::{Kind, Operations, Outcome, Refused, Request};
use crate::storage::data_folder::FolderError;
use crate::web;

/// How long a server that uses the folder may take to open its control socket: it compiles its plugins first.
const BOOT_TIMEOUT: Duration = Duration::from_secs(60);
/// How often it is tried.
const BOOT_INTERVAL: Duration = Duration::from_millis(100);

/// Whom a command asks.
pub enum Target {
    /// The server.
    Server(Server),
    /// Nobody else uses the data folder.
    Apart(Apart),
}

/// A running server.
pub struct Server {
    http: reqwest::blocking::Client,
    folder: String,
    /// The socket's path is good as long as this lives.
    _reached: Reached,
}

/// The same operations in this process.
pub struct Apart {
    runtime: tokio::runtime::Runtime,
    operations: Arc<Operations>,
}

impl Target {
    /// Finds the server of the data folder, or locks the folder.
    pub fn open(config: Config) -> anyhow::Result<Self> {
        check(&config)?;
        let config = Arc::new(config);
        let until = Instant::now() + BOOT_TIMEOUT;
        loop {
            if let Some(server) = server(&config)? {
                return Ok(Self::Server(server));
            }
            match apart(&config) {
                Ok(apart) => return Ok(Self::Apart(apart)),
                Err(error) if is_in_use(&error) && Instant::now() < until => std::thread::sleep(BOOT_INTERVAL),
                Err(error) if is_in_use(&error) => bail!(
                    "a server uses {} and does not answer at {}: end it, or look into its log (SERVICE_DATA_DIR names the \
                     folder)",
                    config.data_dir.display(),
                    control::path(&config.data_dir).display()
                ),
                Err(error) => return Err(error),
            }
        }
    }

    /// Stores an artifact; the answer is its hash.
    pub fn stage(&self, name: &str, wasm: Vec<u8>) -> Result<String, Refused> {
        match self {
            Self::Server(server) => {
                let request = server.http.post(format!("{BASE}{ARTIFACTS}"));
                let staged: Staged = server.send(request.query(&[("name", name)]).body(wasm))?;
                Ok(staged.sha256)
            }
            Self::Apart(apart) => apart.runtime.block_on(apart.operations.stage(name, wasm)),
        }
    }

    /// Runs one operation to its end.
    pub fn run(&self, request: &Request) -> Result<Outcome, Refused> {
        match self {
            Self::Server(server) => server.run(request),
            Self::Apart(apart) => apart
                .runtime
                .block_on(apart.operations.run(request.clone(), Actor::System)),
        }
    }
}

/// The address is only for the form: the socket leads to the server.
const BASE: &str = "http://galley";

impl Server {
    /// Runs one operation to its end.
    pub fn run(&self, request: &Request) -> Result<Outcome, Refused> {
        self.send(self.http.post(format!("{BASE}{OPERATIONS}")).json(request))
    }

    fn send<T: serde::de::DeserializeOwned>(&self, request: reqwest::blocking::RequestBuilder) -> Result<T, Refused> {
        let gone = |error: reqwest::Error| {
            let message = format!(
                "the server of {} is gone, and the outcome is not known: `galley plugins list` says what is there \
                 (SERVICE_DATA_DIR names the folder; {})",
                self.folder,
                error.without_url()
            );
            Refused::new(Kind::Failed, message)
        };
        let answer = request.send().map_err(gone)?;
        match answer.status().is_success() {
            true => answer.json().map_err(gone),
            false => Err(answer.json::<Refused>().unwrap_or_else(gone)),
        }
    }
}

/// The server of the data folder, if one answers. What a killed server left of its socket is no error.
pub fn server(config: &Config) -> anyhow::Result<Option<Server>> {
    let path = control::path(&config.data_dir);
    let reached = control::reach(&config.data_dir);
    match std::os::unix::net::UnixStream::connect(reached.path()) {
        Ok(_) => {}
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(error) => {
            return Err(error).with_context(|| {
                format!(
                    "the server cannot be asked at {}: run this as the server's user (SERVICE_DATA_DIR names the folder)",
                    path.display()
                )
            });
        }
    }
    let http = web::blocking_client()
        .unix_socket(reached.path())
        // There is no TLS on the socket, and the system's certificates take longer to read than the answer.
        .tls_certs_only([])
        // A plugin can compile for minutes.
        .timeout(None)
        .build()?;
    Ok(Some(Server {
        http,
        folder: config.data_dir.display().to_string(),
        _reached: reached,
    }))
}

fn apart(config: &Arc<Config>) -> anyhow::Result<Apart> {
    let runtime = boot::runtime()?;
    let operations = runtime.block_on(async {
        let services = Arc::new(boot::open(config).await?);
        let engine = engine::engine().map_err(anyhow::Error::msg)?;
        let loader = Arc::new(Loader::new(services, engine, OWN_PATHS)?);
        Ok::<_, anyhow::Error>(Arc::new(Operations::apart(loader).await?))
    })?;
    Ok(Apart { runtime, operations })
}

fn is_in_use(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        matches!(
            cause.downcast_ref::<CoreError>(),
            Some(CoreError::Folder(FolderError::InUse(_)))
        )
    })
}
