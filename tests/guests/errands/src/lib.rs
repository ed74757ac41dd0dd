//! Uses settings, hosts and jobs, well and badly: its routes tell what it sees, and what its jobs do is set by a route.

use std::time::Duration;

use galley_sdk::outbound::{self, Credential, Request};
use galley_sdk::prelude::*;
use galley_sdk::{clock, config};
use serde::Deserialize;
use serde_json::{Value, json};

galley_sdk::export!(plugin);

/// The plugin of the slot `errands`.
pub fn plugin() -> Plugin {
    Plugin::new("errands", env!("CARGO_PKG_VERSION"))
        .migration(
            1,
            "CREATE TABLE runs (id INTEGER PRIMARY KEY, job TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER) STRICT;
             CREATE TABLE mode (word TEXT NOT NULL) STRICT;
             CREATE TABLE starts (at INTEGER NOT NULL) STRICT",
        )
        .on_start(started)
        .setting("greeting", "Hello", "How people are greeted")
        .setting("days", 7, "Days until somebody is reminded")
        .setting("loud", false, "Whether it shouts")
        .secret("token", "The token of api.example.test")
        .secret("other", "")
        .host_with("api.example.test", "token")
        .host_with_header("key.example.test", "token", "x-api-key")
        .host("open.example.test")
        .job("tick", "1s", || errand("tick"))
        .job("tock", "1s", || errand("tock"))
        .job("nightly", "0 3 * * *", || errand("nightly"))
        .route(get("/api/v1/x/errands/config/{key}", setting).guard(Guard::public()))
        .route(post("/api/v1/x/errands/fetch", fetch).guard(Guard::public()))
        .route(get("/api/v1/x/errands/runs", runs).guard(Guard::public()))
        .route(get("/api/v1/x/errands/starts", starts).guard(Guard::public()))
        .route(put("/api/v1/x/errands/mode/{word}", mode).guard(Guard::public()))
}

fn started() -> Result<()> {
    sql::execute("INSERT INTO starts (at) VALUES (?1)", params![clock::now_ms() as i64])?;
    Ok(())
}

/// GET: what the plugin sees of a key.
fn setting(Path(key): Path<String>) -> Json<Value> {
    Json(json!({ "value": config::get::<Value>(&key), "hasSecret": config::has_secret(&key) }))
}

#[derive(Deserialize)]
struct Fetch {
    requests: Vec<One>,
    /// Whether they are sent together.
    #[serde(default)]
    together: bool,
}

#[derive(Deserialize)]
struct One {
    to: String,
    path: String,
    #[serde(default)]
    headers: Vec<(String, String)>,
}

/// POST: sends requests, and tells what came back.
fn fetch(Json(fetch): Json<Fetch>) -> Json<Vec<Value>> {
    let requests: Vec<Request> = fetch
        .requests
        .into_iter()
        .map(|one| {
            let mut request = Request::get(&Credential::host(&one.to), &one.path);
            request.headers.extend(one.headers);
            request
        })
        .collect();
    let answers = match fetch.together {
        true => outbound::fetch_all(&requests),
        false => requests.iter().map(outbound::fetch).collect(),
    };
    let describe = |answer: std::result::Result<outbound::Response, Problem>| match answer {
        Ok(answer) => json!({
            "status": answer.status, "headers": answer.headers, "bytes": answer.body.len(),
            "body": String::from_utf8_lossy(&answer.body[..answer.body.len().min(10_000)]),
        }),
        Err(problem) => json!({ "code": problem.code, "message": problem.message }),
    };
    Json(answers.into_iter().map(describe).collect())
}

/// What a job does: it notes when it began and ended, and in between what the mode says.
fn errand(job: &str) -> Result<()> {
    let began = clock::now_ms();
    let rows = sql::batch()
        .step(
            "INSERT INTO runs (job, began) VALUES (?1, ?2) RETURNING id",
            params![job, began as i64],
        )
        .run()?;
    let id = rows[0].one::<(i64,)>()?.map_or(0, |(id,)| id);
    let mode = sql::query("SELECT word FROM mode", params![])?.one::<(String,)>()?;
    match mode.as_ref().map_or("", |(word,)| word.as_str()) {
        "spin" => loop {
            std::hint::black_box(());
        },
        "fail" => return Err(Error::conflict("the errand was in vain")),
        "panic" => panic!("the errand went wrong"),
        "nap" => {
            let until = clock::monotonic() + Duration::from_millis(300);
            while clock::monotonic() < until {
                // Calls of the host are bounded.
                let mut number = std::hint::black_box(1_u64);
                for _ in 0..500_000 {
                    number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(number >> 7);
                }
                std::hint::black_box(number);
            }
        }
        _ => {}
    }
    sql::execute(
        "UPDATE runs SET ended = ?2 WHERE id = ?1",
        params![id, clock::now_ms() as i64],
    )?;
    Ok(())
}

/// GET: all runs.
fn runs() -> Result<Json<Vec<Value>>> {
    let rows = sql::query("SELECT job, began, ended FROM runs ORDER BY id", params![])?;
    let rows: Vec<(String, i64, Option<i64>)> = rows.all()?;
    let rows = rows
        .into_iter()
        .map(|(job, began, ended)| json!({ "job": job, "began": began, "ended": ended }));
    Ok(Json(rows.collect()))
}

/// GET: how often it was started.
fn starts() -> Result<Json<i64>> {
    let count = sql::query("SELECT count(*) FROM starts", params![])?.one::<(i64,)>()?;
    Ok(Json(count.map_or(0, |(count,)| count)))
}

/// PUT: what the jobs do from now on.
fn mode(Path(word): Path<String>) -> Result<NoContent> {
    sql::batch()
        .step("DELETE FROM mode", params![])
        .step("INSERT INTO mode (word) VALUES (?1)", params![word])
        .run()?;
    Ok(NoContent)
}
