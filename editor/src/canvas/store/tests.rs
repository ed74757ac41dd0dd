use super::*;
use crate::canvas::record::ShotRecord;
use crate::canvas::shot::Shot;
use crate::workspace::Retention;
use std::os::unix::fs::symlink;

fn opened(root: &Path) -> Store {
    let made = std::process::Command::new("git")
        .arg("init")
        .arg("-q")
        .arg(root)
        .status();
    assert!(made.unwrap().success());
    // A program that another test starts has this process's files, the lock among them, until it begins.
    loop {
        match Workspace::open(root, Retention::default()) {
            Err(WorkspaceError::InUse(_)) => std::thread::yield_now(),
            opened => return Store::new(Arc::new(opened.unwrap())),
        }
    }
}

fn plan(width: u32) -> Plan {
    let text = format!(r#"{{ "shots": [{{ "page": "/", "width": {width} }}] }}"#);
    Plan::parse(text.as_bytes()).unwrap()
}

fn taken(bytes: &[u8]) -> Taken {
    Taken {
        png: bytes.to_vec(),
        width: 390,
        height: 900,
        is_cut: false,
    }
}

/// A run of one picture.
fn run(store: &Store, name: &str, at: u64, bytes: &[u8]) -> Kept {
    let kept = store.keep(name, &taken(bytes)).unwrap();
    let shot: Shot = plan(390).shots.remove(0);
    let one = ShotRecord {
        shot,
        before: None,
        after: Some(kept.clone()),
        problem: None,
        difference: None,
    };
    let record = Record {
        at,
        step: Some("e1".into()),
        shots: vec![one],
    };
    store.settle(name, &record).unwrap();
    assert_eq!(store.record(name).unwrap(), Some(record));
    kept
}

#[test]
fn a_plan_is_written_over_what_was_seen_only() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path());
    assert_eq!(store.list().unwrap(), []);
    let hash = store.write("Home", &plan(390), None).unwrap();
    assert!(matches!(
        store.write("Home", &plan(768), None),
        Err(CanvasError::Changed(_))
    ));
    assert!(matches!(
        store.write("Home", &plan(768), Some("another")),
        Err(CanvasError::Changed(_))
    ));
    let hash = store.write("Home", &plan(768), Some(&hash)).unwrap();
    assert_eq!(store.plan("Home").unwrap(), plan(768));
    assert!(matches!(
        store.write("Gone", &plan(390), Some(&hash)),
        Err(CanvasError::Changed(_))
    ));
    let empty = Plan { shots: Vec::new() };
    assert!(matches!(
        store.write("Home", &empty, Some(&hash)),
        Err(CanvasError::Unfit(_))
    ));
}

#[test]
fn names_that_lead_elsewhere_are_refused_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path());
    store.write("Home", &plan(390), None).unwrap();
    for name in [
        "",
        "..",
        "../config",
        "a/b",
        "a\\b",
        ".hidden",
        "a.b",
        "a\0",
        " a",
        "a ",
        &"a".repeat(101),
    ] {
        let refused =
            |result: Result<(), CanvasError>| assert!(matches!(result, Err(CanvasError::Name(_))), "{name:?}");
        refused(store.read(name).map(|_| ()));
        refused(store.write(name, &plan(390), None).map(|_| ()));
        refused(store.delete(name));
        refused(store.rename(name, "New"));
        refused(store.rename("Home", name));
        refused(store.record(name).map(|_| ()));
        refused(store.keep(name, &taken(b"x")).map(|_| ()));
    }
}

#[test]
fn a_broken_file_is_listed_with_its_key_and_can_be_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path());
    let plans = folder.path().join(".tool/plans");
    fs::create_dir(&plans).unwrap();
    fs::write(plans.join("Home.json"), r#"{ "shots": [{ "page": "/", "width": 5 }] }"#).unwrap();
    fs::write(plans.join("not.a.plan.json"), "{}").unwrap();
    fs::write(folder.path().join("secret.json"), r#"{ "shots": [] }"#).unwrap();
    symlink("../../secret.json", plans.join("Linked.json")).unwrap();
    let listed = store.list().unwrap();
    assert_eq!(listed.len(), 1, "{listed:?}");
    let problem = listed[0].stored.plan.clone().unwrap_err();
    assert_eq!(problem.key, "shots[0].width");
    assert!(matches!(store.plan("Home"), Err(CanvasError::Broken { .. })));
    assert!(matches!(store.plan("Linked"), Err(CanvasError::NoPlan(_))));
    store.delete("Home").unwrap();
    assert!(matches!(store.delete("Home"), Err(CanvasError::NoPlan(_))));
}

#[test]
fn pictures_go_with_their_plan() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path());
    store.write("Home", &plan(390), None).unwrap();
    store.write("Other", &plan(390), None).unwrap();
    let kept = run(&store, "Home", 1, b"first");
    assert!(matches!(store.rename("Home", "Other"), Err(CanvasError::Exists(_))));
    store.rename("Home", "Start").unwrap();
    assert_eq!(store.picture("Start", &kept.picture).unwrap(), b"first");
    assert!(matches!(
        store.picture("Home", &kept.picture),
        Err(CanvasError::NoPicture(_))
    ));
    assert!(matches!(store.plan("Home"), Err(CanvasError::NoPlan(_))));
    store.delete("Start").unwrap();
    assert!(!folder.path().join(".tool/pictures/Start").exists());
}

