//! Parts of the pages: what a plugin shows in them, in a frame of its own.
//!
//! A part is an HTML document among the plugin's files. It runs without the reader's session: the page around it calls the
//! slot's own routes for it, and the reads it names. `galley-ui.js`, which each plugin with a part has among its files, talks to
//! the page:
//!
//! ```html
//! <script type="module">
//!   import { connect } from './galley-ui.js';
//!   const galley = await connect();
//!   const { body } = await galley.get(`/api/v1/projects/${galley.context.project.id}/notes`);
//! </script>
//! ```
//!
//! ```
//! use galley_sdk::prelude::*;
//!
//! let plugin = Plugin::new("notes", "1.0.0")
//!     .ui(Ui::review_panel("Notes", "panel.html").reads("GET /api/v1/projects/{project}/deployments"))
//!     .asset("panel.html", "<!doctype html><p>Notes</p>");
//! let manifest: serde_json::Value = serde_json::from_slice(&plugin.describe()).unwrap();
//! assert_eq!(manifest["ui"][0]["at"], "review-panel");
//! ```

pub use galley_manifest::{UiPart, UiPlace};

use crate::guard::Guard;

/// Where [`HELPER`] is among the files.
pub const HELPER_PATH: &str = "galley-ui.js";

/// The script that talks to the page.
pub const HELPER: &str = include_str!("../ui/galley-ui.js");

/// One part of the pages.
#[derive(Debug, Clone)]
pub struct Ui(pub(crate) UiPart<&'static str>);

impl Ui {
    fn new(at: UiPlace, title: &'static str, entry: &'static str) -> Ui {
        let (icon, guard, reads) = (None, None, Vec::new());
        Ui(UiPart {
            at,
            title,
            icon,
            entry,
            guard,
            reads,
        })
    }

    /// A page of its own, for everybody who is signed in.
    pub fn page(title: &'static str, entry: &'static str) -> Ui {
        Ui::new(UiPlace::Page, title, entry)
    }

    /// A tab of each project, for everybody who may read it.
    pub fn project_tab(title: &'static str, entry: &'static str) -> Ui {
        Ui::new(UiPlace::ProjectTab, title, entry)
    }

    /// A panel in the review of each project, for everybody who may read it.
    pub fn review_panel(title: &'static str, entry: &'static str) -> Ui {
        Ui::new(UiPlace::ReviewPanel, title, entry)
    }

    /// A page among those for admins.
    pub fn instance(title: &'static str, entry: &'static str) -> Ui {
        Ui::new(UiPlace::Instance, title, entry)
    }

    /// A picture beside the title: one of the plugin's files.
    pub fn icon(mut self, path: &'static str) -> Ui {
        self.0.icon = Some(path);
        self
    }

    /// Who sees it: the rule of a guard, without its further keys. The routes it calls have guards of their own.
    pub fn guard<K>(mut self, guard: Guard<K>) -> Ui {
        self.0.guard = Some(guard.rule().kind);
        self
    }

    /// What the page may read for it beside the slot's own routes: `GET /api/v1/…`, with `{name}` for a segment. In a project
    /// `{project}` is that project. The operator approves each.
    pub fn reads(mut self, request: &'static str) -> Ui {
        self.0.reads.push(request);
        self
    }
}
