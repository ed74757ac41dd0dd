//! Brings a panel that tries to get out of its frame, and reports what came of it by a route of its own.

use galley_sdk::prelude::*;
use serde_json::Value;

galley_sdk::export!(plugin);

const PATH: &str = "/api/v1/projects/{project}/x/intruder";

/// The plugin of the slot `intruder`.
pub fn plugin() -> Plugin {
    Plugin::new("intruder", env!("CARGO_PKG_VERSION"))
        .migration(1, "CREATE TABLE reports (text TEXT NOT NULL) STRICT")
        .route(get(PATH, read).guard(Guard::project_read()))
        .route(post(PATH, report).guard(Guard::project_read()))
        .ui(Ui::review_panel("Intruder", "panel.html").reads("GET /api/v1/projects/{project}/deployments"))
        .asset("panel.html", include_str!("../ui/panel.html"))
        .asset("panel.js", include_str!("../ui/panel.js"))
}

fn report(_project: ProjectId, Json(what): Json<Value>) -> Result<NoContent> {
    sql::execute(
        sql!("INSERT INTO reports (text) VALUES (?1)"),
        params![what.to_string()],
    )?;
    Ok(NoContent)
}

fn read(_project: ProjectId) -> Result<Json<Vec<Value>>> {
    let texts: Vec<(String,)> = sql::all(sql!("SELECT text FROM reports ORDER BY rowid"), params![])?;
    let parse = |(text,): (String,)| serde_json::from_str(&text).map_err(Error::internal);
    texts.into_iter().map(parse).collect::<Result<_>>().map(Json)
}
