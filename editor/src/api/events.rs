//! The state, and the stream of what happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::sse::{self, KeepAlive, Sse};
use futures_util::Stream;
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio_stream::wrappers::ReceiverStream;

use super::app::{App, blocking};
use super::error::ApiError;
use super::event::Event;

const PING_INTERVAL: Duration = Duration::from_secs(25);

/// `/api/editor/state`
pub(super) async fn state(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || Ok(Json(app.state()))).await
}

/// `/api/editor/events`: the state at once, then what happens.
pub(super) async fn events(State(app): State<Arc<App>>) -> Sse<impl Stream<Item = Result<sse::Event, Infallible>>> {
    let (sender, receiver) = mpsc::channel(16);
    // Before the state is read, so that nothing between is missed.
    let happening = app.events.subscribe();
    tokio::spawn(send(app, happening, sender));
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::new().interval(PING_INTERVAL).text("ping"))
}

type Sender = mpsc::Sender<Result<sse::Event, Infallible>>;

/// Ends when the page goes, or the program.
async fn send(app: Arc<App>, mut happening: broadcast::Receiver<Event>, page: Sender) {
    let mut states = app.state_changed.subscribe();
    let mut ends = app.ending.subscribe();
    // What comes out is a guard, which must not be held while waiting for anything else.
    let ending = async { drop(ends.wait_for(|ending| *ending).await) };
    tokio::pin!(ending);
    states.mark_changed();
    loop {
        let event = tokio::select! {
            changed = states.changed() => match changed {
                Ok(()) => state_event(&app).await,
                Err(_) => return,
            },
            event = happening.recv() => match event {
                Ok(event) => Some(event.sse()),
                // Too slow for what happened: the whole state says what it is now.
                Err(RecvError::Lagged(_)) => state_event(&app).await,
                Err(RecvError::Closed) => return,
            },
            () = &mut ending => return,
            () = page.closed() => return,
        };
        if let Some(event) = event
            && page.send(Ok(event)).await.is_err()
        {
            return;
        }
    }
}

async fn state_event(app: &Arc<App>) -> Option<sse::Event> {
    let app = Arc::clone(app);
    let state = tokio::task::spawn_blocking(move || app.state()).await.ok()?;
    Some(Event::new("state", state).sse())
}
