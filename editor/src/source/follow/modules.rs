//! Files that were read, kept while they stay as they are.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::lower;
use super::module::Module;

/// Keeps what was made of files, across requests and threads. A file is read again when its text is another one; the
/// number of files is that of the project.
#[derive(Debug, Default)]
pub struct Modules {
    kept: Mutex<HashMap<String, Kept>>,
}

#[derive(Debug)]
struct Kept {
    text: Arc<str>,
    module: Option<Arc<Module>>,
}

impl Modules {
    /// What `text` of the file `path` holds; `None` when it cannot be parsed.
    pub fn get(&self, path: &str, text: &Arc<str>) -> Option<Arc<Module>> {
        if let Some(kept) = self.kept.lock().get(path).filter(|kept| kept.text == *text) {
            return kept.module.clone();
        }
        // Not under the lock: parsing takes its time, and doing it twice does no harm.
        let module = read(path, text);
        let kept = Kept {
            text: text.clone(),
            module: module.clone(),
        };
        self.kept.lock().insert(path.to_owned(), kept);
        module
    }
}

/// What `text` of the file `path` holds; `None` when it cannot be parsed.
pub fn read(path: &str, text: &Arc<str>) -> Option<Arc<Module>> {
    lower::file(path, text).ok().map(Arc::new)
}
