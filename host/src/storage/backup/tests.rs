//! Backups of data folders.

use std::fs;

use super::list::inside;
use super::*;
use crate::core::{Access, Core};
use crate::projects::NewProject;

async fn data() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let core = Core::open(folder.path()).await.unwrap();
    let new = NewProject {
        slug: "shop".into(),
        name: "Shop".into(),
        access: Access::AllMembers,
        listed: None,
    };
    core.create_project(new).await.unwrap();
    fs::create_dir_all(folder.path().join("keys")).unwrap();
    fs::write(folder.path().join("keys/seal.key"), [7; 32]).unwrap();
    fs::create_dir_all(folder.path().join("staging/1")).unwrap();
    fs::write(folder.path().join("staging/1/x"), "on its way").unwrap();
    folder
}

#[tokio::test]
async fn what_was_written_comes_back() {
    let (data, target, again) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let made = create(data.path(), None, target.path(), |_| {}).unwrap();
    assert_eq!(made.files, 2);
    assert!(!target.path().join("staging").exists());
    assert_eq!(restore(target.path(), again.path(), |_| {}).unwrap(), made);
    let core = Core::open(again.path()).await.unwrap();
    assert_eq!(core.projects().len(), 1);
    assert_eq!(fs::read(again.path().join("keys/seal.key")).unwrap(), [7; 32]);
}

#[tokio::test]
async fn nothing_is_written_over() {
    let (data, target) = (data().await, tempfile::tempdir().unwrap());
    create(data.path(), None, target.path(), |_| {}).unwrap();
    let again = create(data.path(), None, target.path(), |_| {});
    assert!(matches!(again, Err(BackupError::NotEmpty(..))));
    assert!(matches!(
        restore(target.path(), data.path(), |_| {}),
        Err(BackupError::NotEmpty(..))
    ));
}

#[tokio::test]
async fn a_damaged_backup_is_refused_before_anything_is_copied() {
    let (data, target, again) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    create(data.path(), None, target.path(), |_| {}).unwrap();
    fs::write(target.path().join("keys/seal.key"), [8; 32]).unwrap();
    assert!(matches!(
        restore(target.path(), again.path(), |_| {}),
        Err(BackupError::Damaged(..))
    ));
    assert_eq!(fs::read_dir(again.path()).unwrap().count(), 0);
}

#[test]
fn a_list_cannot_name_files_elsewhere() {
    for name in [
        "../x",
        "/etc/passwd",
        "a/../../x",
        "",
        "./core.db",
        "a//b",
        "a/",
        "a/./b",
        "a\0b",
    ] {
        assert!(inside(Path::new("/b"), name).is_err(), "{name}");
    }
}

#[test]
fn a_list_names_nothing_that_a_backup_does_not_hold() {
    for name in [
        "plugins/evil.cwasm",
        "plugins",
        "Plugins/evil.cwasm",
        "plugins/../plugins/evil.cwasm",
        "staging/1/x",
        "builds/1/source/x",
        "lock",
        "backup.json",
        "core.db-wal",
        "slots/notes.db-shm",
        "slots/notes.db-journal",
    ] {
        let refused = inside(Path::new("/b"), name);
        assert!(
            matches!(refused, Err(BackupError::Foreign(_, listed)) if listed == name),
            "{name}"
        );
    }
    for name in [
        "core.db",
        "plugins.lock",
        "slots/notes.db",
        "sites/p/v.site",
        "logs/notes/1",
        "blobs/notes/a/b",
        "keys/seal.key",
    ] {
        assert!(inside(Path::new("/b"), name).is_ok(), "{name}");
    }
}

#[test]
fn a_folder_without_data_is_named() {
    let (data, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert!(matches!(
        create(data.path(), None, target.path(), |_| {}),
        Err(BackupError::NoData(..))
    ));
    assert!(matches!(
        restore(target.path(), data.path(), |_| {}),
        Err(BackupError::NoData(..))
    ));
}
