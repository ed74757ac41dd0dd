//! The command line: what was asked for, starting everything in order, ending everything again.

mod arguments;
mod assets;
mod browser;
mod doctor;
mod port;
mod signals;

use std::path::PathBuf;
use std::process::ExitCode;

pub use arguments::Arguments;
use clap::Parser;

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("galley-editor"));
    if arguments.doctor {
        return doctor::run(&arguments, &program).into();
    }
    ExitCode::SUCCESS
}
