//! `/api/models`: whose models are asked, with which key. A key is tried before it is kept, and never shown.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::app::{App, blocking};
use super::body::Json as Body;
use super::code::Code;
use super::error::ApiError;
use super::event::Event;
use crate::agent::lanes::Model;
use crate::agent::vendor;
use crate::home::PrivateError;
use crate::models::access::{self, MODEL_VARIABLE, PROVIDER_VARIABLE};
use crate::models::credentials::is_key;
use crate::models::{Access, Client, Credentials, KeySource, Provider};

/// A model's name is at most so long, in bytes.
const MAX_MODEL_BYTES: usize = 200;

/// Variables of the Editor's own environment.
pub(super) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// What holds for this prototype now.
pub(super) fn now(app: &App) -> (Access, Option<PrivateError>) {
    Access::find(&app.parts.home, app.parts.workspace.root(), &environment)
}

/// Asks the provider that is chosen now; 503 without a key.
pub(super) fn client(app: &App) -> Result<Client, ApiError> {
    let (access, problem) = now(app);
    if !access.is_ready() {
        return Err(match problem {
            Some(problem) => problem.into(),
            None => missing(&access),
        });
    }
    made(access, &app.parts.home)
}

/// Who tries what the engine refused: the vendor's program where that was asked for, else as [`client`].
pub(super) fn model(app: &App) -> Result<Model, ApiError> {
    let (access, _) = now(app);
    if !vendor::is_used(app.parts.config.environment.use_subscription, &access) {
        return client(app).map(|client| Model::Provider(Box::new(client)));
    }
    let program = vendor::find(|name| std::env::var_os(name));
    let program = program.ok_or_else(|| ApiError::new(Code::MissingKey, vendor::missing()))?;
    let secrets = access::secrets(&app.parts.home);
    Ok(Model::subscription(program, access, secrets))
}

fn made(access: Access, home: &Path) -> Result<Client, ApiError> {
    Client::new(access, access::secrets(home)).map_err(|error| ApiError::internal(error.to_string()))
}

pub(super) fn missing(access: &Access) -> ApiError {
    ApiError::new(Code::MissingKey, access.missing())
}

/// `GET /api/models`
pub(super) async fn show(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || Ok(Json(shown(&app)))).await
}

fn shown(app: &App) -> Value {
    let (access, problem) = now(app);
    let stored = Credentials::load(&app.parts.home).unwrap_or_default();
    let subscription = vendor::is_used(app.parts.config.environment.use_subscription, &access);
    let decides = |name: String, is_set: bool| is_set.then_some(name);
    let provider = |provider: Provider| {
        let access = Access::to(provider, &stored, &environment);
        json!({
            "id": provider,
            "name": provider.name(),
            "key": access.key.as_ref().map(|(_, source)| json!({ "source": source })),
            "variable": provider.key_variable(),
            "model": access.model,
            "defaultModel": access::default_model(provider),
            "modelVariable": decides(MODEL_VARIABLE.to_owned(), access.model_by_environment),
            "baseUrl": access.base.as_ref().map(|base| base.as_str().trim_end_matches('/')),
            "defaultBaseUrl": provider.default_base(),
            "baseUrlVariable": decides(provider.base_variable(), access.base_by_environment),
        })
    };
    json!({
        "ok": true,
        "provider": access.provider,
        "chosenBy": access.chosen_by,
        "ready": access.is_ready(),
        "subscription": subscription,
        "missing": (!access.is_ready() && !subscription).then(|| access.missing()),
        "problem": problem.map(|problem| problem.to_string()),
        "providers": Provider::ALL.map(provider),
        "providerVariable": decides(PROVIDER_VARIABLE.to_owned(), access.chosen_by == access::ChosenBy::Environment),
    })
}

/// What is asked to be kept. Each of the three: absent, `None` for `null`, or a text.
struct Wanted {
    provider: Provider,
    key: Option<Option<String>>,
    model: Option<Option<String>>,
    base: Option<Option<String>>,
}

impl Wanted {
    fn read(mut body: Map<String, Value>) -> Result<Self, ApiError> {
        let wrong = |key: &str, why: &str| ApiError::bad_request(format!("`{key}`: {why}")).with("key", key);
        let provider = body.get("provider").and_then(Value::as_str).and_then(Provider::of);
        let provider =
            provider.ok_or_else(|| wrong("provider", "it must be anthropic, openai, gemini or compatible"))?;
        let mut text = |key: &str| match body.remove(key) {
            None => Ok(None),
            Some(Value::Null) => Ok(Some(None)),
            Some(Value::String(text)) => Ok(Some(Some(text.trim().to_owned()))),
            Some(_) => Err(wrong(key, "it must be a text or null")),
        };
        let (key, model, base) = (text("key")?, text("model")?, text("baseUrl")?);
        if key.iter().flatten().any(|key| !is_key(key)) {
            return Err(wrong(
                "key",
                "it cannot be a key: copy it once more, whole and without spaces",
            ));
        }
        if model
            .iter()
            .flatten()
            .any(|model| model.is_empty() || model.len() > MAX_MODEL_BYTES)
        {
            return Err(wrong("model", "it cannot be a model's name"));
        }
        if let Some(why) = base.iter().flatten().find_map(|base| access::address(base).err()) {
            return Err(wrong("baseUrl", &why));
        }
        Ok(Self {
            provider,
            key,
            model,
            base,
        })
    }

