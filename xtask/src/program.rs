//! Programs of the workspace: building one, becoming one, and telling one where the others lie.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};

use galley_build::process::{cargo, run};
use galley_build::toolchain::{self, Install, Search, Toolchain};

use crate::apt;
use crate::paths::Checkout;

/// How cargo is asked for a program. Features of shared dependencies are unified over the packages that are selected:
/// selecting all of them each time, and only one program, is what keeps wasmtime from being compiled once for the
/// server and again for the tests.
pub fn build_program(checkout: &Checkout, name: &str, release: bool) -> Result<PathBuf> {
    let mut build = cargo();
    build
        .args(["build", "--workspace", "--bin", name])
        .current_dir(checkout.root());
    if release {
        build.arg("--release");
    }
    run(build.stdout(std::io::stderr())).with_context(|| format!("{name} could not be built"))?;
    Ok(checkout.program(if release { "release" } else { "debug" }, name))
}

/// The compiler of the plugins, fetched where that is possible.
pub fn compiler_for_plugins() -> Result<Toolchain> {
    let install: Install<'_> = &apt::install;
    toolchain::ensure(Search {
        program: "xtask",
        install: apt::is_possible().then_some(install),
    })
}

/// Replaces this process by `program`; on other systems than Unix, waits for it and passes its exit code on.
pub fn become_program(mut program: Command) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let error = program.exec();
        Err(anyhow!(
            "cannot start {}: {error}",
            Path::new(program.get_program()).display()
        ))
    }
    #[cfg(not(unix))]
    {
        let status = program
            .status()
            .map_err(|error| anyhow!("cannot start {}: {error}", Path::new(program.get_program()).display()))?;
        std::process::exit(status.code().unwrap_or(1));
    }
}

/// Where the black-box tests and the corpus runner find what was built.
pub fn with_galley<'c>(command: &'c mut Command, checkout: &Checkout) -> &'c mut Command {
    with_programs(command, checkout, "debug")
}

/// The same with the programs of `profile` (`debug` or `release`).
pub fn with_programs<'c>(command: &'c mut Command, checkout: &Checkout, profile: &str) -> &'c mut Command {
    command
        .env("GALLEY_BIN", checkout.program(profile, "galley"))
        .env("GALLEY_PLUGINS", checkout.plugins())
        .env("GALLEY_EDITOR_BIN", checkout.program(profile, "galley-editor"))
        .env("GALLEY_EDITOR_UI", checkout.editor_ui())
        .env("GALLEY_BRIDGE", checkout.bridge())
        .env("GALLEY_DASHBOARD", checkout.dashboard())
        .env("GALLEY_TEST_GUESTS", checkout.test_guests())
}
