//! The project's chores. `cargo xtask --help` lists them; each lives in a module of its own.

mod apt;
mod bridge;
mod checks;
mod cluster;
mod cluster_document;
mod components;
mod dashboard;
mod dist;
mod editor;
mod failures;
mod fuzz;
mod host;
mod languages;
mod new_plugin;
mod npm;
mod paths;
mod pip;
mod postgres_18;
mod prices;
mod program;
mod setup;
mod stamp;
mod steps;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use paths::Checkout;
use setup::Purpose;

/// Builds, runs and checks Galley.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", version, max_term_width = 100)]
struct Cli {
    /// Work on another checkout than the one this program was compiled in
    #[arg(long, global = true, value_name = "FOLDER", hide = true)]
    root: Option<PathBuf>,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what the other tasks need and this machine lacks
    ///
    /// As root on Debian or Ubuntu everything is installed; elsewhere one line says what to install. `run` and `build`
    /// need only a Rust compiler for WebAssembly, `test` also Chromium and nginx, `bench` also nginx and wrk. Those
    /// tasks install it themselves.
    Setup,
    /// Build whatever is stale, then start the server
    ///
    /// The server's settings are SERVICE_* environment variables. Its standard output and its signals are its own.
    #[command(after_help = TOOLCHAIN_HELP)]
    Run {
        /// Arguments of `galley serve`
        #[arg(last = true, value_name = "ARGS")]
        args: Vec<String>,
    },
    /// Build whatever is stale, then start the Editor on a prototype's repository
    Edit {
        /// Arguments of `galley-editor`: the repository, then its options
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        args: Vec<String>,
    },
    /// Build everything: the plugins, the bridge, the pages, the server and the Editor
    #[command(after_help = TOOLCHAIN_HELP)]
    Build {
        /// Build an optimized server and leave target/dist, a folder that runs anywhere by itself
        #[arg(long)]
        release: bool,
        /// Build the plugins and nothing else
        #[arg(long, conflicts_with = "release")]
        plugins_only: bool,
        /// Where to put the plugins [default: target/galley/plugins]
        #[arg(long, value_name = "FOLDER", requires = "plugins_only")]
        out: Option<PathBuf>,
    },
    /// Begin a plugin of this checkout, in plugins/NAME; `galley plugins new` makes one anywhere else
    NewPlugin {
        /// The plugin's name, which is also the slot it fills
        name: String,
    },
    /// Check everything: formatting, lints, house rules, types, and all tests against the built programs
    ///
    /// With a filter, only what is needed for those tests is built, and only they run.
    Test {
        /// Passed on to `cargo test`, such as a test's name or `--package galley-tests`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "FILTER")]
        args: Vec<String>,
    },
    /// Run one step of `test` by itself, after `build`
    Step {
        /// Which
        step: checks::Step,
    },
    /// Send random requests to the servers of a cluster while parts of it fail, and judge all answers
    ///
    /// `test` does it for a minute. `cargo xtask cluster-test --minutes 30` goes on for longer, and with `--patroni` the database is three
    /// machines. `cargo xtask cluster-test --help` lists the options.
    #[command(disable_help_flag = true)]
    ClusterTest {
        /// Options of the test
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        args: Vec<String>,
    },
    /// Measure the figures of tests/BENCHMARKS.md, both sides of each ratio in one run
    Bench {
        /// Passed on to the benchmark program
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        args: Vec<String>,
    },
    /// Run the Editor's engine over a repository and print what it stamps, what it can edit, and whether all of it is right
    ///
    /// With --browser the whole Editor opens a copy of the repository, and every edit is judged in Chromium. `cargo xtask corpus .
    /// --help` lists the options. `cargo xtask corpus anchors` measures instead whether the pins of comments find their elements in
    /// changed pages.
    Corpus {
        /// The repository or `anchors`, then options of the corpus runner
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            required = true,
            value_name = "ARGS"
        )]
        args: Vec<String>,
    },
    /// Feed broken texts to the Editor's scanners and edits
    Fuzz {
        /// How long each target runs
        #[arg(long, default_value_t = 60, value_name = "SECONDS")]
        seconds: u32,
    },
    /// Write what models cost into the Editor, from the newest list of npm's @pydantic/genai-prices
    Prices,
    /// Record what the vendor's own program says to the Editor, against a provider of our own on this machine
    ///
    /// The program is not part of this project: EDITOR_VENDOR_CLI or PATH has it. `cargo xtask vendor-cli --help` says more.
    VendorCli {
        /// Where to write the recording, as JSON
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OUT")]
        args: Vec<String>,
    },
    /// Run all commands of host/CLUSTER.md from nothing on machines of their own, and let servers, machines and a leader fail
    ///
    /// The machines are namespaces on this one, so this is for root on Debian. With --stay the cluster goes on until it is ended.
    ClusterDocument {
        /// Passed on to the program that does it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        args: Vec<String>,
    },
    /// Check the house rules alone; `test` does it too
    Tidy,
    /// What continuous integration runs: the same as `test`
    Ci,
}

