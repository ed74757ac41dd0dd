//! The files that may name stylesheets and classes. They are read once for a request: many questions go to all of them.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::source::css::Dialect;
use crate::source::model::Project;

/// Scripts, pages and stylesheets of the prototype, as one request sees them.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    texts: OnceCell<Vec<(String, Arc<str>)>>,
}

impl Scripts {
    /// Their paths and texts, in the order of the project's files. They are read when somebody asks first.
    pub fn texts(&self, project: &dyn Project) -> &[(String, Arc<str>)] {
        self.texts.get_or_init(|| {
            let files = project.files();
            let wanted = files.iter().filter(|path| may_name(path));
            let read = wanted.filter_map(|path| Some((path.clone(), project.read(path)?)));
            read.collect()
        })
    }
}

fn may_name(path: &str) -> bool {
    is_script(path) || Dialect::of(path).is_some() || path.ends_with(".html") || path.ends_with(".astro")
}

/// Whether a file may hold script.
pub(super) fn is_script(path: &str) -> bool {
    [".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".vue"]
        .iter()
        .any(|ending| path.ends_with(ending))
}
