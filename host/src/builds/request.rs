//! The request for a build. It is checked before it is queued, because its parts become arguments of programs and names of
//! folders.

use serde::{Deserialize, Serialize};

/// The longest command, in bytes.
const MAX_COMMAND: usize = 2_000;
/// The longest name of an owner, a repository, a branch or a folder, in bytes.
const MAX_NAME: usize = 250;

/// The request for a build. Empty commands and an empty folder stand for the defaults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The repository.
    pub source: Source,
    /// Run by `sh -c` before the build.
    pub install_command: String,
    /// Run by `sh -c`.
    pub build_command: String,
    /// Where the output is, below the repository's root.
    pub output_dir: String,
}

/// A repository of the code host, with the branch or commit to build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The installation whose token opens it.
    pub installation_id: u64,
    /// Who owns it.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// The branch.
    pub branch: String,
    /// The commit; the branch's newest when absent.
    pub commit: Option<String>,
    /// The code host's id of the repository; when it is there, owner and name are what the code host calls it now.
    #[serde(default)]
    pub repository_id: Option<u64>,
    /// Whether the commit is built only while it is the newest of its branch.
    #[serde(default)]
    pub only_newest: bool,
}

impl Request {
    /// Checks every part; the error is a sentence for people.
    pub fn check(&self) -> Result<(), String> {
        let source = &self.source;
        let name = |what: &str, text: &str, allowed: &str| check_name(what, text, allowed);
        name("the owner", &source.owner, "-_.")?;
        name("the repository", &source.name, "-_.")?;
        name("the branch", &source.branch, "-_./+@#=")?;
        if source.branch.starts_with('/') || source.branch.ends_with('/') || source.branch.contains("@{") {
            return Err(format!("`{}` cannot be the name of a branch", source.branch));
        }
        if let Some(commit) = &source.commit
            && !is_commit(commit)
        {
            return Err("a commit is 40 or 64 hexadecimal digits".to_owned());
        }
        for (what, command) in [("install", &self.install_command), ("build", &self.build_command)] {
            if command.len() > MAX_COMMAND {
                return Err(format!("the {what} command has more than {MAX_COMMAND} bytes"));
            }
            if command.contains('\0') {
                return Err(format!("the {what} command holds a NUL"));
            }
        }
        if !self.output_dir.is_empty() {
            name("the output folder", &self.output_dir, "-_./@+ ")?;
            if self.output_dir.starts_with('/') {
                return Err("the output folder is relative to the repository's root".to_owned());
            }
        }
        Ok(())
    }

    /// The output folder, the default for an empty one.
    pub fn output_dir(&self) -> &str {
        match self.output_dir.trim_end_matches('/') {
            "" => "dist",
            folder => folder,
        }
    }
}

/// Whether a text is a whole commit hash.
pub fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Letters, digits and `allowed`: none of it means anything to a shell, a URL or git, and no part of it is an option or
/// leads upwards.
fn check_name(what: &str, text: &str, allowed: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || allowed.contains(c);
    if text.is_empty() || text.len() > MAX_NAME {
        return Err(format!("{what} must have 1 to {MAX_NAME} characters"));
    }
    if text.starts_with('-') || text.contains("..") || !text.chars().all(plain) {
        return Err(format!(
            "{what} may have letters, digits and `{allowed}`, no `..`, and no `-` at its start"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(change: impl FnOnce(&mut Request)) -> Result<(), String> {
        let mut request = Request {
            source: Source {
                installation_id: 42,
                owner: "octo-org".into(),
                name: "shop.site".into(),
                branch: "feature/new_front".into(),
                commit: None,
                repository_id: None,
                only_newest: false,
            },
            install_command: String::new(),
            build_command: "npm run build -- --base ./".into(),
            output_dir: "packages/web/dist".into(),
        };
        change(&mut request);
        request.check()
    }

    #[test]
    fn ordinary_requests_are_taken() {
        assert_eq!(request(|_| {}), Ok(()));
        assert_eq!(request(|request| request.output_dir.clear()), Ok(()));
        assert_eq!(request(|request| request.source.commit = Some("0a".repeat(20))), Ok(()));
    }

    #[test]
    fn what_could_be_read_as_something_else_is_refused() {
        for branch in [
            "",
            "--upload-pack=x",
            "a..b",
            "a b",
            "a\nb",
            "/a",
            "a/",
            "a@{1}",
            "a:b",
            "ü",
        ] {
            assert!(
                request(|request| request.source.branch = branch.into()).is_err(),
                "{branch:?}"
            );
        }
        for owner in ["", "-o", "a/b", "..", "a@b"] {
            assert!(
                request(|request| request.source.owner = owner.into()).is_err(),
                "{owner:?}"
            );
        }
        for folder in ["/etc", "../..", "a/../../b", "-x", "a\0b"] {
            assert!(
                request(|request| request.output_dir = folder.into()).is_err(),
                "{folder:?}"
            );
        }
        for commit in ["", "HEAD", "abc", &"g".repeat(40)] {
            assert!(
                request(|request| request.source.commit = Some(commit.into())).is_err(),
                "{commit:?}"
            );
        }
        assert!(request(|request| request.build_command = "x".repeat(2_001)).is_err());
    }

    #[test]
    fn an_empty_folder_is_the_default() {
        let mut made = Request {
            source: Source {
                installation_id: 1,
                owner: "o".into(),
                name: "n".into(),
                branch: "b".into(),
                commit: None,
                repository_id: None,
                only_newest: false,
            },
            install_command: String::new(),
            build_command: String::new(),
            output_dir: String::new(),
        };
        assert_eq!(made.output_dir(), "dist");
        made.output_dir = "out/".into();
        assert_eq!(made.output_dir(), "out");
    }
}
