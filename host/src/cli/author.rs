//! The commands for authors of plugins. They need neither a server nor its configuration.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;

use super::output::{print, print_json};
use super::scratch::Scratch;
use crate::author;
use crate::author::new::Language;
use crate::plugins::cache::sha256;
use crate::plugins::inspect::inspect_bytes;
use crate::plugins::lock::Built;
use crate::plugins::review::{counted, runs_on};

/// The subcommands of `galley plugins` for authors.
#[derive(Debug, Subcommand)]
pub enum AuthorCommand {
    /// Begin a plugin: a folder with a route, a table, a migration and a test
    ///
    /// The SDK is written into the folder too, so that nothing else is needed but the language's own tools.
    New {
        /// The plugin's name, which is also the slot it fills
        name: String,
        /// The folder to make; without it, one of the plugin's name
        #[arg(long)]
        path: Option<PathBuf>,
        /// Use the SDK that `galley sdk` wrote into this folder
        #[arg(long, value_name = "FOLDER")]
        sdk: Option<PathBuf>,
        /// What it is written in; its README.md says how it is built
        #[arg(long, value_enum, default_value_t)]
        language: Language,
    },
    /// Build a plugin's component, and check that a server would read it
    ///
    /// PATH is the folder of a plugin in Rust, or a core module that some other tool built against the contract.
    Build {
        /// The plugin's folder, or a core module
        #[arg(default_value = ".")]
        path: PathBuf,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs one subcommand.
pub fn run(command: AuthorCommand) -> anyhow::Result<()> {
    match command {
        AuthorCommand::New {
            name,
            path,
            sdk,
            language,
        } => new(&name, path, language, sdk.as_deref()),
        AuthorCommand::Build { path, out, json } => build(&path, out, json),
    }
}

/// `galley sdk`.
pub fn sdk(folder: &Path) -> anyhow::Result<()> {
    author::sdk::write(folder)?;
    let path = folder.join("sdk");
    print(&format!(
        "The SDK is in {}. A plugin depends on it by: galley-sdk = {{ path = \"{}\" }}\n",
        folder.display(),
        path.display()
    ))
}

fn new(name: &str, path: Option<PathBuf>, language: Language, sdk: Option<&Path>) -> anyhow::Result<()> {
    let folder = path.unwrap_or_else(|| PathBuf::from(name));
    author::new::new(name, &folder, language, sdk)?;
    let place = folder.display();
    if language != Language::Rust {
        return print(&format!(
            "{place} is there: README.md says what is in it, and how it is built.\n"
        ));
    }
    print(&format!(
        "{place} is there: src/lib.rs is the plugin, README.md says what else is in it.\n\n  cd {place}\n  cargo test\n  galley plugins build\n"
    ))
}

fn build(path: &Path, out: Option<PathBuf>, as_json: bool) -> anyhow::Result<()> {
    let component = author::build::build(path, out)?;
    // A module is a step of some other build, which checks what it makes.
    if !path.is_dir() && !as_json {
        return print(&format!("{}\n", component.file.display()));
    }
    let built = read(&component)?;
    let (manifest, bytes) = (&built.manifest, component.wasm.len());
    if as_json {
        return print_json(&json!({
            "file": component.file, "bytes": bytes, "sha256": built.sha256, "slot": manifest.slot,
            "version": manifest.version, "routes": manifest.routes.len(), "imports": built.imports,
            "engines": manifest.engines,
        }));
    }
    let powers: Vec<&str> = built.imports.iter().map(String::as_str).collect();
    let runs_on = runs_on(manifest).map_or_else(String::new, |text| format!("  {text}\n"));
    print(&format!(
        "{} {}, {} KB, {}\n  may use {}\n{runs_on}  {}\n",
        manifest.slot,
        manifest.version,
        bytes.div_ceil(1000),
        counted(manifest.routes.len(), "route"),
        if powers.is_empty() {
            "nothing".to_owned()
        } else {
            powers.join(", ")
        },
        component.file.display()
    ))
}

/// Reads the component as a server would.
fn read(component: &author::build::Built) -> anyhow::Result<Built> {
    let scratch = Scratch::open()?;
    let name = component.file.display().to_string();
    let hash = sha256(&component.wasm);
    let inspected = inspect_bytes(&scratch.engine, &scratch.cache, &name, &component.wasm, hash)?;
    Ok(inspected.built)
}
