//! Another plugin in the slot of comments: with [`VARIABLE`] set, each server has the guest `remarks` there, put in by `galley
//! plugins install`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::operator::Operator;
use crate::server::Server;
use crate::{disk, paths, template};

/// The variable of the tests' environment.
pub const VARIABLE: &str = "GALLEY_TEST_STAND_IN";

/// The file of its data: it is another schema's.
pub const FILE: &str = "slots/comments@remarks.db";

/// Whether servers of this process have it.
pub fn is_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Copies the data folder of a server whose slot `comments` is filled by the guest.
pub fn copy_to(folder: &Path) {
    static DATA: OnceLock<PathBuf> = OnceLock::new();
    let data = DATA.get_or_init(|| {
        let place = paths::cache("stand-in").join("data");
        let _ = std::fs::remove_dir_all(&place);
        let mut server = Server::build().on(template::folder()).start();
        install(&server, &["--fresh-data"]);
        assert!(server.data_dir().join(FILE).is_file(), "it has data of its own");
        server.stop();
        disk::copy(server.data_dir(), &place);
        place
    });
    disk::copy(data, folder);
}

/// Puts the guest into the slot.
#[track_caller]
pub fn install(server: &Server, flags: &[&str]) {
    let file = paths::guest("remarks").to_string_lossy().into_owned();
    let command = ["plugins", "install", &file, "--replaces", "comments", "--yes"];
    server.galley(&[&command[..], flags].concat()).expect(0);
    assert_eq!(id(server), "remarks");
}

/// The plugin that fills the slot.
#[track_caller]
pub fn id(server: &Server) -> String {
    let slot = Operator::slot_of(server, "comments");
    slot["id"].as_str().unwrap_or_default().to_owned()
}
