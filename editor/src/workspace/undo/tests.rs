//! Steps taken back in any order, over what others changed, and over a crash.

use std::fs;

use proptest::prelude::*;

use super::*;
use crate::workspace::testing::open;
use crate::workspace::{EntryKind, Write, git};

const FILE: &str = "src/App.tsx";

fn prototype(text: &str) -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    git::Command::new(folder.path(), ["init", "--quiet"]).output().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join(FILE), text).unwrap();
    let workspace = open(folder.path());
    (folder, workspace)
}

fn read(folder: &tempfile::TempDir) -> String {
    fs::read_to_string(folder.path().join(FILE)).unwrap()
}

/// Replaces the file's text as one step.
fn step(workspace: &Workspace, after: &str) -> String {
    let before = workspace.bytes(FILE).unwrap();
    let write = Write {
        path: FILE.to_owned(),
        before,
        after: Some(after.as_bytes().to_vec()),
        mode: None,
    };
    workspace.writer().commit(EntryKind::Edit, "x", vec![write]).unwrap().id
}

fn component(lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| format!("    <p>{line}</p>\n")).collect();
    format!("export const App = () => (\n  <main>\n{lines}  </main>\n);\n")
}

/// What happens to the lines of a component.
#[derive(Debug, Clone)]
enum Deed {
    /// Somebody edits a line in the Editor.
    Edit(usize),
    /// Somebody deletes a line in the Editor.
    Delete(usize),
    /// Somebody else changes a line.
    Theirs(usize),
    /// A step is taken back, by its number among those that are done.
    Undo(usize),
    Redo,
    /// The program is started anew.
    Restart,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => (0..8usize).prop_map(Deed::Edit),
        1 => (0..8usize).prop_map(Deed::Delete),
        2 => (0..8usize).prop_map(Deed::Theirs),
        4 => (0..8usize).prop_map(Deed::Undo),
        2 => Just(Deed::Redo),
        1 => Just(Deed::Restart),
    ]
}

/// The lines of a text, and the one that a step replaced by another.
#[derive(Clone)]
struct Done {
    old: String,
    new: Option<String>,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Every line is another, so that it is certain what the inverse of a step is: its line becomes the old one again.
    #[test]
    fn a_step_goes_back_exactly_or_not_at_all_in_any_order(deeds in prop::collection::vec(deed(), 1..24)) {
        let mut lines: Vec<String> = (0..8).map(|number| format!("the first words {number}")).collect();
        let (folder, mut workspace) = prototype(&component(&lines));
        let mut steps: BTreeMap<String, Done> = BTreeMap::new();
        for (number, deed) in deeds.into_iter().enumerate() {
            let before = read(&folder);
            match deed {
                Deed::Edit(line) | Deed::Delete(line) if line < lines.len() => {
                    let old = lines[line].clone();
                    let new = matches!(deed, Deed::Edit(_)).then(|| format!("edited in step {number}"));
                    match &new {
                        Some(new) => lines[line].clone_from(new),
                        None => drop(lines.remove(line)),
                    }
                    steps.insert(step(&workspace, &component(&lines)), Done { old, new });
                }
                Deed::Theirs(line) if line < lines.len() => {
                    lines[line] = format!("somebody else's {number}");
                    fs::write(folder.path().join(FILE), component(&lines)).unwrap();
                }
                Deed::Undo(which) => {
                    let done = workspace.writer().history().done.clone();
                    let Some(id) = done.get(which % done.len().max(1)) else { continue };
                    let undone = workspace.writer().undo(Some(id));
                    let now = read(&folder);
                    match undone {
                        Ok(_) => {
                            let done = &steps[id];
                            lines = texts(&now);
                            match &done.new {
                                Some(new) => prop_assert_eq!(
                                    now,
                                    before.replace(&format!("<p>{new}</p>"), &format!("<p>{}</p>", done.old))
                                ),
                                None => {
                                    prop_assert_eq!(now.matches(&format!("<p>{}</p>", done.old)).count(), 1);
                                    prop_assert_eq!(now.replace(&format!("    <p>{}</p>\n", done.old), ""), before);
                                }
                            }
                        }
                        Err(WorkspaceError::Blocked { .. } | WorkspaceError::Overlap { .. }) => {
                            prop_assert_eq!(now, before);
                        }
                        Err(error) => return Err(TestCaseError::fail(error.to_string())),
                    }
                }
                Deed::Redo => {
                    let last = workspace.writer().history().undone.last().cloned();
                    let redone = workspace.writer().redo();
                    let now = read(&folder);
                    match (redone, last) {
                        (Ok(_), Some(id)) => {
                            let done = &steps[&id];
                            lines = texts(&now);
                            let wanted = match &done.new {
                                Some(new) => before.replace(&format!("<p>{}</p>", done.old), &format!("<p>{new}</p>")),
                                None => before.replace(&format!("    <p>{}</p>\n", done.old), ""),
                            };
                            prop_assert_eq!(now, wanted);
                        }
                        (Err(_), _) => prop_assert_eq!(now, before),
                        (Ok(_), None) => return Err(TestCaseError::fail("nothing was there to redo")),
                    }
                }
                Deed::Restart => {
                    let history = workspace.writer().history().clone();
                    drop(workspace);
                    workspace = open(folder.path());
                    let known = workspace.writer().history().clone();
                    prop_assert_eq!(known, history);
                    prop_assert!(workspace.warnings().is_empty());
                }
                Deed::Edit(_) | Deed::Delete(_) | Deed::Theirs(_) => {}
            }
        }
        // Everything that nobody else touched leads back, the newest first; and nothing is lost on the way.
        loop {
            let before = read(&folder);
            let undone = workspace.writer().undo(None);
            match undone {
                Ok(_) => prop_assert_ne!(read(&folder), before),
                Err(WorkspaceError::Blocked { id, .. }) => {
                    prop_assert_eq!(read(&folder), before);
                    prop_assert_eq!(workspace.writer().skip(Step::Undo, None).unwrap(), id);
                }
                Err(error) => {
                    prop_assert!(matches!(error, WorkspaceError::NothingToUndo), "{}", error);
                    break;
                }
            }
        }
    }
}

