//! `galley:http`.

use std::cell::RefCell;

use super::files::Tree;
use crate::bindings::galley::http::types::Caller;
use crate::error::Problem;
use crate::testing::problem;
use crate::testing::world::{self, Files};

/// A header of the request that is being answered.
pub(crate) fn header(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    if !galley_manifest::may_read_header(&name) {
        return None;
    }
    world::with(|world| {
        let found = world.headers.iter().find(|(other, _)| *other == name);
        found.map(|(_, value)| value.clone())
    })
}

/// A request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) route: u32,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) params: Vec<String>,
    pub(crate) query: String,
    pub(crate) caller: Caller,
    pub(crate) project: Option<String>,
    pub(crate) body: RefCell<Vec<u8>>,
    pub(crate) upload: RefCell<Option<Upload>>,
}

impl Request {
    pub(crate) fn id(&self) -> String {
        "test".into()
    }

    pub(crate) fn route(&self) -> u32 {
        self.route
    }

    pub(crate) fn method(&self) -> String {
        self.method.clone()
    }

    pub(crate) fn path(&self) -> String {
        self.path.clone()
    }

    pub(crate) fn params(&self) -> Vec<String> {
        self.params.clone()
    }

    pub(crate) fn query(&self) -> String {
        self.query.clone()
    }

    pub(crate) fn caller(&self) -> Caller {
        self.caller.clone()
    }

    pub(crate) fn project(&self) -> Option<String> {
        self.project.clone()
    }

    pub(crate) fn take_body(&self) -> Vec<u8> {
        self.body.take()
    }

    pub(crate) fn take_upload(&self) -> Option<Upload> {
        self.upload.take()
    }
}

/// The archive of a request.
#[derive(Debug)]
pub(crate) struct Upload {
    size: u64,
    tree: RefCell<Option<Tree>>,
}

impl Upload {
    pub(crate) fn new(files: Files) -> Upload {
        let size = files.values().map(|bytes| bytes.len() as u64).sum();
        Upload {
            size,
            tree: RefCell::new(Some(Tree::new(files))),
        }
    }

    /// The unpacked size stands in for the compressed one.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// A stand-in: nothing was compressed.
    pub(crate) fn sha256(&self) -> String {
        format!("{:064x}", self.size)
    }

    pub(crate) fn take_tree(&self) -> Result<Tree, Problem> {
        self.tree
            .take()
            .map_or_else(|| problem("gone", "The tree was taken before"), Ok)
    }
}

/// The rest of an answer.
#[derive(Debug)]
pub(crate) enum Tail {
    Bell(Bell),
    Log(String),
}

/// Server-sent events that follow a bell, as a handler asked for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bell {
    /// The topic it follows.
    pub topic: String,
    /// The data of the first event.
    pub hello: String,
    /// The data of each ring.
    pub ring: String,
    /// Milliseconds between comment frames.
    pub ping_ms: u32,
}

impl Tail {
    pub(crate) fn bell(topic: &str, hello: &str, ring: &str, ping_ms: u32) -> Result<Tail, Problem> {
        if !(galley_manifest::is_event_data(hello) && galley_manifest::is_event_data(ring)) {
            return problem("bad-data", "The data of an event is one line.");
        }
        Ok(Tail::Bell(Bell {
            topic: topic.into(),
            hello: hello.into(),
            ring: ring.into(),
            ping_ms,
        }))
    }

    pub(crate) fn log(id: &str, _ping_ms: u32) -> Result<Tail, Problem> {
        match world::with(|world| world.logs.contains_key(id)) {
            true => Ok(Tail::Log(id.into())),
            false => problem("not-found", "There is no such log"),
        }
    }
}
