//! Looks at the machine, and does what the decision says until a compiler is there.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::{DEBIAN_PACKAGES, Decision, Facts, Search, TARGET, Toolchain, Way, decide};
use crate::process::{command, read, succeeds_within, which};

/// Where Debian puts its compiler. Not looked up on the search path: rustup's comes first there.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

/// `rustup target add` is a small download. A machine without a way out should not wait for it.
const ADD_TARGET_TIMEOUT: Duration = Duration::from_secs(120);

/// What was found on disk.
struct Found {
    own: Option<Compiler>,
    own_library: bool,
    debian: Option<Compiler>,
}

/// One compiler.
struct Compiler {
    version: String,
    release: String,
    commit: String,
    sysroot: PathBuf,
    linker: Option<PathBuf>,
}

/// Finds a compiler for the modules, installing one where that is possible.
pub fn ensure(search: Search<'_>) -> Result<Toolchain> {
    let forced = Way::forced(std::env::var("GALLEY_WASM_TOOLCHAIN").ok().as_deref())?;
    let minimum = env!("CARGO_PKG_RUST_VERSION");
    let mut facts = Facts {
        rustup: which("rustup").is_some(),
        ..Facts::default()
    };
    loop {
        let found = look(minimum, forced);
        facts.own_library = found.own_library;
        facts.debian = found.debian.is_some();
        facts.linker = found.own.as_ref().is_some_and(|own| own.linker.is_some());
        facts.apt = search.install.is_some();
        match decide(facts, forced) {
            Decision::Use(way) => return toolchain(way, found),
            Decision::AddTarget => {
                eprintln!("{}: no {TARGET} here yet: rustup target add {TARGET}", search.program);
                let mut add = command("rustup");
                add.args(["target", "add", TARGET]);
                if !succeeds_within(&mut add, ADD_TARGET_TIMEOUT) || !look(minimum, forced).own_library {
                    eprintln!("{}: rustup could not download it", search.program);
                    facts.rustup_failed = true;
                }
            }
            Decision::InstallPackages => {
                if let Some(Err(error)) = search.install.map(|install| install(&DEBIAN_PACKAGES)) {
                    eprintln!("{}: {error:#}", search.program);
                }
                facts.apt_failed = true;
            }
            Decision::GiveUp(line) => bail!(line),
        }
    }
}

fn look(minimum: &str, forced: Option<Way>) -> Found {
    let own = inspect(Path::new(&std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())));
    let own_library = own.as_ref().is_some_and(|own| has_library(&own.sysroot));
    // Debian's compiler is started only when it matters: this is on the way of every `cargo xtask run`.
    let look_at_debian = forced == Some(Way::Debian) || (forced.is_none() && !own_library);
    let debian = look_at_debian
        .then(|| inspect(Path::new(DEBIAN_RUSTC)))
        .flatten()
        .filter(|debian| {
            !is_older(&debian.release, minimum) && matched_source(&debian.sysroot, &debian.release).is_some()
        });
    Found {
        own,
        own_library,
        debian,
    }
}

fn toolchain(way: Way, found: Found) -> Result<Toolchain> {
    let own_linker = found.own.as_ref().and_then(|own| own.linker.clone());
    let (compiler, rustc, linker) = match way {
        Way::Rustup => (found.own, None, None),
        Way::Debian => (found.debian, Some(PathBuf::from(DEBIAN_RUSTC)), own_linker),
    };
    let compiler = compiler.context("the compiler went away while it was being looked at")?;
    let link = compiler.sysroot.join("lib/rustlib/src/rust");
    let mut library_sources = vec![link.clone()];
    library_sources.extend(link.canonicalize().ok().filter(|real| *real != link));
    Ok(Toolchain {
        way,
        rustc,
        version: compiler.version,
        commit: compiler.commit,
        library_sources,
        linker,
    })
}

/// What a compiler says of itself, or nothing when there is none.
fn inspect(rustc: &Path) -> Option<Compiler> {
    let version = read(command(rustc).arg("-vV")).ok()?;
    let sysroot = PathBuf::from(read(command(rustc).args(["--print", "sysroot"])).ok()?);
    let field = |name: &str| {
        let line = version
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or_default();
        line.trim().to_owned()
    };
    let linker = sysroot.join("lib/rustlib").join(field("host:")).join("bin/rust-lld");
    Some(Compiler {
        release: field("release:"),
        commit: field("commit-hash:"),
        linker: Some(linker).filter(|file| file.is_file()),
        version,
        sysroot,
    })
}

/// Whether the compiled standard library for the target lies below `sysroot`. `rustc --print target-libdir` names that
/// folder whether or not it exists, so the disk decides.
fn has_library(sysroot: &Path) -> bool {
    let Ok(entries) = sysroot.join("lib/rustlib").join(TARGET).join("lib").read_dir() else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    })
}

/// Debian's library source, when it is there and of the compiler's own release (its real folder is `rustc-<release>`).
fn matched_source(sysroot: &Path, release: &str) -> Option<PathBuf> {
    let source = sysroot.join("lib/rustlib/src/rust").canonicalize().ok()?;
    let name = source.file_name()?.to_str()?;
    let same = name
        .strip_prefix("rustc-")
        .is_none_or(|source_release| source_release == release);
    (same && source.join("library/std/Cargo.toml").is_file()).then_some(source)
}

/// Compares dotted numbers; what is missing counts as zero.
fn is_older(release: &str, minimum: &str) -> bool {
    let numbers = |text: &str| {
        let mut parts: Vec<u32> = text.split(['.', '-']).map_while(|part| part.parse().ok()).collect();
        parts.resize(3, 0);
        parts
    };
    numbers(release) < numbers(minimum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_compare_by_number() {
        assert!(is_older("1.63.0", "1.95"));
        assert!(!is_older("1.95.0", "1.95"));
        assert!(!is_older("1.100.0-nightly", "1.95"));
        assert!(is_older("", "1.95"));
    }

    #[test]
    fn a_library_is_a_file_not_a_promise() {
        let sysroot = tempfile::tempdir().unwrap();
        assert!(!has_library(sysroot.path()));
        let folder = sysroot.path().join("lib/rustlib").join(TARGET).join("lib");
        std::fs::create_dir_all(&folder).unwrap();
        assert!(!has_library(sysroot.path()));
        std::fs::write(folder.join("libstd-0123.rlib"), b"").unwrap();
        assert!(has_library(sysroot.path()));
    }

    #[cfg(unix)]
    #[test]
    fn source_of_another_release_does_not_count() {
        let sysroot = tempfile::tempdir().unwrap();
        let source = sysroot.path().join("src/rustc-1.96.0");
        std::fs::create_dir_all(source.join("library/std")).unwrap();
        std::fs::write(source.join("library/std/Cargo.toml"), b"").unwrap();
        std::fs::create_dir_all(sysroot.path().join("lib/rustlib/src")).unwrap();
        std::os::unix::fs::symlink(&source, sysroot.path().join("lib/rustlib/src/rust")).unwrap();
        assert_eq!(matched_source(sysroot.path(), "1.96.0"), source.canonicalize().ok());
        assert_eq!(matched_source(sysroot.path(), "1.97.0"), None);
    }
}
