//! `galley:http`.

use std::cell::RefCell;

use super::files::Tree;
use crate::error::Problem;
use crate::testing::problem;
use crate::testing::world::{self, Files};

/// `galley:http/context`.
pub(crate) mod context {
    use super::world;

    pub(crate) fn header(name: &str) -> Option<String> {
        let name = name.to_lowercase();
        world::with(|world| {
            world
                .headers
                .iter()
                .find(|(other, _)| *other == name)
                .map(|(_, value)| value.clone())
        })
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
