//! The gate over a real folder and a real git.

use std::path::Path;

use parking_lot::Mutex;

use super::*;
use crate::workspace::{Retention, git};

const APP: &str = "import { Card } from './Card';\n\nexport const App = () => (\n  <main>\n    <h1 className=\"big\">Hello</h1>\n    <p>One</p>\n    <p>Two</p>\n    <Card title=\"One\" />\n  </main>\n);\n";

struct Bench {
    folder: tempfile::TempDir,
    gate: Gate,
    told: Arc<Mutex<usize>>,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let write = |path: &str, text: &str| {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        };
        write("package.json", "{ \"name\": \"x\" }\n");
        write("src/App.tsx", APP);
        write(
            "src/Card.tsx",
            "export const Card = ({ title }: { title: string }) => <b>{title}</b>;\n",
        );
        write("src/ignored/a.tsx", "export const a = <p>x</p>;\n");
        write(".gitignore", "src/ignored\n.env\n");
        write(".env", "SECRET=1\n");
        git::Command::new(root, ["init", "--quiet"]).output().unwrap();
        git::Command::new(root, ["add", "."]).output().unwrap();
        let workspace = Arc::new(Workspace::open(root, Retention::default()).unwrap());
        let told = Arc::new(Mutex::new(0));
        let count = Arc::clone(&told);
        let gate = Gate::new(workspace, Arc::new(move |_| *count.lock() += 1));
        Self { folder, gate, told }
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(path)).unwrap()
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn propose(&self, hunks: &[(&str, &str, &str)], limits: &Limits) -> Result<Accepted, Refusal> {
        self.gate.propose(&proposal(hunks), limits, "x", by(), |_| Ok(()))
    }
}

fn by() -> By {
    By {
        session: "save".into(),
        turn: None,
        model: "m".into(),
    }
}

fn proposal(hunks: &[(&str, &str, &str)]) -> Proposal {
    let files = hunks.iter().map(|(path, old, new)| Hunk {
        path: (*path).into(),
        old: (*old).into(),
        new: (*new).into(),
    });
    Proposal {
        files: files.collect(),
        why: String::new(),
    }
}

fn save() -> Limits {
    Limits::save(vec!["src/App.tsx".into(), "src/Card.tsx".into()])
}

#[test]
fn what_passes_is_one_step_of_the_history_with_its_author() {
    let bench = Bench::new();
    let hunks = [
        ("src/App.tsx", ">Hello<", ">Servus<"),
        ("src/Card.tsx", "<b>{title}</b>", "<i>{title}</i>"),
    ];
    let done = bench.propose(&hunks, &save()).unwrap();
    assert_eq!(bench.text("src/App.tsx"), APP.replace("Hello", "Servus"));
    let workspace = bench.gate.workspace();
    let entry = workspace.writer().history().entry(&done.id).cloned().unwrap();
    assert_eq!(
        (entry.kind, entry.by, entry.files.len()),
        (EntryKind::Model, Some(by()), 2)
    );
    workspace.writer().undo(None).unwrap();
    assert_eq!(bench.text("src/App.tsx"), APP);
    assert_eq!(*bench.told.lock(), 1);
}

#[test]
fn each_check_refuses_with_its_code_and_changes_nothing() {
    let bench = Bench::new();
    let long: String = (0..60).map(|line| format!("<p>{line}</p>\n")).collect();
    let all = Limits { paths: None, ..save() };
    for (hunks, limits, code) in [
        (vec![("src/App.tsx", "<p>Three</p>", "")], save(), Code::NotUnique),
        (vec![("src/App.tsx", "<p>", "<b>")], save(), Code::NotUnique),
        (
            vec![
                ("src/App.tsx", "<p>One</p>", "<b>1</b>"),
                ("src/App.tsx", "One</p>", "x</p>"),
            ],
            save(),
            Code::NotUnique,
        ),
        (vec![("package.json", "\"x\"", "\"y\"")], all.clone(), Code::OffLimits),
        (vec![(".env", "1", "2")], all.clone(), Code::OffLimits),
        (vec![("../outside", "1", "2")], all.clone(), Code::OffLimits),
        (vec![("src/ignored/a.tsx", "x<", "y<")], all.clone(), Code::OffLimits),
        (vec![("src/Gone.tsx", "x<", "y<")], all, Code::OffLimits),
        (
            vec![("src/Card.tsx", "<b>{title}</b>", "<i>{title}</i>")],
            Limits::save(vec!["src/App.tsx".into()]),
            Code::OffLimits,
        ),
        (
            vec![("src/App.tsx", "<p>One</p>", long.as_str())],
            save(),
            Code::TooMuch,
        ),
        (
            vec![
                ("src/App.tsx", ">Hello<", ">Servus<"),
                ("src/App.tsx", "    <p>Two</p>\n", "  <p>Two</p>\n"),
            ],
            save(),
            Code::TooMuch,
        ),
        (
            vec![("src/App.tsx", ">Hello<", ">{eval('1')}<")],
            save(),
            Code::NewCapability,
        ),
        (
            vec![(
                "src/App.tsx",
                "import { Card } from './Card';",
                "import { Card } from './Card';\nimport 'left-pad';",
            )],
            save(),
            Code::NewCapability,
        ),
        (vec![("src/App.tsx", "<p>One</p>", "<p>One")], save(), Code::NotVerified),
        (
            vec![("src/App.tsx", "<p>One</p>", "<p>Un\u{202e}o</p>")],
            save(),
            Code::NotVerified,
        ),
        (
            vec![("src/App.tsx", "<p>One</p>", "<p>Uno</p>\r\n")],
            save(),
            Code::NotVerified,
        ),
        (
            vec![("src/App.tsx", "<p>One</p>", "<p>One</p>")],
            save(),
            Code::NotVerified,
        ),
        // The first passes alone: all or none.
        (
            vec![
                ("src/Card.tsx", "<b>{title}</b>", "<i>{title}</i>"),
                ("src/App.tsx", "nothing", ""),
            ],
            save(),
            Code::NotUnique,
        ),
    ] {
        let card = bench.text("src/Card.tsx");
        let refusal = bench.propose(&hunks, &limits).unwrap_err();
        assert_eq!(refusal.code, code, "{hunks:?}: {}", refusal.reason);
        assert!(!refusal.can_be_granted);
        assert_eq!(
            (bench.text("src/App.tsx"), bench.text("src/Card.tsx")),
            (APP.to_owned(), card),
            "{hunks:?}"
        );
    }
    assert_eq!(
        std::fs::read_to_string(bench.root().join(".env")).unwrap(),
        "SECRET=1\n"
    );
    assert_eq!(*bench.told.lock(), 0);
    assert!(bench.gate.workspace().writer().history().entries.is_empty());
}

