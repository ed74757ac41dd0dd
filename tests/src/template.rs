//! A data folder with the test accounts, made once and copied for each server: a test then waits for one boot only.
//!
//! It is kept between runs, under a name that changes whenever the program, a plugin, or this file does.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use crate::accounts::{Core, PEOPLE};
use crate::server::Server;
use crate::{disk, paths};

/// Copies the template to an empty folder.
pub fn copy_to(to: &Path) {
    disk::copy(folder(), to);
}

/// The template. It is not written to.
pub fn folder() -> &'static Path {
    static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
    TEMPLATE.get_or_init(|| find().unwrap_or_else(make))
}

fn place() -> PathBuf {
    paths::cache("template").join(key())
}

fn find() -> Option<PathBuf> {
    Some(place()).filter(|place| place.is_dir())
}

fn make() -> PathBuf {
    let mut server = Server::build().fresh().one_node().start();
    assert!(
        server.stop().success(),
        "the first server did not end well:\n{}",
        server.log()
    );
    let core = Core::open(server.data_dir());
    PEOPLE.iter().for_each(|person| core.add(person));
    core.forget_jobs();
    drop(core);

    let place = place();
    for old in place
        .parent()
        .and_then(|folder| folder.read_dir().ok())
        .into_iter()
        .flatten()
        .flatten()
    {
        let _ = std::fs::remove_dir_all(old.path());
    }
    // Another test program may make the same one at this moment: the rename decides, and both are alike.
    let draft = place.with_extension(format!("draft-{}", std::process::id()));
    disk::copy(server.data_dir(), &draft);
    if std::fs::rename(&draft, &place).is_err() {
        let _ = std::fs::remove_dir_all(&draft);
    }
    place
}

/// Names the programs, by size and time of each file, and how the template is made.
fn key() -> String {
    let mut files = vec![paths::galley()];
    files.extend(
        paths::plugins()
            .read_dir()
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path()),
    );
    files.sort();
    let facts = files.iter().map(|file| {
        let facts = std::fs::metadata(file);
        let facts = facts.unwrap_or_else(|error| panic!("{}: {error}; `cargo xtask test` builds it", file.display()));
        let time = facts
            .modified()
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        format!("{} {} {time:?}\n", file.display(), facts.len())
    });
    let facts: String = facts.chain([include_str!("template.rs").to_owned()]).collect();
    let digest = <sha2::Sha256 as sha2::Digest>::digest(facts.as_bytes());
    data_encoding::HEXLOWER.encode(&digest[..8])
}
