//! Files as [`Module`]s, kept across requests and threads.

use std::sync::Arc;

use super::lower;
use super::module::Module;
use crate::source::model::memo::{Kept, Memo};

/// What was made of files. A file is read again when its text is another one.
#[derive(Debug, Default)]
struct Modules {
    parsed: Memo<Option<Arc<Module>>>,
}

/// What `text` of the file `path` holds, as it is `kept` or read now; `None` when it cannot be parsed.
pub fn get(kept: Option<&Kept>, path: &str, text: &Arc<str>) -> Option<Arc<Module>> {
    let read = || lower::file(path, text).ok().map(Arc::new);
    match kept {
        Some(kept) => kept.of::<Modules>().parsed.get(path, text, read),
        None => read(),
    }
}