    /// What a variable decides cannot be changed.
    fn check(&self, app: &App) -> Result<(), ApiError> {
        let stored = Credentials::load(&app.parts.home)?;
        let access = Access::to(self.provider, &stored, &environment);
        let decided = |key: &str, variable: &str| {
            let reason = format!("`{key}`: {variable} decides it: change it there and start the Editor again");
            Err(ApiError::bad_request(reason).with("key", key))
        };
        let has_key = matches!(access.key, Some((_, KeySource::Environment)));
        if self.key.is_some() && has_key {
            return decided("key", &self.provider.key_variable());
        }
        if self.model.is_some() && access.model_by_environment {
            return decided("model", MODEL_VARIABLE);
        }
        if self.base.is_some() && access.base_by_environment {
            return decided("baseUrl", &self.provider.base_variable());
        }
        let (now, _) = now(app);
        if now.chosen_by == access::ChosenBy::Environment && now.provider != self.provider {
            return decided("provider", PROVIDER_VARIABLE);
        }
        Ok(())
    }

    /// What would be asked with.
    fn access(&self, app: &App) -> Access {
        let mut stored = Credentials::load(&app.parts.home).unwrap_or_default();
        self.put(&mut stored, app.parts.workspace.root());
        Access::to(self.provider, &stored, &environment)
    }

    fn put(&self, stored: &mut Credentials, root: &Path) {
        let kept = stored.providers.entry(self.provider).or_default();
        for (new, place) in [
            (&self.key, &mut kept.key),
            (&self.model, &mut kept.model),
            (&self.base, &mut kept.base_url),
        ] {
            if let Some(new) = new {
                place.clone_from(new);
            }
        }
        stored.roots.insert(root.display().to_string(), self.provider);
    }

    /// Whether the provider has to be asked first: a new key, or an old one that would go to another address.
    fn is_new(&self) -> bool {
        matches!(self.key, Some(Some(_))) || self.base.is_some()
    }
}

/// `PUT /api/models`
pub(super) async fn choose(
    State(app): State<Arc<App>>,
    Body(body): Body<Map<String, Value>>,
) -> Result<Json<Value>, ApiError> {
    let wanted = Wanted::read(body)?;
    let (app_too, wanted) = (Arc::clone(&app), Arc::new(wanted));
    let asked = Arc::clone(&wanted);
    let access = blocking(move || {
        asked.check(&app_too)?;
        Ok(asked.access(&app_too))
    })
    .await?;
    let mut models = None;
    if wanted.is_new()
        && let Some(problem) = &access.base_problem
    {
        let provider = wanted.provider.name();
        let reason = format!("{provider} could not be asked, so nothing was kept: {problem}");
        return Err(ApiError::new(Code::KeyRefused, reason).with("words", problem.as_str()));
    }
    if wanted.is_new() && access.base.is_some() {
        let client = made(access, &app.parts.home)?;
        let listed = client.models().await.map_err(|failure| {
            let provider = wanted.provider.name();
            let reason = match failure.status {
                Some(status) => format!("{provider} refused the key ({status}), so nothing was kept: {failure}"),
                None => format!("{provider} could not be asked, so nothing was kept: {failure}"),
            };
            let words = failure.words.clone();
            ApiError::new(Code::KeyRefused, reason).with("words", words)
        })?;
        models = Some(listed);
    }
    let answer = blocking(move || {
        let root = app.parts.workspace.root();
        let kept = Credentials::change(&app.parts.home, |stored| wanted.put(stored, root));
        kept?;
        app.tell(Event::new("models", json!({})));
        Ok(shown(&app))
    });
    let mut answer = answer.await?;
    if let Some(models) = models {
        answer["models"] = json!(models);
    }
    Ok(Json(answer))
}

#[derive(Deserialize)]
pub(super) struct Asked {
    provider: Option<String>,
}

/// `GET /api/models/available`
pub(super) async fn available(
    State(app): State<Arc<App>>,
    Query(asked): Query<Asked>,
) -> Result<Json<Value>, ApiError> {
    let client = match asked.provider {
        None => client(&app)?,
        Some(id) => {
            let provider = Provider::of(&id).ok_or_else(|| {
                ApiError::bad_request("`provider`: there is none by that name").with("key", "provider")
            })?;
            let stored = Credentials::load(&app.parts.home)?;
            let access = Access::to(provider, &stored, &environment);
            if !access.is_ready() {
                return Err(missing(&access));
            }
            made(access, &app.parts.home)?
        }
    };
    let models = client.models().await.map_err(|failure| {
        let reason = format!(
            "{} does not say which models there are: {failure}",
            client.access().provider.name()
        );
        ApiError::new(Code::KeyRefused, reason).with("words", failure.words)
    })?;
    Ok(Json(json!({ "ok": true, "models": models })))
}
