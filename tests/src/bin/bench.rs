//! Prints the measured table of tests/BENCHMARKS.md. `bench list files` measures only those rows, `bench --cluster` those of a
//! cluster.
//!
//! Everything it starts it ends again; both sides of a ratio run on this machine, in turns.

use std::process::{Command, ExitCode};

use galley_tests::bench::{ALL, Measurement, OF_A_CLUSTER, print, serve_bare, serve_peer};

/// Measures a cluster instead.
const CLUSTER: &str = "--cluster";

/// Set once the limit of open files is raised.
const RAISED: &str = "GALLEY_BENCH_RAISED";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("peer") => end(serve_peer(
            arguments.get(1).map(String::as_ref).unwrap_or("comments.db".as_ref()),
        )),
        Some("bare") => end(serve_bare(
            arguments.get(1).map(String::as_ref).unwrap_or("small.bin".as_ref()),
        )),
        _ if std::env::var_os(RAISED).is_none() => again(&arguments),
        _ => end(measure(&arguments)),
    }
}

fn measure(arguments: &[String]) -> anyhow::Result<()> {
    let (flags, wanted): (Vec<_>, Vec<_>) = arguments.iter().partition(|argument| *argument == CLUSTER);
    let all: &[Measurement] = match flags.is_empty() {
        true => &ALL,
        false => &OF_A_CLUSTER,
    };
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    if let Some(unknown) = wanted.iter().find(|wanted| !names.contains(&wanted.as_str())) {
        anyhow::bail!("there is no measurement `{unknown}`; there are: {}", names.join(", "));
    }
    let mut rows = Vec::new();
    for (name, measure) in all
        .iter()
        .filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name))
    {
        eprintln!("bench: {name}");
        let measured = measure()?;
        measured
            .iter()
            .for_each(|row| eprintln!("bench: {}: {} ({})", row.what, row.result, row.detail));
        rows.extend(measured);
    }
    print!("{}", print(&rows));
    Ok(())
}

/// Starts itself again with as many open files as the machine allows: thousands of streams need them.
fn again(arguments: &[String]) -> ExitCode {
    let program = std::env::current_exe().unwrap_or_default();
    let script = "ulimit -n \"$(ulimit -Hn)\" 2>/dev/null; exec \"$0\" \"$@\"";
    let status = Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .args(arguments)
        .env(RAISED, "1")
        .status();
    ExitCode::from(
        status
            .ok()
            .and_then(|status| status.code())
            .and_then(|code| u8::try_from(code).ok())
            .unwrap_or(1),
    )
}

fn end(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}
