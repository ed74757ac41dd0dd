//! Records what the vendor's program says to the Editor. `cargo xtask vendor-cli` starts it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use galley_editor::agent::vendor;
use galley_editor_tests::vendor::record;
use serde_json::{Value, json};

/// Records what the vendor's program says to the Editor, against a provider of our own on this machine
///
/// The program is the one that EDITOR_VENDOR_CLI names, or that PATH has; it is not part of this project. It gets a home of its own and no
/// sign-in: nothing is asked of its vendor. Each kind of turn is recorded: words, a tool, a tool that is none of ours, a failed sign-in, a
/// rate limit, a stop.
#[derive(Parser)]
#[command(bin_name = "cargo xtask vendor-cli", max_term_width = 100)]
struct Cli {
    /// Where the recording is written to, as JSON
    out: PathBuf,
}

fn main() -> ExitCode {
    match work(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("vendor-cli: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(cli: &Cli) -> Result<(), String> {
    let program = vendor::find(|name| std::env::var_os(name))
        .ok_or("the vendor's program is not there: install it, or name it in EDITOR_VENDOR_CLI")?;
    let scenes = record::record(&program)?;
    for scene in &scenes {
        println!("{}: {}", scene["scene"], scene["status"]);
        for (kind, count) in kinds(&scene["lines"]) {
            println!("{count:>6}  {kind}");
        }
    }
    let text = format!("{:#}\n", json!(scenes));
    std::fs::write(&cli.out, text).map_err(|error| format!("cannot write {}: {error}", cli.out.display()))
}

/// What the program says, by kind.
fn kinds(lines: &Value) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for line in lines
        .as_array()
        .into_iter()
        .flatten()
        .filter(|line| line["from"] == "program")
    {
        let line = &line["line"];
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let more = [
            &line["subtype"],
            &line["request"]["subtype"],
            &line["request"]["message"]["method"],
            &line["event"]["type"],
            &line["event"]["delta"]["type"],
        ];
        let words: Vec<String> = std::iter::once(word(&line["type"]))
            .chain(more.into_iter().map(word).filter(|word| !word.is_empty()))
            .collect();
        *kinds.entry(words.join(" ")).or_default() += 1;
    }
    kinds
}
