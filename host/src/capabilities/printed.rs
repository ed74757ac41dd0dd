//! WASI for components of other toolchains, and what they print: one line of the log for each call.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, StreamResult};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder};

use super::counters::Counters;
use super::lines::{MAX_BYTES, joined};

/// What the calls of an instance print. It is logged when a call ends, and when the instance is dropped.
#[derive(Clone)]
pub struct Printed(Arc<Mutex<Lines>>);

struct Lines {
    slot: String,
    counters: Arc<Counters>,
    request: String,
    output: Vec<u8>,
    errors: Vec<u8>,
}

impl Printed {
    /// For an instance of the plugin that fills `slot`, whose call has the id `request`.
    pub fn new(slot: &str, counters: &Arc<Counters>, request: &str) -> Self {
        Self(Arc::new(Mutex::new(Lines {
            slot: slot.to_owned(),
            counters: counters.clone(),
            request: request.to_owned(),
            output: Vec::new(),
            errors: Vec::new(),
        })))
    }

    /// WASI that is empty: no files, network, environment or arguments. What is printed comes here.
    pub fn wasi(&self) -> WasiCtx {
        let stream = |is_error| Stream {
            printed: self.clone(),
            is_error,
        };
        WasiCtxBuilder::new().stdout(stream(false)).stderr(stream(true)).build()
    }

    /// Begins another call.
    pub fn begin(&self, request: &str) {
        let mut lines = self.0.lock();
        request.clone_into(&mut lines.request);
    }

    /// Writes to the log what the call printed.
    pub fn log(&self) {
        self.0.lock().log();
    }

    /// What the call printed to its error stream. It is not logged any more.
    pub fn take_errors(&self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.0.lock().errors)).into_owned()
    }
}

impl Lines {
    fn print(&mut self, is_error: bool, bytes: &[u8]) {
        let left = MAX_BYTES.saturating_sub(self.output.len() + self.errors.len());
        let kept = &bytes[..bytes.len().min(left)];
        if is_error {
            self.errors.extend(kept);
        } else {
            self.output.extend(kept);
        }
        if kept.len() < bytes.len() && self.counters.dropped_lines.fetch_add(1, Ordering::Relaxed) == 0 {
            tracing::warn!(
                slot = self.slot,
                "the plugin prints too much in one call: the rest is dropped"
            );
        }
    }

    fn log(&mut self) {
        let (slot, request) = (self.slot.as_str(), self.request.as_str());
        if let Some(line) = joined(&String::from_utf8_lossy(&self.output)) {
            tracing::info!(slot, request, "{line}");
        }
        if let Some(line) = joined(&String::from_utf8_lossy(&self.errors)) {
            tracing::error!(slot, request, "{line}");
        }
        self.output.clear();
        self.errors.clear();
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.log();
    }
}

/// One of the two streams of an instance.
#[derive(Clone)]
struct Stream {
    printed: Printed,
    is_error: bool,
}

impl Stream {
    fn print(&self, bytes: &[u8]) {
        self.printed.0.lock().print(self.is_error, bytes);
    }
}

impl IsTerminal for Stream {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Stream {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }

    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }
}

#[wasmtime_wasi::async_trait]
impl wasmtime_wasi::p2::Pollable for Stream {
    async fn ready(&mut self) {}
}

impl OutputStream for Stream {
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

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
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
