//! The first stage of an upload: compressed chunks in, blocks of the tar stream out, on a thread of its own.
//!
//! Everything between the stages is bounded: a slow stage holds up the one before it, down to the client's socket.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use bytes::Bytes;
use flate2::bufread::MultiGzDecoder;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::limits::{Limits, Refused};

const BLOCK: usize = 256 * 1024;
/// The most blocks between two stages.
const MAX_IN_FLIGHT: usize = 3;

/// What the upload's task sends.
pub(super) enum Message {
    /// Bytes of the body.
    Chunk(Bytes),
    /// The body is complete. A channel that closes without it is an upload that was given up.
    End,
}

/// What was received, known once the stream ended well.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Received {
    /// Compressed bytes.
    pub bytes: u64,
    /// Their SHA-256.
    pub sha256: [u8; 32],
}

enum Block {
    Data(Vec<u8>),
    End(Received),
    Failed(Refused),
}

/// Starts the thread; the reader gives the decompressed stream.
pub(super) fn start(chunks: mpsc::Receiver<Message>, limits: &Limits) -> io::Result<Blocks> {
    let (sender, receiver) = sync_channel(MAX_IN_FLIGHT);
    // Empty buffers on their way back; it never fills up, because no more than this many exist.
    let (spare_in, spare_out) = sync_channel(MAX_IN_FLIGHT + 2);
    let limit = limits.stream();
    let too_large = limits.too_large_unpacked();
    std::thread::Builder::new().name("inflate".into()).spawn(move || {
        let last = match inflate(Chunks::new(chunks), &sender, &spare_out, limit, too_large) {
            Ok(received) => Block::End(received),
            Err(refused) => Block::Failed(refused),
        };
        // The next stage is gone when it refused the upload first.
        let _ = sender.send(last);
    })?;
    Ok(Blocks {
        receiver,
        spare: spare_in,
        block: Vec::new(),
        at: 0,
        received: None,
    })
}

fn inflate(
    mut chunks: Chunks,
    blocks: &SyncSender<Block>,
    spare: &Receiver<Vec<u8>>,
    limit: u64,
    too_large: Refused,
) -> Result<Received, Refused> {
    match chunks.fill_buf().map_err(give_up)? {
        [] => return Err(Refused::bad("The upload is empty")),
        // The first chunk may be a single byte; then the decoder checks the rest of the magic number.
        [0x1f] | [0x1f, 0x8b, ..] => {}
        _ => return Err(Refused::bad("The upload is not a gzip file")),
    }
    let mut decoder = MultiGzDecoder::new(chunks);
    let mut total = 0;
    loop {
        let mut block = spare.try_recv().unwrap_or_default();
        block.resize(BLOCK, 0);
        let mut filled = 0;
        while filled < BLOCK {
            match decoder.read(&mut block[filled..]) {
                Ok(0) => break,
                Ok(len) => filled += len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(explain(error, total + filled as u64)),
            }
        }
        total += filled as u64;
        if total > limit {
            return Err(too_large);
        }
        block.truncate(filled);
        let last = filled < BLOCK;
        if filled > 0 && blocks.send(Block::Data(block)).is_err() {
            return Err(Refused::Aborted);
        }
        if last {
            return Ok(decoder.into_inner().received());
        }
    }
}

fn explain(error: io::Error, produced: u64) -> Refused {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Refused::bad("The upload is truncated: its gzip stream stops before its end"),
        io::ErrorKind::InvalidInput if produced == 0 => Refused::bad("The upload is not a gzip file"),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if error.to_string().contains("header") => {
            Refused::bad("The upload has data behind its gzip stream")
        }
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => Refused::bad("The upload's gzip data is damaged"),
        _ => give_up(error),
    }
}

fn give_up(_: io::Error) -> Refused {
    Refused::Aborted
}

/// The compressed stream as it arrives, hashed on the way.
struct Chunks {
    source: mpsc::Receiver<Message>,
    chunk: Bytes,
    ended: bool,
    bytes: u64,
    hash: Sha256,
}

impl Chunks {
    fn new(source: mpsc::Receiver<Message>) -> Self {
        Self {
            source,
            chunk: Bytes::new(),
            ended: false,
            bytes: 0,
            hash: Sha256::new(),
        }
    }

    fn received(self) -> Received {
        Received {
            bytes: self.bytes,
            sha256: self.hash.finalize().into(),
        }
    }
}

impl BufRead for Chunks {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.chunk.is_empty() && !self.ended {
            match self.source.blocking_recv() {
                Some(Message::Chunk(chunk)) => {
                    self.hash.update(&chunk);
                    self.bytes += chunk.len() as u64;
                    self.chunk = chunk;
                }
                Some(Message::End) => self.ended = true,
                None => return Err(io::Error::other("the upload was given up")),
            }
        }
        Ok(&self.chunk)
    }

    fn consume(&mut self, amount: usize) {
        bytes::Buf::advance(&mut self.chunk, amount);
    }
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}

/// The decompressed stream. A failure of the first stage comes out as an [`io::Error`] that holds its [`Refused`].
pub(super) struct Blocks {
    receiver: Receiver<Block>,
    spare: SyncSender<Vec<u8>>,
    block: Vec<u8>,
    at: usize,
    received: Option<Received>,
}

impl Blocks {
    /// What was received; `None` before the end.
    pub fn received(&self) -> Option<Received> {
        self.received
    }
}

impl BufRead for Blocks {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.block.len() && self.received.is_none() {
            let empty = std::mem::take(&mut self.block);
            self.at = 0;
            if empty.capacity() > 0 {
                let _ = self.spare.try_send(empty);
            }
            match self.receiver.recv() {
                Ok(Block::Data(block)) => self.block = block,
                Ok(Block::End(received)) => self.received = Some(received),
                Ok(Block::Failed(refused)) => return Err(io::Error::other(refused)),
                Err(_) => return Err(io::Error::other(Refused::Aborted)),
            }
        }
        Ok(&self.block[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

impl Read for Blocks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}
