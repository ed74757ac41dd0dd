//! The archive that a request uploads.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::script::{Files, fill};

/// A gzipped tar of the files. Links in a folder stay links, which the server refuses.
pub fn pack(files: &Files, folder: &Path, values: &BTreeMap<String, String>) -> anyhow::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    archive.follow_symlinks(false);
    archive.mode(tar::HeaderMode::Deterministic);
    match files {
        Files::Of(path) => {
            let path = folder.join(path);
            let packed = archive.append_dir_all("", &path);
            packed.with_context(|| format!("the folder {} cannot be packed", path.display()))?;
        }
        Files::Texts(texts) => {
            for (path, text) in texts {
                add(&mut archive, path, &fill(text, values)).with_context(|| format!("`{path}` cannot be packed"))?;
            }
        }
    }
    Ok(archive.into_inner()?.finish()?)
}

fn add(archive: &mut tar::Builder<impl io::Write>, path: &str, text: &str) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    archive.append_data(&mut header, path, text.as_bytes())
}
