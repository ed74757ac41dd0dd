//! A registry for containers (Debian's `docker-registry`), and artifacts in it as `wkg` pushes them.

use std::path::{Path, PathBuf};
use std::process::Command;

use galley_harness::poll::eventually;
use galley_harness::ports::free_port;
use galley_harness::process::Process;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// The name and the password of a registry that asks for one.
pub const CREDENTIAL: (&str, &str) = ("ann", "a-password-of-a-registry-3f81");

/// A registry on this machine. It ends with the value.
#[derive(Debug)]
pub struct Registry {
    address: String,
    asks: bool,
    folder: TempDir,
    _process: Process,
}

impl Registry {
    /// One that serves everybody.
    pub fn start() -> Registry {
        Registry::start_with(false)
    }

    /// One that asks for [`CREDENTIAL`].
    pub fn with_password() -> Registry {
        Registry::start_with(true)
    }

    fn start_with(asks: bool) -> Registry {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let address = format!("127.0.0.1:{}", free_port());
        let mut configuration = json!({
            "version": 0.1,
            "log": { "level": "error" },
            "storage": { "filesystem": { "rootdirectory": folder.path().join("blobs") } },
            "http": { "addr": address, "secret": "for tests" },
        });
        if asks {
            let passwords = folder.path().join("passwords");
            std::fs::write(&passwords, HASHED).expect("a file can be written");
            configuration["auth"] = json!({ "htpasswd": { "realm": "tests", "path": passwords } });
        }
        // Every JSON text is one of YAML.
        let file = folder.path().join("registry.yml");
        std::fs::write(&file, configuration.to_string()).expect("a file can be written");
        let process = Process::start(Command::new("docker-registry").arg("serve").arg(&file));
        let registry = Registry {
            address,
            asks,
            folder,
            _process: process,
        };
        eventually("the registry answers", || {
            registry.request("GET", "/v2/", None, Vec::new()).ok()
        });
        registry
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A folder with the configuration that `docker login` would write.
    pub fn docker_config(&self, (user, password): (&str, &str)) -> PathBuf {
        let folder = self.folder.path().join(format!("docker-{}", password.len()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let pair = data_encoding::BASE64.encode(format!("{user}:{password}").as_bytes());
        let configuration = json!({ "auths": { &self.address: { "auth": pair } } });
        std::fs::write(folder.join("config.json"), configuration.to_string()).expect("a file can be written");
        folder
    }

    /// Pushes a component as `wkg` does; the answer is the digest of its manifest.
    pub fn push(&self, repository: &str, tag: &str, wasm: &[u8]) -> String {
        self.push_layers(repository, tag, &[("application/wasm", wasm)])
    }

    /// Pushes layers with their types.
    pub fn push_layers(&self, repository: &str, tag: &str, layers: &[(&str, &[u8])]) -> String {
        let config = json!({ "created": "2026-01-01T00:00:00Z", "architecture": "wasm", "os": "wasip2" }).to_string();
        let layers: Vec<Value> = layers
            .iter()
            .map(|(kind, bytes)| self.blob(repository, kind, bytes))
            .collect();
        let manifest = json!({
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": self.blob(repository, "application/vnd.wasm.config.v0+json", config.as_bytes()),
            "layers": layers,
        });
        let manifest = manifest.to_string();
        let place = format!("/v2/{repository}/manifests/{tag}");
        let kind = "application/vnd.oci.image.manifest.v1+json";
        self.request("PUT", &place, Some(kind), manifest.clone().into_bytes())
            .expect("the registry takes a manifest");
        digest(manifest.as_bytes())
    }

    fn blob(&self, repository: &str, kind: &str, bytes: &[u8]) -> Value {
        let digest = digest(bytes);
        let begun = self
            .request("POST", &format!("/v2/{repository}/blobs/uploads/"), None, Vec::new())
            .expect("an upload begins");
        let place = begun.splitn(4, '/').nth(3).expect("a path").to_owned();
        let mark = if place.contains('?') { '&' } else { '?' };
        let kind_sent = "application/octet-stream";
        self.request(
            "PUT",
            &format!("/{place}{mark}digest={digest}"),
            Some(kind_sent),
            bytes.to_vec(),
        )
        .expect("the registry takes a blob");
        json!({ "mediaType": kind, "digest": digest, "size": bytes.len() })
    }

    /// The files in which the registry keeps a blob.
    pub fn file_of(&self, digest: &str) -> PathBuf {
        let hex = digest.trim_start_matches("sha256:");
        let blobs = Path::new("docker/registry/v2/blobs/sha256");
        self.folder
            .path()
            .join("blobs")
            .join(blobs)
            .join(&hex[..2])
            .join(hex)
            .join("data")
    }

    /// One request; the answer is its `location`.
    fn request(&self, method: &str, place: &str, kind: Option<&str>, body: Vec<u8>) -> Result<String, String> {
        let (user, password) = CREDENTIAL;
        let address = self.address.parse().map_err(|error| format!("{error}"))?;
        let mut request = galley_harness::http::Request::new(address, method, place).body(body);
        if self.asks {
            let pair = data_encoding::BASE64.encode(format!("{user}:{password}").as_bytes());
            request = request.header("authorization", format!("Basic {pair}"));
        }
        if let Some(kind) = kind {
            request = request.header("content-type", kind);
        }
        let answer = request.try_send().map_err(|error| error.to_string())?;
        match answer.status {
            200..=299 => Ok(answer.header("location").unwrap_or_default().to_owned()),
            status => Err(format!("{method} {place}: {status} {}", answer.text())),
        }
    }
}

/// The line of a password file for [`CREDENTIAL`], by bcrypt.
const HASHED: &str = "ann:$2y$05$abcdefghijklmnopqrstuulGKS9s2rDy8GZHZIN6062OyiNO8fM0K\n";

/// `sha256:` and the hex digits.
pub fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)))
}
