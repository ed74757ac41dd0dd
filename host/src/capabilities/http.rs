//! `galley:http`: facts about the request, the uploaded body, and streaming answers.

use galley_manifest::{is_event_data, is_id, may_read_header};
use wasmtime::component::Resource;

use super::contract::galley::http::types::{self, Caller as Described};
use super::handles::{RequestHandle, TailHandle, TreeHandle, UploadHandle, stale};
use super::logs::describe;
use super::objects::{Request, Tail, Upload};
use super::state::or_problem;
use super::{Call, Problem, State, problem};
use crate::identity::Caller;

impl State {
    /// Gives the call its request; the answer is the handle that the guest borrows.
    pub fn begin_request(&mut self, request: Request) -> wasmtime::Result<Resource<RequestHandle>> {
        let number = self.handles.number()?;
        self.call.request = Some((number, request));
        Ok(Resource::new_borrow(number))
    }

    fn request(&mut self, handle: &Resource<RequestHandle>) -> wasmtime::Result<&mut Request> {
        self.enter()?;
        match &mut self.call.request {
            Some((number, request)) if *number == handle.rep() => Ok(request),
            _ => Err(stale()),
        }
    }

    /// A request header, as a plugin may see it.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let name = name.to_ascii_lowercase();
        if !may_read_header(&name) {
            return None;
        }
        let value = self.call.headers.get(&name)?;
        // Not `to_str`, which takes ASCII alone.
        std::str::from_utf8(value.as_bytes()).ok().map(str::to_owned)
    }

    /// The caller as a plugin sees it. It gives no authority.
    pub(super) fn described_caller(&self) -> Described {
        let Call { caller, system, .. } = &self.call;
        let kind = match caller {
            Caller::Anonymous if *system => "system",
            Caller::Anonymous => "anonymous",
            Caller::Admin => "admin",
            Caller::Session { .. } => "session",
            Caller::Token { .. } => "token",
        };
        let account = caller.account();
        Described {
            kind: kind.to_owned(),
            user_id: account.map(|account| account.id.clone()),
            email: account.map(|account| account.email.clone()),
            name: account.map(|account| account.display_name.clone()),
            role: account.map(|account| account.role.as_str().to_owned()),
            can_write: *system || caller.can_write(),
        }
    }
}

impl types::HostRequest for State {
    fn id(&mut self, request: Resource<RequestHandle>) -> wasmtime::Result<String> {
        self.request(&request)?;
        Ok(self.call.id.clone())
    }

    fn route(&mut self, request: Resource<RequestHandle>) -> wasmtime::Result<u32> {
        Ok(self.request(&request)?.route)
    }

    fn method(&mut self, request: Resource<RequestHandle>) -> wasmtime::Result<String> {
        Ok(self.request(&request)?.method.as_str().to_owned())
    }

    fn path(&mut self, request: Resource<RequestHandle>) -> wasmtime::Result<String> {
        Ok(self.request(&request)?.uri.path().to_owned())
    }

    fn params(&mut self, request: Resource<RequestHandle>) -> wasmtime::Result<Vec<String>> {
        Ok(self.request(&request)?.params.clone())
    }

    fn query(&mut self, request: Resource<RequestHandle>) -> wasmtime::Result<String> {
        Ok(self.request(&request)?.uri.query().unwrap_or_default().to_owned())
    }

    fn header(&mut self, request: Resource<RequestHandle>, name: String) -> wasmtime::Result<Option<String>> {
        self.request(&request)?;
        Ok(State::header(self, &name))
    }

    fn caller(&mut self, request: Resource<RequestHandle>) -> wasmtime::Result<Described> {
        self.request(&request)?;
        Ok(self.described_caller())
    }

    fn project(&mut self, request: Resource<RequestHandle>) -> wasmtime::Result<Option<String>> {
        Ok(self.request(&request)?.project.clone())
    }

    fn take_body(&mut self, request: Resource<RequestHandle>) -> wasmtime::Result<Vec<u8>> {
        Ok(std::mem::take(&mut self.request(&request)?.body))
    }

    fn take_upload(&mut self, request: Resource<RequestHandle>) -> wasmtime::Result<Option<Resource<UploadHandle>>> {
        let upload = self.request(&request)?.upload.take();
        upload.map(|upload| self.handles.insert(upload)).transpose()
    }

    fn drop(&mut self, _request: Resource<RequestHandle>) -> wasmtime::Result<()> {
        Ok(())
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
        if !(is_event_data(&hello) && is_event_data(&ring)) {
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

    async fn log(&mut self, id: String, ping_ms: u32) -> wasmtime::Result<Result<Resource<TailHandle>, Problem>> {
        self.enter()?;
        let logs = &self.slot.services.logs;
        if !is_id(&id) || !or_problem!(logs.exists(&self.slot.name, &id).await.map_err(describe)) {
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
