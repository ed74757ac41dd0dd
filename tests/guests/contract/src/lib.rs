//! Uses each part of the contract once, so that a component which was built for an older version of it shows whether the
//! host still answers as it did then.

use galley_sdk::extract;
use galley_sdk::outbound::{self, Credential, Request};
use galley_sdk::prelude::*;
use galley_sdk::{
    accounts, attachments, bells, blobs, clock, config, events, log, logs, projects, random, settings, sites,
};
use serde::Deserialize;
use serde_json::{Value, json};

galley_sdk::export!(plugin);

/// The slot's own topic.
const NOTED: &str = "contract/contract-noted";

/// The plugin of the slot `contract`.
pub fn plugin() -> Plugin {
    let manage = Guard::project_manage();
    Plugin::new("contract", env!("CARGO_PKG_VERSION"))
        .migration(
            1,
            "CREATE TABLE notes (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL) STRICT",
        )
        .on_start(started)
        .setting("depth", 3, "How deep it goes")
        .host("contract.example.com")
        .job("note", "1s", job)
        .ui(Ui::page("Contract", "page.html").reads("GET /api/v1/projects"))
        .asset("page.html", "<!doctype html><title>Contract</title>")
        .on("project-deleted", project_deleted)
        .publishes(NOTED, r#"{ "type": "object" }"#)
        .on(NOTED, noted)
        .route(get("/api/v1/x/contract/{first}/{second}", request).guard(Guard::public()))
        .route(get("/api/v1/projects/{project}/x/contract", notes).guard(Guard::project_read()))
        .route(post("/api/v1/projects/{project}/x/contract", note).guard(Guard::project_comment()))
        .route(get("/api/v1/projects/{project}/x/contract/stream", stream).guard(Guard::project_read()))
        .route(get("/api/v1/projects/{project}/x/contract/log", follow).guard(Guard::project_read()))
        .route(post("/api/v1/projects/{project}/x/contract/small", small).guard(manage))
        .route(post("/api/v1/projects/{project}/x/contract/versions/{version}", publish).guard(manage))
        .route(post("/api/v1/projects/{project}/x/contract/live/{version}", activate).guard(manage))
        .route(galley_sdk::delete("/api/v1/projects/{project}/x/contract/versions/{version}", remove).guard(manage))
}

fn keep(kind: &str, text: &str) -> Result<()> {
    sql::execute("INSERT INTO notes (kind, text) VALUES (?1, ?2)", params![kind, text])?;
    Ok(())
}

fn started() -> Result<()> {
    keep("started", "")
}

fn job() -> Result<()> {
    keep("job", "note")
}

fn project_deleted(event: Event<events::ProjectDeleted>) -> Result<()> {
    keep("deleted", &event.data.project_id)
}

fn noted(event: Event<Value>) -> Result<()> {
    keep(
        "event",
        &json!({ "topic": event.topic, "source": event.source, "attempt": event.attempt, "data": event.data })
            .to_string(),
    )
}

fn request(caller: Caller, Path(params): Path<(String, String)>, request: extract::Request) -> Json<Value> {
    log::info(format_args!("contract: {}", request.id));
    Json(json!({
        "hasId": !request.id.is_empty(),
        "method": request.method,
        "path": request.path,
        "query": request.query,
        "params": [params.0, params.1],
        "header": request.header("x-test"),
        "cookie": request.header("cookie"),
        "caller": {
            "email": caller.user.as_ref().map(|user| &user.email),
            "role": caller.user.as_ref().map(|user| &user.role),
            "anonymous": caller.is_anonymous(),
            "admin": caller.is_admin(),
            "canWrite": caller.can_write,
        },
    }))
}

fn notes() -> Result<Json<Vec<Value>>> {
    let rows = sql::query("SELECT kind, text FROM notes ORDER BY id", params![])?;
    let notes = rows.map(|row| Ok(json!({ "kind": row.take::<String>()?, "text": row.take::<String>()? })));
    Ok(Json(notes.collect::<Result<_, _>>()?))
}

#[derive(Deserialize)]
struct Note {
    text: String,
}

fn note(project: ProjectId, Json(note): Json<Note>) -> Result<(Status, Json<Value>)> {
    let event = json!({ "projectId": &*project, "text": note.text });
    sql::batch()
        .step(
            "INSERT INTO notes (kind, text) VALUES ('note', ?1)",
            params![note.text.as_str()],
        )
        .publish(NOTED, &event)
        .run()?;
    bells::ring(&project);
    let forged = events::publish("project-deleted", &json!({ "projectId": &*project }));
    let forged = forged.map_or_else(|problem| problem.code, |()| "ok".into());
    Ok((Status::CREATED, Json(json!({ "forged": forged }))))
}

fn stream(project: ProjectId) -> Result<Tail> {
    Ok(tail::bell(&project, "hello", "ring", 25_000)?)
}

fn follow() -> Result<Tail> {
    let log = logs::open("contract")?;
    log.append("one line\n")?;
    log.close("done")?;
    Ok(tail::log("contract", 25_000)?)
}

/// One function of each small interface.
fn small(project: ProjectId, caller: Caller) -> Result<Json<Value>> {
    blobs::put("contract", b"blob")?;
    attachments::set(&project, &json!({ "contract": true }))?;
    let user = caller.user.map(|user| user.id).unwrap_or_default();
    Ok(Json(json!({
        "blob": blobs::get("contract", 0, 100)?.map(|bytes| bytes.len()),
        "account": accounts::get(&user)?.map(|account| account.email),
        "project": projects::get(&project).map(|project| project.slug),
        "setting": settings::get::<bool>("allowPublicLinks").is_some(),
        "id": random::id().len(),
        "later": clock::now_ms() > 0,
        "depth": config::get::<u32>("depth"),
        "outside": outside(),
    })))
}

/// The codes of two requests that are sent together, to hosts it did not declare.
fn outside() -> Vec<String> {
    let requests = ["a.example.com", "b.example.com"].map(|host| Request::get(&Credential::host(host), "/"));
    let answers = outbound::fetch_all(&requests).into_iter();
    answers
        .map(|answer| answer.map_or_else(|problem| problem.code, |answer| answer.status.to_string()))
        .collect()
}

fn publish(Path((project, version)): Path<(String, String)>, upload: Upload) -> Result<Json<Value>> {
    let tree = upload.tree;
    let found = tree.search(&[".html"], "<h1>", 10)?.len();
    let read = tree.read("index.html", 0, 4)?.len();
    let (files, stat, entries) = (tree.files(), tree.stat("index.html"), tree.entries(None, 10).len());
    tree.publish(&project, &version)?;
    let answer = json!({ "files": files, "found": found, "read": read, "entries": entries, "stat": stat.is_some(),
        "sha256": upload.sha256.len(), "sized": upload.size > 0 });
    Ok(Json(answer))
}

fn activate(Path((project, version)): Path<(String, String)>) -> Result<Json<Value>> {
    sites::activate(&project, &version)?;
    let versions: Vec<_> = sites::versions(&project)?
        .into_iter()
        .map(|version| version.id)
        .collect();
    Ok(Json(json!({ "live": sites::live(&project)?, "versions": versions })))
}

fn remove(Path((project, version)): Path<(String, String)>) -> Result<NoContent> {
    sites::remove(&project, &version)?;
    Ok(NoContent)
}
