//! Answering requests, until told to stop.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use super::app::App;
use super::{linked, routes};

/// So long requests under way may take after the end was asked for.
const END_TIMEOUT: Duration = Duration::from_secs(3);

/// Serves the API and the interface on `listener`, whose address is that of [`Parts::address`](super::Parts), until `end`
/// comes. Streams of events end then; an edit that is being written is finished.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    end: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        // Answers are small and somebody waits for each.
        let _ = stream.set_nodelay(true);
    });
    let bell = tokio::spawn(linked::ring(Arc::clone(&app)));
    let ending = app.ending.clone();
    let asked = async move {
        end.await;
        let _ = ending.send(true);
    };
    let mut ended = app.ending.subscribe();
    let late = async move {
        let _ = ended.wait_for(|ending| *ending).await;
        tokio::time::sleep(END_TIMEOUT).await;
    };
    let router = routes::router(app);
    let serving = axum::serve(listener, router).with_graceful_shutdown(asked);
    let result = tokio::select! {
        result = serving.into_future() => result,
        () = late => Ok(()),
    };
    bell.abort();
    result
}
