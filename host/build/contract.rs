//! Writes the table of the contract's interfaces and their versions from `wit/`, for `plugins/contract.rs`.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use wit_parser::Resolve;

/// Writes `interfaces.rs`.
pub fn write() -> anyhow::Result<()> {
    println!("cargo::rerun-if-changed=../wit");
    let mut resolve = Resolve::default();
    resolve.push_dir("../wit").context("wit/ is not valid")?;
    let mut names = Vec::new();
    for (_, interface) in &resolve.interfaces {
        let (Some(package), Some(name)) = (interface.package, &interface.name) else {
            continue;
        };
        let package = &resolve.packages[package].name;
        let version = package
            .version
            .as_ref()
            .with_context(|| format!("{package} has no version"))?;
        names.push((
            format!("{}:{}/{name}", package.namespace, package.name),
            version.to_string(),
        ));
    }
    names.sort();
    let mut table = String::from("[\n");
    for (name, version) in names {
        writeln!(table, "    ({name:?}, {version:?}),")?;
    }
    table.push_str("]\n");
    let folder = std::env::var("OUT_DIR").context("cargo sets OUT_DIR")?;
    std::fs::write(Path::new(&folder).join("interfaces.rs"), table)?;
    Ok(())
}
