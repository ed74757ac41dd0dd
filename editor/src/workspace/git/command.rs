//! Running git: never asking anybody, never forever.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::gate::looking::{self, Configured};

/// What looks at the repository may take so long; what runs hooks or the network says otherwise.
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// Helpers that git leaves behind may hold its output open: after git has ended nobody waits longer than this for it.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(500);
/// Output beyond this is dropped.
const MAX_OUTPUT: u64 = 64 << 20;
/// Variables that would point git at another repository: a hook may have started the Editor.
const FOREIGN: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_LITERAL_PATHSPECS",
];

/// Why git did not do it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    /// Git said no. Its own words, standard error and output together.
    #[error("{words}")]
    Refused {
        /// What it said.
        words: String,
    },
    /// It took too long.
    #[error("git {command} did not end within {seconds} s and was stopped")]
    TimedOut {
        /// The subcommand.
        command: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// It could not be started.
    #[error("git could not be started: {0}. Install git and start the Editor again")]
    Missing(String),
    /// Git knows neither the name nor the address of who commits.
    #[error(
        "Git does not know who you are: give a name and a mail address for this commit, or set them for all of yours with git config --global user.name and user.email"
    )]
    NoIdentity,
    /// The Editor itself will not ask git for that.
    #[error("{0}")]
    Declined(String),
}

/// One call of git. It only looks, and runs nothing the repository's configuration names, unless [`Command::acting`] says that
/// it does what the user asked for.
pub struct Command {
    inner: process::Command,
    args: Vec<OsString>,
    /// Whether it is the user's own git, with hooks, filters and helpers.
    acts: bool,
    /// Whether it compares the contents of files, which filters could take part in.
    compares: bool,
    /// The arguments that leave filters out, where they are known already.
    without_filters: Option<Vec<String>>,
    root: PathBuf,
    name: String,
    stdin: Option<Vec<u8>>,
    timeout: Duration,
}

/// What came of it.
struct Answer {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Command {
    /// `git args…` in `root`.
    pub fn new<I: Into<OsString>>(root: &Path, args: impl IntoIterator<Item = I>) -> Self {
        let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
        let name = args
            .first()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let mut inner = process::Command::new("git");
        inner.current_dir(root);
        for variable in FOREIGN {
            inner.env_remove(variable);
        }
        // Looking must not get in the way of the user's own git, and nobody can answer a question.
        inner
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_LITERAL_PATHSPECS", "1")
            .env("GIT_EDITOR", ":")
            .env("GIT_SEQUENCE_EDITOR", ":")
            .env("GIT_PAGER", "cat")
            .env("GIT_MERGE_AUTOEDIT", "no");
        Self {
            inner,
            args,
            acts: false,
            compares: false,
            without_filters: None,
            root: root.to_owned(),
            name: name.trim_start_matches('-').to_owned(),
            stdin: None,
            timeout: READ_TIMEOUT,
        }
    }

    /// The user asked for what it does: their configuration, hooks and helpers take part.
    #[must_use]
    pub fn acting(mut self) -> Self {
        self.acts = true;
        self
    }

    /// It compares files with commits. Filters that the repository names are left out.
    #[must_use]
    pub fn comparing(mut self) -> Self {
        self.compares = true;
        self
    }

    /// The same where the configuration was asked already.
    #[must_use]
    pub fn comparing_by(mut self, configured: &Configured) -> Self {
        self.without_filters = Some(configured.without_filters.clone());
        self.comparing()
    }

    /// What it reads.
    #[must_use]
    pub fn stdin(mut self, content: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(content.into());
        self
    }

    /// A variable for it.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.inner.env(name, value.into());
        self
    }

