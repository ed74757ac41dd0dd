//! `cluster-test`: a cluster of servers under random requests while parts of it fail, judged by its answers.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Parser;
use galley_cluster_tests::cluster::Database;
use galley_cluster_tests::workload::{Plan, run};
use galley_harness::patroni::Patroni;
use galley_harness::postgres::Postgres;

/// Sends random requests to random servers of a cluster while servers and the database are killed and cut off, and searches an order
/// of the requests that explains every answer
///
/// PostgreSQL and SeaweedFS are started on loopback and end with the program. With `--patroni` the database is three machines under
/// Patroni and etcd: another one takes over when the leader's is killed, and leaders are also changed in good order. It prints what it
/// did, how long nobody was answered, and a verdict. An objection comes with the smallest part of the history that shows it, and makes
/// the exit code 1.
#[derive(Parser)]
#[command(bin_name = "cargo xtask cluster-test", max_term_width = 100)]
struct Arguments {
    /// How long the clients go on
    #[arg(long, default_value_t = 1.0, value_name = "MINUTES")]
    minutes: f64,
    /// Where the choices of clients and faults come from; those of an earlier run come again, their moments do not [default: another
    /// one each time]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// How many servers
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=9), value_name = "COUNT")]
    nodes: u8,
    /// How many clients, each with one request at a time
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=64), value_name = "COUNT")]
    clients: u8,
    /// Three PostgreSQL under Patroni and etcd instead of one alone
    #[arg(long)]
    patroni: bool,
    /// Write what the servers wrote into this folder, a file each
    #[arg(long, value_name = "FOLDER")]
    logs: Option<PathBuf>,
}

/// The connections that the servers need: each has some for itself and for each slot.
const CONNECTIONS: u32 = 600;

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let seed = arguments.seed.unwrap_or_else(|| rand::random_range(0..1_000_000));
    let minutes = Duration::try_from_secs_f64(arguments.minutes * 60.0);
    let plan = Plan {
        seed,
        nodes: arguments.nodes.into(),
        clients: arguments.clients.into(),
        time: minutes.context("`--minutes` is a time from now")?,
    };
    eprintln!("seed {seed}");
    let started = Instant::now();
    let database: Box<dyn Database> = match arguments.patroni {
        true => Box::new(Patroni::start_with(CONNECTIONS)),
        false => Box::new(Postgres::start_with(&[&format!("max_connections={CONNECTIONS}")])),
    };
    let verdict = run(plan, database);
    if let Some(folder) = &arguments.logs {
        std::fs::create_dir_all(folder)?;
        for (at, log) in verdict.logs.iter().enumerate() {
            std::fs::write(folder.join(format!("node-{}.log", at + 1)), log)?;
        }
    }
    println!("{verdict}");
    println!("took {:.1} s", started.elapsed().as_secs_f64());
    if verdict.is_good() {
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "to run it again: cargo xtask cluster-test --seed {seed} --minutes {}{}",
        arguments.minutes,
        if arguments.patroni { " --patroni" } else { "" }
    );
    Ok(ExitCode::FAILURE)
}
