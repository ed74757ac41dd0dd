//! Hints for libraries whose declaration asks for them, after the pass that reads libraries. A failure is said, and nothing else changes.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::app::App;
use super::error::ApiError;
use super::models::{client, now};
use crate::agent::hints::{Asked, Hints, Report, Wish};
use crate::agent::question::Model;
use crate::agent::vendor;
use crate::gate::Framework;
use crate::models::{Access, Client, Secrets, access};
use crate::source::model::{Library, Project};

/// Who is asked.
enum Whom {
    Provider(Box<Client>),
    Program { program: PathBuf, access: Access },
}

impl Whom {
    /// As for the lanes.
    fn find(app: &App) -> Result<Whom, String> {
        let (access, _) = now(app);
        if vendor::is_used(app.parts.config.environment.use_subscription, &access) {
            let program = vendor::find(|name| std::env::var_os(name)).ok_or_else(vendor::missing)?;
            return Ok(Whom::Program { program, access });
        }
        client(app)
            .map(|client| Whom::Provider(Box::new(client)))
            .map_err(reason)
    }

    async fn ask(&self, wish: &Wish, secrets: &Secrets) -> Asked {
        // Whoever ends the Editor does not wait for it.
        let stop = CancellationToken::new();
        let _stops = stop.clone().drop_guard();
        let (model, access) = match self {
            Whom::Provider(client) => (Model::Provider(client), client.access()),
            Whom::Program { program, access } => {
                let model = access.model.as_deref().filter(|_| access.model_by_environment);
                let model = Model::Program {
                    program,
                    model,
                    secrets,
                };
                (model, access)
            }
        };
        wish.ask(model, &access.rates(""), secrets, &stop).await
    }
}

fn reason(error: ApiError) -> String {
    let body = error.into_body();
    body["reason"].as_str().unwrap_or_default().to_owned()
}

impl App {
    /// Gets hints for the libraries whose declarations ask for them; gives in words what went wrong with which.
    pub async fn make_hints(&self) -> Vec<String> {
        let mut said = Vec::new();
        for at in 0..self.parts.workspace.libraries().len() {
            let library = self.parts.workspace.libraries()[at].clone();
            if library.hints {
                let report = self.hints_of(at, &library).await;
                said.extend(words(&library, &report));
                self.hints.lock().insert(at, report);
            }
        }
        said
    }

    /// What is told of a library's hints: null where its declaration does not ask for them.
    pub(super) fn hints_told(&self, at: usize) -> Value {
        let libraries = self.parts.workspace.libraries();
        if !libraries.get(at).is_some_and(|library| library.hints) {
            return Value::Null;
        }
        let report = self.hints.lock().get(&at).cloned();
        let mut told = json!(report.clone().unwrap_or_default());
        told["ready"] = json!(report.is_some());
        told
    }

    async fn hints_of(&self, at: usize, library: &Library) -> Report {
        let mut report = Report::default();
        match self.hints_for(library, &mut report).await {
            Ok(hints) => {
                report.made = hints.examples.len();
                (report.dropped, report.why) = (hints.dropped, hints.why.clone());
                self.offer(at, &hints);
            }
            Err(problem) => report.problem = Some(problem),
        }
        report
    }

    /// Those that are kept, or new ones.
    async fn hints_for(&self, library: &Library, report: &mut Report) -> Result<Hints, String> {
        let is_vue = self.parts.prototype.framework == Framework::Vue;
        let wish = Wish::of(library, is_vue).ok_or("none of its components declares a property")?;
        let wish = Arc::new(wish);
        let folder = self.parts.workspace.own_folder("hints");
        let folder = folder.map_err(|error| error.to_string())?;
        let (known, place) = (Arc::clone(&wish), folder.clone());
        let kept = spawn_blocking(move || known.kept(&place)).await;
        if let Ok(Some(hints)) = kept {
            return Ok(hints);
        }
        let whom = Whom::find(self)?;
        let asked = whom.ask(&wish, &access::secrets(&self.parts.home)).await;
        report.cost = asked.cost;
        let hints = asked.hints?;
        // Written and synced where nobody's request waits for it.
        let keep = spawn_blocking(move || (wish.keep(&folder, &hints), hints));
        let (kept, hints) = keep.await.map_err(|error| error.to_string())?;
        if let Err(error) = kept {
            tracing::warn!(%error, "hints could not be kept: the model is asked again at the next start");
        }
        Ok(hints)
    }

    /// Components are shown with their hints from now on.
    fn offer(&self, at: usize, hints: &Hints) {
        let workspace = &self.parts.workspace;
        let mut libraries = workspace.libraries().to_vec();
        let is_vue = self.parts.prototype.framework == Framework::Vue;
        for component in libraries[at].components.iter_mut().filter(|one| one.is_vue == is_vue) {
            component.hint = hints.examples.get(&component.name).cloned();
        }
        workspace.set_libraries(libraries);
    }
}

fn words(library: &Library, report: &Report) -> Option<String> {
    let label = &library.label;
    if let Some(problem) = &report.problem {
        let problem = problem.trim_end_matches('.');
        return Some(format!("There are no hints for the components of {label}: {problem}."));
    }
    let why = report.why.as_ref()?;
    let (made, dropped) = (report.made, report.dropped);
    Some(format!(
        "Of the hints for the components of {label} {made} are offered and {dropped} were dropped, the first because {why}."
    ))
}
