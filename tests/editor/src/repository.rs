//! A prototype's repository in a temporary folder, made by the real git.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder that may be a repository. It is deleted when dropped.
#[derive(Debug)]
pub struct Repository {
    folder: TempDir,
}

impl Default for Repository {
    fn default() -> Repository {
        Repository::new()
    }
}

impl Repository {
    /// An empty repository on the branch `main`, without a commit.
    pub fn new() -> Repository {
        let repository = Repository::bare_folder();
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    /// A folder that is no repository.
    pub fn bare_folder() -> Repository {
        let folder = tempfile::Builder::new()
            .prefix("galley-editor-test-")
            .tempdir()
            .expect("a temporary folder");
        Repository { folder }
    }

    /// A committed React prototype of the fewest files.
    pub fn react() -> Repository {
        Repository::new()
            .file("package.json", r#"{ "dependencies": { "react": "^19.0.0" } }"#)
            .file("src/App.tsx", "export const App = () => <h1>Hello</h1>\n")
            .commit()
    }

    /// A committed Vue prototype of the fewest files.
    pub fn vue() -> Repository {
        Repository::new()
            .file("package.json", r#"{ "dependencies": { "vue": "^3.5.0" } }"#)
            .file("src/App.vue", "<template>\n  <h1>Hello</h1>\n</template>\n")
            .commit()
    }

    /// Writes a file, and the folders it needs.
    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Repository {
        self.write(path, content);
        self
    }

    /// Commits everything that is there.
    pub fn commit(self) -> Repository {
        self.commit_all("Work");
        self
    }

    /// The folder, without symbolic links.
    pub fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder is there")
    }

    /// A path in it.
    pub fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.path().join(path)
    }

    /// Writes a file, and the folders it needs.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.at(path);
        let folder = file.parent().expect("a file has a folder");
        fs::create_dir_all(folder).expect("a folder can be made");
        fs::write(&file, content).unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// The text of a file.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Commits everything that is there under a subject.
    pub fn commit_all(&self, subject: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", subject]);
    }

    /// Runs git in it, and gives what it printed.
    ///
    /// # Panics
    /// When git fails.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        let output = self.try_git(arguments);
        assert!(
            output.status.success(),
            "git {arguments:?}:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Runs git in it; it may fail, as a merge with conflicts does.
    pub fn try_git(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("git");
        command.current_dir(self.path()).args(arguments);
        plain_git(&mut command);
        command.output().expect("git can be started")
    }
}

/// Makes git independent of whose machine this is: no configuration but the repository's, one author.
pub fn plain_git(command: &mut Command) {
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "Tester")
        .env("GIT_AUTHOR_EMAIL", "tester@example.com")
        .env("GIT_COMMITTER_NAME", "Tester")
        .env("GIT_COMMITTER_EMAIL", "tester@example.com")
        .env("GIT_EDITOR", "true")
        .env("LC_ALL", "C");
}
