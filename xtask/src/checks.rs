//! `test`: everything that has to hold before a change goes in, one step after another.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use galley_build::process::{cargo, run, which};

use crate::components::{self, PLUGINS, TEST_GUESTS};
use crate::paths::Checkout;
use crate::program::{build_program, with_galley, with_programs};
use crate::setup::{self, Purpose};
use crate::stamp::{files_below, write_if_changed};
use crate::steps::Steps;
use crate::{cluster, dashboard, editor, fuzz, host, npm, postgres_18, tidy};

/// How long each fuzz target runs here, in seconds, beside the tests. Whoever looks for more runs `cargo xtask fuzz` for longer.
const FUZZED: u32 = 30;

/// A step of `test` that needs nothing of the others, and hardly ever waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// The lints.
    Clippy,
    /// The plugins of a copy of the checkout are the same to the byte.
    Reproducible,
    /// Broken texts for the Editor's scanners and edits.
    Fuzzing,
}

/// What runs beside the tests, in this order. They wait a lot: for a clock, a disk, another process. Clippy is the last because it takes
/// cargo's lock of the folder that the tests were built in, which they need once more when they begin.
const BESIDE: [Step; 3] = [Step::Reproducible, Step::Fuzzing, Step::Clippy];

impl Step {
    fn name(self) -> &'static str {
        match self {
            Self::Clippy => "clippy",
            Self::Reproducible => "same plugins from another folder",
            Self::Fuzzing => "fuzzing",
        }
    }

    /// Runs it.
    pub fn run(self, checkout: &Checkout) -> Result<()> {
        match self {
            Self::Clippy => run(&mut clippy(checkout)),
            Self::Reproducible => reproducible(checkout),
            Self::Fuzzing => fuzz::run_all(checkout, FUZZED),
        }
    }

    /// A program that runs it, and gives way to everything else where the system can do that.
    fn program(self, checkout: &Checkout) -> Result<Command> {
        let xtask = std::env::current_exe().context("this program has no path")?;
        let mut program = match which("nice") {
            Some(nice) => {
                let mut niced = Command::new(nice);
                niced.args(["-n", "19"]).arg(xtask);
                niced
            }
            None => Command::new(xtask),
        };
        let value = self.to_possible_value().context("each step has a name")?;
        program
            .arg("step")
            .arg(value.get_name())
            .arg("--root")
            .arg(checkout.root());
        Ok(program)
    }
}

/// Runs all steps. With `args`, only what `cargo test ARGS` needs and that.
pub fn test(checkout: &Checkout, args: &[String]) -> Result<()> {
    let mut steps = Steps::begin();
    steps.step("setup", || setup::ensure(checkout, Purpose::Test));
    steps.step("build", || host::build(checkout).map(drop));
    steps.step("build of the pages", || dashboard::ensure(checkout));
    steps.step("build of the Editor", || editor::build(checkout, false).map(drop));
    steps.step("test guests", || {
        test_guests(checkout, &checkout.program("debug", "galley"))
    });
    if args.is_empty() {
        steps.step("format", || {
            run(cargo().args(["fmt", "--all", "--check"]).current_dir(checkout.root()))
        });
        steps.step("house rules", || tidy::check(checkout));
        steps.step("bridge: types and bundle", || {
            npm::script(&checkout.at("editor"), "check:bridge")
        });
        steps.step("bridge: tests", || npm::script(&checkout.at("editor"), "test:bridge"));
        steps.step("interface: types", || npm::script(&checkout.at("editor"), "check:ui"));
        steps.step("interface: tests", || npm::script(&checkout.at("editor"), "test:ui"));
        steps.step("pages: types", || npm::script(&checkout.at("host/dashboard"), "check"));
        steps.step("pages: tests", || npm::script(&checkout.at("host/dashboard"), "test"));
        steps.step("SDK of JavaScript: types", || {
            npm::script(&checkout.at("editor"), "check:sdk")
        });
    }
    if args.is_empty() {
        steps.step("build of the tests", || run(cargo_test(checkout, &[]).arg("--no-run")));
        let programs = BESIDE.map(|step| Ok((step.name(), step.program(checkout)?)));
        match programs.into_iter().collect::<Result<_>>() {
            Ok(programs) => steps.beside(&checkout.target().join("galley/steps"), programs),
            Err(error) => steps.step("steps beside the tests", || Err(error)),
        }
    }
    steps.tests("tests", |failures| failures.run(&mut cargo_test(checkout, args)));
    if args.is_empty() {
        steps.tests("tests on PostgreSQL 18", |failures| {
            postgres_18::test(checkout, failures)
        });
        steps.step("a cluster's answers while parts of it fail", || {
            cluster::test(checkout, &[])
        });
    }
    steps.finish()
}

