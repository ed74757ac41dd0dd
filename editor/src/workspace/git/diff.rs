//! What changed since the last commit, as unified diffs.

use std::fs;

use serde::Serialize;
use similar::TextDiff;

use super::{Git, GitError, State, parts};

/// Larger new files are not shown line by line.
const MAX_NEW_FILE: u64 = 1 << 20;
const HEADER: &[u8] = b"diff --git ";

/// The difference of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileDiff {
    /// Relative to the prototype's root.
    pub path: String,
    /// Unified, with three lines of context.
    pub diff: String,
}

impl Git {
    /// Against the last commit, staged or not, new files included; of one file or of all below the root.
    ///
    /// # Errors
    /// With git's words.
    pub fn diff(&self, path: Option<&str>) -> Result<Vec<FileDiff>, GitError> {
        let head = self.head()?;
        let names = self.difference(&head, &["--name-only", "-z"], path)?;
        let names: Vec<&str> = parts(&names).filter(|name| !name.is_empty()).collect();
        let text = self.difference(&head, &["--unified=3"], path)?;
        let sections = sections(&text);
        let mut files: Vec<FileDiff> = if sections.len() == names.len() {
            let pairs = names.iter().zip(sections);
            pairs.map(|(name, section)| file_diff(name, section)).collect()
        } else {
            // Names that are no UTF-8, or a merge in progress: one by one then.
            let one = |name: &&str| Ok(file_diff(name, &self.difference(&head, &["--unified=3"], Some(name))?));
            names.iter().map(one).collect::<Result<_, _>>()?
        };
        let status = self.status()?;
        let new = status.files.iter().filter(|file| file.state == State::Untracked);
        for file in new.filter(|file| path.is_none_or(|path| path == file.path)) {
            let diff = self.new_file(&file.path);
            let path = file.path.clone();
            files.push(FileDiff { path, diff });
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        Ok(files)
    }

    fn difference(&self, head: &str, how: &[&str], path: Option<&str>) -> Result<Vec<u8>, GitError> {
        let fixed = [
            "diff",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--submodule=short",
            "--ignore-submodules=dirty",
            "--no-renames",
            "--relative",
            "--src-prefix=a/",
            "--dst-prefix=b/",
        ];
        let what = [head, "--", path.unwrap_or(".")];
        let args = fixed.iter().chain(how).chain(&what);
        self.command(args.copied()).comparing().output()
    }

    fn new_file(&self, path: &str) -> String {
        let place = self.root.join(path);
        let small = fs::symlink_metadata(&place).is_ok_and(|found| found.is_file() && found.len() <= MAX_NEW_FILE);
        let text = small.then(|| fs::read(&place).ok()).flatten();
        match text.and_then(|bytes| String::from_utf8(bytes).ok()) {
            Some(text) => {
                let diff = TextDiff::from_lines("", &text);
                let mut unified = diff.unified_diff();
                unified.header("/dev/null", &format!("b/{path}"));
                unified.to_string()
            }
            None => format!("Binary files /dev/null and b/{path} differ\n"),
        }
    }
}

/// Lines of a content begin with a space, `+` or `-`: only headers begin as they do.
fn sections(text: &[u8]) -> Vec<&[u8]> {
    let mut starts = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(HEADER) {
            starts.push(offset);
        }
        offset += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

fn file_diff(path: &str, diff: &[u8]) -> FileDiff {
    FileDiff {
        path: path.to_owned(),
        diff: String::from_utf8_lossy(diff).into_owned(),
    }
}
