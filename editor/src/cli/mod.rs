//! The command line: what was asked for, starting everything in order, ending everything again.

mod arguments;
mod assets;
mod browser;
mod dev_server;
mod doctor;
mod edit;
mod failure;
mod port;
mod say;
mod signals;
mod start;

use std::path::PathBuf;
use std::process::ExitCode;

pub use arguments::Arguments;
use clap::Parser;
use tracing_subscriber::EnvFilter;

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    if let Some(typed) = edit::arguments() {
        log();
        return edit::run(typed).into();
    }
    let arguments = Arguments::parse();
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("galley-editor"));
    if arguments.doctor {
        return doctor::run(&arguments, &program).into();
    }
    log();
    match start::run(&arguments, &program) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say::note(&failure.words);
            failure.exit_code.into()
        }
    }
}

fn log() {
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn")))
        .with_writer(std::io::stderr)
        .init();
}
