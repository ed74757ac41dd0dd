//! A running `galley-editor`.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use galley_harness::http::{Request, Response};
use galley_harness::poll::within_by;
use galley_harness::process::Process;
use galley_harness::sse::EventStream;
use serde_json::Value;
use tempfile::TempDir;

use crate::paths;
use crate::repository::{Repository, plain_git};

/// How long the program may take to say its address, beside other tests.
const BOOT_TIMEOUT: Duration = Duration::from_secs(90);
/// Between two looks: the start is measured too.
const BOOT_PAUSE: Duration = Duration::from_millis(1);

/// How long it may take to end by itself.
const END_TIMEOUT: Duration = Duration::from_secs(30);

/// What precedes the address in the line that announces it.
const ANNOUNCED: &str = "Editor listening on http://";

/// The program on a repository, attached to a dev server that is not there: for everything that needs no preview.
#[track_caller]
pub fn attached(repository: &Repository) -> Editor {
    Editor::start(repository, &["--attach", "http://127.0.0.1:9"])
}

/// A program that ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// The program to be started on a folder.
#[derive(Debug)]
pub struct Build {
    command: Command,
    path: PathBuf,
    /// An interface of one page, when none was built.
    interface: TempDir,
}

impl Build {
    /// The program in the folder `path`, which is also the folder it is started in.
    pub fn new(path: &Path) -> Build {
        let interface = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(
            interface.path().join("index.html"),
            "<!doctype html><title>Editor</title>",
        )
        .expect("own folders can be written");
        let mut command = Command::new(paths::galley_editor());
        plain_git(&mut command);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            // A key of the person who runs the tests must not be spent.
            if text.starts_with("EDITOR_") || text.ends_with("_API_KEY") || text.ends_with("_BASE_URL") {
                command.env_remove(name);
            }
        }
        if path.is_dir() {
            command.current_dir(path);
        }
        // Nothing of the person who runs the tests is read or written.
        command.env("HOME", interface.path()).env_remove("XDG_CONFIG_HOME");
        Build {
            command,
            path: path.to_owned(),
            interface,
        }
    }

    /// Names another path, which may be relative to the folder it is started in.
    pub fn path(mut self, path: impl Into<PathBuf>) -> Build {
        self.path = path.into();
        self
    }

    /// Adds arguments.
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Build {
        self.command.args(arguments);
        self
    }

    /// Sets a variable of its environment.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Build {
        self.command.env(name, value);
        self
    }

    /// Starts it on free ports, without a browser.
    fn process(&mut self) -> Process {
        self.command.arg("--no-open");
        if !self.has("--port") {
            self.command.args(["--port", "0"]);
        }
        if !self.has("--ui") {
            let built = paths::interface();
            let interface = built.unwrap_or_else(|| self.interface.path().to_owned());
            self.command.arg("--ui").arg(interface);
        }
        Process::start(self.command.arg(&self.path))
    }

    fn has(&self, argument: &str) -> bool {
        self.command.get_args().any(|there| there == argument)
    }

    /// Runs it as it is asked to, and waits for its end. No argument is added.
    ///
    /// # Panics
    /// When it does not end by itself.
    #[track_caller]
    pub fn run(mut self) -> Ended {
        ended(Process::start(self.command.arg(&self.path)))
    }

    /// Runs it on free ports and waits for its end: for a start that is expected to fail.
    ///
    /// # Panics
    /// When it does not end by itself.
    #[track_caller]
    pub fn fail(mut self) -> Ended {
        ended(self.process())
    }

    /// What the doctor says of it, as JSON, with the exit code. Nothing is started.
    #[track_caller]
    pub fn doctor(self) -> (Option<i32>, Value) {
        let ended = self.args(["--doctor", "--json"]).fail();
        let report = serde_json::from_str(&ended.stdout);
        let report = report.unwrap_or_else(|error| panic!("{error} in {}{}", ended.stdout, ended.stderr));
        (ended.code, report)
    }

    /// Starts it and waits until it says its address.
    ///
    /// # Panics
    /// When it ends or stays silent.
    #[track_caller]
    pub fn start(self) -> Editor {
        self.try_start().unwrap_or_else(|words| panic!("{words}"))
    }

    /// The same for whoever goes on when that fails.
    ///
    /// # Errors
    /// With what it said, when it ends or stays silent.
    pub fn try_start(mut self) -> Result<Editor, String> {
        let mut process = self.process();
        let address = within_by(BOOT_PAUSE, BOOT_TIMEOUT, || {
            if process.ended().is_some() {
                return Some(None);
            }
            let stdout = process.stdout();
            let line = stdout
                .strip_suffix('\n')?
                .lines()
                .find(|line| line.starts_with(ANNOUNCED))?;
            Some(line.strip_prefix(ANNOUNCED)?.parse().ok())
        });
        let Some(address) = address.flatten() else {
            let status = process.wait(Duration::from_millis(100));
            return Err(format!(
                "the Editor did not start ({status:?}):\n{}{}",
                process.stdout(),
                process.stderr()
            ));
        };
        Ok(Editor {
            process,
            address,
            _interface: self.interface,
        })
    }
}

