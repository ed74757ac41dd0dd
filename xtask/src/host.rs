//! The server: building it, laying out the folder it runs from, sealing the plugins in it, starting it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use galley_build::modules::Progress;
use galley_build::process::{command, run};

use crate::components::{self, PLUGINS};
use crate::paths::Checkout;
use crate::program::{become_program, build_program, compiler_for_plugins};
use crate::stamp::{Key, Stamp};
use crate::steps::Phases;
use crate::{bridge, dashboard, dist, editor};

/// Builds whatever is stale for a development server, and gives the program.
pub fn build(checkout: &Checkout) -> Result<PathBuf> {
    build_in(checkout, false)
}

/// The same in the release profile, or in that of development.
pub fn build_in(checkout: &Checkout, release: bool) -> Result<PathBuf> {
    let mut phases = Phases::of(2);
    let built_before = checkout
        .program(if release { "release" } else { "debug" }, "galley")
        .exists();
    phases.begin(if built_before {
        "the server, and beside it the plugins"
    } else {
        "the server, and beside it the plugins; the first build compiles some 500 packages, about 10 minutes on two cores"
    });
    // A missing compiler for the plugins is said now, not after the server's minutes.
    compiler_for_plugins()?;
    let (modules, program) = std::thread::scope(|scope| {
        // Both leave a core idle while their largest packages compile: side by side they fill each other's gaps.
        let modules = scope.spawn(|| {
            let modules = components::modules(checkout, &PLUGINS, &checkout.plugins(), Progress::Quiet)?;
            bridge::ensure(checkout, &checkout.bridge())?;
            dashboard::ensure_if_possible(checkout)?;
            anyhow::Ok(modules)
        });
        let program = build_program(checkout, "galley", release);
        (modules.join(), program)
    });
    let modules = modules.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let program = program?;
    phases.begin("the plugins' approval by this build");
    let plugins = modules.componentize(&program)?;
    seal(checkout, &program, &checkout.plugins(), &plugins)?;
    phases.end();
    Ok(program)
}

/// The same as [`build`] for a folder that is given away: everything in it is found beside the program.
pub fn build_release(checkout: &Checkout) -> Result<()> {
    bridge::ensure(checkout, &checkout.bridge())?;
    dashboard::ensure(checkout)?;
    let program = build_program(checkout, "galley", true)?;
    let plugins = components::ensure(checkout, &PLUGINS, &checkout.plugins(), &program)?;
    let editor = editor::build(checkout, true)?;
    let copied = dist::lay_out(checkout, &program, &editor, &plugins)?;
    seal(
        checkout,
        &copied.program,
        &copied.folder.join("plugins"),
        &copied.plugins,
    )?;
    let size = copied.finish()?;
    eprintln!(
        "xtask: {} is ready to be copied anywhere ({} MB)",
        checkout.show(&copied.folder),
        size.div_ceil(1_000_000)
    );
    Ok(())
}

/// Lets the program write `bundled.json`: the hashes of the plugins that this build approves. Nothing is done when
/// neither the program nor a plugin changed.
fn seal(checkout: &Checkout, program: &Path, folder: &Path, plugins: &[PathBuf]) -> Result<()> {
    let made = program
        .metadata()
        .with_context(|| format!("cannot read {}", program.display()))?;
    let facts = format!("{} {:?} {}", program.display(), made.modified()?, made.len());
    let mut hashes = Vec::new();
    for plugin in plugins {
        hashes.push(crate::stamp::sha256(&std::fs::read(plugin)?));
    }
    let facts: Vec<&str> = std::iter::once(facts.as_str())
        .chain(hashes.iter().map(String::as_str))
        .collect();
    let key = Key::of(&facts).hex();
    let sealed = folder.join("bundled.json");
    let name = if folder.starts_with(checkout.dist()) {
        "sealed-dist"
    } else {
        "sealed"
    };
    let stamp = Stamp::new(&checkout.stamps(), name);
    if stamp.is_current(&key) {
        return Ok(());
    }
    let mut galley = command(program);
    galley.args(["plugins", "seal"]).arg(folder).stdout(std::io::stderr());
    run(&mut galley).context("the plugins could not be sealed")?;
    stamp.write(&key, &[sealed]).context("the plugins were not sealed")
}

/// Sets what a server started from the build folder needs to find its parts, unless the user chose others.
fn with_parts(galley: &mut Command, checkout: &Checkout) {
    for (name, path) in [
        ("SERVICE_PLUGINS_DIR", checkout.plugins()),
        ("SERVICE_BRIDGE_BUNDLE", checkout.bridge()),
        ("SERVICE_DASHBOARD_DIR", checkout.dashboard()),
    ] {
        if std::env::var_os(name).is_none() && path.exists() {
            galley.env(name, path);
        }
    }
}

/// Sets the names that a browser on this machine reaches the server and its prototypes by, so that each prototype has an origin of
/// its own. Not when the user chose addresses, and not for a server that other machines reach.
fn with_names(galley: &mut Command) {
    const LISTEN: &str = "127.0.0.1:4310";
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let listen = std::env::var("SERVICE_LISTEN").ok().filter(|listen| !listen.is_empty());
    let listen: Option<SocketAddr> = listen.as_deref().unwrap_or(LISTEN).parse().ok();
    let Some(listen) = listen.filter(|listen| listen.ip().is_loopback() && listen.port() != 0) else {
        return;
    };
    if !is_set("SERVICE_PUBLIC_URL") && !is_set("SERVICE_SERVE_DOMAIN") {
        let port = listen.port();
        galley.env("SERVICE_PUBLIC_URL", format!("http://localhost:{port}"));
        galley.env("SERVICE_SERVE_DOMAIN", format!("localhost:{port}"));
    }
}

/// Becomes the server, so that its signals, its output and its exit code are its own. Returns only when that failed.
pub fn serve(checkout: &Checkout, program: &Path, args: &[String]) -> Result<()> {
    let mut galley = command(program);
    galley.arg("serve").args(args);
    with_parts(&mut galley, checkout);
    with_names(&mut galley);
    become_program(galley)
}
