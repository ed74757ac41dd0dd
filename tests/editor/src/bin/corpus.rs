//! Runs the Editor's engine over a repository and prints what it could do there, and whether all of it was right.
//!
//! `cargo xtask corpus PATH` starts it. Nothing in the repository is written.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use galley_editor_tests::corpus::{self, Options};

/// Measures the Editor's engine on a repository: what it stamps, what it can edit, and whether every edit is right
///
/// Nothing is written. Ends with 1 when an element is not stamped, a byte outside an edit differs, or an edit is wrong.
#[derive(Parser)]
#[command(bin_name = "cargo xtask corpus", max_term_width = 100)]
struct Cli {
    /// The repository, or any folder of source files
    path: PathBuf,
    /// At most this many elements of each file are edited, spread evenly; 0 edits all of them
    #[arg(long, default_value_t = 25, value_name = "N")]
    sample: usize,
    /// Only edits of this kind: text, attribute, class, style, insert, delete or duplicate
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Print each refusal and each mistake with its place
    #[arg(long)]
    verbose: bool,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let options = Options {
        sample: if cli.sample == 0 { usize::MAX } else { cli.sample },
        kind: cli.kind,
        verbose: cli.verbose,
    };
    match corpus::run(&cli.path, &options) {
        Ok(report) => {
            if cli.json {
                println!("{:#}", report.json());
            } else {
                print!("{report}");
            }
            if report.is_right() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(error) => {
            eprintln!("corpus: {error}");
            ExitCode::FAILURE
        }
    }
}
