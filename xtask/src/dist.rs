//! The folder that is given away: the program with its parts beside it, where it looks for them by itself.

mod symbols;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::paths::Checkout;
use crate::stamp::files_below;

/// The folders of `target/dist` that are written anew each time.
const FOLDERS: [&str; 4] = ["plugins", "dist", "editor-ui", "dashboard"];
/// How large all parts together may be, in bytes.
const MAX_SIZE: u64 = 70_000_000;
/// How systemd starts the server.
pub const UNIT: &str = include_str!("dist/galley.service");
/// Files that stand in `target/dist` as they stand here.
const TEXTS: [(&str, &str); 2] = [("galley.service", UNIT), ("README", include_str!("dist/README"))];

/// What was laid out.
pub struct Dist {
    pub folder: PathBuf,
    pub program: PathBuf,
    pub plugins: Vec<PathBuf>,
    parts: Vec<PathBuf>,
}

/// Copies everything into `target/dist`, and the debug information of the programs into `target/dist-debug`. Files that
/// are not part of Galley, such as data of a server that was tried out in there, stay.
pub fn lay_out(checkout: &Checkout, program: &Path, editor: &Path, plugins: &[PathBuf]) -> Result<Dist> {
    let folder = checkout.dist();
    for part in FOLDERS {
        let part = folder.join(part);
        if part.exists() {
            fs::remove_dir_all(&part).with_context(|| format!("cannot remove {}", part.display()))?;
        }
    }
    let (program, editor) = (copy(program, &folder)?, copy(editor, &folder)?);
    for program in [&program, &editor] {
        symbols::split(program, &checkout.dist_debug())?;
    }
    copy(&checkout.bridge(), &folder.join("dist"))?;
    for (from, name) in [(checkout.editor_ui(), "editor-ui"), (checkout.dashboard(), "dashboard")] {
        for file in files_below(&from)? {
            let inside = file.strip_prefix(&from).unwrap_or(&file);
            let below = inside.parent().unwrap_or(Path::new(""));
            copy(&file, &folder.join(name).join(below))?;
        }
    }
    let plugins = plugins
        .iter()
        .map(|plugin| copy(plugin, &folder.join("plugins")))
        .collect::<Result<Vec<_>>>()?;
    let mut parts = vec![program.clone(), editor];
    for (name, text) in TEXTS {
        let file = folder.join(name);
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        parts.push(file);
    }
    parts.extend(FOLDERS.map(|part| folder.join(part)));
    Ok(Dist {
        folder,
        program,
        plugins,
        parts,
    })
}

impl Dist {
    /// Lets every user read what was laid out, whatever the builder's umask, and gives its size in bytes. Fails when it
    /// is larger than [`MAX_SIZE`].
    pub fn finish(&self) -> Result<u64> {
        readable(&self.folder)?;
        let size = self.parts.iter().map(|part| open_to_all(part)).sum::<Result<u64>>()?;
        if size > MAX_SIZE {
            let (is, may) = (size / 1_000_000, MAX_SIZE / 1_000_000);
            bail!("{} has {is} MB, and at most {may} are wanted", self.folder.display());
        }
        Ok(size)
    }
}

/// Lets every user read `part` and all below it, and gives its size in bytes.
fn open_to_all(part: &Path) -> Result<u64> {
    readable(part)?;
    let cannot = || format!("cannot read {}", part.display());
    let is = part.metadata().with_context(cannot)?;
    if !is.is_dir() {
        return Ok(is.len());
    }
    fs::read_dir(part)
        .with_context(cannot)?
        .map(|entry| open_to_all(&entry?.path()))
        .sum()
}

/// 0755 for folders and programs, 0644 for other files.
#[cfg(unix)]
fn readable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let cannot = || format!("cannot set the mode of {}", path.display());
    let is = path.metadata().with_context(cannot)?;
    let program = is.is_dir() || is.permissions().mode() & 0o100 != 0;
    let mode = if program { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).with_context(cannot)
}

#[cfg(not(unix))]
fn readable(_: &Path) -> Result<()> {
    Ok(())
}

/// Copies a file into `folder`. Through a new file, because a program that is running cannot be written over.
fn copy(file: &Path, folder: &Path) -> Result<PathBuf> {
    let name = file.file_name().unwrap_or_default();
    let (to, draft) = (folder.join(name), folder.join(format!(".{}", name.to_string_lossy())));
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(file, &draft))
        .and_then(|_| fs::rename(&draft, &to))
        .with_context(|| format!("cannot copy {} to {}", file.display(), folder.display()))?;
    Ok(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_no_draft_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("galley"), folder.path().join("out"));
        for bytes in ["1", "2"] {
            fs::write(&from, bytes).unwrap();
            let copied = copy(&from, &to).unwrap();
            assert_eq!(fs::read_to_string(copied).unwrap(), bytes);
        }
        assert_eq!(fs::read_dir(&to).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_missing_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = copy(&folder.path().join("galley"), folder.path())
            .unwrap_err()
            .to_string();
        assert!(error.contains("galley"), "{error}");
    }

    /// A finished folder of one program.
    fn laid_out(program: &Path) -> Dist {
        Dist {
            folder: program.parent().unwrap().to_owned(),
            program: program.to_owned(),
            plugins: Vec::new(),
            parts: vec![program.to_owned()],
        }
    }

    #[test]
    fn a_folder_that_is_too_large_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("galley");
        let file = fs::File::create(&program).unwrap();
        file.set_len(MAX_SIZE).unwrap();
        assert_eq!(laid_out(&program).finish().unwrap(), MAX_SIZE);
        file.set_len(MAX_SIZE + 1).unwrap();
        let error = laid_out(&program).finish().unwrap_err().to_string();
        assert!(error.contains("70 MB"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn every_user_may_read_it_whatever_the_builders_umask() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let plugins = folder.path().join("plugins");
        fs::create_dir(&plugins).unwrap();
        for (path, mode) in [("galley", 0o700), ("plugins/bundled.json", 0o600), ("plugins", 0o700)] {
            let path = folder.path().join(path);
            if !path.exists() {
                fs::write(&path, "").unwrap();
            }
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let mut dist = laid_out(&folder.path().join("galley"));
        dist.parts.push(plugins);
        dist.finish().unwrap();
        for (path, mode) in [
            ("", 0o755),
            ("galley", 0o755),
            ("plugins", 0o755),
            ("plugins/bundled.json", 0o644),
        ] {
            let is = folder.path().join(path).metadata().unwrap().permissions().mode();
            assert_eq!(is & 0o777, mode, "{path}");
        }
    }

    #[test]
    fn the_unit_names_the_program_and_leaves_it_what_it_needs() {
        let [(_, unit), (_, readme)] = TEXTS;
        let set: Vec<&str> = unit.lines().filter(|line| !line.starts_with('#')).collect();
        for line in [
            "ExecStart=/opt/galley/galley serve",
            "NoNewPrivileges=yes",
            "User=galley",
            "UMask=0077",
        ] {
            assert!(set.contains(&line), "{line}");
        }
        // Plugins become native code, and builds get namespaces.
        for refused in ["MemoryDenyWriteExecute", "RestrictNamespaces", "ProtectProc"] {
            assert!(!set.iter().any(|line| line.starts_with(refused)), "{refused}");
        }
        assert!(readme.contains("/opt/galley") && readme.contains("galley.service"));
    }
}
