//! Lists twenty rows: what plugins in other languages are measured against (`tests/src/languages.rs`).

use galley_sdk::prelude::*;
use serde::Serialize;

galley_sdk::export!(plugin);

/// The plugin of the slot `twenty`.
pub fn plugin() -> Plugin {
    Plugin::new("twenty", env!("CARGO_PKG_VERSION"))
        .migration(1, include_str!("../remarks.sql"))
        .route(get("/api/v1/x/twenty/remarks", list).guard(Guard::public()))
}

#[derive(Debug, Serialize)]
struct Remarks {
    remarks: Vec<Remark>,
}

#[derive(Debug, Serialize)]
struct Remark {
    id: i64,
    author: String,
    text: String,
    created: i64,
    page: Option<String>,
}

fn list() -> Result<Json<Remarks>> {
    let sql = "SELECT id, author, text, created, page FROM remarks ORDER BY created";
    let rows: Vec<(i64, String, String, i64, Option<String>)> = sql::all(sql, params![])?;
    let remarks = rows.into_iter().map(|(id, author, text, created, page)| Remark {
        id,
        author,
        text,
        created,
        page,
    });
    Ok(Json(Remarks {
        remarks: remarks.collect(),
    }))
}
