//! The program `galley`.

use std::process::ExitCode;

fn main() -> ExitCode {
    galley_host::cli::main()
}
