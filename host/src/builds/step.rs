//! One command of a build, run by `galley build-step` and watched until it ends, is out of time, or has to stop.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::watch;
use tokio::time::Instant;

use super::sandbox::{CANNOT_START, Network, USED_UP};
use super::transcript::Transcript;
use crate::config::Secret;

/// How long the processes of a command may take to end after they were stopped.
const END_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a pipe may stay open after its processes have ended.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(2);
const PIECE: usize = 32 << 10;

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The command ended with another exit code than 0.
    #[error("it ended with the exit code {0}")]
    Failed(i32),
    /// The build's time is up.
    #[error("the time is up")]
    OutOfTime,
    /// The server is stopping.
    #[error("the server is stopping")]
    Stopping,
    /// The command used more memory, processes or disk than a build may.
    #[error("it used up too much: the log says what")]
    UsedUp,
    /// The command could not be run.
    #[error("it cannot be run: {0}")]
    Broken(#[from] io::Error),
}

/// What all commands of a build have in common.
pub struct Bounds {
    /// The arguments of `galley build-step` that say so: folder, user, bounds.
    pub sandbox: Vec<OsString>,
    /// The line that names the proxies of the operator's network, if there are some.
    pub upstream: Option<Secret>,
    /// When the whole build must have ended.
    pub deadline: Instant,
    /// Turns true when the server stops.
    pub stop: watch::Receiver<bool>,
}

/// What a command reaches over the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Nothing.
    Nothing,
    /// This server (`host:port`) wherever it is, and nothing else.
    Only(String),
    /// The open ports of other machines.
    OtherMachines,
}

/// One command.
pub struct Step {
    /// Program and arguments.
    pub command: Vec<OsString>,
    /// Where it runs.
    pub directory: PathBuf,
    /// Its whole environment; with a network, the variables of the proxy are added.
    pub environment: Vec<(String, OsString)>,
    /// What it reaches over the network.
    pub network: Reach,
}

impl Bounds {
    /// Runs a command; both its outputs go into the log.
    pub async fn run(&self, step: Step, log: &mut Transcript) -> Result<(), StepError> {
        let (reader, writer) = io::pipe()?;
        let upstream = self.upstream.as_ref().filter(|_| step.network != Reach::Nothing);
        let mut command = self.supervised(step);
        command.stdout(writer.try_clone()?).stderr(writer);
        let mut child = command.spawn()?;
        // The command holds this side's copies of the pipe's end.
        drop(command);
        if let (Some(upstream), Some(stdin)) = (upstream, &mut child.stdin) {
            stdin.write_all(upstream.expose().as_bytes()).await?;
        }
        let mut output = pipe::Receiver::from_owned_fd(reader.into())?;
        let ended = self.watch(&mut child, follow(&mut output, log)).await;
        let _ = tokio::time::timeout(OUTPUT_TIMEOUT, follow(&mut output, log)).await;
        log.finish_line();
        ended.and_then(|((), status)| check(status))
    }

    /// Runs a command without a network, and passes its standard output to `take`. Returns the result of `take`, or what the
    /// command wrote to standard error when it failed. `take` may return before the output ends.
    pub async fn run_into<T>(
        &self,
        step: Step,
        take: impl AsyncFnOnce(&mut ChildStdout) -> T,
    ) -> Result<Result<T, String>, StepError> {
        let mut command = self.supervised(step);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (Some(mut stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(io::Error::other("a pipe is missing").into());
        };
        let both = async {
            let mut said = String::new();
            let mut stderr = stderr.take(PIECE as u64);
            let taking = async {
                let taken = take(&mut stdout).await;
                // A process that still writes gets an error, because nobody reads.
                drop(stdout);
                taken
            };
            let (taken, _) = tokio::join!(taking, stderr.read_to_string(&mut said));
            (taken, said)
        };
        let ((taken, said), status) = self.watch(&mut child, both).await?;
        Ok(match said.trim() {
            "" => Ok(taken),
            said if status.success() => Ok({
                tracing::warn!("packing a build's output: {said}");
                taken
            }),
            said => Err(said.to_owned()),
        })
    }

    /// Waits for work that is not a command, within the same time limit.
    pub async fn wait<T>(&self, work: impl Future<Output = T>) -> Result<T, StepError> {
        let mut stop = self.stop.clone();
        tokio::select! {
            done = work => Ok(done),
            () = tokio::time::sleep_until(self.deadline) => Err(StepError::OutOfTime),
            _ = stop.wait_for(|stop| *stop) => Err(StepError::Stopping),
        }
    }

    /// The command under its supervisor. The environment holds the variables of the step only.
    fn supervised(&self, step: Step) -> Command {
        // The file may have been replaced since the server started.
        let mut command = Command::new("/proc/self/exe");
        command.arg("build-step").args(&self.sandbox);
        let network = match &step.network {
            Reach::Nothing => Network::None,
            Reach::Only(_) | Reach::OtherMachines => Network::Proxied,
        };
        command.args(["--network", network.argument()]);
        if let Reach::Only(server) = &step.network {
            command.args(["--only", server]);
        }
        if self.upstream.is_some() && network == Network::Proxied {
            command.arg("--upstream");
        }
        command.arg("--").args(step.command);
        command.current_dir(step.directory);
        command.env_clear().envs(step.environment);
        // Held open by this side: its end ends the command, also when this process is killed.
        command.stdin(Stdio::piped());
        command
    }

    /// Waits until the child and `output` have ended. Ends the child when the time is up or the build is stopped.
    async fn watch<T>(&self, child: &mut Child, output: impl Future<Output = T>) -> Result<(T, ExitStatus), StepError> {
        let stdin = child.stdin.take();
        let mut stop = self.stop.clone();
        let why = {
            let done = async {
                let taken = output.await;
                Ok::<_, io::Error>((taken, child.wait().await?))
            };
            tokio::select! {
                done = done => return Ok(done?),
                () = tokio::time::sleep_until(self.deadline) => StepError::OutOfTime,
                _ = stop.wait_for(|stop| *stop) => StepError::Stopping,
            }
        };
        drop(stdin);
        if tokio::time::timeout(END_TIMEOUT, child.wait()).await.is_err() {
            // The supervisor itself hangs. Its group is what can still be reached.
            let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
            if let Some(group) = group {
                let _ = kill_process_group(group, Signal::KILL);
            }
            child.start_kill()?;
        }
        Err(why)
    }
}

/// Reads output into the log until it ends.
async fn follow(output: &mut (impl AsyncRead + Unpin), log: &mut Transcript) {
    let mut piece = vec![0; PIECE];
    while let Ok(read @ 1..) = output.read(&mut piece).await {
        log.output(&piece[..read]);
    }
}

fn check(status: ExitStatus) -> Result<(), StepError> {
    match status.code() {
        Some(0) => Ok(()),
        Some(code) if code == i32::from(CANNOT_START) => Err(io::Error::other("the log says why").into()),
        Some(code) if code == i32::from(USED_UP) => Err(StepError::UsedUp),
        Some(code) => Err(StepError::Failed(code)),
        None => Err(io::Error::other("its supervisor was killed").into()),
    }
}
