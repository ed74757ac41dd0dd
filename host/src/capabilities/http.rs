//! `galley:http`: facts about the request, the uploaded body, and streaming answers.

use wasmtime::component::Resource;

use super::contract::galley::http::{context, types};
use super::files::TreeEntry;
use super::handles::{TailHandle, TreeHandle, UploadHandle};
use super::{Problem, State, problem};
use crate::storage::logs::is_id;

/// An archive that was received.
pub struct Upload {
    /// Bytes as sent.
    pub size: u64,
    /// Hex SHA-256 of them.
    pub sha256: String,
    /// The unpacked files, until they are taken.
    pub tree: Option<TreeEntry>,
}

/// A body that the host continues to send after the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tail {
    /// Server-sent events that follow a bell of the slot.
    Bell {
        /// The bell.
        topic: String,
        /// Data of the first event.
        hello: String,
        /// Data of each later one.
        ring: String,
        /// Milliseconds between two pings.
        ping_ms: u32,
    },
    /// Server-sent events that follow a log of the slot.
    Log {
        /// The log.
        id: String,
        /// Milliseconds between two pings.
        ping_ms: u32,
    },
}

/// Headers that a plugin never gets.
const SECRET: [&str; 3] = ["authorization", "cookie", "proxy-authorization"];

impl context::Host for State {
    fn header(&mut self, name: String) -> wasmtime::Result<Option<String>> {
        self.enter()?;
        let name = name.to_ascii_lowercase();
        if SECRET.contains(&name.as_str()) {
            return Ok(None);
        }
        Ok(self
            .call
            .headers
            .get(&name)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned))
    }
}

impl types::HostUpload for State {
    fn size(&mut self, upload: Resource<UploadHandle>) -> wasmtime::Result<u64> {
        self.enter()?;
        Ok(self.handles.get::<Upload, _>(&upload)?.size)
    }

    fn sha256(&mut self, upload: Resource<UploadHandle>) -> wasmtime::Result<String> {
        self.enter()?;
        Ok(self.handles.get::<Upload, _>(&upload)?.sha256.clone())
    }

    fn take_tree(&mut self, upload: Resource<UploadHandle>) -> wasmtime::Result<Result<Resource<TreeHandle>, Problem>> {
        self.enter()?;
        match self.handles.get::<Upload, _>(&upload)?.tree.take() {
            Some(tree) => Ok(Ok(self.handles.insert(tree)?)),
            None => Ok(Err(problem("gone", "The files of this upload were taken before."))),
        }
    }

    fn drop(&mut self, upload: Resource<UploadHandle>) -> wasmtime::Result<()> {
        self.handles.forget(&upload);
        Ok(())
    }
}

impl types::HostTail for State {
    fn bell(
        &mut self,
        topic: String,
        hello: String,
        ring: String,
        ping_ms: u32,
    ) -> wasmtime::Result<Result<Resource<TailHandle>, Problem>> {
        self.enter()?;
        if [&hello, &ring].iter().any(|data| data.contains(['\n', '\r'])) {
            return Ok(Err(problem("bad-data", "The data of an event is one line.")));
        }
        let tail = Tail::Bell {
            topic,
            hello,
            ring,
            ping_ms: ping_ms.max(1_000),
        };
        Ok(Ok(self.handles.insert(tail)?))
    }

    fn log(&mut self, id: String, ping_ms: u32) -> wasmtime::Result<Result<Resource<TailHandle>, Problem>> {
        self.enter()?;
        if !is_id(&id) || !self.slot.services.logs.exists(&self.slot.name, &id) {
            return Ok(Err(problem("not-found", "There is no such log.")));
        }
        Ok(Ok(self.handles.insert(Tail::Log {
            id,
            ping_ms: ping_ms.max(1_000),
        })?))
    }

    fn drop(&mut self, tail: Resource<TailHandle>) -> wasmtime::Result<()> {
        self.handles.forget(&tail);
        Ok(())
    }
}

impl types::Host for State {}

impl super::contract::galley::errors::errors::Host for State {}