/// Builds what benchmarks need and runs them: those of the server and of the Editor, or with `editor` as the first
/// argument those of the Editor alone.
pub fn bench(checkout: &Checkout, args: &[String]) -> Result<()> {
    setup::ensure(checkout, Purpose::Bench)?;
    eprintln!(
        "xtask: servers, the Editor and the benchmarks are built in the release profile, not in that of `run` and `test`"
    );
    let only_editor = args.first().is_some_and(|first| first == "editor");
    if !only_editor {
        let program = host::build_in(checkout, true)?;
        test_guests(checkout, &program)?;
        let mut bench = galley_build::process::command(build_program(checkout, "bench", true)?);
        run(with_programs(bench.args(args), checkout, "release"))?;
    }
    if only_editor || args.is_empty() {
        editor::build(checkout, true)?;
        let mut bench = galley_build::process::command(build_program(checkout, "editor-bench", true)?);
        run(with_programs(bench.args(args.iter().skip(1)), checkout, "release"))?;
    }
    Ok(())
}

fn test_guests(checkout: &Checkout, program: &Path) -> Result<()> {
    components::ensure(checkout, &TEST_GUESTS, &checkout.test_guests(), program).map(drop)
}

fn clippy(checkout: &Checkout) -> Command {
    let mut clippy = cargo();
    clippy
        .args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
        .current_dir(checkout.root());
    clippy
}

fn cargo_test(checkout: &Checkout, args: &[String]) -> Command {
    let mut test = cargo();
    test.args(["test", "--workspace", "--no-fail-fast"])
        .args(args)
        // Plugins' own tests run on PostgreSQL as well, and fail where there is none.
        .env("GALLEY_TEST_POSTGRES", "required")
        .current_dir(checkout.root());
    with_galley(&mut test, checkout);
    test
}

/// Builds the plugins in a copy of the checkout and compares them byte for byte. The copy stays, so that a second time
/// only what changed is built.
fn reproducible(checkout: &Checkout) -> Result<()> {
    let folder = checkout.target().join("a-second-folder/with another name");
    copy_sources(checkout, &folder)?;
    let copy = Checkout::find(Some(folder))?;
    let program = checkout.program("debug", "galley");
    let here = components::ensure(checkout, &PLUGINS, &checkout.plugins(), &program)?;
    let there = components::ensure(&copy, &PLUGINS, &copy.plugins(), &program)?;
    if here.len() != there.len() {
        bail!("{} plugins here, {} in the copy", here.len(), there.len());
    }
    for (one, other) in here.iter().zip(&there) {
        if fs::read(one)? != fs::read(other)? {
            bail!(
                "{} and {} differ: something in the build depends on the folder",
                one.display(),
                other.display()
            );
        }
    }
    Ok(())
}

/// Makes `folder` a copy of the checkout's sources; files that did not change keep their times.
fn copy_sources(checkout: &Checkout, folder: &Path) -> Result<()> {
    let mut wanted = Vec::new();
    for file in files_below(checkout.root())? {
        let name = file.strip_prefix(checkout.root()).unwrap_or(&file).to_owned();
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        write_if_changed(&folder.join(&name), &bytes)?;
        wanted.push(folder.join(name));
    }
    for file in files_below(folder)? {
        if !wanted.contains(&file) {
            fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
        }
    }
    Ok(())
}
