//! The peer of the list of comments: the same handler by hand, in plain axum and rusqlite, with nothing around it.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path as UrlPath, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rusqlite::{Connection, OpenFlags, Row};
use serde::Serialize;
use serde_json::value::RawValue;

/// Serves the comments of a database until it is ended. Prints its address first.
pub fn serve(database: &Path) -> Result<()> {
    let database = Arc::new(database.to_owned());
    // As many workers as the server has: one for each core.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}", listener.local_addr()?);
        let router = Router::new()
            .route("/api/v1/projects/{project}/comments", get(list))
            .with_state(database);
        Ok(axum::serve(listener, router).await?)
    })
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
    number: i64,
    body: String,
    position: Position,
    deployment_id: Option<String>,
    author: Author,
    mentions: Box<RawValue>,
    images: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_key: Option<String>,
    resolved: bool,
    resolved_by: Option<Author>,
    resolved_at: Option<String>,
    /// Nothing is unread for a caller without an account.
    unread: bool,
    replies: [(); 0],
    edited_at: Option<String>,
    created_at: String,
    updated_at: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Position {
    anchor_selector: String,
    page: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<Box<RawValue>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Author {
    uid: String,
    display_name: String,
}

fn raw(json: String) -> rusqlite::Result<Box<RawValue>> {
    RawValue::from_string(json).map_err(|_| rusqlite::Error::InvalidQuery)
}

fn comment(row: &Row<'_>) -> rusqlite::Result<Comment> {
    let given = |at: usize| -> rusqlite::Result<Option<String>> {
        Ok(Some(row.get::<_, String>(at)?).filter(|text| !text.is_empty()))
    };
    Ok(Comment {
        id: row.get(0)?,
        project_id: row.get(1)?,
        number: row.get(2)?,
        body: row.get(3)?,
        position: Position {
            anchor_selector: row.get(4)?,
            page: row.get(5)?,
            anchor: given(6)?.map(raw).transpose()?,
        },
        deployment_id: given(7)?,
        author: Author {
            uid: row.get(8)?,
            display_name: row.get(9)?,
        },
        mentions: raw(row.get(10)?)?,
        images: raw(row.get(11)?)?,
        client_key: given(12)?,
        resolved: row.get(13)?,
        resolved_by: match given(14)? {
            Some(uid) => Some(Author {
                uid,
                display_name: row.get(15)?,
            }),
            None => None,
        },
        resolved_at: given(16)?,
        unread: false,
        replies: [],
        edited_at: given(17)?,
        created_at: row.get(18)?,
        updated_at: row.get(19)?,
    })
}

const SQL: &str = "SELECT id, project_id, number, body, anchor_selector, page, anchor, deployment_id, author_uid, author_name, \
                   mentions, images, client_key, resolved, resolved_by_uid, resolved_by_name, resolved_at, edited_at, created_at, \
                   updated_at FROM comments WHERE project_id = ?1 ORDER BY seq";

fn read(database: &Path, project: &str) -> rusqlite::Result<List> {
    thread_local! {
        static CONNECTION: RefCell<Option<Connection>> = const { RefCell::new(None) };
    }
    CONNECTION.with_borrow_mut(|connection| {
        let connection = match connection {
            Some(connection) => connection,
            None => connection.insert(Connection::open_with_flags(
                database,
                OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )?),
        };
        let mut statement = connection.prepare_cached(SQL)?;
        let comments = statement
            .query_map([project], comment)?
            .collect::<rusqlite::Result<_>>()?;
        Ok(List { comments })
    })
}

async fn list(State(database): State<Arc<PathBuf>>, UrlPath(project): UrlPath<String>) -> Response {
    // In place, as the fastest such handlers do: handing it to another thread costs as much as the query.
    match read(&database, &project).map(|list| serde_json::to_vec(&list)) {
        Ok(Ok(json)) => ([(header::CONTENT_TYPE, "application/json")], Body::from(json)).into_response(),
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