#[track_caller]
fn ended(mut process: Process) -> Ended {
    let Some(status) = process.wait(END_TIMEOUT) else {
        panic!(
            "the Editor still runs after {END_TIMEOUT:?}:\n{}{}",
            process.stdout(),
            process.stderr()
        );
    };
    Ended {
        code: status.code(),
        stdout: process.stdout(),
        stderr: process.stderr(),
    }
}

/// A running Editor. Dropped, it is asked to end, so that its dev server ends too; then it is killed.
#[derive(Debug)]
pub struct Editor {
    process: Process,
    /// Where it listens.
    pub address: SocketAddr,
    _interface: TempDir,
}

impl Editor {
    /// Starts it on a repository with arguments such as `["--attach", "http://127.0.0.1:5173"]`.
    #[track_caller]
    pub fn start(repository: &Repository, arguments: &[&str]) -> Editor {
        Editor::build(repository).args(arguments).start()
    }

    /// The program to be started on a repository, with changes.
    pub fn build(repository: &Repository) -> Build {
        Build::new(&repository.path())
    }

    /// The program to be started on any path.
    pub fn on(path: impl Into<PathBuf>) -> Build {
        Build::new(&path.into())
    }

    /// Its address as a URL without a slash at the end, which is the one origin it obeys.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where it shows the prototype: an origin of its own.
    #[track_caller]
    pub fn prototype(&self) -> SocketAddr {
        let state = self.ask("/api/editor/state").json();
        let url = state["previewUrl"]
            .as_str()
            .expect("the Editor says where the prototype is");
        let address = url.trim_start_matches("http://").trim_end_matches('/').parse();
        address.expect("an address")
    }

    /// A request with the right origin.
    pub fn request(&self, method: &str, path: &str) -> Request {
        Request::new(self.address, method, path).header("origin", self.origin())
    }

    /// Reads as the interface does: by `POST`, with the query in the address.
    #[track_caller]
    pub fn ask(&self, path: &str) -> Response {
        self.request("POST", path).send()
    }

    /// Posts JSON.
    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Response {
        self.request("POST", path).json(body).send()
    }

    /// Puts JSON.
    #[track_caller]
    pub fn put(&self, path: &str, body: &Value) -> Response {
        self.request("PUT", path).json(body).send()
    }

    /// The stream of events.
    #[track_caller]
    pub fn events(&self) -> EventStream {
        EventStream::open(&self.request("POST", "/api/editor/events"))
            .unwrap_or_else(|answer| panic!("no events: {}", answer.text()))
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// What it wrote to standard output so far.
    pub fn stdout(&self) -> String {
        self.process.stdout()
    }

    /// What it wrote to standard error so far.
    pub fn stderr(&self) -> String {
        self.process.stderr()
    }

    /// Sends a signal by name, as `TERM`.
    pub fn signal(&self, name: &str) {
        self.process.signal(name);
    }

    /// Kills it at once, as a crash would.
    pub fn kill(mut self) {
        self.process.kill();
    }

    /// Sends a signal and waits for the end.
    ///
    /// # Panics
    /// When it does not end.
    #[track_caller]
    pub fn end(mut self, signal: &str) -> Ended {
        self.process.signal(signal);
        let status = self.process.wait(END_TIMEOUT);
        let Some(status) = status else {
            panic!("the Editor ignores {signal}:\n{}", self.process.stderr());
        };
        Ended {
            code: status.code(),
            stdout: self.process.stdout(),
            stderr: self.process.stderr(),
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if self.process.ended().is_none() {
            self.process.signal("TERM");
            let _ = self.process.wait(Duration::from_secs(10));
        }
    }
}
