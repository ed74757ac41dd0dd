//! Hearing of changes that somebody else made: their editor, git, a formatter.
//!
//! Only folders that hold the prototype's own files are watched, one by one: a recursive watch would take one handle for
//! each folder below node_modules. Changes are told after a short silence, all together; the Editor's own are left out.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::{Workspace, git, paths};
use crate::source::model::Project;

/// So long nothing must happen before changes are told, and so long they are held back at most.
const QUIET_TIMEOUT: Duration = Duration::from_millis(60);
const CHANGES_TIMEOUT: Duration = Duration::from_millis(600);

/// What somebody else changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// These source files.
    Files(Vec<String>),
    /// Something about the repository: the branch, the index.
    Git,
}

/// Watches for as long as it lives.
pub struct Watch {
    _watcher: Arc<parking_lot::Mutex<RecommendedWatcher>>,
}

impl Workspace {
    /// Begins to watch. `heard` is called on a thread of the watch's own.
    ///
    /// # Errors
    /// When the operating system allows no watch.
    pub fn watch(self: &Arc<Self>, heard: impl Fn(Change) + Send + 'static) -> notify::Result<Watch> {
        let (sender, events) = mpsc::channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // The Editor and the dev server read all the time, and nobody has to be woken for that.
            if !event.as_ref().is_ok_and(|event| event.kind.is_access()) {
                let _ = sender.send(event);
            }
        })?;
        let watcher = Arc::new(parking_lot::Mutex::new(watcher));
        let git_folder = git::Command::new(&self.root, ["rev-parse", "--absolute-git-dir"])
            .text()
            .ok();
        let mut listener = Listener {
            workspace: Arc::downgrade(self),
            watcher: Arc::downgrade(&watcher),
            git: git_folder.map(PathBuf::from),
            watched: HashSet::new(),
            files: Arc::from([]),
        };
        let mut own = watcher.lock();
        if let Some(git) = &listener.git {
            let _ = own.watch(git, RecursiveMode::NonRecursive);
            let _ = own.watch(&git.join("logs"), RecursiveMode::NonRecursive);
        }
        listener.files = self.files();
        listener.follow(&mut own, &self.root)?;
        drop(own);
        self.files.are_watched();
        std::thread::Builder::new()
            .name("watch".into())
            .spawn(move || listener.run(&events, &heard))
            .map_err(notify::Error::io)?;
        Ok(Watch { _watcher: watcher })
    }
}

struct Listener {
    workspace: Weak<Workspace>,
    watcher: Weak<parking_lot::Mutex<RecommendedWatcher>>,
    git: Option<PathBuf>,
    watched: HashSet<PathBuf>,
    files: Arc<[String]>,
}

type Events = mpsc::Receiver<notify::Result<notify::Event>>;

impl Listener {
    fn run(mut self, events: &Events, heard: &dyn Fn(Change)) {
        while let Some(batch) = gather(events) {
            let Some(workspace) = self.workspace.upgrade() else {
                return;
            };
            for change in self.understand(&workspace, batch) {
                heard(change);
            }
        }
    }

    fn understand(&mut self, workspace: &Workspace, batch: Batch) -> Vec<Change> {
        let (mut touched, mut git) = (BTreeSet::new(), batch.missed);
        for path in &batch.paths {
            if let Some(folder) = &self.git
                && let Ok(inside) = path.strip_prefix(folder)
            {
                git |= !inside.as_os_str().to_string_lossy().ends_with(".lock");
            } else if let Some(name) = relative(&workspace.root, path) {
                touched.insert(name);
            }
        }
        let before = Arc::clone(&self.files);
        let old: HashSet<&String> = before.iter().collect();
        // A file that was replaced, as the Editor and others write them, changes nothing about the list.
        let is_known = |name: &String| old.contains(name) && workspace.root.join(name).is_file();
        if batch.missed || (batch.names && !touched.iter().all(is_known)) {
            for path in &batch.paths {
                self.watched.remove(path);
            }
            workspace.files.forget();
            self.files = workspace.files();
            if let Some(watcher) = self.watcher.upgrade()
                && let Err(error) = self.follow(&mut watcher.lock(), &workspace.root)
            {
                tracing::warn!(%error, "some folders are not watched");
            }
        }
        let new: HashSet<&String> = self.files.iter().collect();
        touched.retain(|name| old.contains(name) || new.contains(name));
        // What came with a new folder was there before the folder was watched.
        touched.extend(old.symmetric_difference(&new).map(|name| (*name).clone()));
        touched.retain(|name| {
            // The Editor writes with this lock: what is read is not the content before a write that is expected already.
            let mut own = workspace.own.lock();
            let now = workspace.bytes(name).ok().flatten();
            !own.explain(name, now.as_deref())
        });
        let mut changes = Vec::new();
        if !touched.is_empty() {
            changes.push(Change::Files(touched.into_iter().collect()));
        }
        if git {
            changes.push(Change::Git);
        }
        changes
    }

    /// Watches every folder that holds files.
    fn follow(&mut self, watcher: &mut RecommendedWatcher, root: &Path) -> notify::Result<()> {
        self.watched.retain(|folder| folder.is_dir());
        let mut wanted: BTreeSet<&Path> = [Path::new("")].into();
        for file in self.files.iter() {
            let folders = Path::new(file).ancestors().skip(1);
            for folder in folders {
                if !wanted.insert(folder) {
                    break;
                }
            }
        }
        for folder in wanted {
            let folder = root.join(folder);
            if !self.watched.contains(&folder) {
                watcher.watch(&folder, RecursiveMode::NonRecursive)?;
                self.watched.insert(folder);
            }
        }
        Ok(())
    }
}

/// What happened between two silences.
#[derive(Default)]
struct Batch {
    paths: BTreeSet<PathBuf>,
    /// Whether something came, went or was renamed.
    names: bool,
    /// Whether events were lost.
    missed: bool,
}

/// `None` when the watch has ended.
fn gather(events: &Events) -> Option<Batch> {
    let mut batch = Batch::default();
    batch.take(events.recv().ok()?);
    let begun = Instant::now();
    while begun.elapsed() < CHANGES_TIMEOUT {
        match events.recv_timeout(QUIET_TIMEOUT) {
            Ok(event) => batch.take(event),
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    Some(batch)
}

impl Batch {
    fn take(&mut self, event: notify::Result<notify::Event>) {
        let Ok(event) = event else {
            self.missed = true;
            return;
        };
        self.missed |= event.need_rescan();
        match event.kind {
            EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(notify::event::ModifyKind::Name(_)) => {
                self.names = true;
            }
            _ => {}
        }
        self.paths.extend(event.paths);
    }
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root).ok()?.to_str()?;
    paths::checked(inside).ok()?;
    Some(inside.to_owned())
}
