//! The task that exchanges counts with the other servers.

use std::sync::Arc;
use std::time::Duration;

use galley_postgres::Autocommit;
use tokio::time::Instant;

use super::book::Book;
use super::presence::{BEAT, Presence};
use super::{places, uses};
use crate::core::wakes::Wakes;

/// The shortest time between two exchanges for which nobody waits.
const PAUSE: Duration = Duration::from_millis(100);

/// Exchanges until the task is aborted.
pub(super) async fn run(mut connection: Autocommit, server: String, book: Arc<Book>, wakes: Arc<Wakes>) {
    let mut presence = Presence::default();
    let (mut next_beat, mut next_exchange) = (Instant::now(), Instant::now());
    loop {
        if Instant::now() >= next_beat {
            next_beat = Instant::now() + BEAT;
            // Without an answer the counts of this server go on, and so do those of the others.
            if let Ok(news) = presence.beat(&mut connection, &server).await {
                if news.was_gone {
                    book.places.lock().all_changed();
                }
                if news.is_one_gone {
                    wakes.all_here();
                }
            }
            book.uses.lock().tidy(std::time::Instant::now());
        }
        exchange(&mut connection, &server, &book).await;
        let soon = async {
            book.soon.notified().await;
            tokio::time::sleep_until(next_exchange).await;
        };
        tokio::select! {
            () = book.urgent.notified() => {}
            () = soon => {}
            () = tokio::time::sleep_until(next_beat) => {}
        }
        next_exchange = Instant::now() + PAUSE;
    }
}

/// Says what there is to say, and takes what the others said.
async fn exchange(connection: &mut Autocommit, server: &str, book: &Book) {
    let batch = book.uses.lock().begin(std::time::Instant::now());
    if let Some(batch) = batch {
        let rows = connection.ask(uses::ADD, &[batch.json().as_str().into()]).await.ok();
        book.uses.lock().end(batch, rows.as_deref());
    }
    let batch = book.places.lock().begin();
    if let Some(batch) = batch {
        let said = [batch.json().as_str().into(), server.into()];
        let rows = connection.ask(places::PUT, &said).await.ok();
        book.places.lock().end(batch, rows.as_deref());
    }
}
