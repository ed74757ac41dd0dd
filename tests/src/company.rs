//! Hostile guests beside any test: with [`VARIABLE`] set, each server has all of them, and they misbehave from its start to its
//! end.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::http::Request;
use crate::operator::Operator;
use crate::server::{Build, Server};
use crate::{disk, paths};

/// The variable of the tests' environment.
pub const VARIABLE: &str = "GALLEY_TEST_COMPANY";

/// The guests.
const GUESTS: [&str; 2] = ["hostile", "searcher"];
/// Connections that misbehave.
const CONNECTIONS: usize = 8;
/// Milliseconds that a call of a guest may take.
const DEADLINE: u32 = 2_000;

const DEEDS: [&str; 18] = [
    "hostile/spin",
    "hostile/allocate",
    "hostile/panic",
    "hostile/endless-query",
    "hostile/compute?times=200",
    "hostile/flood?times=4000",
    "searcher/searches",
    "hostile/hold-the-lock",
    "hostile/recurse",
    "hostile/endless-write",
    "hostile/call-the-host",
    "hostile/huge-answer",
    "hostile/gather",
    "hostile/heavy-sql?times=3",
    "hostile/many-slow-queries",
    "hostile/too-many-rows",
    "hostile/fill?times=2",
    "hostile/trap",
];

/// Whether servers of this process have them.
pub fn is_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// A plugins folder, and a data folder in which its guests are approved and compiled.
struct Company {
    plugins: PathBuf,
    data: PathBuf,
}

fn company() -> &'static Company {
    static COMPANY: OnceLock<Company> = OnceLock::new();
    COMPANY.get_or_init(|| {
        let place = paths::cache("company");
        let _ = std::fs::remove_dir_all(&place);
        let (plugins, data) = (place.join("plugins"), place.join("data"));
        let mut operator = Operator::of(Server::build().alone());
        for guest in GUESTS {
            operator.add_guest(guest);
            operator.approve(guest);
            operator.limit(guest, "deadline-ms", DEADLINE);
            operator.wait_for(&format!("/api/v1/x/{guest}/nothing"), |status| status != 404);
        }
        operator.server.stop();
        disk::copy(operator.plugins(), &plugins);
        disk::copy(operator.server.data_dir(), &data);
        Company { plugins, data }
    })
}

/// The plugins folder of a server with company.
pub fn plugins() -> &'static Path {
    &company().plugins
}

/// Copies the data folder of a server with company.
pub fn copy_to(folder: &Path) {
    disk::copy(&company().data, folder);
}

/// Misbehaves until the server is gone.
pub fn misbehave(server: SocketAddr) {
    for first in 0..CONNECTIONS {
        std::thread::spawn(move || {
            let ask = |path: &str| Request::new(server, "GET", &format!("/api/v1/x/{path}")).try_send();
            for deed in DEEDS.iter().cycle().skip(2 * first) {
                if ask(deed).is_err() {
                    return;
                }
                // With half of their calls failing they would get none for a while.
                for guest in GUESTS {
                    let _ = ask(&format!("{guest}/nothing"));
                    let _ = ask(&format!("{guest}/nothing"));
                }
            }
        });
    }
}

/// Whether a server that is built like this has company.
pub fn has_it(build: &Build) -> bool {
    is_wanted() && build.takes_company()
}
