//! The names of stored versions.

use std::io;
use std::path::{Path, PathBuf};

use super::error::SiteError;
use super::path::is_plain_id;
use crate::storage::durable;
use crate::storage::objects::Files;

const PACK: &str = "pack";
const VARIANTS: &str = "variants";

/// The file of a version in a data folder.
pub fn pack_file(data: &Path, project: &str, version: &str) -> PathBuf {
    data.join("sites").join(pack_name(project, version))
}

/// The folder of files that are being written.
pub(super) fn staging(data: &Path) -> PathBuf {
    data.join("staging")
}

fn pack_name(project: &str, version: &str) -> String {
    format!("{project}/{version}.{PACK}")
}

/// The files of a store.
pub(super) struct Layout {
    /// `<project>/<version>.pack` and `.variants`.
    pub files: Files,
    /// Files that are being written. Empty after boot.
    pub staging: PathBuf,
}

/// What a sweep found.
#[derive(Debug, Default)]
pub(super) struct Swept {
    /// Kept versions that have no variants yet.
    pub bare: Vec<(String, String)>,
    /// Deleted files.
    pub removed: usize,
}

impl Layout {
    /// Makes the folders, and empties the staging folder.
    pub fn prepare(data: &Path, files: Files) -> io::Result<Self> {
        let staging = staging(data);
        if staging.exists() {
            std::fs::remove_dir_all(&staging)?;
        }
        std::fs::create_dir_all(&staging)?;
        files.folder().parent().map_or(Ok(()), durable::sync_folder)?;
        Ok(Self { files, staging })
    }

    pub fn pack(&self, project: &str, version: &str) -> String {
        pack_name(project, version)
    }

    pub fn variants(&self, project: &str, version: &str) -> String {
        format!("{project}/{version}.{VARIANTS}")
    }

    /// Deletes a version's files; those that are missing are fine.
    pub fn remove(&self, project: &str, version: &str) -> io::Result<()> {
        // The pack first: variants without one are rubbish to the next sweep, a pack without variants is a version.
        for name in [self.pack(project, version), self.variants(project, version)] {
            self.files.remove(&name)?;
        }
        match durable::sync_folder(&self.files.folder().join(project)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The ids of a project's stored versions. Empty when it has none.
    pub fn versions(&self, project: &str) -> io::Result<Vec<String>> {
        let mut found = names(&self.files.folder().join(project))?;
        let listed = self.files.in_bucket(project)?.into_iter().flatten();
        found.extend(listed.filter_map(|(name, _)| Some(name.strip_prefix(project)?.strip_prefix('/')?.to_owned())));
        let pack = |name: &String| Some(name.strip_suffix(PACK)?.strip_suffix('.')?.to_owned());
        Ok(found.iter().filter_map(pack).collect())
    }

    /// Deletes the files in the data folder whose versions `keep` refuses.
    pub fn sweep(&self, keep: &impl Fn(&str, &str) -> bool) -> io::Result<Swept> {
        let mut swept = Swept::default();
        for project in names(self.files.folder())? {
            let folder = self.files.folder().join(&project);
            for name in names(&folder)? {
                let version = version_of(&name);
                let kept = version.is_some_and(|(version, _)| {
                    let pack = self.pack(&project, version);
                    is_plain_id(version) && keep(&project, version) && self.files.is_here(&pack) != Some(false)
                });
                if !kept {
                    let path = folder.join(&name);
                    if path.is_dir() {
                        std::fs::remove_dir_all(&path)?
                    } else {
                        std::fs::remove_file(&path)?
                    }
                    swept.removed += 1;
                } else if let Some((version, PACK)) = version
                    && self.files.is_here(&self.variants(&project, version)) == Some(false)
                {
                    swept.bare.push((project.clone(), version.to_owned()));
                }
            }
            // Stays when there is something in it.
            let _ = std::fs::remove_dir(&folder);
        }
        Ok(swept)
    }

    /// The same for a bucket, where it takes a while and what was stored after `before` stays: it may be part of an upload under
    /// way.
    pub fn sweep_bucket(&self, keep: &impl Fn(&str, &str) -> bool, before: i64) -> io::Result<Swept> {
        let mut swept = Swept::default();
        let Some(listed) = self.files.in_bucket("")? else {
            return Ok(swept);
        };
        let names: std::collections::HashSet<&str> = listed.iter().map(|(name, _)| &**name).collect();
        for (name, stored) in &listed {
            let version = name
                .split_once('/')
                .and_then(|(project, name)| Some((project, version_of(name)?)));
            match version {
                Some((project, (version, kind))) if keep(project, version) => {
                    let has_variants = names.contains(&*self.variants(project, version));
                    if kind == PACK && !has_variants {
                        swept.bare.push((project.to_owned(), version.to_owned()));
                    }
                }
                _ if *stored < before => {
                    self.files.remove(name)?;
                    swept.removed += 1;
                }
                _ => {}
            }
        }
        Ok(swept)
    }
}

/// The version and the kind of a file.
fn version_of(name: &str) -> Option<(&str, &str)> {
    let parts = name.rsplit_once('.');
    parts.filter(|(_, kind)| matches!(*kind, PACK | VARIANTS))
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
