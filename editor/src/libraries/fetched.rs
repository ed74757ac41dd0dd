//! Declared libraries that are not installed: packages of the registry, and repositories.
//!
//! They lie in the Editor's own folder, one for each declaration, for a day. Nothing of a package is run; a repository is built
//! only when its declaration says `allowBuild`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use flate2::read::GzDecoder;
use tar::Archive;

use super::run::run;
use crate::source::model::hash;

/// After this time it is fetched again.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);
const PACK_TIMEOUT: Duration = Duration::from_secs(120);
const CLONE_TIMEOUT: Duration = Duration::from_secs(300);
const BUILD_TIMEOUT: Duration = Duration::from_secs(900);
/// All files of a package together, unpacked.
const MAX_UNPACKED: u64 = 512 << 20;

/// A package of the registry, unpacked; npm is run in `root`, whose `.npmrc` says which registry.
///
/// # Errors
/// In words.
pub(super) async fn package(spec: &str, root: &Path, kept: &Path) -> Result<PathBuf, String> {
    if !is_of_registry(spec) {
        return Err("it is no name of the registry with a version, like @acme/ui@^2".to_owned());
    }
    let home = kept.join(hash(spec));
    let fetched = home.join("package");
    if is_fresh(&fetched) {
        return Ok(fetched);
    }
    let work = emptied(&home.join("work"))?;
    let to = work.to_str().ok_or("its folder's name is not UTF-8")?;
    let arguments = [
        "pack",
        spec,
        "--pack-destination",
        to,
        "--ignore-scripts",
        "--loglevel=error",
    ];
    run("npm", &arguments, root, PACK_TIMEOUT).await?;
    let unpacked = work.clone();
    let unpack = tokio::task::spawn_blocking(move || unpack(&unpacked)).await;
    let folder = unpack.map_err(|error| error.to_string())??;
    replaced(&folder, &fetched)?;
    let _ = fs::remove_dir_all(&work);
    Ok(fetched)
}

/// A repository's library, built when that is allowed.
///
/// # Errors
/// In words.
pub(super) async fn repository(
    url: &str,
    reference: Option<&str>,
    subfolder: Option<&str>,
    build: bool,
    kept: &Path,
) -> Result<PathBuf, String> {
    let home = kept.join(hash(&format!("{url}\n{}\n{build}", reference.unwrap_or_default())));
    let fetched = home.join("repository");
    let library = fetched.join(subfolder.unwrap_or_default());
    if is_fresh(&fetched) {
        return Ok(library);
    }
    let work = emptied(&home.join("work"))?;
    // The repository is somebody's: nothing it brings may run while it is fetched.
    let quiet = ["-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never"];
    let git =
        |arguments: &[&str]| -> Vec<String> { quiet.iter().chain(arguments).map(|&one| one.to_owned()).collect() };
    let what = reference.unwrap_or("HEAD");
    for step in [
        git(&["init", "--quiet", "."]),
        git(&["fetch", "--quiet", "--depth", "1", "--no-tags", "--", url, what]),
        git(&["checkout", "--quiet", "--detach", "FETCH_HEAD"]),
    ] {
        let step: Vec<&str> = step.iter().map(String::as_str).collect();
        run("git", &step, &work, CLONE_TIMEOUT).await?;
    }
    let inside = work.join(subfolder.unwrap_or_default());
    if !inside.is_dir() {
        return Err(format!("it has no folder {}", subfolder.unwrap_or_default()));
    }
    if build {
        // Where the lock file is, the packages are installed; the library's own script builds it.
        run(
            "npm",
            &["install", "--no-audit", "--no-fund", "--loglevel=error"],
            &inside,
            BUILD_TIMEOUT,
        )
        .await?;
        run("npm", &["run", "build"], &inside, BUILD_TIMEOUT).await?;
    }
    replaced(&work, &fetched)?;
    Ok(library)
}

/// `name`, `@scope/name`, with or without `@` and a version: no address, no folder, no alias.
fn is_of_registry(spec: &str) -> bool {
    let part = |text: &str| {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.' | '~');
        !text.is_empty() && !text.starts_with(['.', '-']) && text.chars().all(plain)
    };
    let (scope, rest) = match spec.strip_prefix('@').and_then(|rest| rest.split_once('/')) {
        Some((scope, rest)) => (Some(scope), rest),
        None => (None, spec),
    };
    let (name, version) = rest.split_once('@').unwrap_or((rest, "latest"));
    let is_version = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '^' | '~' | '*' | '>' | '<' | '=' | ' ' | '|')
    };
    scope.is_none_or(part) && part(name) && !version.is_empty() && version.chars().all(is_version)
}

fn is_fresh(folder: &Path) -> bool {
    let changed = fs::metadata(folder).and_then(|metadata| metadata.modified());
    changed.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age < FRESH))
}

/// Deletes a folder that may not be there.
fn removed(folder: &Path) -> std::io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn emptied(folder: &Path) -> Result<PathBuf, String> {
    let made = removed(folder).and_then(|()| fs::create_dir_all(folder));
    made.map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    Ok(folder.to_owned())
}

/// Puts what was made in the place of what was there.
fn replaced(made: &Path, place: &Path) -> Result<(), String> {
    let moved = removed(place)
        .and_then(|()| fs::rename(made, place))
        .and_then(|()| File::open(place)?.set_modified(SystemTime::now()));
    moved.map_err(|error| format!("{} cannot be written: {error}", place.display()))
}

/// Unpacks the one archive of a folder, below it.
fn unpack(folder: &Path) -> Result<PathBuf, String> {
    let broken = |error: std::io::Error| format!("its archive cannot be read: {error}");
    let archive = fs::read_dir(folder)
        .map_err(broken)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|ending| ending == "tgz"))
        .ok_or("npm brought no archive")?;
    let to = folder.join("unpacked");
    fs::create_dir_all(&to).map_err(broken)?;
    let mut archive = Archive::new(GzDecoder::new(File::open(archive).map_err(broken)?));
    let mut left = MAX_UNPACKED;
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        left = left
            .checked_sub(entry.size())
            .ok_or_else(|| format!("it is larger than {} MB", MAX_UNPACKED >> 20))?;
        // Never outside of the folder, whatever the archive says.
        entry.unpack_in(&to).map_err(broken)?;
    }
    // Archives of npm hold one folder, which most call `package`.
    let inside = fs::read_dir(&to).map_err(broken)?.flatten().map(|entry| entry.path());
    inside
        .into_iter()
        .find(|path| path.is_dir())
        .ok_or_else(|| "its archive is empty".to_owned())
}

#[cfg(test)]
mod tests {
    use super::is_of_registry;

    #[test]
    fn only_names_of_the_registry_are_asked_of_npm() {
        for good in [
            "ui",
            "@acme/ui",
            "@acme/ui@^2",
            "ui@1.2.3-beta.1",
            "ui@latest",
            "@a-b/c.d@>=1 <3",
        ] {
            assert!(is_of_registry(good), "{good}");
        }
        for bad in [
            "",
            "@acme",
            "@acme/",
            "./ui",
            "../ui",
            "/ui",
            "file:ui",
            "https://example.com/ui.tgz",
            "github:acme/ui",
            "acme/ui",
            "ui@npm:other",
            "ui@file:x",
            "-x",
            "ui@",
            "Ui",
            "git+ssh://x/y",
        ] {
            assert!(!is_of_registry(bad), "{bad}");
        }
    }
}
