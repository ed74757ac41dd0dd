//! What a plugin may ask to be built. Its parts become arguments of programs and names of folders.

/// The longest command, in bytes.
const MAX_COMMAND: usize = 2_000;
/// The longest name of an owner, a repository, a branch or a folder, in bytes.
const MAX_NAME: usize = 250;
/// The longest id, in bytes.
const MAX_ID: usize = 64;
/// The longest reason of a cancellation, in bytes.
const MAX_REASON: usize = 200;

/// A build that a plugin asks for. Empty commands and an empty folder stand for the defaults.
#[derive(Debug, Clone, Copy)]
pub struct BuildRequest<'r> {
    /// Names the build and its log.
    pub id: &'r str,
    /// Who owns the repository.
    pub owner: &'r str,
    /// The repository's name.
    pub name: &'r str,
    /// The branch.
    pub branch: &'r str,
    /// The commit; the branch's newest when absent.
    pub commit: Option<&'r str>,
    /// Run by `sh -c` before the build.
    pub install_command: &'r str,
    /// Run by `sh -c`.
    pub build_command: &'r str,
    /// Where the output is, below the repository's root.
    pub output_dir: &'r str,
}

impl BuildRequest<'_> {
    /// Checks every part; the error is a sentence for people.
    pub fn check(&self) -> Result<(), String> {
        if !is_id(self.id) {
            return Err(format!("A build's id is 1 to {MAX_ID} letters, digits, `-` and `_`."));
        }
        self.check_parts()
            .map_err(|reason| format!("This cannot be built: {reason}."))
    }

    fn check_parts(&self) -> Result<(), String> {
        check_name("the owner", self.owner, "-_.")?;
        check_name("the repository", self.name, "-_.")?;
        check_name("the branch", self.branch, "-_./+@#=")?;
        if self.branch.starts_with('/') || self.branch.ends_with('/') || self.branch.contains("@{") {
            return Err(format!("`{}` cannot be the name of a branch", self.branch));
        }
        if self.commit.is_some_and(|commit| !is_commit(commit)) {
            return Err("a commit is 40 or 64 hexadecimal digits".to_owned());
        }
        for (what, command) in [("install", self.install_command), ("build", self.build_command)] {
            if command.len() > MAX_COMMAND {
                return Err(format!("the {what} command has more than {MAX_COMMAND} bytes"));
            }
            if command.contains('\0') {
                return Err(format!("the {what} command holds a NUL"));
            }
        }
        if !self.output_dir.is_empty() {
            check_name("the output folder", self.output_dir, "-_./@+ ")?;
            if self.output_dir.starts_with('/') {
                return Err("the output folder is relative to the repository's root".to_owned());
            }
        }
        Ok(())
    }
}

/// Checks why a build is cancelled, which becomes a line of its log; the error is a sentence for people.
pub fn check_reason(reason: &str) -> Result<(), String> {
    let is_line = !reason.trim().is_empty() && !reason.contains(char::is_control);
    match is_line && reason.len() <= MAX_REASON {
        true => Ok(()),
        false => Err(format!("A reason is one line of at most {MAX_REASON} bytes.")),
    }
}

/// Whether a text can name a build, a log, or a version of a prototype.
pub fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
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

    const REQUEST: BuildRequest<'static> = BuildRequest {
        id: "b-1",
        owner: "octo-org",
        name: "shop.site",
        branch: "feature/new_front",
        commit: None,
        install_command: "",
        build_command: "npm run build -- --base ./",
        output_dir: "packages/web/dist",
    };

    fn request<'r>(change: impl FnOnce(&mut BuildRequest<'r>)) -> Result<(), String> {
        let mut request = REQUEST;
        change(&mut request);
        request.check()
    }

    #[test]
    fn ordinary_requests_are_taken() {
        assert_eq!(request(|_| {}), Ok(()));
        assert_eq!(request(|request| request.output_dir = ""), Ok(()));
        let commit = "0a".repeat(20);
        assert_eq!(request(|request| request.commit = Some(&commit)), Ok(()));
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
            assert!(request(|request| request.branch = branch).is_err(), "{branch:?}");
        }
        for id in ["", "a/b", "../x", "a.b", "a b", &"x".repeat(65)] {
            assert!(request(|request| request.id = id).is_err(), "{id:?}");
        }
        for owner in ["", "-o", "a/b", "..", "a@b"] {
            assert!(request(|request| request.owner = owner).is_err(), "{owner:?}");
        }
        for folder in ["/etc", "../..", "a/../../b", "-x", "a\0b"] {
            assert!(request(|request| request.output_dir = folder).is_err(), "{folder:?}");
        }
        for commit in ["", "HEAD", "abc", &"g".repeat(40)] {
            assert!(request(|request| request.commit = Some(commit)).is_err(), "{commit:?}");
        }
        let long = "x".repeat(2_001);
        assert!(request(|request| request.build_command = &long).is_err());
    }

    #[test]
    fn a_reason_is_one_line() {
        assert_eq!(check_reason("cancelled by Ann"), Ok(()));
        for reason in ["", " ", "two\nlines", "a\u{1b}[2J", &"x".repeat(201)] {
            assert!(check_reason(reason).is_err(), "{reason:?}");
        }
    }
}
