//! Fails when it is started, until the instance allows public links: its slot must answer 503, and the server must not care.
//! Then it takes no event, until the instance forbids anonymous comments.

use galley_sdk::events::ProjectDeleted;
use galley_sdk::prelude::*;
use galley_sdk::settings;

galley_sdk::export!(plugin);

const TAKEN: &str = "CREATE TABLE taken (project TEXT NOT NULL)";

/// The plugin of the slot `broken`.
pub fn plugin() -> Plugin {
    Plugin::new("broken", env!("CARGO_PKG_VERSION"))
        .postgres()
        .migration(1, TAKEN)
        .postgres_migration(1, TAKEN)
        .on_start(|| mended("allowPublicLinks", true, "broken on purpose"))
        .on("project-deleted", take)
        .route(get("/api/v1/x/broken", answer).guard(Guard::public()))
        .route(get("/api/v1/x/broken/panic", panics).guard(Guard::public()))
}

fn mended(setting: &str, by: bool, problem: &'static str) -> Result<()> {
    match settings::get::<bool>(setting) == Some(by) {
        true => Ok(()),
        false => Err(Error::conflict(problem)),
    }
}

fn take(event: Event<ProjectDeleted>) -> Result<()> {
    mended("allowAnonymousComments", false, "takes no events on purpose")?;
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
