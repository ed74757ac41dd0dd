//! Pictures of changed elements, beside a session's file: `.tool/chat/<id>.pictures/<edit>-before.png`. They are a help for the
//! eye, so they have a bound: the oldest go first, and a card without them still has its diff.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::turn::is_id;
use crate::workspace::write_private;

/// All pictures of a session together, in bytes.
const MAX_BYTES: u64 = 16 << 20;
/// What the folder's name ends with.
const ENDING: &str = ".pictures";
const FORMAT: &str = ".png";

/// Where a session's pictures are.
pub(super) fn folder(chats: &Path, session: &str) -> PathBuf {
    chats.join(format!("{session}{ENDING}"))
}

/// Keeps a picture; gives its name.
pub(super) fn keep(folder: &Path, edit: &str, side: &str, picture: &[u8]) -> io::Result<String> {
    let name = format!("{edit}-{side}{FORMAT}");
    if !is_name(&name) {
        return Err(io::Error::other("the edit's name cannot be a file's"));
    }
    own(folder)?;
    write_private(&folder.join(&name), picture)?;
    within(folder, MAX_BYTES)?;
    Ok(name)
}

/// A picture by its name; `None` when it is gone, or never was.
pub(super) fn read(folder: &Path, name: &str) -> io::Result<Option<Vec<u8>>> {
    if !is_name(name) || !is_own(folder) {
        return Ok(None);
    }
    match fs::read(folder.join(name)) {
        Ok(picture) => Ok(Some(picture)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Deletes all of them.
pub(super) fn delete(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Deletes those of sessions that are no more, as after a crash while one was deleted.
pub(super) fn sweep(chats: &Path) {
    for entry in fs::read_dir(chats).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let id = name.strip_suffix(ENDING).filter(|id| is_id(id));
        if let Some(id) = id
            && !chats.join(format!("{id}.jsonl")).exists()
            && let Err(error) = delete(&entry.path())
        {
            tracing::warn!(session = id, %error, "pictures of a chat that is gone cannot be deleted");
        }
    }
}

fn is_name(name: &str) -> bool {
    name.strip_suffix(FORMAT).is_some_and(is_id)
}

/// Makes the folder; a link in its place would lead elsewhere.
fn own(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ if is_own(folder) => Ok(()),
        _ => Err(io::Error::other("its folder is none")),
    }
}

fn is_own(folder: &Path) -> bool {
    fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir())
}

fn within(folder: &Path, most: u64) -> io::Result<()> {
    let mut all: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        all.push((metadata.modified()?, entry.path(), metadata.len()));
    }
    all.sort();
    let mut bytes: u64 = all.iter().map(|(_, _, bytes)| bytes).sum();
    // The newest stays whatever its size.
    all.pop();
    for (_, path, size) in all {
        if bytes <= most {
            break;
        }
        fs::remove_file(path)?;
        bytes -= size;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    use super::*;

    #[test]
    fn they_are_kept_for_their_owner_and_go_with_their_session() {
        let chats = tempfile::tempdir().unwrap();
        let place = folder(chats.path(), "one");
        assert_eq!(keep(&place, "e-1", "before", b"png").unwrap(), "e-1-before.png");
        assert_eq!(read(&place, "e-1-before.png").unwrap().unwrap(), b"png");
        let mode = fs::metadata(place.join("e-1-before.png")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        fs::write(chats.path().join("secret.png"), "no").unwrap();
        for other in ["../secret.png", "e-1-after.png", "e-1-before", "", ".png"] {
            assert_eq!(read(&place, other).unwrap(), None, "{other}");
        }
        assert!(keep(&place, "../e", "before", b"png").is_err());
        fs::write(chats.path().join("one.jsonl"), "").unwrap();
        sweep(chats.path());
        assert!(place.exists());
        fs::remove_file(chats.path().join("one.jsonl")).unwrap();
        sweep(chats.path());
        assert!(!place.exists() && chats.path().join("secret.png").exists());
        delete(&place).unwrap();
    }

    #[test]
    fn the_oldest_go_when_there_are_too_many() {
        let place = tempfile::tempdir().unwrap();
        for age in 0..4_u64 {
            let name = keep(place.path(), &format!("e-{age}"), "after", &[0; 10]).unwrap();
            let file = fs::File::open(place.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        within(place.path(), 25).unwrap();
        let left = |age: u64| place.path().join(format!("e-{age}-after.png")).exists();
        assert_eq!([left(0), left(1), left(2), left(3)], [true, true, false, false]);
        within(place.path(), 0).unwrap();
        assert!(left(0) && !left(1));
    }

    #[test]
    fn a_link_in_place_of_the_folder_leads_nowhere() {
        let chats = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("e-1-before.png"), "no").unwrap();
        let place = folder(chats.path(), "one");
        std::os::unix::fs::symlink(elsewhere.path(), &place).unwrap();
        assert!(keep(&place, "e-2", "before", b"png").is_err());
        assert_eq!(read(&place, "e-1-before.png").unwrap(), None);
    }
}
