//! Fails when it is started, until somebody writes into its database: its slot must answer 503, and the server must not
//! care. Then it takes no event, until somebody writes into its database again.

use galley_sdk::events::ProjectDeleted;
use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// The plugin of the slot `broken`.
pub fn plugin() -> Plugin {
    Plugin::new("broken", env!("CARGO_PKG_VERSION"))
        .migration(
            1,
            "CREATE TABLE mends (what TEXT NOT NULL); CREATE TABLE taken (project TEXT NOT NULL)",
        )
        .on_start(|| mended("start", "broken on purpose"))
        .on("project-deleted", take)
        .route(get("/api/v1/broken", answer).guard(Guard::public()))
        .route(get("/api/v1/broken/panic", panics).guard(Guard::public()))
}

fn mended(what: &str, problem: &'static str) -> Result<()> {
    let mends: Vec<(String,)> = sql::all("SELECT what FROM mends WHERE what = ?1", params![what])?;
    match mends.is_empty() {
        true => Err(Error::conflict(problem)),
        false => Ok(()),
    }
}

fn take(event: Event<ProjectDeleted>) -> Result<()> {
    mended("events", "takes no events on purpose")?;
    let project = event.data.project_id;
    sql::execute("INSERT INTO taken VALUES (?1)", params![project])?;
    Ok(())
}

fn answer() -> Json<bool> {
    Json(true)
}

fn panics() -> Json<bool> {
    panic!("panics on purpose")
}
