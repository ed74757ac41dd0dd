//! Prints the Editor's part of the measured table of tests/BENCHMARKS.md. `cargo xtask bench editor` measures only that.
//!
//! Everything it starts it ends again; both sides of a ratio run on this machine, in turns.

use std::process::ExitCode;

use galley_editor_tests::bench::ALL;
use galley_harness::table::print;

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
    if let Some(unknown) = wanted.iter().find(|wanted| !names.contains(&wanted.as_str())) {
        eprintln!(
            "bench: there is no measurement `{unknown}`; there are: {}",
            names.join(", ")
        );
        return ExitCode::FAILURE;
    }
    let mut rows = Vec::new();
    for (name, measure) in ALL {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            eprintln!("bench: {name}");
            let measured = measure();
            for row in &measured {
                eprintln!("bench: {}: {} ({})", row.what, row.result, row.detail);
            }
            rows.extend(measured);
        }
    }
    print!("{}", print(&rows));
    ExitCode::SUCCESS
}
