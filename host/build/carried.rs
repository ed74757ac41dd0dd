//! Puts the sources of the SDK, the contract and the template into the program, for `galley sdk` and `galley plugins new`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What the program carries, relative to the top folder.
const CARRIED: [&str; 16] = [
    "Cargo.toml",
    "wit",
    "sdk/Cargo.toml",
    "sdk/js",
    "sdk/python",
    "sdk/src",
    "sdk/manifest/Cargo.toml",
    "sdk/manifest/src",
    "sdk/people",
    "sdk/postgres/Cargo.toml",
    "sdk/postgres/src",
    "sdk/rows",
    "sdk/sql/Cargo.toml",
    "sdk/sql/src",
    "sdk/template",
    "sdk/ui",
];

/// Files and folders that are not carried.
const LEFT: [&str; 5] = [
    "target",
    "Cargo.lock",
    "node_modules",
    "package-lock.json",
    "__pycache__",
];

/// Writes `carried.rs`.
pub fn write() -> io::Result<()> {
    let host = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = host.parent().unwrap_or(&host);
    let mut files = Vec::new();
    for carried in CARRIED {
        println!("cargo:rerun-if-changed={}", root.join(carried).display());
        collect(&root.join(carried), &mut files)?;
    }
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file
            .strip_prefix(root)
            .unwrap_or(&file)
            .to_string_lossy()
            .replace('\\', "/");
        // Writing into a String cannot fail.
        let _ = writeln!(
            list,
            "    ({name:?}, include_bytes!({:?})),",
            file.display().to_string()
        );
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("carried.rs"), list)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        // What a build of a template leaves, and the versions of a test's.
        if !LEFT.iter().any(|left| entry.file_name() == *left) {
            collect(&entry.path(), files)?;
        }
    }
    Ok(())
}
