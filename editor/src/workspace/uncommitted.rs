//! Which steps a commit would hold: those whose changes are in the files now, and not in the last commit.

use super::Writer;
use super::entry::{Entry, EntryKind, FileEntry};
use super::patch::{self, Misfit};

impl Writer<'_> {
    /// The steps whose changes of a file are in it now and not in its `committed` text (`None`: the last commit does not have the
    /// file), the newest first. Where steps do not lead back to that text, because somebody else changed the file too, those before
    /// `committed_at` (in seconds since 1970) count as committed.
    #[must_use]
    pub fn uncommitted(&self, path: &str, committed: Option<&str>, committed_at: u64) -> Vec<&Entry> {
        let content = self.workspace.bytes(path).ok().flatten();
        let now = content.and_then(|content| String::from_utf8(content).ok());
        let history = self.history();
        let mut text = now.clone();
        let mut steps = Vec::new();
        for entry in history.entries.iter().rev() {
            let Some(file) = entry.files.iter().find(|file| file.path == path) else {
                continue;
            };
            // What was changed before it was thrown away with it.
            if is_same(text.as_deref(), committed) || entry.kind == EntryKind::Discard && !history.is_undone(&entry.id)
            {
                break;
            }
            if history.is_undone(&entry.id) {
                continue;
            }
            match without(file, text.as_deref()) {
                Ok(before) => text = before,
                Err(Misfit::Gone) => continue,
                Err(Misfit::Several) => {}
            }
            if !is_overwritten(file, now.as_deref()) {
                steps.push(entry);
            }
        }
        if !is_same(text.as_deref(), committed) {
            steps.retain(|entry| entry.at / 1000 >= committed_at);
        }
        steps
    }
}

/// Line ends aside: git may keep others than the working tree has.
fn is_same(text: Option<&str>, committed: Option<&str>) -> bool {
    match (text, committed) {
        (Some(text), Some(committed)) => text.lines().eq(committed.lines()),
        (text, committed) => text == committed,
    }
}

/// What a file was without the step's change; the same where only its backup knows that.
fn without(file: &FileEntry, text: Option<&str>) -> Result<Option<String>, Misfit> {
    let is_after = match (&file.after, text) {
        (Some(mark), Some(text)) => mark.fits(text.as_bytes()),
        (after, text) => after.is_none() && text.is_none(),
    };
    match (&file.splice, text) {
        (Some(splice), Some(text)) if is_after => {
            let before = splice.backward(text.as_bytes()).ok_or(Misfit::Gone)?;
            Ok(String::from_utf8(before).ok())
        }
        (Some(splice), Some(text)) => patch::apply(text, splice, false).map(Some),
        (None, text) if is_after => Ok(text.filter(|_| file.before.is_some()).map(str::to_owned)),
        _ => Err(Misfit::Gone),
    }
}

/// Whether later steps replaced what this one wrote.
fn is_overwritten(file: &FileEntry, now: Option<&str>) -> bool {
    match (&file.splice, now) {
        (Some(splice), Some(now)) => matches!(patch::apply(now, splice, false), Err(Misfit::Gone)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::*;
    use crate::workspace::testing::open;
    use crate::workspace::{Workspace, Write};

    const HEAD: &str = "<main>\n  <h1>Hello</h1>\n  <p>World</p>\n</main>\n";

    fn replace(workspace: &Workspace, kind: EntryKind, old: &str, new: &str) -> String {
        let text: Arc<str> = fs::read_to_string(workspace.root().join("a")).unwrap().into();
        let changed = text.replace(old, new);
        let done = workspace.writer().replace(kind, new, &[("a".into(), text, changed)]);
        done.unwrap()
            .files
            .remove(0)
            .after
            .map(String::from_utf8)
            .unwrap()
            .unwrap()
    }

    fn titles(workspace: &Workspace, committed: Option<&str>, committed_at: u64) -> Vec<String> {
        let writer = workspace.writer();
        let steps = writer.uncommitted("a", committed, committed_at);
        steps.into_iter().map(|entry| entry.title.clone()).collect()
    }

    fn made() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), HEAD).unwrap();
        let workspace = open(folder.path());
        (folder, workspace)
    }

    #[test]
    fn a_commit_holds_what_is_not_in_the_last_one() {
        let (_folder, workspace) = made();
        replace(&workspace, EntryKind::Edit, "Hello", "One");
        let committed = replace(&workspace, EntryKind::Edit, "World", "Earth");
        assert_eq!(titles(&workspace, Some(HEAD), u64::MAX), ["Earth", "One"]);
        assert_eq!(titles(&workspace, Some(&committed), 0), [""; 0]);
        replace(&workspace, EntryKind::Edit, "Earth", "Mars");
        assert_eq!(titles(&workspace, Some(&committed), 0), ["Mars"]);
        assert_eq!(
            titles(&workspace, Some(HEAD), u64::MAX),
            ["Mars", "One"],
            "a text that was changed twice"
        );
        let windows = HEAD.replace('\n', "\r\n");
        assert_eq!(titles(&workspace, Some(&windows), u64::MAX), ["Mars", "One"]);
    }

    #[test]
    fn what_was_thrown_away_or_left_on_another_branch_is_in_no_commit() {
        let (folder, workspace) = made();
        replace(&workspace, EntryKind::Edit, "Hello", "Branch");
        fs::write(folder.path().join("a"), HEAD).unwrap();
        replace(&workspace, EntryKind::Edit, "Hello", "Third");
        replace(&workspace, EntryKind::Discard, "Third", "Hello");
        replace(&workspace, EntryKind::Edit, "World", "Only this");
        assert_eq!(titles(&workspace, Some(HEAD), 0), ["Only this"]);
        let other = HEAD.replace("<main>", "<main id=\"other\">");
        assert_eq!(titles(&workspace, Some(&other), 0), ["Only this"]);
    }

    #[test]
    fn beside_changes_of_others_the_time_of_the_commit_decides() {
        let (folder, workspace) = made();
        let edited = replace(&workspace, EntryKind::Edit, "Hello", "Servus");
        fs::write(
            folder.path().join("a"),
            edited.replace("<main>", "<main id=\"theirs\">"),
        )
        .unwrap();
        assert_eq!(titles(&workspace, Some("<main/>"), 0), ["Servus"]);
        assert_eq!(titles(&workspace, Some("<main/>"), u64::MAX), [""; 0]);
    }

    #[test]
    fn a_new_file_is_a_step_with_what_was_changed_in_it() {
        let (folder, workspace) = made();
        fs::remove_file(folder.path().join("a")).unwrap();
        let write = Write {
            path: "a".into(),
            before: None,
            after: Some(HEAD.into()),
            mode: None,
        };
        workspace.writer().commit(EntryKind::Model, "New", vec![write]).unwrap();
        replace(&workspace, EntryKind::Edit, "Hello", "Servus");
        assert_eq!(titles(&workspace, None, u64::MAX), ["Servus", "New"]);
    }
}
