//! A plugin that misbehaves in every way a test can think of. `GET /api/v1/x/hostile/{deed}` does the deed.

mod administer;
mod cpu;
mod events;
mod kept;
mod output;
mod storage;

use galley_sdk::prelude::*;
use galley_sdk::random;
use serde::Deserialize;
use serde_json::{Value, json};

galley_sdk::export!(plugin);

/// A topic of the slot that nobody is subscribed to.
pub(crate) const TOPIC: &str = "hostile/mine";

/// The plugin of the slot `hostile`.
pub fn plugin() -> Plugin {
    Plugin::new("hostile", env!("CARGO_PKG_VERSION"))
        .migration(1, "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        .publishes(TOPIC, "{}")
        .route(get("/api/v1/x/hostile/{deed}", deed).guard(Guard::public()))
        .route(post("/api/v1/x/hostile/projects/{project}/trees/{step}", kept::tree).guard(Guard::project_manage()))
}

/// What a deed needs to know.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Detail {
    /// A name to use.
    name: String,
    /// How often.
    times: u32,
}

fn deed(Path(deed): Path<String>, Query(detail): Query<Detail>) -> Result<Response> {
    let answer = |value: Value| Ok(Json(value).into_response());
    match deed.as_str() {
        "nothing" => answer(json!({ "instance": instance() })),
        "spin" => cpu::spin(),
        "compute" => answer(json!(cpu::compute(detail.times))),
        "sleepless" => answer(json!(cpu::sleepless(detail.times))),
        "allocate" => cpu::allocate(),
        "recurse" => answer(json!(cpu::recurse(1))),
        "trap" => std::process::abort(),
        "panic" => panic!("panics on purpose"),
        "call-the-host" => loop {
            random::bytes(1);
        },
        "ask-for-much" => answer(json!(random::bytes(u32::MAX).len())),
        "flood" => answer(output::flood(detail.times)),
        "forge" => answer(output::forge(&detail.name)),
        "status" => Ok(Response::empty(detail.times as u16)),
        "header" => Ok(Response::empty(200).header(&detail.name, "value")),
        "header-value" => Ok(Response::empty(200).header("x-test", detail.name)),
        "answer-as" => Ok(output::answer_as(&detail.name)),
        "redirect" => Ok(Response::empty(302).header("location", detail.name)),
        "huge-answer" => Ok(Response::json(200, vec![b' '; 48 << 20])),
        "endless-query" => answer(storage::endless_query()),
        "endless-write" => answer(storage::endless_write()),
        "many-slow-queries" => answer(storage::many_slow_queries()),
        "heavy-sql" => answer(storage::heavy_sql(detail.times)),
        "gather" => answer(storage::gather()),
        "temp-objects" => answer(storage::temp_objects()),
        "too-many-rows" => answer(storage::too_many_rows()),
        "forbidden-sql" => answer(storage::forbidden()),
        "hold-the-lock" => storage::hold_the_lock(),
        "fill" => answer(storage::fill(detail.times)),
        "write" => answer(storage::write(&detail.name)),
        "count" => answer(storage::count()),
        "bad-keys" => answer(storage::bad_keys()),
        "administer" => answer(administer::everything(&detail.name)),
        "forge-events" => answer(events::forge(&detail.name)),
        "publish" => answer(events::publish(&detail.name, detail.times)),
        "keep-log" => answer(kept::keep_log(&detail.name)),
        "use-log" => answer(kept::use_log(&detail.name)),
        "drop-log" => answer(kept::drop_log(&detail.name)),
        "read-log" => answer(kept::read_log(&detail.name)),
        "keep-transaction" => answer(kept::keep_transaction()),
        "use-transaction" => answer(kept::use_transaction()),
        _ => Err(Error::not_found("No such deed")),
    }
}

/// A number that tells instances apart.
fn instance() -> u64 {
    thread_local! {
        static NUMBER: u64 = random::bytes(6).iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    }
    NUMBER.with(|number| *number)
}

/// The code of what the host answered; `ok` when it did what was asked.
pub(crate) fn code<T>(answer: Result<T, Problem>) -> String {
    answer.map_or_else(|problem| problem.code, |_| "ok".into())
}
