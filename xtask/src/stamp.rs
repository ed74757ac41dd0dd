//! Knowing that nothing changed: digests of sources, remembered beside what was made from them.
//!
//! Contents count, not times: a fresh clone, a branch switched forth and back and a copied checkout all give the same
//! digest. The sources of all guests together are well below a megabyte, so reading them costs milliseconds.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use data_encoding::HEXLOWER;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// Folders that are made from sources and never are sources.
pub const NO_SOURCES: [&str; 5] = ["target", "node_modules", "dist", ".git", "galley-data"];

/// Lower-case hex SHA-256.
pub fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Every file at or below `path`, sorted by name. A path that does not exist has none.
pub fn files_below(path: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(path, &mut found).with_context(|| format!("cannot read {}", path.display()))?;
    found.sort();
    Ok(found)
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let Ok(kind) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    if kind.is_file() {
        found.push(path.to_owned());
    } else if kind.is_dir() {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            if !NO_SOURCES.iter().any(|skipped| entry.file_name() == *skipped) {
                collect(&entry.path(), found)?;
            }
        }
    }
    Ok(())
}

/// A digest over what something is made from.
pub struct Key(Sha256);

impl Key {
    /// Begins with the facts that are no files, such as the compiler's version.
    pub fn of(facts: &[&str]) -> Self {
        let mut key = Self(Sha256::new());
        for fact in facts {
            key.add(fact.as_bytes());
        }
        key
    }

    /// Adds the names (relative to `root`) and contents of all files at or below `paths`.
    pub fn sources(mut self, root: &Path, paths: &[&str]) -> Result<Self> {
        for path in paths {
            for file in files_below(&root.join(path))? {
                let name = file.strip_prefix(root).unwrap_or(&file);
                self.add(name.to_string_lossy().as_bytes());
                self.add(&fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?);
            }
        }
        Ok(self)
    }

    /// The digest as hex.
    pub fn hex(self) -> String {
        HEXLOWER.encode(&self.0.finalize())
    }

    /// Lengths go in too, so that no two different lists of pieces look alike.
    fn add(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }
}

/// A remembered key with the files that were made under it.
pub struct Stamp {
    file: PathBuf,
}

impl Stamp {
    /// The stamp `name` in `folder`.
    pub fn new(folder: &Path, name: &str) -> Self {
        Self {
            file: folder.join(format!("{name}.json")),
        }
    }

    /// Whether `key` is the remembered one and every file made under it still has the bytes it had.
    pub fn is_current(&self, key: &str) -> bool {
        let Ok(bytes) = fs::read(&self.file) else { return false };
        let Ok(stamp) = serde_json::from_slice::<Value>(&bytes) else {
            return false;
        };
        let Some(outputs) = stamp["outputs"].as_object() else {
            return false;
        };
        stamp["key"] == key
            && outputs
                .iter()
                .all(|(path, hash)| fs::read(path).is_ok_and(|bytes| *hash == sha256(&bytes)))
    }

    /// Remembers that `outputs` were made under `key`.
    pub fn write(&self, key: &str, outputs: &[PathBuf]) -> Result<()> {
        let mut made = Map::new();
        for path in outputs {
            let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            made.insert(path.to_string_lossy().into_owned(), sha256(&bytes).into());
        }
        let text = format!("{:#}\n", json!({ "key": key, "outputs": made }));
        write_if_changed(&self.file, text.as_bytes())?;
        Ok(())
    }
}

/// Writes `bytes` to `path` in one step, unless they stand there already; says whether it wrote. Files whose bytes stay
/// keep their times, so nothing that is derived from them is made again.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = folder.join(format!(".{name}.{}", std::process::id()));
    fs::write(&draft, bytes)
        .and_then(|()| fs::rename(&draft, path))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(root: &Path) -> String {
        Key::of(&["compiler 1"])
            .sources(root, &["src", "Cargo.toml", "missing"])
            .unwrap()
            .hex()
    }

    fn checkout() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("src")).unwrap();
        fs::write(root.path().join("src/a.rs"), "one").unwrap();
        fs::write(root.path().join("Cargo.toml"), "two").unwrap();
        root
    }

    #[test]
    fn a_key_depends_on_names_and_contents_but_not_on_the_folder() {
        let (one, two) = (checkout(), checkout());
        let before = key(one.path());
        assert_eq!(before, key(two.path()));
        fs::write(one.path().join("src/a.rs"), "One").unwrap();
        assert_ne!(before, key(one.path()), "a changed byte of the same length");
        fs::rename(two.path().join("src/a.rs"), two.path().join("src/b.rs")).unwrap();
        assert_ne!(before, key(two.path()), "a changed name");
    }

    #[test]
    fn what_was_built_is_no_source() {
        let root = checkout();
        let before = key(root.path());
        fs::create_dir(root.path().join("src/target")).unwrap();
        fs::write(root.path().join("src/target/x"), "built").unwrap();
        assert_eq!(before, key(root.path()));
    }

    #[test]
    fn pieces_do_not_run_into_each_other() {
        assert_ne!(Key::of(&["ab", "c"]).hex(), Key::of(&["a", "bc"]).hex());
    }

    #[test]
    fn a_stamp_holds_while_key_and_outputs_stay() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("made.wasm");
        fs::write(&output, "bytes").unwrap();
        let stamp = Stamp::new(folder.path(), "guests");
        assert!(!stamp.is_current("k1"));
        stamp.write("k1", std::slice::from_ref(&output)).unwrap();
        assert!(stamp.is_current("k1"));
        assert!(!stamp.is_current("k2"));
        fs::write(&output, "other").unwrap();
        assert!(!stamp.is_current("k1"), "an output was changed by hand");
        fs::remove_file(&output).unwrap();
        assert!(!stamp.is_current("k1"), "an output is gone");
    }

    #[test]
    fn equal_bytes_are_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/made");
        assert!(write_if_changed(&file, b"1").unwrap());
        assert!(!write_if_changed(&file, b"1").unwrap());
        assert!(write_if_changed(&file, b"2").unwrap());
        assert_eq!(
            fs::read_dir(file.parent().unwrap()).unwrap().count(),
            1,
            "no draft stays behind"
        );
    }
}
