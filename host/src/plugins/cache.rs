//! Compiled components and their manifests, kept by content: a plugin is compiled and described once for each artifact.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::storage::durable;

/// The same of a file, of which only a piece is in memory at a time.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    const PIECE: usize = 64 << 10;
    let mut file = fs::File::open(path)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(HEXLOWER.encode(&hasher.finalize())),
            Ok(read) => hasher.update(&piece[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// `<data folder>/plugins`. Only this program writes there, because its files are run as native code.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    engine: String,
}

/// Hex SHA-256 of an artifact.
pub fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

impl Cache {
    /// Uses (and creates, for its owner only) the folder.
    pub fn open(data_dir: &Path, engine: &Engine) -> io::Result<Self> {
        let folder = data_dir.join("plugins");
        durable::private_folder(&folder)?;
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        // A component is adapted to the contract before it is compiled.
        super::contract::INTERFACES.hash(&mut hasher);
        Ok(Self {
            folder,
            engine: format!("{:016x}", hasher.finish()),
        })
    }

    /// The component of an artifact that was compiled before. `None` when it was compiled by another engine, or does not load.
    pub fn compiled(&self, engine: &Engine, sha256: &str) -> Option<Component> {
        let path = self.path(sha256);
        if !path.exists() {
            return None;
        }
        match load(engine, &path) {
            Ok(component) => Some(component),
            Err(error) => {
                tracing::warn!("{} does not load and is made again: {error}", path.display());
                None
            }
        }
    }

    /// Compiles an artifact, and keeps the result. What was kept is mapped from its file: its pages are the file's, which
    /// the system can drop and read again, and not memory of this process.
    pub fn compile(&self, engine: &Engine, sha256: &str, wasm: &[u8]) -> wasmtime::Result<Component> {
        let component = Component::from_binary(engine, wasm)?;
        let path = self.path(sha256);
        let stored = component
            .serialize()
            .and_then(|native| Ok(durable::write_file(&path, &native)?));
        match stored {
            Ok(()) => Ok(load(engine, &path).unwrap_or(component)),
            Err(error) => {
                tracing::warn!("a compiled plugin could not be kept, the next start is slower: {error}");
                Ok(component)
            }
        }
    }

    fn path(&self, sha256: &str) -> PathBuf {
        self.folder.join(format!("{sha256}-{}.cwasm", self.engine))
    }

    /// The manifest of an artifact as `describe` gave it, if it was described before.
    pub fn manifest(&self, sha256: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.join(format!("{sha256}.json"))).ok()
    }

    /// Stores the manifest of an artifact.
    pub fn keep_manifest(&self, sha256: &str, json: &[u8]) {
        if let Err(error) = durable::write_file(&self.folder.join(format!("{sha256}.json")), json) {
            tracing::warn!("a plugin's manifest could not be kept: {error}");
        }
    }
}

#[allow(
    unsafe_code,
    reason = "the only way to load native code; the folder is private and its files are ours"
)]
fn load(engine: &Engine, path: &Path) -> wasmtime::Result<Component> {
    // SAFETY: the file was written by `compile` above, in a folder only this user may enter, atomically; wasmtime
    // checks that it was made by a compatible engine.
    unsafe { Component::deserialize_file(engine, path) }
}
