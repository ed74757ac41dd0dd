//! The chat of this run.

use std::sync::Arc;

use serde_json::json;

use super::app::{App, Parts};
use super::desk::AppDesk;
use super::diff;
use super::event::Event;
use crate::agent::chat::{Chats, Setup};
use crate::agent::gate::Gate;
use crate::workspace::Committed;

/// The chat's sessions, which are read when somebody asks for them first. Within a runtime only.
pub(super) fn chats(app: &Arc<App>) -> &Arc<Chats> {
    app.chats.get_or_init(|| {
        // The chat is the program's, and goes with it.
        let weak = Arc::downgrade(app);
        let told = Arc::new(move |done: &Committed| {
            if let Some(app) = weak.upgrade() {
                let files = diff::files(&done.files);
                app.tell(Event::new("edited", json!({ "editId": done.id, "files": files })));
            }
        });
        let Parts {
            prototype,
            config,
            workspace,
            home,
            ..
        } = &app.parts;
        Chats::new(Setup {
            desk: Arc::new(AppDesk::new(app)),
            gate: Gate::new(Arc::clone(workspace), told),
            git_root: prototype.git_root.clone(),
            home: home.clone(),
            tool: config.tool.clone(),
            review: app.review.clone(),
            use_subscription: config.environment.use_subscription,
            read_roots: config.read_roots.clone(),
        })
    })
}
