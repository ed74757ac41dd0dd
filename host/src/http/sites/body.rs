//! The body of an answer: bytes in memory, or a part of a file that is read while it is sent.

use std::future::Future;
use std::io;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::task::JoinHandle;

use crate::storage::sites::{Coding, FileId, Site};

/// The size of one read, in bytes.
const PIECE: u64 = 256 * 1024;

/// A body.
#[derive(Debug)]
pub enum SiteBody {
    /// All bytes, until they are taken.
    Bytes(Bytes),
    /// Read from the disk, on threads that may block.
    File(FilePart),
}

/// A part of a stored file that is being sent.
#[derive(Debug)]
pub struct FilePart {
    site: Arc<Site>,
    file: FileId,
    coding: Coding,
    rest: Range<u64>,
    reading: Option<JoinHandle<io::Result<Vec<u8>>>>,
}

impl SiteBody {
    /// A body without bytes.
    pub fn empty() -> Self {
        Self::Bytes(Bytes::new())
    }

    pub(super) fn part(site: Arc<Site>, file: FileId, coding: Coding, part: Range<u64>) -> Self {
        Self::File(FilePart {
            site,
            file,
            coding,
            rest: part,
            reading: None,
        })
    }
}

impl Body for SiteBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match self.get_mut() {
            Self::Bytes(bytes) if bytes.is_empty() => Poll::Ready(None),
            Self::Bytes(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Self::File(part) => part.poll(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Bytes(bytes) => bytes.is_empty(),
            Self::File(part) => part.rest.is_empty(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(part) => part.rest.end - part.rest.start,
        })
    }
}

impl FilePart {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let reading = self.reading.take();
        let mut reading = reading.unwrap_or_else(|| self.read(self.rest.start));
        let piece = match Pin::new(&mut reading).poll(context) {
            Poll::Pending => {
                self.reading = Some(reading);
                return Poll::Pending;
            }
            Poll::Ready(joined) => joined.map_err(io::Error::other).flatten(),
        };
        let piece = match piece {
            Ok(piece) if !piece.is_empty() => piece,
            other => {
                self.rest.start = self.rest.end;
                return Poll::Ready(Some(Err(other
                    .err()
                    .unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into()))));
            }
        };
        self.rest.start += piece.len() as u64;
        if !self.rest.is_empty() {
            // The next piece is read while this one is sent.
            self.reading = Some(self.read(self.rest.start));
        }
        Poll::Ready(Some(Ok(Frame::data(piece.into()))))
    }

    fn read(&self, at: u64) -> JoinHandle<io::Result<Vec<u8>>> {
        let (site, file, coding) = (self.site.clone(), self.file, self.coding);
        let len = PIECE.min(self.rest.end - at);
        tokio::task::spawn_blocking(move || site.read(file, coding, at, len))
    }
}

/// Waits for work that may block.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)
}
