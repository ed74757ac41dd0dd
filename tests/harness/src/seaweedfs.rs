//! SeaweedFS, a store that speaks S3, on ports and in a folder of its own. `cargo xtask setup` installs it.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde_json::json;
use tempfile::TempDir;

use crate::daemon::Daemon;
use crate::http::Request;
use crate::paths;
use crate::ports::free_ports;

/// The access key of all stores that tests start.
pub const ACCESS_KEY_ID: &str = "galley";
/// Its secret.
pub const SECRET_ACCESS_KEY: &str = "a-secret-of-tests-5d20";

/// More objects than a folder of a test has.
const MAX_LISTED: u32 = 10_000;

/// A store. Dropped, it ends, and its files are deleted.
#[derive(Debug)]
pub struct SeaweedFs {
    folder: TempDir,
    ports: Ports,
    daemon: Mutex<Option<Daemon>>,
}

#[derive(Debug, Clone, Copy)]
struct Ports {
    s3: u16,
    s3_grpc: u16,
    master: u16,
    master_grpc: u16,
    volume: u16,
    volume_grpc: u16,
    filer: u16,
    filer_grpc: u16,
}

impl Ports {
    fn free() -> Ports {
        let [s3, s3_grpc, master, master_grpc, volume, volume_grpc, filer, filer_grpc] = free_ports();
        Ports {
            s3,
            s3_grpc,
            master,
            master_grpc,
            volume,
            volume_grpc,
            filer,
            filer_grpc,
        }
    }
}

impl SeaweedFs {
    /// A fresh one. It takes requests of [`ACCESS_KEY_ID`] only.
    pub fn start() -> SeaweedFs {
        let store = SeaweedFs {
            folder: tempfile::tempdir().expect("a temporary folder"),
            ports: Ports::free(),
            daemon: Mutex::new(None),
        };
        let identities = json!({ "identities": [{
            "name": "galley",
            "credentials": [{ "accessKey": ACCESS_KEY_ID, "secretKey": SECRET_ACCESS_KEY }],
            "actions": ["Admin", "Read", "Write", "List", "Tagging"],
        }] });
        std::fs::write(store.identities(), identities.to_string()).expect("a file can be written");
        store.resume();
        store
    }

    /// The store of all tests of this process that do not stop it; it ends with the last of them.
    pub fn shared() -> Arc<SeaweedFs> {
        static SHARED: Mutex<Weak<SeaweedFs>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let store = Arc::new(SeaweedFs::start());
            *shared = Arc::downgrade(&store);
            store
        })
    }

    /// The address of a bucket, which is made by the first request that writes to it. It may go on with a folder.
    pub fn url(&self, bucket: &str) -> String {
        format!("http://{}/{bucket}", self.address())
    }

    /// Names of all objects below a folder of a bucket, sorted.
    ///
    /// # Panics
    /// When the store does not list them.
    pub fn files(&self, folder: &str) -> Vec<String> {
        let filer = SocketAddr::from((Ipv4Addr::LOCALHOST, self.ports.filer));
        let list = format!("/buckets/{folder}/?limit={MAX_LISTED}");
        let answer = Request::new(filer, "GET", &list)
            .header("accept", "application/json")
            .send();
        if answer.status == 404 {
            return Vec::new();
        }
        let list = answer.json();
        let entries = list["Entries"].as_array().into_iter().flatten();
        let mut files = Vec::new();
        for entry in entries {
            let name = entry["FullPath"].as_str().and_then(|path| path.rsplit('/').next());
            let name = name.expect("an entry has a path");
            // What Go calls `os.ModeDir`.
            match entry["Mode"].as_u64().unwrap_or_default() >> 31 {
                0 => files.push(name.to_owned()),
                _ => {
                    let below = self.files(&format!("{folder}/{name}")).into_iter();
                    files.extend(below.map(|file| format!("{name}/{file}")));
                }
            }
        }
        files.sort();
        files
    }

    /// Where it speaks S3.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.ports.s3))
    }

    /// Kills it. What it acknowledged is there when it is [resumed](Self::resume).
    pub fn kill(&self) {
        if let Some(daemon) = self.daemon().take() {
            daemon.stop("KILL");
        }
    }

    /// Stops it where it is: connections stay, and nothing answers.
    pub fn freeze(&self) {
        self.daemon().iter().for_each(|daemon| daemon.freeze(true));
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        self.daemon().iter().for_each(|daemon| daemon.freeze(false));
    }

    /// Starts it again, at the same address.
    pub fn resume(&self) {
        let ports = self.ports;
        let data = self.folder.path().join("data");
        std::fs::create_dir_all(&data).expect("a folder can be made");
        let mut command = Command::new(program());
        command
            .args(["-logtostderr=true", "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1"])
            .arg(format!("-dir={}", data.display()))
            .args(["-filer", "-s3", "-s3.iam=false", "-master.telemetry=false"])
            .arg(format!("-s3.config={}", self.identities().display()))
            .args(["-s3.port.iceberg=0", "-s3.port.lance=0"])
            .args(["-volume.max=16", "-master.volumeSizeLimitMB=64"]);
        for (name, port) in [
            ("s3.port", ports.s3),
            ("s3.port.grpc", ports.s3_grpc),
            ("master.port", ports.master),
            ("master.port.grpc", ports.master_grpc),
            ("volume.port", ports.volume),
            ("volume.port.grpc", ports.volume_grpc),
            ("filer.port", ports.filer),
            ("filer.port.grpc", ports.filer_grpc),
        ] {
            command.arg(format!("-{name}={port}"));
        }
        let master = SocketAddr::from((Ipv4Addr::LOCALHOST, ports.master));
        let asked = |address, target: &str| Request::new(address, "GET", target).try_send().ok();
        let daemon = Daemon::start("SeaweedFS", &mut command).wait_until_ready(|| {
            // It has room for files, and speaks S3.
            asked(master, "/dir/assign").is_some_and(|answer| answer.text().contains("\"fid\""))
                && asked(self.address(), "/").is_some_and(|answer| answer.status < 500)
        });
        *self.daemon() = Some(daemon);
    }

    fn identities(&self) -> PathBuf {
        self.folder.path().join("identities.json")
    }

    fn daemon(&self) -> std::sync::MutexGuard<'_, Option<Daemon>> {
        self.daemon.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SeaweedFs {
    fn drop(&mut self) {
        self.kill();
        // It makes sockets there, whatever its folder is.
        let Ports {
            master_grpc,
            volume_grpc,
            filer_grpc,
            s3_grpc,
            ..
        } = self.ports;
        for (part, port) in [
            ("master", master_grpc),
            ("volume", volume_grpc),
            ("filer", filer_grpc),
            ("s3", s3_grpc),
        ] {
            let _ = std::fs::remove_file(format!("/tmp/seaweedfs-{part}-grpc-{port}.sock"));
        }
        let _ = std::fs::remove_file(format!("/tmp/seaweedfs-s3-{}.sock", self.ports.s3));
        let _ = std::fs::remove_file(format!("/tmp/seaweedfs-filer-{}.sock", self.ports.filer));
    }
}

/// The program (`GALLEY_WEED`).
fn program() -> PathBuf {
    let program = paths::variable("GALLEY_WEED").unwrap_or_else(|| paths::target().join("galley/seaweedfs/bin/weed"));
    assert!(
        program.is_file(),
        "{} is missing: `cargo xtask setup` installs it",
        program.display()
    );
    program
}
