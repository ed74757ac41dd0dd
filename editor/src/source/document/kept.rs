//! Documents kept across requests, by the text they were made of.

use std::sync::Arc;

use super::Document;
use crate::source::model::memo::{Kept, Memo};

#[derive(Debug, Default)]
struct Documents(Memo<Arc<Document>>);

/// What was kept for this text of the file.
#[must_use]
pub fn known(kept: &Kept, path: &str, text: &Arc<str>) -> Option<Arc<Document>> {
    kept.of::<Documents>().0.known(path, text)
}

/// Keeps what was made of this text of the file.
pub fn keep(kept: &Kept, path: &str, text: &Arc<str>, document: &Arc<Document>) {
    kept.of::<Documents>().0.keep(path, text, document.clone());
}
