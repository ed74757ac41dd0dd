//! Version 0.1 of the contract, for components that were built for it.
//!
//! Most of it is as it was, so that a component's imports only need the present version's name
//! (`plugins/contract.rs` gives it to them). What changed is here: a request and an event were records, sites were one
//! interface, and topics were words.

use wasmtime::component::{HasSelf, Linker, Resource};

use super::contract::galley::events::events::Host as Events;
use super::contract::galley::events::types::Event;
use super::contract::galley::files::tree::{self as files, HostTree as Tree};
use super::contract::galley::http::types as http;
use super::contract::galley::sites::publishing::Host as Publishing;
use super::contract::galley::sites::versions::Host as Versions;
use super::handles::{TailHandle, TreeHandle, UploadHandle};
use super::objects::{Delivery, Request};
use super::{Problem, State};
use bindings::galley::{events::events, http as old_http, sites::sites};

pub use bindings::exports::galley::plugin as exports;

/// Generated.
#[allow(missing_docs, reason = "every item is documented in wit/frozen/")]
mod bindings {
    wasmtime::component::bindgen!({
        path: [
            "../wit/frozen/galley-errors@0.1.0.wit",
            "../wit/frozen/galley-log@0.1.0.wit",
            "../wit/frozen/galley-clock@0.1.0.wit",
            "../wit/frozen/galley-random@0.1.0.wit",
            "../wit/frozen/galley-events@0.1.0.wit",
            "../wit/frozen/galley-sites@0.1.0.wit",
            "../wit/frozen/galley-http@0.1.0.wit",
            "../wit/frozen/galley-sql@0.1.0.wit",
            "../wit/frozen/galley-blobs@0.1.0.wit",
            "../wit/frozen/galley-logs@0.1.0.wit",
            "../wit/frozen/galley-bells@0.1.0.wit",
            "../wit/frozen/galley-builds@0.1.0.wit",
            "../wit/frozen/galley-projects@0.1.0.wit",
            "../wit/frozen/galley-accounts@0.1.0.wit",
            "../wit/frozen/galley-settings@0.1.0.wit",
            "../wit/frozen/galley-mail@0.1.0.wit",
            "../wit/frozen/galley-administration@0.1.0.wit",
            "../wit/frozen/galley-attachments@0.1.0.wit",
            "../wit/frozen/galley-outbound@0.1.0.wit",
            "../wit/frozen/galley-plugin@0.1.0.wit",
        ],
        inline: "
            package galley:adapter;
            world adapter {
                import galley:http/context@0.1.0;
                import galley:sites/sites@0.1.0;
                import galley:events/events@0.1.0;
                export galley:plugin/handler@0.1.0;
                export galley:plugin/subscriber@0.1.0;
                export galley:plugin/lifecycle@0.1.0;
            }
        ",
        imports: {
            "galley:events/events": async | trappable,
            "galley:http/types.[static]tail.log": async | trappable,
            "galley:sites/sites.[method]tree.search": async | trappable,
            "galley:sites/sites.[method]tree.publish": async | trappable,
            "galley:sites/sites.versions": async | trappable,
            "galley:sites/sites.activate": async | trappable,
            "galley:sites/sites.remove": async | trappable,
            default: trappable,
        },
        exports: { default: async },
        with: {
            "galley:errors/errors": super::super::contract::galley::errors::errors,
            "galley:http/types.upload": super::super::handles::UploadHandle,
            "galley:http/types.tail": super::super::handles::TailHandle,
            "galley:sites/sites.tree": super::super::handles::TreeHandle,
        },
    });
}

/// The interfaces of 0.1 that are linked under their old names. All others are as they were.
pub const CHANGED: [&str; 4] = [
    "galley:events/events",
    "galley:http/context",
    "galley:http/types",
    "galley:sites/sites",
];

/// Links what changed since.
pub fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    type Own = HasSelf<State>;
    old_http::types::add_to_linker::<_, Own>(linker, |state| state)?;
    old_http::context::add_to_linker::<_, Own>(linker, |state| state)?;
    sites::add_to_linker::<_, Own>(linker, |state| state)?;
    events::add_to_linker::<_, Own>(linker, |state| state)
}

/// The request as a record, and the handle that the guest borrows.
pub type RequestRecord = (old_http::types::Request, Option<Resource<UploadHandle>>);

impl State {
    /// Gives the call its request.
    pub fn request_0_1(&mut self, request: Request) -> wasmtime::Result<RequestRecord> {
        let caller = self.described_caller();
        let upload = match request.upload {
            Some(upload) => {
                let owned: Resource<UploadHandle> = self.handles.insert(upload)?;
                Some(Resource::new_borrow(owned.rep()))
            }
            None => None,
        };
        let record = old_http::types::Request {
            id: self.call.id.clone(),
            route: request.route,
            method: request.method.as_str().to_owned(),
            path: request.uri.path().to_owned(),
            params: request.params,
            query: request.uri.query().unwrap_or_default().to_owned(),
            caller: old_http::types::Caller {
                kind: caller.kind,
                user_id: caller.user_id,
                email: caller.email,
                name: caller.name,
                role: caller.role,
                can_write: caller.can_write,
            },
            project: request.project,
            body: request.body,
        };
        Ok((record, upload))
    }
}

/// The answer, as it is now.
pub fn response(old: old_http::types::Response) -> http::Response {
    http::Response {
        status: old.status,
        headers: old.headers,
        body: old.body,
        tail: old.tail,
    }
}

