//! Runs the Editor over a repository and prints what it could do there, and whether all of it was right: the engine alone, or
//! the whole program with Chromium as the judge.
//!
//! `cargo xtask corpus PATH` starts it. Nothing in the repository is written.

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use galley_editor_tests::corpus::{self, Options, browser};
use serde_json::Value;

/// Measures the Editor on a repository: what it stamps, what it can edit, and whether every edit is right
///
/// Nothing in the repository is written. Without --browser the engine plans edits in memory, on a sample of the elements of each file. Ends
/// with 1 when an element is not stamped, a byte outside an edit differs, or an edit is wrong.
///
/// With --browser a temporary copy gets its packages (by npm, pnpm, Yarn or Bun, as its lock file says) and is opened by the real Editor;
/// Chromium shows it. Elements of its pages are edited in every way (texts, attributes, classes, styles, copies, deletions, moves,
/// insertions), and each edit is judged in the page: the same is done to the page's own elements, and after the hot reload every element
/// with a stamp must have exactly the attributes, content and computed style that this gave, without an overlay or a new complaint. Then
/// the edit is undone, and page and files must be as before. What hot reload leaves different is judged again on a fresh page; what the
/// page changes by itself is measured first and left out. Ends with 1 when one edit is wrong, or none could be judged.
#[derive(Parser)]
#[command(bin_name = "cargo xtask corpus", max_term_width = 100)]
struct Cli {
    /// The repository, or any folder of source files
    path: PathBuf,
    /// At most this many elements are edited: of each file, spread evenly [default: 25; 0 edits all of them], or with --browser of all pages
    /// together [default: 20]
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Only edits of this kind: text, attribute, class, style, insert, delete or duplicate
    #[arg(long, value_name = "KIND", conflicts_with = "browser")]
    kind: Option<String>,
    /// Propose each edit to the gate of models as well, and then in the ways of bad models, which must not pass; and let a model that is a
    /// script try the texts that are refused
    #[arg(long, conflicts_with = "browser")]
    lane: bool,
    /// Print each refusal and each mistake with its place; with --browser the outcome of each edit
    #[arg(long)]
    verbose: bool,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    /// Edit a copy through the whole program, and judge every edit in Chromium
    #[arg(long)]
    browser: bool,
    /// The prototype's folder inside the repository, as `apps/web`
    #[arg(long, value_name = "FOLDER", requires = "browser")]
    app: Option<PathBuf>,
    /// A page to begin with, as /settings; may be given several times. Pages it links to are looked at, too
    #[arg(long = "route", value_name = "PATH", requires = "browser", default_value = "/")]
    routes: Vec<String>,
    /// At most this many pages
    #[arg(long, value_name = "N", requires = "browser", default_value_t = 8)]
    pages: usize,
    /// Chooses the elements: another number, other elements
    #[arg(long, value_name = "N", requires = "browser", default_value_t = 1)]
    seed: u32,
    /// Lets packages run their own scripts when they are installed, as some workspaces and Nuxt modules need
    #[arg(long, requires = "browser")]
    scripts: bool,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = if cli.browser { in_browser(&cli) } else { in_memory(&cli) };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("corpus: {error}");
            ExitCode::FAILURE
        }
    }
}

fn in_memory(cli: &Cli) -> Result<bool, String> {
    let options = Options {
        sample: match cli.sample.unwrap_or(25) {
            0 => usize::MAX,
            sample => sample,
        },
        kind: cli.kind.clone(),
        lane: cli.lane,
        verbose: cli.verbose,
    };
    let report = corpus::run(&cli.path, &options)?;
    print(cli, &report, || report.json());
    Ok(report.is_right())
}

fn in_browser(cli: &Cli) -> Result<bool, String> {
    let options = browser::Options {
        app: cli.app.clone().unwrap_or_default(),
        routes: cli.routes.clone(),
        pages: cli.pages,
        sample: cli.sample.unwrap_or(20),
        seed: cli.seed,
        scripts: cli.scripts,
        verbose: cli.verbose,
        spoil: None,
    };
    let report = browser::run(&cli.path, &options)?;
    print(cli, &report, || report.json());
    Ok(report.is_right())
}

fn print(cli: &Cli, report: &impl Display, json: impl FnOnce() -> Value) {
    if cli.json {
        println!("{:#}", json());
    } else {
        print!("{report}");
    }
}
