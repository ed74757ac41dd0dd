//! `galley:files`: trees of files that a call works with.

use std::sync::Arc;

use wasmtime::component::Resource;

use super::contract::galley::files::tree::{Entry, Hit, Host, HostTree};
use super::handles::TreeHandle;
use super::objects::TreeEntry;
use super::state::or_problem;
use super::{Problem, State, internal, problem};
use crate::storage::sites::{PatternError, StagedTree};

/// The most entries of one answer.
const MAX_ENTRIES: u32 = 1_000;
const MAX_HITS: u32 = 1_000;
const MAX_READ: u32 = 1 << 20;

pub(super) fn gone() -> Problem {
    problem("gone", "The tree was published before.")
}

impl State {
    fn tree(&mut self, handle: &Resource<TreeHandle>) -> wasmtime::Result<Result<Arc<StagedTree>, Problem>> {
        Ok(self.handles.get::<TreeEntry, _>(handle)?.tree.clone().ok_or_else(gone))
    }
}

impl HostTree for State {
    fn files(&mut self, handle: Resource<TreeHandle>) -> wasmtime::Result<u32> {
        self.enter()?;
        Ok(self.tree(&handle)?.map_or(0, |tree| tree.files()))
    }

    fn bytes(&mut self, handle: Resource<TreeHandle>) -> wasmtime::Result<u64> {
        self.enter()?;
        Ok(self.tree(&handle)?.map_or(0, |tree| tree.bytes()))
    }

    fn stat(&mut self, handle: Resource<TreeHandle>, path: String) -> wasmtime::Result<Option<u64>> {
        self.enter()?;
        Ok(self.tree(&handle)?.ok().and_then(|tree| tree.stat(&path)))
    }

    fn entries(
        &mut self,
        handle: Resource<TreeHandle>,
        after: Option<String>,
        max: u32,
    ) -> wasmtime::Result<Vec<Entry>> {
        self.enter()?;
        let Ok(tree) = self.tree(&handle)? else {
            return Ok(Vec::new());
        };
        let entries = tree.entries(after.as_deref(), max.min(MAX_ENTRIES) as usize);
        Ok(entries.into_iter().map(|(path, size)| Entry { path, size }).collect())
    }

    fn read(
        &mut self,
        handle: Resource<TreeHandle>,
        path: String,
        offset: u64,
        len: u32,
    ) -> wasmtime::Result<Result<Vec<u8>, Problem>> {
        self.enter()?;
        let tree = or_problem!(self.tree(&handle)?);
        Ok(match tree.read(&path, offset, len.min(MAX_READ) as usize) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(problem("not-found", format!("There is no file {path}."))),
            Err(error) => Err(internal("an uploaded file could not be read", &error)),
        })
    }

    async fn search(
        &mut self,
        handle: Resource<TreeHandle>,
        suffixes: Vec<String>,
        pattern: String,
        max: u32,
    ) -> wasmtime::Result<Result<Vec<Hit>, Problem>> {
        self.enter()?;
        let tree = or_problem!(self.tree(&handle)?);
        let max = max.min(MAX_HITS) as usize;
        let found = tokio::task::spawn_blocking(move || {
            let suffixes: Vec<&str> = suffixes.iter().map(String::as_str).collect();
            tree.search(&suffixes, &pattern, max)
        })
        .await;
        Ok(match found {
            Ok(Ok(hits)) => Ok(hits
                .into_iter()
                .map(|hit| Hit {
                    path: hit.path,
                    offset: hit.offset,
                    text: hit.text,
                })
                .collect()),
            Ok(Err(PatternError::Bad(reason))) => Err(problem("bad-pattern", reason)),
            Ok(Err(error)) => Err(internal("uploaded files could not be searched", &error)),
            Err(error) => Err(internal("uploaded files could not be searched", &error)),
        })
    }

    fn drop(&mut self, handle: Resource<TreeHandle>) -> wasmtime::Result<()> {
        self.handles.forget(&handle);
        Ok(())
    }
}

impl Host for State {}
