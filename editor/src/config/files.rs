//! The two files that hold settings of the prototype.

use serde_json::Value;

use super::key::read_file;
use super::problem::Problem;
use super::{tool, turn};
use crate::gate::Prototype;

/// The two files that hold settings of the prototype, as they are now; `None` when there is no such file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Files {
    pub tool: Result<Option<Value>, Problem>,
    pub root: Result<Option<Value>, Problem>,
}

impl Files {
    pub fn read(prototype: &Prototype) -> Files {
        Files {
            tool: read_file(&prototype.root.join(tool::FILE)),
            root: read_file(&prototype.root.join(turn::FILE)),
        }
    }
}