fn texts(component: &str) -> Vec<String> {
    let lines = component
        .lines()
        .filter_map(|line| line.trim().strip_prefix("<p>")?.strip_suffix("</p>"));
    lines.map(str::to_owned).collect()
}

fn numbered() -> Vec<String> {
    (0..6).map(|number| format!("the same words {}", number % 2)).collect()
}

#[test]
fn a_step_goes_back_though_its_characters_stand_there_several_times() {
    let mut lines = numbered();
    let (folder, workspace) = prototype(&component(&lines));
    lines[1] = "the same words 0".to_owned();
    let first = step(&workspace, &component(&lines));
    lines[5] = "the same words 0".to_owned();
    lines[0] = "something longer, before it".to_owned();
    let later = step(&workspace, &component(&lines));
    workspace.writer().undo(Some(&first)).unwrap();
    lines[1] = "the same words 1".to_owned();
    assert_eq!(read(&folder), component(&lines));
    // The later step is as if it had come first: it goes back byte for byte, also in another run.
    drop(workspace);
    let workspace = open(folder.path());
    assert_eq!(workspace.writer().history().undone, [first]);
    assert_eq!(workspace.writer().undo(None).unwrap().id, later);
    assert_eq!(read(&folder), component(&numbered()));
    for _ in 0..2 {
        workspace.writer().redo().unwrap();
    }
    lines[1] = "the same words 0".to_owned();
    assert_eq!(read(&folder), component(&lines));
}

#[test]
fn a_step_that_a_later_one_changed_names_that_one() {
    let (folder, workspace) = prototype(&component(&numbered()));
    let first = step(&workspace, &component(&numbered()).replacen("words 1", "words I", 1));
    let later = step(&workspace, &read(&folder).replacen("words I", "words 11", 1));
    let refused = workspace.writer().undo(Some(&first)).unwrap_err();
    assert!(
        matches!(&refused, WorkspaceError::Overlap { later_id, .. } if *later_id == later),
        "{refused}"
    );
}

#[test]
fn a_way_back_that_would_break_the_file_is_refused() {
    let broken = "export const App = () => <main>an element without an end</div>;\n";
    let (folder, workspace) = prototype(broken);
    step(&workspace, &broken.replace("</div>", "</main>"));
    let theirs = format!("// theirs\n{}", read(&folder));
    fs::write(folder.path().join(FILE), &theirs).unwrap();
    let refused = workspace.writer().undo(None);
    assert!(matches!(refused, Err(WorkspaceError::Blocked { .. })), "{refused:?}");
    assert_eq!(read(&folder), theirs);
}

#[test]
fn a_step_over_others_that_was_interrupted_is_finished_or_did_not_happen() {
    for reached in [false, true] {
        let lines = numbered();
        let (folder, workspace) = prototype(&component(&lines));
        let id = step(&workspace, &component(&lines).replacen("words 1", "words eleven", 1));
        let theirs = format!("// theirs\n{}", read(&folder));
        fs::write(folder.path().join(FILE), &theirs).unwrap();
        workspace.writer().undo(Some(&id)).unwrap();
        let after = read(&folder);
        assert_eq!(after, format!("// theirs\n{}", component(&lines)));
        // As if the program had been killed before it wrote that the step is done.
        let journal = workspace.writer().journal.path().to_owned();
        drop(workspace);
        let records = fs::read_to_string(&journal).unwrap();
        let (records, _) = records.trim_end().rsplit_once('\n').unwrap();
        fs::write(&journal, format!("{records}\n")).unwrap();
        if !reached {
            fs::write(folder.path().join(FILE), &theirs).unwrap();
        }
        let workspace = open(folder.path());
        let mut writer = workspace.writer();
        assert_eq!(writer.history().done.is_empty(), reached);
        assert!(writer.history().pending.is_none() && workspace.warnings().is_empty());
        if reached {
            writer.redo().unwrap();
        }
        assert_eq!(read(&folder), theirs);
        writer.undo(None).unwrap();
        assert_eq!(read(&folder), after);
    }
}

#[test]
fn what_is_skipped_stays_and_what_was_before_it_can_be_undone() {
    let (folder, workspace) = prototype("export const A = () => <p>first words</p>;\n");
    step(&workspace, "export const A = () => <p>second words</p>;\n");
    let kept = step(
        &workspace,
        "export const A = () => <p className=\"kept\">second words</p>;\n",
    );
    let theirs = "export const A = () => <p className=\"theirs\">second words</p>;\n";
    fs::write(folder.path().join(FILE), theirs).unwrap();
    let mut writer = workspace.writer();
    let Err(WorkspaceError::Blocked { id, files, .. }) = writer.undo(None) else {
        panic!("what was written is not there");
    };
    assert_eq!(id, kept);
    let files = files.expect("the backup is there");
    assert!(String::from_utf8(files.before.unwrap()).unwrap().contains("kept"));
    assert_eq!(files.after.as_deref(), Some(theirs.as_bytes()));
    writer.skip(Step::Undo, Some(&kept)).unwrap();
    assert!(writer.history().is_skipped(&kept) && !writer.history().is_undone(&kept));
    writer.undo(None).unwrap();
    assert_eq!(read(&folder), theirs.replace("second", "first"));
    assert!(matches!(writer.undo(Some(&kept)), Err(WorkspaceError::NoStep(_))));
}
