//! A slot with a full-text index. `GET /api/v1/x/searcher/searches` runs searches that have no end, each a single step for
//! SQLite. The guard of `GET /api/v1/x/searcher/guarded/{key}` has a statement without end.

use galley_sdk::prelude::*;
use serde_json::{Value, json};

galley_sdk::export!(plugin);

/// Documents of the largest size, which hold one word 250,000 times.
const DOCUMENTS: &str = "CREATE VIRTUAL TABLE documents USING fts5(body);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4)
    INSERT INTO documents SELECT replace(hex(zeroblob(125000)), '0', 'a ') FROM n";

const ENDLESS_GUARD: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n WHERE ?1 <> ''";

/// The plugin of the slot `searcher`.
pub fn plugin() -> Plugin {
    let endless = Guard::project_read().project_sql("key", ENDLESS_GUARD, "No such key");
    Plugin::new("searcher", env!("CARGO_PKG_VERSION"))
        .migration(1, DOCUMENTS)
        .route(get("/api/v1/x/searcher/nothing", nothing).guard(Guard::public()))
        .route(get("/api/v1/x/searcher/searches", searches).guard(Guard::public()))
        .route(get("/api/v1/x/searcher/guarded/{key}", nothing).guard(endless))
}

fn nothing() -> NoContent {
    NoContent
}

/// Searches of tens of thousands of words in documents that hold them all: each with the code it was answered.
fn searches() -> Json<Value> {
    let words = |text: &str, count: u32| format!("replace(hex(zeroblob({})), '0', '{text}')", count / 2);
    let searches = [
        ("phrase", format!("'\"' || {} || 'b\"'", words("a ", 40_000))),
        ("words", format!("{} || 'b'", words("a ", 40_000))),
        ("near", format!("'NEAR(' || {} || 'b, 1000)'", words("a ", 20_000))),
    ];
    let mut codes: serde_json::Map<String, Value> = searches
        .into_iter()
        .map(|(name, search)| {
            let sql = format!("SELECT count(*) FROM documents WHERE documents MATCH {search}");
            (name.to_owned(), json!(code(sql::query(&sql, params![]))))
        })
        .collect();
    let ranked = "SELECT rank FROM documents WHERE documents MATCH 'a'
                  AND rank MATCH 'snippet(0, ''<'', ''>'', ''..'', 64)'";
    codes.insert("snippet".to_owned(), json!(code(sql::query(ranked, params![]))));
    Json(Value::Object(codes))
}

fn code<T>(answer: Result<T, Problem>) -> String {
    answer.map_or_else(|problem| problem.code, |_| "ok".into())
}
