//! A server of the cluster: a process that is killed and started again on its folder.

use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use galley_harness::http::Request;
use galley_harness::paths::{target, variable};
use galley_harness::poll::within;
use galley_harness::process::Process;
use tempfile::TempDir;

/// How long a start may take: the first one compiles the plugins, on a machine that does other things, too.
const BOOT_TIMEOUT: Duration = Duration::from_secs(180);

/// How long a server may take to say that it is well.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(10);

/// A server. Dropped, it is killed.
pub struct Node {
    data: TempDir,
    variables: Vec<(&'static str, OsString)>,
    running: Mutex<Running>,
}

struct Running {
    /// It has another port after each start.
    address: SocketAddr,
    process: Option<Process>,
    /// What the processes before wrote.
    log: String,
}

impl Node {
    /// One that does not run yet, with these variables beside what each has.
    pub fn new(variables: Vec<(&'static str, OsString)>) -> Node {
        Node {
            data: tempfile::tempdir().expect("a temporary folder"),
            variables,
            running: Mutex::new(Running {
                address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
                process: None,
                log: String::new(),
            }),
        }
    }

    /// Its folder.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// Where it listens, or listened before it was killed.
    pub fn address(&self) -> SocketAddr {
        self.running().address
    }

    /// Starts it, and waits until it listens.
    ///
    /// # Panics
    /// When it does not: with what it wrote.
    pub fn start(&self) {
        let mut process = Process::start(&mut self.command());
        let listens = within(BOOT_TIMEOUT, || {
            let stdout = process.stdout();
            let address = stdout.strip_prefix("galley listening on http://")?;
            address.lines().next().filter(|_| stdout.ends_with('\n'))?.parse().ok()
        });
        let Some(address) = listens else {
            process.kill();
            panic!("a server does not start:\n{}{}", process.stdout(), process.stderr());
        };
        let mut running = self.running();
        running.address = address;
        running.process = Some(process);
    }

    /// Kills it: it can do nothing more.
    pub fn kill(&self) {
        let mut running = self.running();
        if let Some(mut process) = running.process.take() {
            process.kill();
            let said = process.stderr();
            running.log.push_str(&said);
        }
    }

    /// Whether it says that it is well, and can be asked for anything.
    pub fn is_well(&self) -> bool {
        let health = Request::new(self.address(), "GET", "/api/v1/health").within(HEALTH_TIMEOUT);
        let well = health.try_send().is_ok_and(|answer| answer.status == 200);
        let slots = Request::new(self.address(), "GET", "/api/v1/projects").within(HEALTH_TIMEOUT);
        well && slots.try_send().is_ok_and(|answer| answer.status < 500)
    }

    /// What it wrote to standard error since its first start.
    pub fn log(&self) -> String {
        let running = self.running();
        let said = running.process.as_ref().map(Process::stderr).unwrap_or_default();
        running.log.clone() + &said
    }

    /// The one-time link of a server without accounts.
    pub fn local_link(&self) -> Option<String> {
        let log = self.log();
        let link = &log[log.find("/api/v1/auth/local?token=")?..];
        let end = link.find(|c: char| c.is_whitespace() || "\"'`<>)".contains(c));
        Some(link[..end.unwrap_or(link.len())].to_owned())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(part("GALLEY_BIN", "debug/galley"));
        command
            .arg("serve")
            .env_clear()
            .envs(
                ["PATH", "HOME", "TMPDIR"]
                    .into_iter()
                    .filter_map(|name| Some((name, std::env::var_os(name)?))),
            )
            .env("SERVICE_LISTEN", "127.0.0.1:0")
            .env("SERVICE_DATA_DIR", self.data.path())
            .env("SERVICE_PLUGINS_DIR", part("GALLEY_PLUGINS", "galley/plugins"))
            .env(
                "SERVICE_BRIDGE_BUNDLE",
                part("GALLEY_BRIDGE", "galley/dist/bridge-bundle.js"),
            )
            .envs(self.variables.iter().map(|(name, value)| (*name, value)))
            .current_dir(self.data.path());
        command
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part of the program under test: where the variable says, or where `cargo xtask` puts it.
fn part(name: &str, place: &str) -> PathBuf {
    variable(name).unwrap_or_else(|| target().join(place))
}
