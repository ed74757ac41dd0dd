//! A small build of pages with its manifest, for tests of how the server serves them.

use std::path::Path;

use data_encoding::HEXLOWER;
use serde_json::json;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// A document with a place for the key.
macro_rules! page {
    ($name:literal) => {
        concat!(
            "<!doctype html><html lang=en><head><meta charset=utf-8><title>",
            $name,
            "</title><meta name=\"galley-key\" content=\"__GALLEY_KEY__\"><link rel=icon href=\"data:,\">",
            "<script type=module src=\"/.galley/app/assets/page-1a2b3c4d.js\"></script></head>",
            "<body><main id=",
            $name,
            "></main></body></html>\n"
        )
    };
}
/// The document of everything but reviews.
pub const APP: &str = page!("app");
/// The document of reviews.
pub const REVIEW: &str = page!("review");
/// What both load: it says in the title that it ran.
pub const SCRIPT: &str = "/.galley/app/assets/page-1a2b3c4d.js";

/// A folder with both documents, a script and a stylesheet.
///
/// # Panics
/// When it cannot be written.
pub fn small() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = format!(
        "document.title += ' ran';\n{}",
        "// A line that can be compressed.\n".repeat(100)
    );
    let files = [
        ("app.html", APP),
        ("review.html", REVIEW),
        ("assets/page-1a2b3c4d.js", &script),
        ("assets/page-5e6f7a8b.css", "body { color: #123 }\n"),
    ];
    write(folder.path(), &files);
    folder
}

/// Writes these files and the manifest that names them.
///
/// # Panics
/// When one cannot be written.
pub fn write(folder: &Path, files: &[(&str, &str)]) {
    let mut hashes = serde_json::Map::new();
    for (path, content) in files {
        let file = folder.join(path);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("its folder");
        std::fs::write(file, content).expect("a file of the pages");
        hashes.insert((*path).to_owned(), HEXLOWER.encode(&Sha256::digest(content)).into());
    }
    let manifest = json!({ "version": 1, "files": hashes });
    std::fs::write(folder.join("manifest.json"), manifest.to_string()).expect("the manifest");
}

/// The key that the server wrote into a document; `None` for a guest's.
pub fn key_of(html: &str) -> Option<&str> {
    let (_, rest) = html.split_once("<meta name=\"galley-key\" content=\"")?;
    let (key, _) = rest.split_once('"')?;
    (key != "__GALLEY_KEY__").then_some(key)
}
