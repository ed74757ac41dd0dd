//! `test`: everything that has to hold before a change goes in, one step after another.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use galley_build::process::{cargo, run};

use crate::components::{self, PLUGINS, TEST_GUESTS};
use crate::paths::Checkout;
use crate::program::{build_program, with_galley, with_programs};
use crate::setup::{self, Purpose};
use crate::stamp::{files_below, write_if_changed};
use crate::steps::Steps;
use crate::{cluster, dashboard, editor, fuzz, host, npm, postgres_18, tidy};

/// How long each fuzz target runs here, in seconds. Whoever looks for more runs `cargo xtask fuzz` for longer.
const FUZZED: u32 = 15;

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
        steps.step("clippy", || run(&mut clippy(checkout)));
        steps.step("same plugins from another folder", || reproducible(checkout));
    }
    if args.is_empty() {
        steps.step("fuzzing", || fuzz::run_all(checkout, FUZZED));
    }
    steps.step("tests", || run(&mut cargo_test(checkout, args)));
    if args.is_empty() {
        steps.step("tests on PostgreSQL 18", || postgres_18::test(checkout));
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
