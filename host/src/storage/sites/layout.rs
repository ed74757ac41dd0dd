//! The paths of stored versions.

use std::io;
use std::path::{Path, PathBuf};

use super::error::SiteError;
use super::pack::sync_parent;
use super::path::is_plain_id;
use crate::storage::durable;

const PACK: &str = "pack";
const VARIANTS: &str = "variants";

/// The file of a version in a data folder.
pub fn pack_file(data: &Path, project: &str, version: &str) -> PathBuf {
    pack_below(&data.join("sites"), project, version)
}

fn pack_below(sites: &Path, project: &str, version: &str) -> PathBuf {
    sites.join(project).join(format!("{version}.{PACK}"))
}

/// The folders of a store.
#[derive(Debug)]
pub(super) struct Layout {
    /// `sites/<project>/<version>.pack` and `.variants`.
    pub sites: PathBuf,
    /// Files that are being written. Empty after boot.
    pub staging: PathBuf,
}

impl Layout {
    /// Makes the folders, and empties the staging folder.
    pub fn prepare(data: &Path) -> io::Result<Self> {
        let layout = Self {
            sites: data.join("sites"),
            staging: data.join("staging"),
        };
        std::fs::create_dir_all(&layout.sites)?;
        if layout.staging.exists() {
            std::fs::remove_dir_all(&layout.staging)?;
        }
        std::fs::create_dir_all(&layout.staging)?;
        sync_parent(&layout.sites)?;
        Ok(layout)
    }

    pub fn project(&self, project: &str) -> PathBuf {
        self.sites.join(project)
    }

    pub fn pack(&self, project: &str, version: &str) -> PathBuf {
        pack_below(&self.sites, project, version)
    }

    pub fn variants(&self, project: &str, version: &str) -> PathBuf {
        self.project(project).join(format!("{version}.{VARIANTS}"))
    }

    /// Makes a project's folder, durably.
    pub fn make_project(&self, project: &str) -> io::Result<()> {
        let folder = self.project(project);
        if !folder.exists() {
            std::fs::create_dir_all(&folder)?;
            sync_parent(&folder)?;
        }
        Ok(())
    }

    /// Deletes a version's files; those that are missing are fine.
    pub fn remove(&self, project: &str, version: &str) -> io::Result<()> {
        let pack = self.pack(project, version);
        // The pack first: variants without one are rubbish to the next sweep, a pack without variants is a version.
        for path in [&pack, &self.variants(project, version)] {
            durable::remove_file(path)?;
        }
        if self.project(project).exists() {
            sync_parent(&pack)
        } else {
            Ok(())
        }
    }

    /// The ids of a project's stored versions. Empty when it has no folder.
    pub fn versions(&self, project: &str) -> io::Result<Vec<String>> {
        let names = names(&self.project(project))?;
        Ok(names
            .iter()
            .filter_map(|name| name.strip_suffix(PACK)?.strip_suffix('.'))
            .map(str::to_owned)
            .collect())
    }

    /// Deletes the files of versions that `keep` refuses. Returns the kept versions that have no variants yet, and the number
    /// of deleted files.
    pub fn sweep(&self, keep: impl Fn(&str, &str) -> bool) -> io::Result<(Vec<(String, String)>, usize)> {
        let (mut bare, mut removed) = (Vec::new(), 0);
        for project in names(&self.sites)? {
            let folder = self.project(&project);
            for name in names(&folder)? {
                let version = name
                    .rsplit_once('.')
                    .filter(|(_, kind)| matches!(*kind, PACK | VARIANTS));
                let kept = version.is_some_and(|(version, _)| {
                    is_plain_id(version) && keep(&project, version) && self.pack(&project, version).exists()
                });
                if !kept {
                    let path = folder.join(&name);
                    if path.is_dir() {
                        std::fs::remove_dir_all(&path)?
                    } else {
                        std::fs::remove_file(&path)?
                    }
                    removed += 1;
                } else if let Some((version, PACK)) = version
                    && !self.variants(&project, version).exists()
                {
                    bare.push((project.clone(), version.to_owned()));
                }
            }
            // Stays when there is something in it.
            let _ = std::fs::remove_dir(&folder);
        }
        Ok((bare, removed))
    }
}

/// Ids become file names: anything but letters, digits, `-` and `_` is refused.
pub(super) fn check_ids(project: &str, version: &str) -> Result<(), SiteError> {
    if is_plain_id(project) && is_plain_id(version) {
        Ok(())
    } else {
        Err(SiteError::BadId)
    }
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in entries {
        // A name that is not UTF-8 was not made here, and stays.
        names.extend(entry?.file_name().into_string().ok());
    }
    names.sort();
    Ok(names)
}
