//! `describe` is derived from the routes.

use galley_sdk::prelude::*;
use galley_sdk::{Bytes, Plugin};
use serde_json::{Value, json};

fn upload(_: Upload) -> NoContent {
    NoContent
}

#[test]
fn the_manifest_has_the_shape_of_the_contract() {
    let plugin = Plugin::new("demo", "1.2.3")
        .migration(1, "CREATE TABLE t (id TEXT)")
        .route(get("/api/v1/a", || NoContent).guard(Guard::public()).summary("Words"))
        .route(
            post("/api/v1/b", |_: Json<Value>| NoContent)
                .max_bytes(10)
                .stream(1, 2, "Too many"),
        )
        .route(put("/api/v1/c", |_: Bytes| NoContent).guard(Guard::project_sql(
            Guard::project_read(),
            "id",
            "SELECT 1",
            "No",
        )))
        .route(
            patch("/api/v1/d", upload)
                .max_unpacked(5, 6)
                .guard(Guard::project_manage().read_only()),
        )
        .route(
            delete("/api/v1/e", |_: Caller| NoContent).guard(Guard::project_read().identified().anonymous_status(403)),
        )
        .on("project-deleted", |_: Event<Value>| Ok(()));
    let found: Value = serde_json::from_slice(&plugin.describe()).unwrap();
    let none = json!({ "kind": "none" });
    assert_eq!(
        found,
        json!({
            "slot": "demo",
            "version": "1.2.3",
            "routes": [
                { "method": "GET", "path": "/api/v1/a", "summary": "Words", "guard": { "kind": "public" }, "body": none },
                {
                    "method": "POST", "path": "/api/v1/b", "summary": "", "guard": { "kind": "project:manage" },
                    "body": { "kind": "json", "maxBytes": 10 },
                    "stream": { "maxPerClient": 1, "retryAfter": 2, "message": "Too many" },
                },
                {
                    "method": "PUT", "path": "/api/v1/c", "summary": "", "body": { "kind": "bytes" },
                    "guard": {
                        "kind": "project:read",
                        "project": { "param": "id", "sql": "SELECT 1", "notFound": "No" },
                    },
                },
                {
                    "method": "PATCH", "path": "/api/v1/d", "summary": "",
                    "guard": { "kind": "project:manage", "write": false },
                    "body": { "kind": "archive", "maxUnpackedBytes": 5, "maxEntries": 6 },
                },
                {
                    "method": "DELETE", "path": "/api/v1/e", "summary": "", "body": none,
                    "guard": { "kind": "project:read", "identified": true, "anonymousStatus": 403 },
                },
            ],
            "migrations": [{ "version": 1, "sql": "CREATE TABLE t (id TEXT)" }],
            "subscriptions": ["project-deleted"],
        })
    );
}
