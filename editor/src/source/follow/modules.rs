//! Files as [`Module`]s, kept across requests and threads. A script is parsed once for each text it has: the same parse gives
//! its module and its document.

use std::sync::Arc;

use super::lower;
use super::module::Module;
use crate::source::document::{self, Document};
use crate::source::model::memo::{Kept, Memo};
use crate::source::script::Broken;

/// What was made of files. A file is read again when its text is another one.
#[derive(Debug, Default)]
struct Modules {
    parsed: Memo<Option<Arc<Module>>>,
}

/// What `text` of the file `path` holds, as it is `kept` or read now; `None` when it cannot be parsed.
pub fn get(kept: Option<&Kept>, path: &str, text: &Arc<str>) -> Option<Arc<Module>> {
    let read = || {
        let (module, document) = lower::file(path, text).ok()?;
        if let (Some(kept), Some(document)) = (kept, document) {
            document::keep(kept, path, text, &Arc::new(document));
        }
        Some(Arc::new(module))
    };
    match kept {
        Some(kept) => kept.of::<Modules>().parsed.get(path, text, read),
        None => read(),
    }
}

/// The elements of a script, as they are `kept` or read now.
///
/// # Errors
/// With the first syntax error.
pub fn document(kept: Option<&Kept>, path: &str, text: &Arc<str>) -> Result<Arc<Document>, Broken> {
    let known = || document::known(kept?, path, text);
    if let Some(known) = known() {
        return Ok(known);
    }
    // Whoever edits a file asks where its texts come from, too. Of a Vue file this is the script, and no module.
    if !path.ends_with(".vue")
        && kept.is_some()
        && get(kept, path, text).is_some()
        && let Some(known) = known()
    {
        return Ok(known);
    }
    let document = Arc::new(Document::parse(path, text)?);
    if let Some(kept) = kept {
        document::keep(kept, path, text, &document);
    }
    Ok(document)
}
