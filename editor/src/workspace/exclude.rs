//! Telling git not to look at what the Editor keeps, without touching a file of the user's.

use std::fs;
use std::io;
use std::path::Path;

use super::paths::FOLDER;
use super::{durable, git};

/// Adds the Editor's folder to `info/exclude`, which belongs to this clone alone. Only `.tool/config.json` is the project's.
/// In a linked worktree git reads the file of the main one: it says itself where it is.
pub(super) fn hide(root: &Path) -> io::Result<()> {
    if is_hidden(root) {
        return Ok(());
    }
    let asked = git::Command::new(root, ["rev-parse", "--git-path", "info/exclude", "--show-prefix"]).text();
    let asked = asked.map_err(|error| io::Error::other(error.to_string()))?;
    let (path, prefix) = asked.split_once('\n').unwrap_or((&asked, ""));
    let path = root.join(path);
    let lines = lines(prefix.trim_end_matches('\n'));
    let known = match fs::read(&path) {
        Ok(known) => known,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    if has(&known, &lines) {
        return Ok(());
    }
    let mut content = known;
    if !content.is_empty() && !content.ends_with(b"\n") {
        content.push(b'\n');
    }
    for line in lines {
        content.extend_from_slice(line.as_bytes());
        content.push(b'\n');
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    durable::write_file(&path.canonicalize().unwrap_or(path), &content, 0o644)
}

/// Whether an earlier start hid it. Git is not asked where a repository of the usual form keeps its file: the dev server would
/// start that much later each time.
fn is_hidden(root: &Path) -> bool {
    let own = root.join(".git");
    // A linked work tree and a submodule have a file of that name.
    let usual = own.join("HEAD").is_file() && !own.join("commondir").exists();
    usual && fs::read(own.join("info/exclude")).is_ok_and(|known| has(&known, &lines("")))
}

fn has(known: &[u8], lines: &[String]) -> bool {
    let has = |line: &String| known.split(|byte| *byte == b'\n').any(|known| known == line.as_bytes());
    lines.iter().all(has)
}

/// The patterns, from the repository's top folder. What would be a wildcard in the name of a folder is none.
fn lines(prefix: &str) -> [String; 2] {
    let mut folder = String::from("/");
    for character in prefix.chars() {
        if matches!(character, '\\' | '*' | '?' | '[') {
            folder.push('\\');
        }
        folder.push(character);
    }
    [format!("{folder}{FOLDER}/*"), format!("!{folder}{FOLDER}/config.json")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_with_wildcards_in_their_names_are_named_exactly() {
        assert_eq!(lines(""), ["/.tool/*", "!/.tool/config.json"]);
        assert_eq!(lines("apps/[web]/")[0], "/apps/\\[web]/.tool/*");
    }
}
