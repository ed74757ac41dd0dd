//! Prototypes as people make them, with their packages installed: those of Vite from the templates in its own tarball, the
//! others from `tests/editor/apps`. Installed once, and kept under a name that changes with what they are made of.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use galley_harness::node;
use galley_harness::process::Process;
use tempfile::TempDir;

use crate::repository::plain_git;
use crate::{folders, once, paths};

/// Where Vite's templates are taken from. Fixed, so that a release elsewhere fails no test here.
const CREATE_VITE: &str = "create-vite@9.3.0";

/// A kind of application.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its folder in `tests/editor/apps`.
    pub name: &'static str,
    /// A folder of Vite's tarball that is its beginning.
    template: Option<&'static str>,
}

/// React by Vite 8.
pub const VITE_REACT_8: Kind = Kind::template("vite-react-8", "template-react-ts");
/// React by Vite 7.
pub const VITE_REACT_7: Kind = Kind::template("vite-react-7", "template-react-ts");
/// Vue by Vite 8.
pub const VITE_VUE_8: Kind = Kind::template("vite-vue-8", "template-vue-ts");
/// Vue by Vite 7.
pub const VITE_VUE_7: Kind = Kind::template("vite-vue-7", "template-vue-ts");
/// React with Tailwind by Vite 8.
pub const VITE_TAILWIND: Kind = Kind::template("vite-tailwind", "template-react-ts");
/// React Router in its framework mode.
pub const REACT_ROUTER: Kind = Kind::written("react-router");
/// Nuxt.
pub const NUXT: Kind = Kind::written("nuxt");
/// Next with Turbopack.
pub const NEXT: Kind = Kind::written("next");
/// Astro with an island of React.
pub const ASTRO: Kind = Kind::written("astro");

/// An application in a folder of its own, committed. It is deleted when dropped.
#[derive(Debug)]
pub struct App {
    folder: TempDir,
}

impl Kind {
    const fn template(name: &'static str, template: &'static str) -> Kind {
        Kind {
            name,
            template: Some(template),
        }
    }

    const fn written(name: &'static str) -> Kind {
        Kind { name, template: None }
    }

    /// A fresh one.
    #[track_caller]
    pub fn make(self) -> App {
        let kept = self.installed();
        // Beside what is kept: then its packages are linked and not copied.
        let folder = tempfile::Builder::new()
            .prefix(&format!("{}-", self.name))
            .tempdir_in(cache())
            .expect("a temporary folder");
        copy(&kept, folder.path());
        let app = App { folder };
        app.git(&["init", "--quiet", "--initial-branch=main"]);
        app.git(&["add", "--all"]);
        app.git(&["commit", "--quiet", "--message", "Begin"]);
        app
    }

    /// The folder of one with its packages, made when it is not there.
    fn installed(self) -> PathBuf {
        let _turn = once::turn(&cache().join(self.name));
        let own = paths::checkout().join("tests/editor/apps").join(self.name);
        let mut hasher = DefaultHasher::new();
        (CREATE_VITE, self.template).hash(&mut hasher);
        hash(&own, &mut hasher);
        let kept = cache().join(format!("{}.{:016x}", self.name, hasher.finish()));
        if kept.is_dir() {
            return kept;
        }
        let draft = kept.with_extension("draft");
        let _ = fs::remove_dir_all(&draft);
        fs::create_dir_all(&draft).expect("own folders can be made");
        if let Some(template) = self.template {
            copy(&templates().join(template), &draft);
            fs::rename(draft.join("_gitignore"), draft.join(".gitignore")).expect("templates have one");
        }
        copy(&own, &draft);
        node::npm(
            &draft,
            &["install", "--ignore-scripts", "--prefer-offline", "--no-package-lock"],
        );
        fs::rename(draft, &kept).expect("own folders can be renamed");
        kept
    }
}

impl App {
    /// Its folder, without symbolic links.
    pub fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder is there")
    }

    /// The text of a file.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Writes a file.
    #[track_caller]
    pub fn write(&self, path: &str, text: &str) {
        let file = self.path().join(path);
        fs::write(&file, text).unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// Its own dev server, which is Vite, as people start it. Returns at once.
    pub fn vite(&self, port: u16) -> Process {
        let mut vite = Command::new("node");
        vite.arg("node_modules/vite/bin/vite.js")
            .args(["--host", "127.0.0.1", "--strictPort", "--port", &port.to_string()])
            .current_dir(self.path());
        Process::start(&mut vite)
    }

    /// Runs git in it, and gives what it printed.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(self.path()).args(arguments);
        plain_git(&mut command);
        let output = command.output().expect("git can be started");
        assert!(
            output.status.success(),
            "git {arguments:?}:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }
}

/// Where applications and their packages lie.
fn cache() -> PathBuf {
    let folder = paths::target().join("editor-apps");
    fs::create_dir_all(&folder).expect("own folders can be made");
    folder.canonicalize().expect("it was made")
}

/// The templates of Vite's tarball.
fn templates() -> PathBuf {
    let kept = cache().join(CREATE_VITE);
    let _turn = once::turn(&kept);
    if kept.is_dir() {
        return kept.join("package");
    }
    let draft = tempfile::tempdir_in(cache()).expect("a temporary folder");
    node::npm(draft.path(), &["pack", CREATE_VITE]);
    let mut tar = Command::new("sh");
    tar.args(["-c", "tar xzf *.tgz"]).current_dir(draft.path());
    node::finish(&mut tar, Duration::from_secs(60));
    fs::rename(draft.path(), &kept).expect("own folders can be renamed");
    kept.join("package")
}

fn entries(folder: &Path) -> Vec<fs::DirEntry> {
    let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<_> = read.map(|entry| entry.expect("it can be read")).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    entries
}

fn copy(from: &Path, to: &Path) {
    folders::copy(from, to, &|_| true).expect("own files can be copied");
}

fn hash(folder: &Path, hasher: &mut DefaultHasher) {
    for entry in entries(folder) {
        entry.file_name().hash(hasher);
        if entry.file_type().expect("it has a type").is_dir() {
            hash(&entry.path(), hasher);
        } else {
            fs::read(entry.path()).expect("own files can be read").hash(hasher);
        }
    }
}