const TOOLCHAIN_HELP: &str = "\
Plugins are compiled with rustup's wasm32-unknown-unknown target, or with Debian's rustc-web and rust-web-src where that
cannot be had. GALLEY_WASM_TOOLCHAIN=rustup or =debian makes the choice.";

fn main() -> ExitCode {
    match work(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is::<steps::Reported>() => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn work(cli: Cli) -> Result<()> {
    let checkout = Checkout::find(cli.root)?;
    match cli.task {
        Task::Setup => setup::ensure(&checkout, Purpose::Everything),
        Task::Run { args } => {
            setup::ensure(&checkout, Purpose::Build)?;
            let program = host::build(&checkout)?;
            host::serve(&checkout, &program, &args)
        }
        Task::Edit { args } => editor::start(&checkout, &args),
        Task::Build {
            plugins_only: true,
            out,
            ..
        } => {
            let out = out
                .map(std::path::absolute)
                .transpose()?
                .unwrap_or_else(|| checkout.plugins());
            let program = program::build_program(&checkout, "galley", false)?;
            components::ensure(&checkout, &components::PLUGINS, &out, &program).map(drop)
        }
        Task::Build { release, .. } => {
            setup::ensure(&checkout, Purpose::Build)?;
            if release {
                host::build_release(&checkout)
            } else {
                host::build(&checkout)?;
                editor::build(&checkout, false).map(drop)
            }
        }
        Task::NewPlugin { name } => new_plugin::make(&checkout, &name),
        Task::Corpus { args } if args.first().is_some_and(|first| first == "anchors") => {
            bridge::anchors(&checkout, &args[1..])
        }
        Task::Corpus { args } => editor::corpus(&checkout, &args),
        Task::Fuzz { seconds } => fuzz::run_all(&checkout, seconds),
        Task::Test { args } => checks::test(&checkout, &args),
        Task::Step { step } => step.run(&checkout),
        Task::ClusterTest { args } => cluster::build_and_test(&checkout, &args),
        Task::Prices => prices::write(&checkout),
        Task::VendorCli { args } => editor::vendor_cli(&checkout, &args),
        Task::ClusterDocument { args } => cluster_document::run_page(&checkout, &args),
        Task::Tidy => tidy::check(&checkout),
        Task::Ci => checks::test(&checkout, &[]),
        Task::Bench { args } => checks::bench(&checkout, &args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_go_where_they_belong() {
        let parse = |args: &[&str]| Cli::try_parse_from([&["xtask"], args].concat()).map(|cli| cli.task);
        assert!(matches!(parse(&["run", "--", "--port", "1"]), Ok(Task::Run { args }) if args == ["--port", "1"]));
        assert!(
            parse(&["run", "--port", "1"]).is_err(),
            "arguments of the server stand behind `--`"
        );
        let filter = ["test", "--package", "galley-tests", "upload"];
        assert!(matches!(parse(&filter), Ok(Task::Test { args }) if args == filter[1..]));
        let question = ["cluster-test", "--help"];
        assert!(matches!(parse(&question), Ok(Task::ClusterTest { args }) if args == question[1..]));
        assert!(parse(&["build", "--out", "x"]).is_err(), "--out is for --plugins-only");
    }
}