#[test]
fn a_chat_may_be_granted_what_it_asks_for() {
    let bench = Bench::new();
    let hunks = [(
        "src/App.tsx",
        "import { Card } from './Card';",
        "import { Card } from './Card';\nimport 'left-pad';",
    )];
    let refusal = bench.propose(&hunks, &Limits::chat()).unwrap_err();
    assert!(refusal.can_be_granted && refusal.code == Code::NewCapability);
    let granted = Limits {
        granted: vec![Code::NewCapability],
        ..Limits::chat()
    };
    bench.propose(&hunks, &granted).unwrap();
    let env = bench.propose(&[(".env", "1", "2")], &granted).unwrap_err();
    assert_eq!((env.code, env.can_be_granted), (Code::OffLimits, false));
}

#[test]
fn a_chat_may_be_granted_another_layout_and_a_wrapped_element_needs_no_grant() {
    let bench = Bench::new();
    let wide = [("src/App.tsx", "    <p>Two</p>\n", "      <p>Two</p>\n")];
    let refusal = bench.propose(&wide, &Limits::chat()).unwrap_err();
    assert!(refusal.can_be_granted && refusal.code == Code::TooMuch, "{refusal:?}");
    assert!(refusal.reason.contains("line 7"), "{}", refusal.reason);
    let granted = Limits {
        granted: vec![Code::TooMuch],
        ..Limits::chat()
    };
    bench.propose(&wide, &granted).unwrap();
    let wrapped = [(
        "src/App.tsx",
        "    <p>One</p>\n",
        "    <div>\n      <p>One</p>\n    </div>\n",
    )];
    bench.propose(&wrapped, &save()).unwrap();
}

#[test]
fn a_step_that_the_page_does_not_confirm_was_never_made_and_redo_stays() {
    let bench = Bench::new();
    bench
        .propose(&[("src/App.tsx", ">Hello<", ">Servus<")], &save())
        .unwrap();
    let workspace = bench.gate.workspace();
    workspace.writer().undo(None).unwrap();
    let hunks = proposal(&[("src/App.tsx", ">Two<", ">Three<")]);
    let refusal = bench
        .gate
        .propose(&hunks, &save(), "x", by(), |_| {
            Err(Refusal::new(Code::NotVerified, "no"))
        })
        .unwrap_err();
    assert_eq!(refusal.reason, "no");
    assert_eq!(bench.text("src/App.tsx"), APP);
    assert_eq!(workspace.writer().history().entries.len(), 1);
    workspace.writer().redo().unwrap();
    assert_eq!(bench.text("src/App.tsx"), APP.replace("Hello", "Servus"));
}

#[test]
fn what_is_not_ready_is_not_written() {
    let bench = Bench::new();
    let hunks = proposal(&[("src/App.tsx", ">Two<", ">Three<")]);
    let late = || Err(Refusal::unseen("late"));
    let made = bench
        .gate
        .propose_when(&hunks, &save(), "x", by(), late, |_| panic!("it was made"));
    assert!(made.unwrap_err().is_unseen);
    assert_eq!((bench.text("src/App.tsx"), *bench.told.lock()), (APP.to_owned(), 0));
}

#[test]
fn somebody_elses_change_is_not_thrown_away() {
    let bench = Bench::new();
    let path = bench.root().join("src/App.tsx");
    let hunks = proposal(&[("src/App.tsx", ">Two<", ">Three<")]);
    let refusal = bench.gate.propose(&hunks, &save(), "x", by(), |_| {
        std::fs::write(&path, "export const App = () => <p>Theirs</p>;\n").unwrap();
        Err(Refusal::new(Code::NotVerified, "no"))
    });
    assert!(refusal.unwrap_err().reason.contains("could not be taken back"));
    assert_eq!(bench.text("src/App.tsx"), "export const App = () => <p>Theirs</p>;\n");
}
