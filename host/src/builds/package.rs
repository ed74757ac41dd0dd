//! The output folder on its way into the store: packed by a confined process, read by the same reader as an upload.
//!
//! The server itself never opens a file that a build made. A link in the output leads nowhere: the packer writes it down
//! as a link, and the reader refuses it, as it does in an upload.

use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path};
use std::process::ExitCode;

use anyhow::{Context, bail};
use bytes::BytesMut;
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::Instant;

use super::output::{STORE_PAUSE, STORE_TIMEOUT};
use crate::storage::sites::{Limits, Refused, SiteStore, StagedTree, Unpacker};

/// The bounds of an upload; the packed stream is not compressed, and has a header for each file.
const LIMITS: Limits = Limits {
    max_packed: 400 << 20,
    max_unpacked: 200 << 20,
    max_entries: 20_000,
};
const PIECE: usize = 128 << 10;

/// `galley build-pack`: writes a gzipped tar of `folder`, relative to the working directory, to standard output, or one
/// line that says why not to standard error.
pub fn pack_and_exit(folder: &str) -> ExitCode {
    match pack(folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A reader that refused what it read knows better why.
            let unread = error.root_cause().downcast_ref::<io::Error>();
            if unread.is_none_or(|error| error.kind() != io::ErrorKind::BrokenPipe) {
                eprintln!("{error:#}");
            }
            ExitCode::FAILURE
        }
    }
}

fn pack(folder: &str) -> anyhow::Result<()> {
    check_folder(Path::new("."), Path::new(folder))?;
    let stdout = io::BufWriter::with_capacity(PIECE, io::stdout().lock());
    let mut archive = tar::Builder::new(GzEncoder::new(stdout, Compression::none()));
    archive.follow_symlinks(false);
    archive.sparse(false);
    archive.mode(tar::HeaderMode::Deterministic);
    archive
        .append_dir_all("", folder)
        .with_context(|| format!("The output folder `{folder}` cannot be read"))?;
    archive
        .into_inner()?
        .finish()?
        .flush()
        .context("The output cannot be handed over")
}

/// A folder below `root`, and no link on the way to it.
fn check_folder(root: &Path, folder: &Path) -> anyhow::Result<()> {
    let shown = folder.display();
    let mut place = root.to_owned();
    for part in folder.components() {
        match part {
            Component::CurDir => continue,
            Component::Normal(name) => place.push(name),
            _ => bail!("The output folder `{shown}` is not within the repository"),
        }
        let kind = match fs::symlink_metadata(&place) {
            Ok(found) => found.file_type(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                bail!("The build left no folder `{shown}`: set the output folder to the one it writes to")
            }
            Err(error) => return Err(error).with_context(|| format!("The output folder `{shown}` cannot be read")),
        };
        if kind.is_symlink() {
            bail!("The output folder `{shown}` is or lies behind a symbolic link; only files and folders are accepted");
        }
        if !kind.is_dir() {
            bail!("The output folder `{shown}` is not a folder");
        }
    }
    Ok(())
}

/// Reads a packed folder into the store's staging. Who drops it ends it, also while it waits for the store.
pub async fn take(sites: &SiteStore, packed: &mut (impl AsyncRead + Unpin)) -> Result<StagedTree, Refused> {
    let storage = |error: io::Error| Refused::Storage(error.to_string());
    let mut unpacker = begin(sites).await?;
    loop {
        let mut piece = BytesMut::with_capacity(PIECE);
        if packed.read_buf(&mut piece).await.map_err(storage)? == 0 {
            return unpacker.finish().await;
        }
        unpacker.push(piece.freeze()).await?;
    }
}

/// An object store that is away is waited for: an upload can be sent again, and a build would have to run again.
async fn begin(sites: &SiteStore) -> Result<Unpacker, Refused> {
    let until = Instant::now() + STORE_TIMEOUT;
    loop {
        match sites.begin(LIMITS).await {
            Err(Refused::Away) if Instant::now() < until => tokio::time::sleep(STORE_PAUSE).await,
            begun => return begun,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_folder_is_a_folder_without_links_on_the_way() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("a/dist")).unwrap();
        fs::write(root.join("file"), "").unwrap();
        std::os::unix::fs::symlink("/etc", root.join("link")).unwrap();
        let check = |name: &str| check_folder(root, Path::new(name)).map_err(|error| error.to_string());
        assert!(check("a/dist").is_ok());
        assert!(check("missing").unwrap_err().contains("left no folder"));
        assert!(check("file").unwrap_err().contains("not a folder"));
        assert!(check("link").unwrap_err().contains("symbolic link"));
        assert!(check("link/ssl").unwrap_err().contains("symbolic link"));
        assert!(check("../x").unwrap_err().contains("not within"));
    }
}
