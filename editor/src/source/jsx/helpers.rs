//! Functions that join class lists, told by where they come from.

use crate::source::classes::{import_joins, may_join};
use crate::source::module::{FrameKind, Module};

/// Whether a name of the file is such a function.
pub(super) fn is_class_helper(module: &Module, text: &str, name: &str) -> bool {
    if let Some(import) = module.import(name) {
        return import_joins(name, import.from, import.imported);
    }
    may_join(name)
        && module.frames.iter().any(|frame| match &frame.kind {
            FrameKind::Function(Some(own)) => own == name,
            FrameKind::Declarator(Some(own)) => own == name && !text[frame.range.clone()].contains(".bind("),
            _ => false,
        })
}
