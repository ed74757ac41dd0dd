//! Backups of data folders.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::list::inside;
use super::*;
use crate::core::{Access, Core};
use crate::projects::NewProject;
use crate::storage::data_folder::{FolderError, FolderLock};

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

fn copy(data: &Path, target: &Path) -> Result<Summary, BackupError> {
    create(data, None, target, || Ok(()), |_| {})
}

fn fill(backup: &Path, data: &Path) -> Result<Summary, BackupError> {
    restore(backup, data, || Ok(()), |_| {})
}

#[tokio::test]
async fn what_was_written_comes_back() {
    let (data, target, again) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let made = copy(data.path(), target.path()).unwrap();
    assert_eq!(made.files, 2);
    assert!(!target.path().join("staging").exists());
    assert_eq!(fill(target.path(), again.path()).unwrap(), made);
    let core = Core::open(again.path()).await.unwrap();
    assert_eq!(core.projects().len(), 1);
    assert_eq!(fs::read(again.path().join("keys/seal.key")).unwrap(), [7; 32]);
}

#[tokio::test]
async fn nothing_is_written_over() {
    let (data, target) = (data().await, tempfile::tempdir().unwrap());
    copy(data.path(), target.path()).unwrap();
    let again = copy(data.path(), target.path());
    assert!(matches!(again, Err(BackupError::NotEmpty(..))));
    assert!(matches!(
        fill(target.path(), data.path()),
        Err(BackupError::NotEmpty(..))
    ));
}

