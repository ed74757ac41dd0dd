//! What the chat asks of the Editor: the routes' own work, without their HTTP.

use std::sync::{Arc, Weak};

use serde_json::{Map, Value, json};

use super::app::App;
use super::error::ApiError;
use super::event::Event;
use super::reading::Shown;
use super::{diff, edit, inspect, tree};
use crate::agent::chat::{Desk, Unmade};
use crate::agent::gate::Leave;
use crate::agent::goal::Preview;
use crate::source::engine;
use crate::source::model::{Inspect, Project, Stamp, Viewport};
use crate::workspace::Committed;

/// The Editor, for as long as it runs.
pub(super) struct AppDesk(Weak<App>);

impl AppDesk {
    pub(super) fn new(app: &Arc<App>) -> AppDesk {
        AppDesk(Arc::downgrade(app))
    }

    fn app(&self) -> Result<Arc<App>, ApiError> {
        self.0
            .upgrade()
            .ok_or_else(|| ApiError::internal("the Editor is ending"))
    }
}

fn stamp(text: &str) -> Result<Stamp, ApiError> {
    text.parse()
        .map_err(|error| ApiError::bad_request(format!("`src`: {error}")))
}

impl Desk for AppDesk {
    fn inspect(&self, question: &Value) -> Result<Value, Value> {
        let look = || {
            let question = Inspect {
                src: stamp(question["src"].as_str().unwrap_or_default())?,
                item: question["item"].as_u64().and_then(|item| usize::try_from(item).ok()),
                within: None,
                viewport: Viewport::default(),
            };
            inspect::look(&*self.app()?, &question)
        };
        look().map_err(ApiError::into_body)
    }

    fn tree(&self, path: Option<&str>) -> Result<Value, Value> {
        let list = || {
            let app = self.app()?;
            match path {
                Some(path) => tree::one(&app, path),
                None => Ok(tree::all(&app)),
            }
        };
        list().map_err(ApiError::into_body)
    }

    fn edit(&self, body: Map<String, Value>, leave: Leave) -> Result<Value, Unmade> {
        edit::on_behalf_of(&*self.app()?, body, leave)
    }

    fn components(&self, src: Option<&str>) -> Result<Value, Value> {
        let list = || {
            let src = src.map(stamp).transpose()?;
            let components = engine::components(&*self.app()?.parts.workspace, src.as_ref())?;
            Ok::<_, ApiError>(json!({ "ok": true, "components": components }))
        };
        list().map_err(ApiError::into_body)
    }

    fn diff(&self, done: &Committed) -> Value {
        diff::files(&done.files)
    }

    fn is_compiled(&self, path: &str) -> bool {
        self.0.upgrade().is_some_and(|app| {
            let now = app.parts.workspace.read(path);
            now.is_some_and(|text| app.stamped.is_for(path, &text))
        })
    }

    fn preview(&self, page: &str) -> Arc<dyn Preview> {
        Arc::new(Shown::new(self.0.clone(), page, None))
    }

    fn steps(&self, session: &str, turn: &str) -> Vec<String> {
        let Some(app) = self.0.upgrade() else { return Vec::new() };
        let writer = app.parts.workspace.writer();
        let history = writer.history();
        let is_its = |id: &&String| {
            let by = history.entry(id).and_then(|entry| entry.by.as_ref());
            by.is_some_and(|by| by.session == session && by.turn.as_deref() == Some(turn))
        };
        history.done.iter().filter(is_its).cloned().collect()
    }

    fn changed(&self, session: &str, status: &str) {
        if let Some(app) = self.0.upgrade() {
            app.tell(Event::new("chat", json!({ "session": session, "status": status })));
        }
    }
}
