//! The body of an answer of several parts, as they are kept: put together they would be copied once more, three times as much
//! as the source.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

/// Up to here the copy is cheaper than handing over each part.
const MAX_COPIED: usize = 16 << 10;

/// Parts, sent one after the other. Their length together is known, so the answer says it.
pub(super) struct Several {
    parts: VecDeque<Bytes>,
    left: usize,
}

impl Several {
    pub(super) fn new(parts: Vec<Bytes>) -> Self {
        let left = parts.iter().map(Bytes::len).sum();
        let parts = if left <= MAX_COPIED && parts.len() > 1 {
            [Bytes::from(parts.concat())].into()
        } else {
            parts.into()
        };
        Self { parts, left }
    }
}

impl Body for Several {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.parts.pop_front();
        self.left -= next.as_ref().map_or(0, Bytes::len);
        Poll::Ready(next.map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.parts.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left as u64)
    }
}
