//! The program `galley-editor`.

use std::process::ExitCode;

fn main() -> ExitCode {
    galley_editor::cli::main()
}
