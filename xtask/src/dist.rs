//! The folder that is given away: the program with its parts beside it, where it looks for them by itself.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::paths::Checkout;
use crate::stamp::files_below;

/// What was laid out.
pub struct Dist {
    pub folder: PathBuf,
    pub program: PathBuf,
    pub plugins: Vec<PathBuf>,
}

/// Copies everything into `target/dist`. Files that are not part of Galley, such as data of a server that was tried out
/// in there, stay.
pub fn lay_out(checkout: &Checkout, program: &Path, editor: &Path, plugins: &[PathBuf]) -> Result<Dist> {
    let folder = checkout.dist();
    for part in ["plugins", "dist", "editor-ui"] {
        let part = folder.join(part);
        if part.exists() {
            fs::remove_dir_all(&part).with_context(|| format!("cannot remove {}", part.display()))?;
        }
    }
    let copied_program = copy(program, &folder)?;
    copy(editor, &folder)?;
    copy(&checkout.bridge(), &folder.join("dist"))?;
    let interface = checkout.editor_ui();
    for file in files_below(&interface)? {
        let inside = file.strip_prefix(&interface).unwrap_or(&file);
        let below = inside.parent().unwrap_or(Path::new(""));
        copy(&file, &folder.join("editor-ui").join(below))?;
    }
    let copied = plugins
        .iter()
        .map(|plugin| copy(plugin, &folder.join("plugins")))
        .collect::<Result<Vec<_>>>()?;
    Ok(Dist {
        folder,
        program: copied_program,
        plugins: copied,
    })
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
}
