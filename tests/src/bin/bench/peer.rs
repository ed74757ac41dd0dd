//! The other side of `list`: the same handler in plain axum and rusqlite, in a process of its own.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rusqlite::Connection;
use serde::Serialize;
use std::sync::Mutex;

const SQL: &str = "SELECT id, body, anchor_selector, page, author_uid, author_name, mentions, resolved, created_at, \
                   updated_at FROM comments WHERE project_id = ?1 ORDER BY seq";

struct Peer {
    projects: HashMap<String, ()>,
    token: String,
    database: String,
    idle: Mutex<Vec<Connection>>,
}

#[derive(Serialize)]
struct List {
    comments: Vec<Comment>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Comment {
    id: String,
    project_id: String,
    body: String,
    position: Position,
    author: Author,
    mentions: Vec<String>,
    resolved: bool,
    replies: [(); 0],
    created_at: String,
    updated_at: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Position {
    anchor_selector: String,
    page: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Author {
    uid: String,
    display_name: String,
}

/// Serves `GET /api/v1/projects/{project}/comments` of a slot's database on a free port, which it prints.
pub fn serve(database: &str, token: &str) {
    let connection = Connection::open(database).unwrap();
    let mut statement = connection.prepare("SELECT DISTINCT project_id FROM comments").unwrap();
    let projects = statement
        .query_map([], |row| Ok((row.get(0)?, ())))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let peer = Peer {
        projects,
        token: token.to_owned(),
        database: database.to_owned(),
        idle: Mutex::default(),
    };
    let app = Router::new()
        .route("/api/v1/projects/{project}/comments", get(list))
        .with_state(Arc::new(peer));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("{}", listener.local_addr().unwrap());
        axum::serve(listener, app).await.unwrap();
    });
}

async fn list(State(peer): State<Arc<Peer>>, Path(project): Path<String>, headers: HeaderMap) -> Response {
    let bearer = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if bearer != Some(&peer.token) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if !peer.projects.contains_key(&project) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let idle = peer.idle.lock().unwrap().pop();
    let connection = idle.unwrap_or_else(|| Connection::open(&peer.database).unwrap());
    let comments = {
        let mut statement = connection.prepare_cached(SQL).unwrap();
        let rows = statement.query_map([&project], |row| {
            Ok(Comment {
                id: row.get(0)?,
                project_id: project.clone(),
                body: row.get(1)?,
                position: Position {
                    anchor_selector: row.get(2)?,
                    page: row.get(3)?,
                },
                author: Author {
                    uid: row.get(4)?,
                    display_name: row.get(5)?,
                },
                mentions: serde_json::from_str(row.get_ref(6)?.as_str()?).unwrap(),
                resolved: row.get(7)?,
                replies: [],
                created_at: row.get(8)?,
                updated_at: row.get(9)?,
            })
        });
        rows.unwrap().collect::<Result<_, _>>().unwrap()
    };
    peer.idle.lock().unwrap().push(connection);
    axum::Json(List { comments }).into_response()
}
