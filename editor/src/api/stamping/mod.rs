//! `POST /__stamp`: the dev server hands over modules before it compiles them, and gets them back with positions.

use std::sync::Arc;
use std::thread::available_parallelism;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use subtle::ConstantTimeEq;
use tokio::task::spawn_blocking;

use super::app::App;
use super::body;
use super::code::Code;
use super::error::ApiError;
use super::stamped::new_tag;
use crate::source::model::Project;
use crate::stamp;

mod parts;
mod several;

use parts::{Content, Module};
use several::Several;

/// All modules of a request together, in bytes. Larger ones are no source.
const MAX_BODY: usize = 16 << 20;
/// Modules of a request that are stamped at once, on the thread that read it: handing them to another thread would take
/// longer than they do.
const MAX_AT_ONCE: usize = 64 << 10;
const TOKEN: &str = "x-galley-token";

/// Stamps modules that are the file as it stands on disk: behind another plugin's changes positions would be wrong.
pub(super) async fn stamp(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let given = request.headers().get(TOKEN).map(|token| token.as_bytes());
    let known = app.parts.token.as_bytes();
    if !bool::from(given.unwrap_or_default().ct_eq(known)) || known.is_empty() {
        let reason = format!("{TOKEN} is not this run's");
        return Err(ApiError::new(Code::Token, reason));
    }
    let bytes = body::read(request.into_body(), MAX_BODY).await?;
    let length = bytes.len();
    let modules = parts::read(&bytes)?;
    let workspace = &app.parts.workspace;
    let is_quick = length <= MAX_AT_ONCE
        && modules
            .iter()
            .all(|module| workspace.is_own_at_once(&module.path).is_some());
    let answers = if is_quick {
        modules.iter().map(|module| answer(&app, module)).collect()
    } else {
        side_by_side(app, modules).await?
    };
    let body = Body::new(Several::new(answers));
    Ok(([(CONTENT_TYPE, "application/octet-stream")], body).into_response())
}

/// The same on as many threads as there are cores. The answers stand in the order of the modules.
async fn side_by_side(app: Arc<App>, modules: Vec<Module>) -> Result<Vec<Bytes>, ApiError> {
    let cores = available_parallelism().map_or(1, usize::from);
    let count = modules.len().div_ceil(cores).max(1);
    let mut modules = modules.into_iter();
    let groups =
        std::iter::from_fn(|| Some(modules.by_ref().take(count).collect::<Vec<_>>()).filter(|all| !all.is_empty()));
    let work: Vec<_> = groups
        .map(|group| {
            let app = Arc::clone(&app);
            spawn_blocking(move || group.iter().map(|module| answer(&app, module)).collect::<Vec<_>>())
        })
        .collect();
    let mut answers = Vec::new();
    for group in work {
        let group = group.await;
        answers.extend(group.map_err(|_| ApiError::internal("the stamping of a module ended early"))?);
    }
    Ok(answers)
}

/// A module's part of the answer.
fn answer(app: &App, module: &Module) -> Bytes {
    let code = match &module.content {
        Content::Text(code) => code,
        Content::Tag(tag) => return parts::same(holds(app, module, tag)),
    };
    if !app.parts.workspace.is_own(&module.path) {
        return parts::unstamped("git ignores it: what tools generate is not edited");
    }
    let result = stamped(app, module, code);
    app.set_unstamped(&module.path, result.as_ref().err().cloned());
    result.unwrap_or_else(|why| parts::unstamped(&why))
}

/// Whether the answer of that name is still what the module would get for its text. Whatever else there is to say of it is said when
/// the dev server then hands over the text.
fn holds(app: &App, module: &Module, tag: &str) -> bool {
    let workspace = &app.parts.workspace;
    let Some(on_disk) = workspace.read(&module.path).filter(|_| workspace.is_own(&module.path)) else {
        return false;
    };
    let holds = app.stamped.holds(&module.path, &on_disk, &module.custom, tag);
    if holds {
        app.set_unstamped(&module.path, None);
    }
    holds
}

fn stamped(app: &App, module: &Module, code: &str) -> Result<Bytes, String> {
    let code = code.strip_prefix('\u{feff}').unwrap_or(code);
    let Some(on_disk) = app.parts.workspace.read(&module.path) else {
        return Err(app.parts.workspace.why_unread(&module.path));
    };
    if *on_disk != *code {
        return Err("another plugin of the dev server changed it before the Editor saw it: \
                    its positions would be wrong"
            .to_owned());
    }
    if let Some(known) = app.stamped.get(&module.path, &on_disk, &module.custom) {
        return Ok(known);
    }
    let stamped = stamp::stamp_with(&module.path, code, &module.custom).map_err(|unstamped| unstamped.to_string())?;
    let tag = new_tag();
    let part = parts::stamped(&stamped, &tag);
    app.stamped.keep(&module.path, &on_disk, &module.custom, tag, &part);
    Ok(part)
}
