//! `POST /__stamp`: the dev server hands over a module before it compiles it, and gets it back with positions.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use super::app::{App, blocking};
use super::body;
use super::code::Code;
use super::error::ApiError;
use crate::source::model::Project;
use crate::stamp::{self, Stamped};

/// A module in JSON. Larger ones are no source.
const MAX_MODULE: usize = 16 << 20;
const TOKEN: &str = "x-galley-token";

#[derive(Deserialize)]
struct Module {
    path: String,
    code: String,
    /// Names that Vue is told are custom elements of the browser.
    #[serde(default)]
    custom: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct Answer {
    ok: bool,
    code: String,
    map: String,
    elements: usize,
}

/// Stamps a module, when it is the file as it stands on disk: behind another plugin's changes positions would be wrong.
pub(super) async fn stamp(State(app): State<Arc<App>>, request: Request) -> Result<Json<Answer>, ApiError> {
    let given = request.headers().get(TOKEN).map(|token| token.as_bytes());
    let known = app.parts.token.as_bytes();
    if !bool::from(given.unwrap_or_default().ct_eq(known)) || known.is_empty() {
        let reason = format!("{TOKEN} is not this run's");
        return Err(ApiError::new(Code::Token, reason));
    }
    let bytes = body::read(request.into_body(), MAX_MODULE).await?;
    let module: Module = body::parse(&bytes)?;
    blocking(move || {
        if !app.parts.workspace.is_own(&module.path) {
            return Err(unstamped("git ignores it: what tools generate is not edited".into()));
        }
        let result = work(&app, &module);
        app.set_unstamped(&module.path, result.as_ref().err().cloned());
        let Stamped { code, map, elements } = result.map_err(unstamped)?;
        Ok(Json(Answer {
            ok: true,
            code,
            map,
            elements,
        }))
    })
    .await
}

fn unstamped(why: String) -> ApiError {
    ApiError::new(Code::Unstamped, why)
}

fn work(app: &App, module: &Module) -> Result<Stamped, String> {
    let code = module.code.strip_prefix('\u{feff}').unwrap_or(&module.code);
    let Some(on_disk) = app.parts.workspace.read(&module.path) else {
        return Err("it is no source file of the prototype".to_owned());
    };
    if *on_disk != *code {
        return Err("another plugin of the dev server changed it before the Editor saw it: \
                    its positions would be wrong"
            .to_owned());
    }
    stamp::stamp_with(&module.path, code, &module.custom).map_err(|unstamped| unstamped.to_string())
}
