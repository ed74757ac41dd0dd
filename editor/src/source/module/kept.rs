//! Modules kept across requests and threads: a file is lowered once for each text it has.

use std::sync::Arc;

use super::lower;
use super::table::Module;
use crate::source::model::memo::{Kept, Memo};
use crate::source::script::Broken;

/// What was made of files. A file is read again when its text is another one.
#[derive(Debug, Default)]
struct Modules(Memo<Result<Arc<Module>, Broken>>);

/// What `text` of the file `path` holds, as it is `kept` or read now.
///
/// # Errors
/// With the first syntax error.
pub fn get(kept: Option<&Kept>, path: &str, text: &Arc<str>) -> Result<Arc<Module>, Broken> {
    let read = || read(path, text);
    match kept {
        Some(kept) => kept.of::<Modules>().0.get(path, text, read),
        None => read(),
    }
}

/// What is kept for this text of the file, when it was read before and could be.
#[must_use]
pub fn known(kept: &Kept, path: &str, text: &Arc<str>) -> Option<Arc<Module>> {
    kept.of::<Modules>().0.known(path, text)?.ok()
}

/// What `text` of the file `path` holds.
///
/// # Errors
/// With the first syntax error.
pub fn read(path: &str, text: &Arc<str>) -> Result<Arc<Module>, Broken> {
    lower::file(path, text).map(Arc::new)
}
