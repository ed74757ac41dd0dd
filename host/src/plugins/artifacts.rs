//! The artifacts an operator installed: `artifacts/<sha256>.wasm` in the data folder. Backups hold them.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::cache::sha256;
use crate::config::pause::{self, Step};
use crate::storage::durable;

/// The largest artifact, in bytes. Components with a whole JavaScript engine in them have 12 MB, with Python 19 MB.
pub const MAX_ARTIFACT_BYTES: usize = 64 << 20;

/// How long an artifact stays that nothing names: its permissions are being looked at.
const UNNAMED_TIMEOUT: Duration = Duration::from_secs(3600);

/// Where an artifact is.
pub fn path(data_dir: &Path, sha256: &str) -> PathBuf {
    data_dir.join("artifacts").join(format!("{sha256}.wasm"))
}

/// Stores an artifact durably and returns its hash. One that is there already is not written again.
pub fn keep(data_dir: &Path, wasm: &[u8]) -> io::Result<String> {
    let hash = sha256(wasm);
    pause::block_at(Step::Stage);
    if !fs::read(path(data_dir, &hash)).is_ok_and(|there| there == wasm) {
        write(data_dir, &hash, wasm)?;
    }
    Ok(hash)
}

/// Stores an artifact of this hash durably.
pub fn write(data_dir: &Path, sha256: &str, wasm: &[u8]) -> io::Result<()> {
    durable::private_folder(&data_dir.join("artifacts"))?;
    durable::write_file(&path(data_dir, sha256), wasm)
}

/// Deletes what nothing in `named` is, and what was compiled of it, once it is older than an hour. Returns how many files went.
pub fn sweep(data_dir: &Path, named: &HashSet<&str>) -> usize {
    let folders = ["artifacts", "plugins"].map(|folder| fs::read_dir(data_dir.join(folder)));
    let files = folders.into_iter().flatten().flatten().flatten();
    let is_old = |file: &fs::DirEntry| {
        let changed = file.metadata().and_then(|facts| facts.modified());
        changed.is_ok_and(|at| {
            SystemTime::now()
                .duration_since(at)
                .is_ok_and(|age| age > UNNAMED_TIMEOUT)
        })
    };
    files
        .filter(|file| {
            let name = file.file_name().to_string_lossy().into_owned();
            // `HASH.wasm`, `HASH-ENGINE.cwasm`, `HASH.json`.
            let hash = name.split(['.', '-']).next().unwrap_or_default();
            !named.contains(hash) && is_old(file)
        })
        .filter(|file| fs::remove_file(file.path()).is_ok())
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn an_artifact_is_kept_by_its_hash_for_its_owner_only() {
        let data = tempfile::tempdir().unwrap();
        let hash = keep(data.path(), b"wasm").unwrap();
        assert_eq!(keep(data.path(), b"wasm").unwrap(), hash);
        let file = path(data.path(), &hash);
        assert_eq!(fs::read(&file).unwrap(), b"wasm");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn only_old_ones_that_nothing_names_are_swept() {
        let data = tempfile::tempdir().unwrap();
        let (old, young) = (keep(data.path(), b"old").unwrap(), keep(data.path(), b"young").unwrap());
        let named = keep(data.path(), b"named").unwrap();
        let compiled = data.path().join("plugins");
        fs::create_dir(&compiled).unwrap();
        let of = |hash: &str| [format!("{hash}-1a.cwasm"), format!("{hash}.json")].map(|name| compiled.join(name));
        let then = SystemTime::now() - 2 * UNNAMED_TIMEOUT;
        for hash in [&old, &named] {
            of(hash).iter().for_each(|file| fs::write(file, "x").unwrap());
            for file in of(hash).iter().chain([&path(data.path(), hash)]) {
                let file = fs::File::options().append(true).open(file).unwrap();
                file.set_modified(then).unwrap();
            }
        }
        assert_eq!(sweep(data.path(), &HashSet::from([named.as_str()])), 3);
        let there = |hash: &str| path(data.path(), hash).exists();
        assert!(!there(&old) && there(&young) && there(&named));
        assert!(of(&named).iter().all(|file| file.exists()) && !of(&old).iter().any(|file| file.exists()));
    }
}