#[tokio::test]
async fn a_damaged_backup_is_refused_before_anything_is_copied() {
    let (data, target, again) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(data.path(), target.path()).unwrap();
    fs::write(target.path().join("keys/seal.key"), [8; 32]).unwrap();
    assert!(matches!(
        fill(target.path(), again.path()),
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
    assert!(matches!(copy(data.path(), target.path()), Err(BackupError::NoData(..))));
    assert!(matches!(fill(target.path(), data.path()), Err(BackupError::NoData(..))));
}

fn mode(folder: &Path) -> u32 {
    fs::metadata(folder).unwrap().permissions().mode() & 0o7777
}

#[tokio::test]
async fn a_refused_folder_stays_as_it_is() {
    let (data, target, public) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(data.path(), target.path()).unwrap();
    fs::write(public.path().join("x"), "").unwrap();
    fs::set_permissions(public.path(), fs::Permissions::from_mode(0o1777)).unwrap();
    for refused in [copy(data.path(), public.path()), fill(target.path(), public.path())] {
        assert!(matches!(refused, Err(BackupError::NotEmpty(..))));
        assert_eq!(mode(public.path()), 0o1777);
        assert_eq!(fs::read_dir(public.path()).unwrap().count(), 1);
    }
}

#[tokio::test]
async fn a_backup_is_no_part_of_what_it_copies() {
    let (data, elsewhere) = (data().await, tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink(elsewhere.path(), data.path().join("blobs")).unwrap();
    let link = tempfile::tempdir().unwrap();
    let link = link.path().join("link");
    std::os::unix::fs::symlink(data.path(), &link).unwrap();
    let inside = [
        data.path().join("b"),
        data.path().join("sites/b"),
        link.join("b"),
        elsewhere.path().join("b"),
        data.path().to_owned(),
    ];
    for target in inside {
        let refused = copy(data.path(), &target);
        assert!(matches!(refused, Err(BackupError::Inside(..))), "{refused:?}");
    }
    assert!(!data.path().join("b").exists() && !elsewhere.path().join("b").exists());
}

#[tokio::test]
async fn folders_that_lie_elsewhere_are_copied_and_links_within_are_refused() {
    let (data, target, elsewhere) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(elsewhere.path().join("x.blob"), "a blob").unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), data.path().join("blobs")).unwrap();
    assert_eq!(copy(data.path(), target.path()).unwrap().files, 3);
    assert_eq!(fs::read(target.path().join("blobs/x.blob")).unwrap(), b"a blob");
    let link = elsewhere.path().join("y.blob");
    std::os::unix::fs::symlink(elsewhere.path().join("x.blob"), link).unwrap();
    let target = tempfile::tempdir().unwrap();
    let refused = copy(data.path(), target.path());
    assert!(matches!(refused, Err(BackupError::Link(_))), "{refused:?}");
}

/// Adds a slot's database with one row, two blobs and a list of approvals. The answer is what a server has open.
fn with_slot(data: &Path) -> rusqlite::Connection {
    fs::create_dir(data.join("slots")).unwrap();
    fs::create_dir(data.join("blobs")).unwrap();
    fs::write(data.join("blobs/1.blob"), "one").unwrap();
    fs::write(data.join("blobs/2.blob"), "two").unwrap();
    fs::write(data.join("plugins.lock"), "before").unwrap();
    let slot = rusqlite::Connection::open(data.join("slots/notes.db")).unwrap();
    slot.pragma_update(None, "journal_mode", "wal").unwrap();
    slot.execute_batch("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('before')")
        .unwrap();
    slot
}

fn notes(folder: &Path) -> i64 {
    let slot = rusqlite::Connection::open(folder.join("slots/notes.db")).unwrap();
    slot.query_row("SELECT count(*) FROM notes", [], |row| row.get(0))
        .unwrap()
}

#[tokio::test]
async fn all_databases_are_copied_as_they_are_at_one_moment() {
    let (data, target) = (data().await, tempfile::tempdir().unwrap());
    let slot = with_slot(data.path());
    let changed = std::cell::Cell::new(false);
    // After the first file, which is the core.
    let change = |_| {
        if !changed.replace(true) {
            slot.execute_batch("INSERT INTO notes VALUES ('meanwhile')").unwrap();
            fs::write(data.path().join("blobs/3.blob"), "three").unwrap();
            crate::storage::durable::write_file(&data.path().join("plugins.lock"), b"meanwhile").unwrap();
        }
    };
    create::<BackupError>(data.path(), None, target.path(), || Ok(()), change).unwrap();
    assert!(changed.get());
    assert_eq!((notes(target.path()), notes(data.path())), (1, 2));
    assert_eq!(fs::read(target.path().join("plugins.lock")).unwrap(), b"before");
    assert!(!target.path().join("blobs/3.blob").exists());
}

#[tokio::test]
async fn a_file_that_is_deleted_meanwhile_brings_the_copy_to_another_moment() {
    let (data, target, again) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let slot = with_slot(data.path());
    let changed = std::cell::Cell::new(false);
    let change = |_| {
        if !changed.replace(true) {
            slot.execute_batch("DELETE FROM notes").unwrap();
            fs::remove_file(data.path().join("blobs/2.blob")).unwrap();
        }
    };
    let made = create::<BackupError>(data.path(), None, target.path(), || Ok(()), change).unwrap();
    assert_eq!(notes(target.path()), 0);
    assert!(!target.path().join("blobs/2.blob").exists());
    assert_eq!(fill(target.path(), again.path()).unwrap(), made);
    assert_eq!(fs::read(again.path().join("blobs/1.blob")).unwrap(), b"one");
}

#[tokio::test]
async fn files_that_never_stop_going_are_said_and_nothing_is_left() {
    let (data, target) = (data().await, tempfile::tempdir().unwrap());
    let _slot = with_slot(data.path());
    // Never a name that was there before.
    let next = std::cell::Cell::new(10);
    let change = |files| {
        if files == 1 {
            let blobs = data.path().join("blobs");
            fs::read_dir(&blobs)
                .unwrap()
                .for_each(|blob| fs::remove_file(blob.unwrap().path()).unwrap());
        } else {
            next.set(next.get() + 1);
            fs::write(data.path().join(format!("blobs/{}.blob", next.get())), "one more").unwrap();
        }
    };
    let missed = create::<BackupError>(data.path(), None, target.path(), || Ok(()), change);
    assert!(
        matches!(&missed, Err(BackupError::Missed(name)) if name.starts_with("blobs/")),
        "{missed:?}"
    );
    assert_eq!(fs::read_dir(target.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_half_restored_folder_is_used_by_nobody_and_filled_anew() {
    let (data, target, again) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(data.path(), target.path()).unwrap();
    let failed = restore(
        target.path(),
        again.path(),
        || Err(BackupError::Missed("the end".to_owned())),
        |_| {},
    );
    assert!(matches!(failed, Err(BackupError::Missed(_))));
    assert!(Core::open(again.path()).await.is_err());
    let of_half = tempfile::tempdir().unwrap();
    assert!(matches!(
        copy(again.path(), of_half.path()),
        Err(BackupError::Folder(FolderError::HalfRestored(_)))
    ));
    fs::write(again.path().join("keys/of-the-first-try"), "").unwrap();
    fill(target.path(), again.path()).unwrap();
    assert!(!again.path().join("keys/of-the-first-try").exists());
    assert_eq!(Core::open(again.path()).await.unwrap().projects().len(), 1);
}

#[tokio::test]
async fn a_folder_in_use_is_not_filled() {
    let (data, target, again) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(data.path(), target.path()).unwrap();
    let _held = FolderLock::take(again.path()).unwrap();
    let refused = fill(target.path(), again.path());
    assert!(
        matches!(refused, Err(BackupError::Folder(FolderError::InUse(_)))),
        "{refused:?}"
    );
}