/// The event as a record. Its topic is the word behind the publisher's name.
pub fn delivery(delivery: Delivery) -> exports::subscriber::Delivery {
    let event = delivery.event;
    let topic = match event.topic.split_once('/') {
        Some((_, word)) => word.to_owned(),
        None => event.topic,
    };
    exports::subscriber::Delivery {
        id: event.id as u64,
        topic,
        data: event.data,
        attempt: delivery.attempt,
    }
}

impl old_http::context::Host for State {
    fn header(&mut self, name: String) -> wasmtime::Result<Option<String>> {
        self.enter()?;
        Ok(State::header(self, &name))
    }
}

impl old_http::types::Host for State {}

impl old_http::types::HostUpload for State {
    fn size(&mut self, upload: Resource<UploadHandle>) -> wasmtime::Result<u64> {
        http::HostUpload::size(self, upload)
    }

    fn sha256(&mut self, upload: Resource<UploadHandle>) -> wasmtime::Result<String> {
        http::HostUpload::sha256(self, upload)
    }

    fn take_tree(&mut self, upload: Resource<UploadHandle>) -> wasmtime::Result<Result<Resource<TreeHandle>, Problem>> {
        http::HostUpload::take_tree(self, upload)
    }

    fn drop(&mut self, upload: Resource<UploadHandle>) -> wasmtime::Result<()> {
        http::HostUpload::drop(self, upload)
    }
}

impl old_http::types::HostTail for State {
    fn bell(
        &mut self,
        topic: String,
        hello: String,
        ring: String,
        ping_ms: u32,
    ) -> wasmtime::Result<Result<Resource<TailHandle>, Problem>> {
        http::HostTail::bell(self, topic, hello, ring, ping_ms)
    }

    async fn log(&mut self, id: String, ping_ms: u32) -> wasmtime::Result<Result<Resource<TailHandle>, Problem>> {
        http::HostTail::log(self, id, ping_ms).await
    }

    fn drop(&mut self, tail: Resource<TailHandle>) -> wasmtime::Result<()> {
        http::HostTail::drop(self, tail)
    }
}

impl events::Host for State {
    async fn publish(&mut self, events: Vec<events::Event>) -> wasmtime::Result<Result<(), Problem>> {
        let now = |event: events::Event| Event {
            topic: event.topic,
            data: event.data,
        };
        Events::publish(self, events.into_iter().map(now).collect()).await
    }
}

impl sites::HostTree for State {
    fn files(&mut self, tree: Resource<TreeHandle>) -> wasmtime::Result<u32> {
        Tree::files(self, tree)
    }

    fn bytes(&mut self, tree: Resource<TreeHandle>) -> wasmtime::Result<u64> {
        Tree::bytes(self, tree)
    }

    fn stat(&mut self, tree: Resource<TreeHandle>, path: String) -> wasmtime::Result<Option<u64>> {
        Tree::stat(self, tree, path)
    }

    fn entries(
        &mut self,
        tree: Resource<TreeHandle>,
        after: Option<String>,
        max: u32,
    ) -> wasmtime::Result<Vec<sites::Entry>> {
        let old = |files::Entry { path, size }| sites::Entry { path, size };
        Ok(Tree::entries(self, tree, after, max)?.into_iter().map(old).collect())
    }

    fn read(
        &mut self,
        tree: Resource<TreeHandle>,
        path: String,
        offset: u64,
        len: u32,
    ) -> wasmtime::Result<Result<Vec<u8>, Problem>> {
        Tree::read(self, tree, path, offset, len)
    }

    async fn search(
        &mut self,
        tree: Resource<TreeHandle>,
        suffixes: Vec<String>,
        pattern: String,
        max: u32,
    ) -> wasmtime::Result<Result<Vec<sites::Hit>, Problem>> {
        let old = |files::Hit { path, offset, text }| sites::Hit { path, offset, text };
        let found = Tree::search(self, tree, suffixes, pattern, max).await?;
        Ok(found.map(|hits| hits.into_iter().map(old).collect()))
    }

    async fn publish(
        &mut self,
        tree: Resource<TreeHandle>,
        project: String,
        version: String,
    ) -> wasmtime::Result<Result<(), Problem>> {
        Publishing::publish(self, tree, project, version).await
    }

    fn drop(&mut self, tree: Resource<TreeHandle>) -> wasmtime::Result<()> {
        Tree::drop(self, tree)
    }
}

impl sites::Host for State {
    async fn versions(&mut self, project: String) -> wasmtime::Result<Result<Vec<sites::Version>, Problem>> {
        let found = Versions::all(self, project).await?;
        let old = |version: super::contract::galley::sites::versions::Version| sites::Version {
            id: version.id,
            files: version.files,
            bytes: version.bytes,
            live: version.live,
        };
        Ok(found.map(|versions| versions.into_iter().map(old).collect()))
    }

    fn live(&mut self, project: String) -> wasmtime::Result<Result<Option<String>, Problem>> {
        Versions::live(self, project)
    }

    async fn activate(&mut self, project: String, version: String) -> wasmtime::Result<Result<(), Problem>> {
        Publishing::activate(self, project, version).await
    }

    async fn remove(&mut self, project: String, version: String) -> wasmtime::Result<Result<(), Problem>> {
        Publishing::remove(self, project, version).await
    }
}
