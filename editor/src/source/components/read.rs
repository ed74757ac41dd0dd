//! Reading a file for its components, once while it stays as it is.

use std::sync::Arc;

use super::facts::Facts;
use super::{lower, vue};
use crate::source::model::Project;
use crate::source::model::memo::Memo;
use crate::source::module;

/// What is known of the file; nothing of one that cannot be parsed.
pub(super) fn facts(project: &dyn Project, path: &str) -> Option<Arc<Facts>> {
    let text = project.read(path)?;
    let make = || {
        let facts = match path.ends_with(".vue") {
            true => vue::read(path, &text),
            false => module::get(project.kept(), path, &text)
                .ok()
                .and_then(|module| lower::read(&module)),
        };
        facts.map(Arc::new)
    };
    match project.kept() {
        Some(kept) => kept.of::<Memo<Option<Arc<Facts>>>>().get(path, &text, make),
        None => make(),
    }
}
