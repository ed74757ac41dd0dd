//! The lines that plugins log, and WASI for components of other toolchains, whose output becomes such lines.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, StreamResult};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder};

/// The longest line; the rest is cut off.
const MAX_LINE: usize = 4 << 10;
/// The most bytes of one call, and of the output of one instance.
pub(super) const MAX_BYTES: usize = 64 << 10;

/// One line, without control characters that could forge another one, at most [`MAX_LINE`] bytes.
pub(super) fn cut(message: &str) -> String {
    let mut line: String = message
        .trim_end()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if line.len() > MAX_LINE {
        let end = (0..=MAX_LINE)
            .rev()
            .find(|&end| line.is_char_boundary(end))
            .unwrap_or(0);
        line.truncate(end);
    }
    line
}

/// WASI for a component of another toolchain: no files, network, environment or arguments; its output is logged.
pub fn wasi(slot: &str) -> WasiCtx {
    WasiCtxBuilder::new()
        .stdout(Printed::new(slot))
        .stderr(Printed::new(slot))
        .build()
}

/// An output whose lines go to the log, at most [`MAX_BYTES`] for each instance.
#[derive(Clone)]
struct Printed {
    slot: String,
    left: usize,
}

impl Printed {
    fn new(slot: &str) -> Self {
        Self {
            slot: slot.to_owned(),
            left: MAX_BYTES,
        }
    }

    fn print(&mut self, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(self.left)];
        self.left -= bytes.len();
        for line in String::from_utf8_lossy(bytes)
            .lines()
            .filter(|line| !line.trim().is_empty())
        {
            tracing::info!(slot = self.slot, "{}", cut(line));
        }
    }
}

impl IsTerminal for Printed {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Printed {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }

    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }
}

#[wasmtime_wasi::async_trait]
impl wasmtime_wasi::p2::Pollable for Printed {
    async fn ready(&mut self) {}
}

impl OutputStream for Printed {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.print(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(MAX_BYTES)
    }
}

impl AsyncWrite for Printed {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        self.print(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line() {
        assert_eq!(cut("a\nERROR forged\x1b[0m\n"), "a ERROR forged [0m");
        assert!(cut(&"é".repeat(MAX_LINE)).len() <= MAX_LINE);
    }
}
