//! Receives an upload: `push` the chunks while they arrive, then `finish`.
//!
//! Two threads work on it: one decompresses, one reads the archive, hashes and writes the pack. Memory stays the same
//! for any size of upload, and nothing of a refused or abandoned one is left behind.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, oneshot};

use super::inflate::{Blocks, Message, start};
use super::limits::{Limits, Refused};
use super::manifest::{Hash, Record, SITE};
use super::pack::{PackWriter, Span};
use super::path::{clean, shown};
use super::staged::StagedTree;
use super::tar::{TarFault, TarReader};

/// Chunks of the body that may wait for the first stage.
const MAX_WAITING_CHUNKS: usize = 8;
/// Bytes that are written between two looks at the free space of the disk.
const LOOK_INTERVAL: u64 = 1 << 20;

/// An upload that is arriving. Dropping it stops the work and deletes what was written.
pub struct Unpacker {
    chunks: Option<mpsc::Sender<Message>>,
    /// The result of the work; taken by the first call that reads it.
    outcome: Option<oneshot::Receiver<Result<StagedTree, Refused>>>,
    limits: Limits,
    packed: u64,
}

impl Unpacker {
    pub(super) fn start(staging: PathBuf, limits: Limits, reserve: u64) -> Result<Self, Refused> {
        Refused::when_nearly_full(&staging, reserve)?;
        let started = Self::start_threads(staging, limits, reserve);
        started.map_err(|error| Refused::Storage(error.to_string()))
    }

    fn start_threads(staging: PathBuf, limits: Limits, reserve: u64) -> io::Result<Self> {
        let (chunks, inbox) = mpsc::channel(MAX_WAITING_CHUNKS);
        let blocks = start(inbox, &limits)?;
        let (reply, outcome) = oneshot::channel();
        std::thread::Builder::new().name("unpack".into()).spawn(move || {
            let tree = unpack(blocks, &staging, &limits, reserve);
            // Writing back begins now, while the tree is inspected, so that the sync at its commit has little left.
            let early = tree.as_ref().ok().and_then(|tree| tree.file().try_clone().ok());
            let _ = reply.send(tree);
            if let Some(file) = early {
                let _ = file.sync_data();
            }
        })?;
        Ok(Self {
            chunks: Some(chunks),
            outcome: Some(outcome),
            limits,
            packed: 0,
        })
    }

    /// Hands over the next bytes of the body; waits while the stages are busy. An error is final, and comes as soon
    /// as the archive is known to be refused: the rest of the body need not be read, and `finish` has nothing to add.
    pub async fn push(&mut self, chunk: Bytes) -> Result<(), Refused> {
        self.packed += chunk.len() as u64;
        if self.packed > self.limits.max_packed {
            self.chunks = None;
            return Err(self.limits.too_large_packed());
        }
        let Some(chunks) = &self.chunks else {
            return Err(Refused::Aborted);
        };
        if chunks.send(Message::Chunk(chunk)).await.is_ok() {
            return Ok(());
        }
        self.chunks = None;
        Err(self.outcome().await.err().unwrap_or(Refused::Aborted))
    }

    /// The body is complete: waits for the rest of the work. The tree is not a version yet.
    /// [`Refused::Aborted`] when `push` has failed before.
    pub async fn finish(mut self) -> Result<StagedTree, Refused> {
        if let Some(chunks) = self.chunks.take() {
            // An error means that the work has ended already; its outcome says how.
            let _ = chunks.send(Message::End).await;
        }
        self.outcome().await
    }

    async fn outcome(&mut self) -> Result<StagedTree, Refused> {
        let Some(outcome) = self.outcome.take() else {
            return Err(Refused::Aborted);
        };
        outcome.await.unwrap_or(Err(Refused::Aborted))
    }
}

fn unpack(blocks: Blocks, staging: &Path, limits: &Limits, reserve: u64) -> Result<StagedTree, Refused> {
    let storage = |error: io::Error| Refused::Storage(error.to_string());
    let mut pack = PackWriter::create(staging, SITE).map_err(storage)?;
    let mut tar = TarReader::new(blocks);
    let mut records = Vec::new();
    let mut seen = HashSet::new();
    let mut folders = HashSet::new();
    let (mut entries, mut bytes, mut looked_at) = (0, 0_u64, 0_u64);
    while let Some(entry) = tar.next().map_err(refuse)? {
        entries += 1;
        if entries > limits.max_entries {
            return Err(limits.too_many_entries());
        }
        let bad = |what: &str| Refused::Bad(format!("Archive entry {} {what}", shown(&entry.name)));
        let path = clean(&entry.name).map_err(|fault| bad(&fault.to_string()))?;
        if entry.folder {
            folders.insert(path);
            continue;
        }
        if path.is_empty() {
            return Err(bad("is a file without a name"));
        }
        bytes = bytes.saturating_add(entry.size);
        if bytes > limits.max_unpacked {
            return Err(limits.too_large_unpacked());
        }
        if !seen.insert(path.clone()) {
            return Err(bad("occurs twice"));
        }
        let offset = pack.position();
        let mut hash = Sha256::new();
        tar.content(|piece| {
            hash.update(piece);
            pack.append(piece)?;
            if pack.position() >= looked_at + LOOK_INTERVAL {
                looked_at = pack.position();
                Refused::when_nearly_full(staging, reserve).map_err(io::Error::other)?;
            }
            Ok(())
        })
        .map_err(refuse)?;
        let body = Span {
            offset,
            len: pack.position() - offset,
        };
        records.push(Record {
            path,
            body,
            hash: truncate(&hash.finalize()),
            holes: None,
        });
    }
    let received = tar.into_inner().received().ok_or(Refused::Aborted)?;
    check_clashes(&mut records, &folders)?;
    pack.flush().map_err(storage)?;
    Ok(StagedTree::new(pack, records, received))
}

/// Sorts the records, and refuses a name that is a file and a folder at once.
fn check_clashes(records: &mut [Record], folders: &HashSet<String>) -> Result<(), Refused> {
    let clash = |path: &str| {
        Refused::Bad(format!(
            "Archive entry {} is a file and a folder",
            shown(path.as_bytes())
        ))
    };
    if let Some(record) = records.iter().find(|record| folders.contains(&record.path)) {
        return Err(clash(&record.path));
    }
    // With the slash before every other character, a file that is a folder too stands right before what is in it.
    let key = |path: &str| path.bytes().map(|b| if b == b'/' { 0 } else { b }).collect::<Vec<u8>>();
    records.sort_by_cached_key(|record| key(&record.path));
    for pair in records.windows(2) {
        if pair[1]
            .path
            .strip_prefix(&pair[0].path)
            .is_some_and(|rest| rest.starts_with('/'))
        {
            return Err(clash(&pair[0].path));
        }
    }
    records.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}

fn truncate(digest: &[u8]) -> Hash {
    let mut hash = Hash::default();
    hash.copy_from_slice(&digest[..size_of::<Hash>()]);
    hash
}

fn refuse(fault: TarFault) -> Refused {
    match fault {
        TarFault::Bad(sentence) => Refused::Bad(sentence),
        TarFault::Io(error) => match error.downcast::<Refused>() {
            Ok(refused) => refused,
            Err(error) => Refused::Storage(error.to_string()),
        },
    }
}
