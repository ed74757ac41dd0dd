//! What a step is: its arguments, which every stage gets.

use std::path::PathBuf;
use std::process::Command;

use super::proxy::Server;

/// The exit code when the command could not be started.
pub const CANNOT_START: u8 = 125;
/// The exit code when the step was ended because it used up too much; standard error says what.
pub const USED_UP: u8 = 119;

/// One command and what it may do.
#[derive(Debug, Clone, clap::Args)]
pub struct Step {
    /// Which part of the sandbox this process is
    #[arg(long, value_enum, default_value = "supervise")]
    pub stage: Stage,
    /// What separates the command from the rest of the machine
    #[arg(long, value_enum, default_value = "namespaces")]
    pub isolation: Isolation,
    /// What the command reaches over the network
    #[arg(long, value_enum, default_value = "none")]
    pub network: Network,
    /// A TCP port of other machines that is open to the command (with --network proxied)
    #[arg(long)]
    pub port: Vec<u16>,
    /// The one server (host:port) that is open to the command, wherever it is (with --network proxied)
    #[arg(long)]
    pub only: Option<Server>,
    /// Go out through the proxies that the first line of standard input names (with --network proxied)
    #[arg(long)]
    pub upstream: bool,
    /// The port of the step's proxy; set by the supervisor
    #[arg(long, default_value_t = super::proxy::PORT)]
    pub proxy_port: u16,
    /// The folder the command may write to
    #[arg(long)]
    pub folder: PathBuf,
    /// A path the command must not read, wherever it is
    #[arg(long)]
    pub hide: Vec<PathBuf>,
    /// The user the command runs as; needs root
    #[arg(long, requires = "gid")]
    pub uid: Option<u32>,
    /// The group the command runs as
    #[arg(long, requires = "uid")]
    pub gid: Option<u32>,
    /// The largest memory of all processes of the step together, in MiB
    #[arg(long, default_value_t = 4096)]
    pub memory: u64,
    /// The largest size of the folder, in MiB
    #[arg(long, default_value_t = 4096)]
    pub disk: u64,
    /// The free space that has to remain on the folder's disk, in MiB
    #[arg(long, default_value_t = 0)]
    pub reserve: u64,
    /// The processor time of each process of the step, in seconds
    #[arg(long)]
    pub cpu: Option<u64>,
    /// The control group that the step's own one is made in
    #[arg(long)]
    pub group: Option<PathBuf>,
    /// The command and its arguments
    #[arg(last = true, required = true)]
    pub command: Vec<String>,
}

/// A process of the sandbox, from the outside in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Stage {
    /// Outside: [`super::supervise`].
    Supervise,
    /// Between: [`super::enter`].
    Enter,
    /// Inside: [`super::inside`].
    Inside,
}

/// What separates a step from the rest of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Isolation {
    /// Namespaces, and Landlock and seccomp behind them.
    Namespaces,
    /// Landlock and seccomp alone.
    Rules,
}

/// What a step reaches over the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Network {
    /// Nothing.
    None,
    /// The open ports of other machines, or one server only, through a proxy that refuses everything else.
    Proxied,
}

impl Isolation {
    /// Its name as an argument.
    pub fn argument(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Rules => "rules",
        }
    }
}

impl Network {
    /// Its name as an argument.
    pub fn argument(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Proxied => "proxied",
        }
    }
}

/// This program again as another stage, with the same arguments and `more`.
pub fn next(stage: &str, more: &[&str]) -> Command {
    let mut arguments: Vec<_> = std::env::args_os().skip(2).collect();
    if arguments.first().is_some_and(|first| first == "--stage") {
        arguments.drain(..2);
    }
    // The file may have been replaced since the server started.
    let mut command = Command::new("/proc/self/exe");
    command
        .args(["build-step", "--stage", stage])
        .args(more)
        .args(arguments);
    command
}
