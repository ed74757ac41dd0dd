//! A step that waits until what the page should show is of its own moment.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::agent::gate::Hunk;
use crate::workspace::{Retention, Workspace, git};

const APP: &str = "export const App = () => <h1>Hello</h1>;\n";

/// Somebody edits until the page was learnt so often.
struct Busy {
    until: usize,
    learnt: AtomicUsize,
}

impl Sight for Busy {
    fn learn(&self) -> Result<(), Refusal> {
        self.learnt.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn is_current(&self) -> bool {
        self.learnt.load(Ordering::SeqCst) >= self.until
    }

    fn judge(&self, _: &Accepted) -> Result<(), Refusal> {
        Ok(())
    }
}

/// What comes of a proposal, how often the page was learnt, and the file.
fn proposed(until: usize) -> (Result<Accepted, Refusal>, usize, String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::write(root.join("App.tsx"), APP).unwrap();
    git::Command::new(root, ["init", "--quiet"]).output().unwrap();
    let workspace = Arc::new(Workspace::open(root, Retention::default()).unwrap());
    let gate = Gate::new(workspace, Arc::new(|_| ()));
    let hunk = Hunk {
        path: "App.tsx".into(),
        old: "Hello".into(),
        new: "Servus".into(),
    };
    let (files, why) = (vec![hunk], String::new());
    let by = By {
        session: "save".into(),
        turn: None,
        model: "m".into(),
    };
    let learnt = AtomicUsize::new(0);
    let busy = Busy { until, learnt };
    let limits = Limits::save(vec!["App.tsx".into()]);
    let stop = CancellationToken::new();
    let made = propose(&gate, &Proposal { files, why }, &limits, "x", &by, &busy, &stop);
    let file = fs::read_to_string(root.join("App.tsx")).unwrap();
    (made, busy.learnt.into_inner(), file)
}

#[test]
fn what_was_edited_meanwhile_is_learnt_before_the_step() {
    let (made, learnt, file) = proposed(2);
    assert!(made.is_ok() && learnt == 2, "{made:?}");
    assert_eq!(file, APP.replace("Hello", "Servus"));
}

#[test]
fn where_edits_do_not_end_the_proposal_waits_for_a_person() {
    let (made, learnt, file) = proposed(MAX_LEARNT + 1);
    assert!(made.unwrap_err().is_unseen);
    assert_eq!((learnt, file.as_str()), (MAX_LEARNT, APP));
}
