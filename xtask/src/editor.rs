//! The Editor: building its program and its interface, starting it.

use std::path::PathBuf;

use anyhow::{Context, Result};
use galley_build::process::command;

use crate::paths::Checkout;
use crate::program::{become_program, build_program, with_galley};
use crate::setup::{self, Purpose};
use crate::stamp::{Key, Stamp, files_below};
use crate::{bridge, npm};

/// What the interface is made from.
const SOURCES: [&str; 4] = ["ui", "kit", "bridge/src", "package-lock.json"];

/// Builds whatever is stale, and gives the program.
pub fn build(checkout: &Checkout, release: bool) -> Result<PathBuf> {
    bridge::ensure(checkout, &checkout.bridge())?;
    build_interface(checkout)?;
    build_program(checkout, "galley-editor", release)
}

/// Builds the interface's bundle again when its sources changed.
fn build_interface(checkout: &Checkout) -> Result<()> {
    let editor = checkout.at("editor");
    let key = Key::of(&["interface"]).sources(&editor, &SOURCES)?.hex();
    let stamp = Stamp::new(&checkout.stamps(), "editor-ui");
    if stamp.is_current(&key) {
        return Ok(());
    }
    eprintln!("xtask: building the Editor's interface");
    npm::ensure(&editor)?;
    npm::script(&editor, "build:ui").context("the Editor's interface could not be built")?;
    stamp.write(&key, &files_below(&checkout.editor_ui())?)
}

/// Becomes the Editor. Returns only when that failed.
pub fn start(checkout: &Checkout, args: &[String]) -> Result<()> {
    let program = build(checkout, false)?;
    let mut editor = command(program);
    editor.args(args);
    become_program(editor)
}

/// Builds the corpus runner and becomes it; with `--browser` it finds the whole Editor and Chromium. Returns only when that
/// failed.
pub fn corpus(checkout: &Checkout, args: &[String]) -> Result<()> {
    if args.iter().any(|arg| arg == "--browser") {
        setup::ensure(checkout, Purpose::Browser)?;
        build(checkout, false)?;
    }
    let mut corpus = command(build_program(checkout, "corpus", false)?);
    with_galley(corpus.args(args), checkout);
    become_program(corpus)
}

/// Builds the Editor and what records the vendor's program, and becomes that. Returns only when that failed.
pub fn vendor_cli(checkout: &Checkout, args: &[String]) -> Result<()> {
    build(checkout, false)?;
    let mut recorder = command(build_program(checkout, "vendor-cli", false)?);
    with_galley(recorder.args(args), checkout);
    become_program(recorder)
}
