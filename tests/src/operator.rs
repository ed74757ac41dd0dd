//! A server whose plugins folder belongs to the test: plugins are added, changed and broken there.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use crate::cli::Ended;
use crate::client::Client;
use crate::poll::eventually;
use crate::server::{Build, Server};
use crate::{disk, paths};

/// In this time all servers of a cluster follow a change of plugins: about a second.
const FOLLOWED: Duration = Duration::from_millis(1_500);

/// A server and its plugins folder.
#[derive(Debug)]
pub struct Operator {
    /// The server.
    pub server: Server,
    plugins: PathBuf,
    _folder: TempDir,
}

impl Operator {
    /// A server with the built-in plugins.
    pub fn start() -> Operator {
        Operator::of(Server::build())
    }

    /// A server with changes and the built-in plugins.
    pub fn of(build: Build) -> Operator {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let plugins = folder.path().join("plugins");
        disk::copy(&paths::plugins(), &plugins);
        let server = build.env("SERVICE_PLUGINS_DIR", &plugins).start();
        Operator {
            server,
            plugins,
            _folder: folder,
        }
    }

    /// A server with one more plugin, a guest of `tests/guests`, whose calls may take `deadline` milliseconds.
    pub fn with_guest(name: &str, deadline: u32) -> Operator {
        let operator = Operator::start();
        operator.add_guest(name);
        operator.approve(name);
        operator.limit(name, "deadline-ms", deadline);
        operator.wait_for(&format!("/api/v1/x/{name}/nothing"), |status| status != 404);
        operator
    }

    /// Waits until every process of the server answers a path so, one after the other.
    #[track_caller]
    pub fn wait_for(&self, path: &str, fits: impl Fn(u16) -> bool) {
        let processes = self.server.data_dirs().count();
        eventually("the guest's routes answer", || {
            let answers = || fits(self.anonymous().get(path).status);
            (0..processes).all(|_| answers()).then_some(())
        });
    }

    /// The plugins folder.
    pub fn plugins(&self) -> &Path {
        &self.plugins
    }

    /// Puts a guest of `tests/guests` into the plugins folder.
    pub fn add_guest(&self, name: &str) {
        let from = paths::guest(name);
        fs::copy(&from, self.plugins.join(format!("{name}.wasm")))
            .unwrap_or_else(|error| panic!("{}: {error}; `cargo xtask test` builds it", from.display()));
    }

    /// Adds and approves a guest, and waits until it answers `path` in its own place.
    #[track_caller]
    pub fn add_serving_guest(&self, name: &str, path: &str) {
        self.add_guest(name);
        self.approve(name);
        self.wait_for(&format!("/api/v1/x/{name}/{path}"), |status| status == 200);
    }

    /// Puts `clash.wasm` into the plugins folder: a component of version 0.1 of the contract, which may have routes anywhere,
    /// for the slot `contract`. It claims the routes of the comments.
    pub fn add_clash(&self) {
        let mut wasm = fs::read(paths::contract("0.1.0")).expect("the component is part of the checkout");
        let (from, to) = ("/projects/{project}/contract", "/projects/{project}/comments");
        for at in 0..wasm.len() - from.len() {
            if wasm[at..].starts_with(from.as_bytes()) {
                wasm[at..at + to.len()].copy_from_slice(to.as_bytes());
            }
        }
        fs::write(self.plugins.join("clash.wasm"), wasm).expect("the plugins folder is writable");
    }

    /// Approves the guest's file as it is now. A cluster has no plugins folder in common: there it is installed.
    #[track_caller]
    pub fn approve(&self, name: &str) {
        self.try_approve(name).expect(0);
    }

    /// The same, whatever comes of it.
    pub fn try_approve(&self, name: &str) -> Ended {
        let file = format!("{name}.wasm");
        match self.server.cluster() {
            None => self.server.galley(&["plugins", "approve", &file]),
            Some(_) => {
                let file = self.plugins.join(file).to_string_lossy().into_owned();
                self.server.galley(&["plugins", "install", &file, "--yes"])
            }
        }
    }

    /// Another build of a plugin of the plugins folder, outside of that folder: it does the same, and its bytes differ from
    /// those of every other `build`.
    pub fn another(&self, name: &str, build: u8) -> PathBuf {
        let mut wasm = fs::read(self.plugins.join(format!("{name}.wasm"))).expect("the plugin is there");
        // A custom section: its length, the length of its name, and its name.
        wasm.extend([0, 2, 1, b'a' + build]);
        let file = self.plugins.with_file_name(format!("{name}-{build}.wasm"));
        fs::write(&file, wasm).expect("a file can be written");
        file
    }

    /// What the server says of a slot.
    #[track_caller]
    pub fn slot(&self, slot: &str) -> serde_json::Value {
        Operator::slot_of(&self.server, slot)
    }

    /// The same of any server.
    #[track_caller]
    pub fn slot_of(server: &Server, slot: &str) -> serde_json::Value {
        let list = server.galley(&["plugins", "list", "--json"]).expect(0).json();
        let rows = list["plugins"].as_array().expect("a list").clone();
        rows.into_iter()
            .find(|row| row["slot"] == slot)
            .unwrap_or(serde_json::Value::Null)
    }

    /// Changes `plugins.lock` as an operator would with an editor.
    pub fn change_lock(&self, change: impl FnOnce(String) -> String) {
        let file = self.server.data_dir().join("plugins.lock");
        let lock = fs::read_to_string(&file).expect("plugins.lock is a text");
        let changed = change(lock);
        let draft = file.with_extension("draft");
        fs::write(&draft, changed)
            .and_then(|()| fs::rename(&draft, &file))
            .expect("plugins.lock can be written");
    }

    /// Changes one limit of a slot: in `plugins.lock`, which the server follows within a second, or by the command where there is none.
    pub fn limit(&self, slot: &str, key: &str, value: u32) {
        if self.server.cluster().is_none() {
            return self.change_lock(|lock| bound(lock, slot, key, value));
        }
        let (name, unit) = match key.rsplit_once('-') {
            Some((name, "ms")) => (name, "ms"),
            Some((name, "mib")) => (name, "MiB"),
            _ => (key, ""),
        };
        let bound = format!("{name}={value}{unit}");
        self.server.galley(&["plugins", "limits", slot, &bound]).expect(0);
        self.followed();
    }

    /// Waits until all servers of a cluster have followed a change of plugins. One server by itself has, when its command ended.
    pub fn followed(&self) {
        if self.server.cluster().is_some() {
            std::thread::sleep(FOLLOWED);
        }
    }

    /// Somebody without a credential.
    pub fn anonymous(&self) -> Client {
        self.server.anonymous()
    }
}

/// Changes one limit of one slot in the text of `plugins.lock`.
fn bound(lock: String, slot: &str, key: &str, value: u32) -> String {
    let start = lock
        .find(&format!("slot = \"{slot}\""))
        .unwrap_or_else(|| panic!("no slot {slot} in {lock}"));
    let end = lock[start..]
        .find("[[plugin]]")
        .map_or(lock.len(), |length| start + length);
    let entry = &lock[start..end];
    let line = entry
        .lines()
        .find(|line| line.starts_with(key))
        .unwrap_or_else(|| panic!("no limit {key} in {entry}"));
    let entry = entry.replace(line, &format!("{key} = {value}"));
    format!("{}{entry}{}", &lock[..start], &lock[end..])
}
