//! `galley:logs`: append-only logs, which clients can follow.

use wasmtime::component::Resource;

use super::contract::galley::logs::logs::{Host, HostLog};
use super::handles::LogHandle;
use super::problem::{away, in_doubt, store_away};
use super::state::granted;
use super::{Problem, State, internal, problem};
use crate::storage::logs::LogError;

/// The most bytes of one read.
const MAX_READ: u32 = 1 << 20;

struct LogId(String);

/// The bell that rings when a log changes; its topic cannot be a plugin's own (those have no NUL).
pub fn bell(id: &str) -> String {
    format!("\0log:{id}")
}

fn check(id: &str) -> Result<(), Problem> {
    if galley_manifest::is_id(id) {
        return Ok(());
    }
    Err(problem("bad-id", "A log's id is 1 to 64 letters, digits, `-` and `_`."))
}

pub(super) fn describe(error: LogError) -> Problem {
    match error {
        LogError::Closed => problem("closed", error.to_string()),
        LogError::TooLarge => problem("too-large", error.to_string()),
        LogError::Database(error) if error.is_passing() => away("a log failed", &error),
        LogError::Database(error) if error.is_in_doubt() => in_doubt("a log failed", &error),
        error if error.is_passing() => store_away("a log failed", &error),
        error => internal("a log failed", &error),
    }
}

impl State {
    fn ring_log(&self, id: &str) {
        self.slot.services.bells.ring(&self.slot.name, &bell(id));
    }
}

impl HostLog for State {
    async fn open(&mut self, id: String) -> wasmtime::Result<Result<Resource<LogHandle>, Problem>> {
        granted!(self, Logs);
        if let Err(bad) = check(&id) {
            return Ok(Err(bad));
        }
        if let Err(error) = self.slot.services.logs.create(&self.slot.name, &id).await {
            return Ok(Err(describe(error)));
        }
        Ok(Ok(self.handles.insert(LogId(id))?))
    }

    async fn append(&mut self, log: Resource<LogHandle>, text: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Logs);
        let id = self.handles.get::<LogId, _>(&log)?.0.clone();
        let answer = self.slot.services.logs.append(&self.slot.name, &id, &text).await;
        self.ring_log(&id);
        Ok(answer.map_err(describe))
    }

    async fn read(
        &mut self,
        log: Resource<LogHandle>,
        offset: u64,
        len: u32,
    ) -> wasmtime::Result<Result<String, Problem>> {
        granted!(self, Logs);
        let id = self.handles.get::<LogId, _>(&log)?.0.clone();
        let logs = &self.slot.services.logs;
        let text = logs.read(&self.slot.name, &id, offset, len.min(MAX_READ) as usize);
        Ok(text.await.map_err(describe))
    }

    async fn close(&mut self, log: Resource<LogHandle>, status: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Logs);
        let id = self.handles.get::<LogId, _>(&log)?.0.clone();
        let closed = self.slot.services.logs.close(&self.slot.name, &id, &status).await;
        self.ring_log(&id);
        Ok(closed.map_err(describe))
    }

    async fn drop(&mut self, log: Resource<LogHandle>) -> wasmtime::Result<()> {
        self.handles.forget(&log);
        Ok(())
    }
}

impl Host for State {
    async fn remove(&mut self, id: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Logs);
        if let Err(bad) = check(&id) {
            return Ok(Err(bad));
        }
        let removed = self.slot.services.logs.remove(&self.slot.name, &id).await;
        Ok(removed.map_err(describe))
    }
}