#[test]
fn what_no_record_speaks_of_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path());
    store.write("Home", &plan(390), None).unwrap();
    let first = run(&store, "Home", 1, b"first");
    let second = run(&store, "Home", 2, b"second");
    assert!(store.picture("Home", &first.picture).is_err());
    // A run that was killed, and the pictures of a plan that is gone.
    let torn = store.keep("Home", &taken(b"third")).unwrap();
    let pictures = folder.path().join(".tool/pictures");
    fs::write(pictures.join("Home/.tmpx"), "half").unwrap();
    fs::write(folder.path().join(".tool/plans/.tmpy"), "half").unwrap();
    fs::create_dir(pictures.join("Gone")).unwrap();
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/file"), "mine").unwrap();
    symlink("../../mine", pictures.join("Linked")).unwrap();
    store.sweep().unwrap();
    assert!(store.picture("Home", &torn.picture).is_err());
    assert!(store.picture("Home", &second.picture).is_ok());
    let left = fs::read_dir(pictures.join("Home")).unwrap().count();
    assert_eq!(left, 2, "the record and one picture");
    assert!(!pictures.join("Gone").exists());
    assert!(!folder.path().join(".tool/plans/.tmpy").exists());
    assert!(store.keep("Linked", &taken(b"x")).is_err());
    assert!(folder.path().join("mine/file").exists(), "nothing behind a link");
}

#[test]
fn past_the_bound_pictures_go_that_were_taken_longest_ago() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path());
    let mut kept = Vec::new();
    // The names are in another order than the runs.
    for (name, at) in [("Newest", 3), ("Middle", 2), ("Oldest", 1)] {
        store.write(name, &plan(390), None).unwrap();
        kept.push((name, run(&store, name, at, &[b'x'; 10_000]).picture));
    }
    let left = || -> Vec<&str> {
        let there = kept
            .iter()
            .filter(|(name, picture)| store.picture(name, picture).is_ok());
        there.map(|(name, _)| *name).collect()
    };
    store.limit("Newest", 40_000).unwrap();
    assert_eq!(left(), ["Newest", "Middle", "Oldest"]);
    store.limit("Newest", 25_000).unwrap();
    assert_eq!(left(), ["Newest", "Middle"]);
    store.limit("Newest", 0).unwrap();
    assert_eq!(left(), ["Newest"], "what was just taken stays");
    assert!(store.plan("Oldest").is_ok(), "plans stay");
}

#[test]
fn a_record_that_names_another_file_counts_as_none() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path());
    store.write("Home", &plan(390), None).unwrap();
    run(&store, "Home", 1, b"first");
    let path = folder.path().join(".tool/pictures/Home/record.json");
    let text = fs::read_to_string(&path).unwrap();
    let name = text.split("\"picture\":\"").nth(1).unwrap().split('"').next().unwrap();
    for other in ["../../config", "", "0"] {
        fs::write(&path, text.replace(name, other)).unwrap();
        assert_eq!(store.record("Home").unwrap(), None, "{other}");
    }
    fs::write(&path, "{").unwrap();
    assert_eq!(store.record("Home").unwrap(), None);
}

#[test]
fn there_are_not_more_plans_than_may_be() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path());
    let plans = folder.path().join(".tool/plans");
    fs::create_dir(&plans).unwrap();
    for index in 0..MAX_PLANS {
        fs::write(plans.join(format!("{index}.json")), plan(390).to_text()).unwrap();
    }
    assert!(matches!(
        store.write("One more", &plan(390), None),
        Err(CanvasError::TooMany)
    ));
    let hash = store.read("0").unwrap().unwrap().hash;
    store.write("0", &plan(768), Some(&hash)).unwrap();
}
