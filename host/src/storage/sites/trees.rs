//! Trees that wait in the object store that servers share: one of them has made a tree, and another one may publish it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::inflate::Received;
use super::layout::staging;
use super::manifest::{Manifest, Record, SITE, encode};
use super::pack::{self, PackWriter};
use super::staged::StagedTree;
use crate::storage::objects::{Files, Objects};

const ENDING: &str = ".tree";
/// How much is copied at once, in bytes.
const PIECE: usize = 1 << 20;

/// The trees of an object store. Names are relative paths of checked parts. Calls block.
pub struct TreeStore {
    files: Files,
    staging: PathBuf,
}

/// A whole tree that is to be stored, in the staging folder. Dropped, it is deleted.
pub struct SealedTree(PackWriter);

impl StagedTree {
    /// Completes a tree that waits for somebody to publish it. Pages are read when that is done.
    pub fn seal(mut self) -> io::Result<SealedTree> {
        self.pack.seal(&encode(&self.records))?;
        Ok(SealedTree(self.pack))
    }
}

impl TreeStore {
    /// The trees of a server whose data folder a [`SiteStore`](super::SiteStore) has opened.
    pub fn open(data_dir: &Path, objects: &Objects) -> io::Result<Self> {
        Ok(Self {
            files: objects.files("trees")?,
            staging: staging(data_dir),
        })
    }

    /// Stores a tree, durably. It is used up then, and can be tried again when this fails.
    pub fn place(&self, tree: &mut SealedTree, name: &str) -> io::Result<()> {
        tree.0.place(&self.files, &stored(name))
    }

    /// A stored tree, as it was before it was sealed. It can be had any number of times, also at the same time.
    pub fn open_tree(&self, name: &str) -> io::Result<StagedTree> {
        let (file, manifest) = pack::open(self.files.open(&stored(name))?, SITE)?;
        let manifest = Manifest::decode(&manifest)?;
        let records: Vec<Record> = (0..manifest.count()).map(|at| record(&manifest, at)).collect();
        let end = records.iter().map(|record| record.body.offset + record.body.len).max();
        let pack = copy(&self.staging, &file, end.unwrap_or_default())?;
        // Nobody asks how it was received.
        Ok(StagedTree::new(pack, records, Received::default()))
    }

    /// Deletes a tree; a missing one is fine.
    pub fn remove_tree(&self, name: &str) -> io::Result<()> {
        self.files.remove(&stored(name))
    }

    /// The trees that were stored before a time, in milliseconds since 1970.
    pub fn trees_before(&self, before: i64) -> io::Result<Vec<String>> {
        let all = self.files.in_bucket("")?.unwrap_or_default();
        let old = all.into_iter().filter(|(_, at)| *at < before);
        Ok(old
            .filter_map(|(name, _)| Some(name.strip_suffix(ENDING)?.to_owned()))
            .collect())
    }
}

fn stored(name: &str) -> String {
    format!("{name}{ENDING}")
}

fn record(manifest: &Manifest, at: usize) -> Record {
    let file = manifest.file(at);
    Record {
        path: manifest.path(at).to_owned(),
        body: file.body,
        hash: file.hash,
        holes: None,
    }
}

/// The first `len` bytes of a pack, to be completed.
fn copy(staging: &Path, from: &File, len: u64) -> io::Result<PackWriter> {
    let mut pack = PackWriter::create(staging, SITE)?;
    let mut piece = vec![0; PIECE];
    while pack.position() < len {
        let left = usize::try_from(len - pack.position()).unwrap_or(usize::MAX);
        let part = &mut piece[..left.min(PIECE)];
        from.read_exact_at(part, pack.position())?;
        pack.append(part)?;
    }
    pack.flush()?;
    Ok(pack)
}