    /// Variables for it.
    #[must_use]
    pub fn envs(mut self, variables: Vec<(&'static str, &str)>) -> Self {
        self.inner.envs(variables);
        self
    }

    /// How long it may take.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Its output.
    ///
    /// # Errors
    /// When it says no, takes too long or cannot be started.
    pub fn output(self) -> Result<Vec<u8>, GitError> {
        let answer = self.run()?;
        if answer.status.success() {
            Ok(answer.stdout)
        } else {
            Err(answer.refusal())
        }
    }

    /// Its output as text, without the last line's end.
    ///
    /// # Errors
    /// As [`output`](Self::output).
    pub fn text(self) -> Result<String, GitError> {
        let output = self.output()?;
        let text = String::from_utf8_lossy(&output);
        Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }

    /// What it said to people, on both streams.
    ///
    /// # Errors
    /// As [`output`](Self::output).
    pub fn words(self) -> Result<String, GitError> {
        let answer = self.run()?;
        if answer.status.success() {
            Ok(answer.said())
        } else {
            Err(answer.refusal())
        }
    }

    fn run(mut self) -> Result<Answer, GitError> {
        let missing = |error: std::io::Error| GitError::Missing(error.to_string());
        if !self.acts {
            self.inner.args(looking::ARGUMENTS).envs(looking::VARIABLES);
            if self.compares {
                let known = self.without_filters.take();
                let filters = known.unwrap_or_else(|| looking::without_filters(&self.root));
                self.inner.args(filters);
            }
        }
        self.inner.args(std::mem::take(&mut self.args));
        let input = if self.stdin.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        };
        // A group of its own, so that hooks and transports end with it.
        self.inner
            .process_group(0)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = self.inner.spawn().map_err(missing)?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let (ended, ends) = mpsc::channel();
        let stdout = Collected::from(child.stdout.take(), ended.clone());
        let stderr = Collected::from(child.stderr.take(), ended);
        if let (Some(mut pipe), Some(content)) = (child.stdin.take(), self.stdin.take()) {
            // Git may end without reading: that is its right.
            std::thread::spawn(move || drop(pipe.write_all(&content)));
        }
        let (told, exit) = mpsc::channel();
        std::thread::spawn(move || told.send(child.wait()));
        let status = match exit.recv_timeout(self.timeout) {
            Ok(status) => status.map_err(missing)?,
            Err(_) => {
                if let Some(group) = group {
                    let _ = kill_process_group(group, Signal::KILL);
                }
                return Err(GitError::TimedOut {
                    command: self.name,
                    seconds: self.timeout.as_secs(),
                });
            }
        };
        for _ in 0..2 {
            let _ = ends.recv_timeout(OUTPUT_TIMEOUT);
        }
        Ok(Answer {
            status,
            stdout: stdout.take(),
            stderr: stderr.take(),
        })
    }
}

/// What a pipe has given so far.
struct Collected(Arc<Mutex<Vec<u8>>>);

impl Collected {
    fn from(pipe: Option<impl Read + Send + 'static>, ended: mpsc::Sender<()>) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&bytes);
        if let Some(pipe) = pipe {
            std::thread::spawn(move || {
                let mut pipe = pipe.take(MAX_OUTPUT);
                let mut chunk = vec![0; 64 << 10];
                while let Ok(read @ 1..) = pipe.read(&mut chunk) {
                    into.lock().extend_from_slice(&chunk[..read]);
                }
                let _ = ended.send(());
            });
        }
        Self(bytes)
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock())
    }
}

impl Answer {
    fn said(&self) -> String {
        let both = [&self.stderr, &self.stdout].map(|stream| String::from_utf8_lossy(stream).trim().to_owned());
        let said: Vec<&str> = both
            .iter()
            .map(String::as_str)
            .filter(|said| !said.is_empty())
            .collect();
        said.join("\n")
    }

    fn refusal(&self) -> GitError {
        let said = self.said();
        let words = if said.is_empty() {
            format!("git ended with {}", self.status)
        } else {
            said
        };
        GitError::Refused { words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn what_hangs_is_stopped_with_everything_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let begun = Instant::now();
        let hang = Command::new(folder.path(), ["-c", "alias.hang=!sleep 60 & sleep 60", "hang"]);
        let error = hang.timeout(Duration::from_millis(300)).output().unwrap_err();
        assert!(matches!(error, GitError::TimedOut { .. }), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_helper_that_stays_does_not_hold_up_the_answer() {
        let folder = tempfile::tempdir().unwrap();
        let begun = Instant::now();
        let stay = Command::new(folder.path(), ["-c", "alias.stay=!echo said; sleep 8 &", "stay"]);
        assert_eq!(stay.text().unwrap(), "said");
        assert!(begun.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn gits_own_words_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let error = Command::new(folder.path(), ["rev-parse", "--verify", "HEAD"])
            .output()
            .unwrap_err();
        assert!(error.to_string().contains("not a git repository"), "{error}");
    }
}
