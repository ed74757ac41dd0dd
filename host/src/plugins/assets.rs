//! The files of a plugin's part of the pages: read once, when the plugin is read.

use std::collections::BTreeMap;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::manifest::Manifest;

/// The most files of a plugin.
pub const MAX_FILES: usize = 64;
/// The longest path of a file, in bytes.
pub const MAX_PATH_BYTES: usize = 200;
/// The largest file, in bytes.
const MAX_FILE_BYTES: usize = 1 << 20;
/// The most bytes of all files of a plugin.
const MAX_BYTES: usize = 8 << 20;

/// The endings of names that are served, with the type of each.
const TYPES: [(&str, &str); 12] = [
    ("css", "text/css; charset=utf-8"),
    ("gif", "image/gif"),
    ("html", "text/html; charset=utf-8"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("wasm", "application/wasm"),
    ("webp", "image/webp"),
    ("woff2", "font/woff2"),
];

/// The files of a plugin.
#[derive(Debug, Default)]
pub struct Assets {
    /// Changes with any of them: a part of their addresses, so that browsers keep them for good. Hex.
    pub version: String,
    files: BTreeMap<String, Asset>,
}

/// One file.
#[derive(Debug)]
pub struct Asset {
    /// Its type, by its name.
    pub content_type: &'static str,
    /// Its bytes.
    pub content: Bytes,
}

/// Why a plugin's files cannot be served. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum AssetError {
    /// The plugin could not be asked for them.
    #[error("the files of its pages cannot be read: {0}")]
    Failed(String),
    /// The path is not one.
    #[error("its file `{0}` has no path that can be served: words of letters, digits, `.`, `_` and `-` between `/`")]
    Path(String),
    /// Its name ends like none of [`TYPES`].
    #[error(
        "its file `{0}` has no type that is served: name it `.html`, `.js`, `.css`, `.json`, `.svg`, `.png`, `.webp`, `.woff2` or `.wasm`"
    )]
    Type(String),
    /// A file is too large.
    #[error("its file `{path}` has {bytes} bytes, at most {MAX_FILE_BYTES} are possible: split it, or make it smaller")]
    Large {
        /// The file.
        path: String,
        /// Its size.
        bytes: usize,
    },
    /// All together are too large.
    #[error("its files have {0} bytes together, at most {MAX_BYTES} are possible")]
    Many(usize),
    /// The manifest names a file that is not there.
    #[error("its manifest names the file `{0}`, and its component does not have it")]
    Missing(String),
}

impl Assets {
    /// Checks the files of a plugin, and that those are there which its manifest names.
    pub fn new(files: Vec<(String, Vec<u8>)>, manifest: &Manifest) -> Result<Self, AssetError> {
        let mut assets = BTreeMap::new();
        let mut all = 0;
        for (path, content) in files {
            if !galley_manifest::is_asset_path(&path) {
                return Err(AssetError::Path(path.escape_debug().to_string()));
            }
            let ending = path.rsplit_once('.').map(|(_, ending)| ending);
            let found = TYPES.iter().find(|(known, _)| Some(*known) == ending);
            let Some((_, content_type)) = found else {
                return Err(AssetError::Type(path));
            };
            let bytes = content.len();
            all += bytes;
            if bytes > MAX_FILE_BYTES {
                return Err(AssetError::Large { path, bytes });
            }
            let content = Bytes::from(content);
            assets.insert(path, Asset { content_type, content });
        }
        if all > MAX_BYTES {
            return Err(AssetError::Many(all));
        }
        let named = manifest
            .ui
            .iter()
            .flat_map(|part| part.icon.iter().chain([&part.entry]));
        match named.into_iter().find(|path| !assets.contains_key(path.as_str())) {
            Some(path) => Err(AssetError::Missing(path.clone())),
            None => Ok(Self {
                version: version(&assets),
                files: assets,
            }),
        }
    }

    /// The file at a path.
    pub fn get(&self, path: &str) -> Option<&Asset> {
        self.files.get(path)
    }
}

/// The beginning of a hash of all paths and contents.
fn version(files: &BTreeMap<String, Asset>) -> String {
    let mut hash = Sha256::new();
    for (path, Asset { content, .. }) in files {
        hash.update(path);
        hash.update([0]);
        hash.update((content.len() as u64).to_be_bytes());
        hash.update(content);
    }
    HEXLOWER.encode(&hash.finalize()[..16])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugins::manifest;

    fn assets(files: &[(&str, &str)]) -> Result<Assets, String> {
        let manifest = br#"{"slot":"notes","version":"1","ui":[{"at":"page","title":"Notes","entry":"a.html"}]}"#;
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Assets::new(files.collect(), &manifest::parse(manifest).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn files_have_the_type_of_their_name_and_a_version() {
        let one = assets(&[("a.html", "x"), ("js/a.mjs", "y")]).unwrap();
        assert_eq!(
            one.get("js/a.mjs").unwrap().content_type,
            "text/javascript; charset=utf-8"
        );
        assert!(one.get("js").is_none() && one.version.len() == 32);
        assert_ne!(
            one.version,
            assets(&[("a.html", "xy"), ("js/a.mjs", "")]).unwrap().version
        );
    }

    #[test]
    fn what_cannot_be_served_is_named() {
        let large = "x".repeat(MAX_FILE_BYTES + 1);
        for (files, named) in [
            (vec![("b.html", "")], "`a.html`"),
            (vec![("a.html", ""), ("../b.js", "")], "../b.js"),
            (vec![("a.html", ""), ("b.php", "")], "b.php"),
            (vec![("a.html", ""), ("b", "")], "`b`"),
            (vec![("a.html", large.as_str())], "1048577"),
        ] {
            assert!(assets(&files).unwrap_err().contains(named), "{named}");
        }
    }
}
