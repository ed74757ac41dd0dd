//! The bounds of an upload, and why one is refused.

use std::path::Path;

use crate::storage::disk::is_nearly_full;

/// Bounds of one upload.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Compressed bytes.
    pub max_packed: u64,
    /// Bytes of all files together; the tar stream around them is bounded along with it.
    pub max_unpacked: u64,
    /// Entries, files and folders alike.
    pub max_entries: u32,
}

impl Limits {
    /// Bytes of the whole tar stream: the files, a header with its extensions and padding for each entry, and some
    /// padding at the end. A stream of nothing but headers or zeros stops here.
    pub(super) fn stream(&self) -> u64 {
        self.max_unpacked
            .saturating_add(u64::from(self.max_entries) * 4096)
            .saturating_add(1 << 20)
    }

    pub(super) fn too_large_unpacked(&self) -> Refused {
        Refused::Bad(format!("The archive unpacks to more than {}", size(self.max_unpacked)))
    }

    pub(super) fn too_large_packed(&self) -> Refused {
        Refused::TooLarge(format!("The upload is larger than {}", size(self.max_packed)))
    }

    pub(super) fn too_many_entries(&self) -> Refused {
        Refused::Bad(format!("The archive has more than {} entries", self.max_entries))
    }
}

/// Why an upload was not taken. Texts are one sentence for the person who uploads.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Refused {
    /// The compressed body is over its limit (HTTP 413).
    #[error("{0}")]
    TooLarge(String),
    /// The archive is not acceptable (HTTP 400).
    #[error("{0}")]
    Bad(String),
    /// The disk has no room beside what is reserved for the databases (HTTP 507).
    #[error("{0}")]
    Full(String),
    /// The object store is away (HTTP 503).
    #[error("The object store of the server does not answer: try again in a minute")]
    Away,
    /// The disk is full or failed (HTTP 500); the text is for the log.
    #[error("the upload could not be stored: {0}")]
    Storage(String),
    /// The uploader went away, or the work was dropped.
    #[error("the upload was given up")]
    Aborted,
}

impl Refused {
    pub(super) fn bad(sentence: &str) -> Self {
        Self::Bad(sentence.to_owned())
    }

    /// Refuses when less than `reserve` bytes of the disk that `folder` is on are free.
    pub(super) fn when_nearly_full(folder: &Path, reserve: u64) -> Result<(), Self> {
        if !is_nearly_full(folder, reserve) {
            return Ok(());
        }
        let reserve = reserve >> 20;
        tracing::warn!("an upload was refused: less than {reserve} MiB of the disk are free (SERVICE_DISK_RESERVE_MB)");
        Err(Self::Full(format!(
            "The disk of the server is nearly full: less than {reserve} MiB are free, which are kept for its databases. \
             Delete projects that nobody needs, or ask the operator to make room (SERVICE_DISK_RESERVE_MB)"
        )))
    }
}

/// A limit in a readable unit.
fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MB", bytes >> 20),
        _ if bytes >= 1_000_000 && bytes.is_multiple_of(1_000_000) => format!("{} MB", bytes / 1_000_000),
        _ => format!("{bytes} bytes"),
    }
}
