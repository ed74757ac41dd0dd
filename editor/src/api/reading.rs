//! `POST /api/editor/reading`: what the page in the preview of an interface reads for the program. The question goes out as the event
//! `read`, and an interface that shows the page hands on what the bridge in it answers.

use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use data_encoding::HEXLOWER;
use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::app::App;
use super::body;
use super::error::ApiError;
use super::event::Event;
use crate::agent::goal::Preview;

/// How long an answer is waited for: the page may take its time to rest, and has a module to load the first time.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(12);
/// An answer, in bytes. What a page says is a claim of somebody else.
const MAX_BODY: usize = 1 << 20;

#[derive(Deserialize)]
struct Answered {
    id: String,
    answer: Value,
}

/// The first page that can say it counts; whether this was it.
pub(super) async fn answer(State(app): State<Arc<App>>, request: Request) -> Result<Json<Value>, ApiError> {
    let bytes = body::read(request.into_body(), MAX_BODY).await?;
    let Answered { id, answer } = body::parse(&bytes)?;
    let taken = app.readings.take(&id, answer);
    Ok(Json(json!({ "ok": true, "taken": taken })))
}

/// The pages that interfaces show at a path.
pub(super) struct Shown {
    app: Weak<App>,
    page: String,
    /// The attempt whose interface is asked; without one any that shows the page.
    ticket: Option<String>,
}

impl Shown {
    pub(super) fn new(app: Weak<App>, page: &str, ticket: Option<&str>) -> Self {
        Self {
            app,
            page: page.to_owned(),
            ticket: ticket.map(str::to_owned),
        }
    }

    fn send(&self, app: &App, id: &str, question: &Value) {
        let event = json!({ "id": id, "ticket": self.ticket, "page": self.page, "ask": question });
        app.tell(Event::new("read", event));
    }
}

impl Preview for Shown {
    fn ask(&self, question: Value) -> BoxFuture<'_, Option<Value>> {
        Box::pin(async move {
            let app = self.app.upgrade()?;
            let id = HEXLOWER.encode(&rand::random::<[u8; 16]>());
            let pages = app.events.receiver_count();
            if pages == 0 {
                return None;
            }
            let answer = app.readings.expect(&id, pages);
            self.send(&app, &id, &question);
            let answer = timeout(ANSWER_TIMEOUT, answer).await;
            app.readings.forget(&id);
            answer.ok()?.ok()
        })
    }

    fn tell(&self, question: Value) {
        if let Some(app) = self.app.upgrade() {
            self.send(&app, "", &question);
        }
    }
}
