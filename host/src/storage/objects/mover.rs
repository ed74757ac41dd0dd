//! The thread that moves finished files from the data folder to the bucket. It tries again for as long as the store is away;
//! what a stopping server leaves, the next one moves.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak, mpsc};
use std::time::Duration;

use super::error::ObjectError;
use super::store::Store;

/// The kinds of files that can lie in a bucket: folders of the data folder, and of the bucket.
pub const KINDS: [&str; 3] = ["sites", "blobs", "logs"];

/// How long the thread waits for a store that is away.
const AWAY_PAUSE: Duration = Duration::from_secs(2);

/// Hands files to the thread, which ends with the last of its clones.
#[derive(Clone)]
pub(super) struct Mover(mpsc::Sender<String>);

impl Mover {
    /// Starts the thread, which looks first for what lies in the data folder and for uploads that never ended.
    pub fn start(store: &Arc<Store>, data: &Path) -> io::Result<Self> {
        let (sender, inbox) = mpsc::channel();
        let (store, data) = (Arc::downgrade(store), data.to_owned());
        std::thread::Builder::new().name("move-files".into()).spawn(move || {
            let found = KINDS.into_iter().flat_map(|kind| finished(&data, kind));
            move_all(&store, &data, found.collect());
            tidy(&store);
            while let Ok(name) = inbox.recv() {
                move_all(&store, &data, vec![name]);
            }
        })?;
        Ok(Self(sender))
    }

    pub fn enqueue(&self, name: String) {
        // Without the thread the file stays where it is, and is read there.
        let _ = self.0.send(name);
    }
}

fn move_all(store: &Weak<Store>, data: &Path, names: Vec<String>) {
    let mut moved = 0;
    let is_many = names.len() > 1;
    for name in names {
        loop {
            let Some(store) = store.upgrade() else { return };
            match move_one(&store, data, &name) {
                Ok(()) => {
                    moved += 1;
                    break;
                }
                Err(error) if error.is_passing() => {
                    drop(store);
                    std::thread::sleep(AWAY_PAUSE);
                }
                Err(error) => {
                    tracing::warn!("{name} stays in the data folder: {error}");
                    break;
                }
            }
        }
    }
    if is_many {
        tracing::info!("{moved} files of the data folder are in the object store now");
    }
}

fn move_one(store: &Store, data: &Path, name: &str) -> Result<(), ObjectError> {
    let path = data.join(name);
    // Of those alone an older one can be there, from a server that was killed while it replaced it.
    if name.starts_with("blobs/") {
        return store.move_blob(name, &path);
    }
    store.move_file(name, &path)
}

/// The finished files of a kind, by their names in the bucket.
fn finished(data: &Path, kind: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(&data.join(kind), &mut found);
    let is_finished = |path: &PathBuf| match kind {
        // A log grows until it has its status, which stays.
        "logs" => path.extension().is_some_and(|ending| ending == "log") && path.with_extension("status").exists(),
        "blobs" => path.extension().is_some_and(|ending| ending == "blob"),
        _ => true,
    };
    let name = |path: PathBuf| Some(path.strip_prefix(data).ok()?.to_str()?.to_owned());
    found.into_iter().filter(is_finished).filter_map(name).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    // What cannot be read is not moved.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&entry.path(), found),
            Ok(kind) if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
}

/// Removes the parts of uploads that a killed server left.
fn tidy(store: &Weak<Store>) {
    let Some(store) = store.upgrade() else { return };
    match store.abandon_unfinished() {
        Ok(0) => {}
        Ok(count) => tracing::info!("removed the parts of {count} uploads to the object store that never ended"),
        Err(error) => tracing::warn!("uploads that never ended are left for the next boot: {error}"),
    }
}
