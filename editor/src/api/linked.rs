//! Which project of which review server the prototype belongs to, and hearing of its comments.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use serde_json::json;

use super::app::App;
use super::code::Code;
use super::error::ApiError;
use super::event::Event;
use super::peer;
use crate::config::Config;
use crate::home::{PrivateError, tokens};

/// After a failure the review server is left alone so long, and longer each time up to the latter.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The link as `.tool/config.json` has it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) id: String,
    pub(super) slug: Option<String>,
    pub(super) name: Option<String>,
    pub(super) viewer_url: Option<String>,
    pub(super) base_url: String,
}

impl Link {
    /// `None` when the prototype is not linked, or the file is not usable.
    pub(super) fn read(app: &App) -> Option<Self> {
        let tool = Config::load(&app.parts.prototype).ok()?.tool;
        let (project, base) = (tool.project, tool.platform_base_url?);
        let id = project.as_ref().map(|project| project.id.clone()).or(tool.project_id);
        Some(Self {
            id: id.filter(|id| is_id(id))?,
            slug: project
                .as_ref()
                .map(|project| project.slug.clone())
                .or(tool.project_slug),
            viewer_url: project
                .as_ref()
                .and_then(|project| Some(project.viewer_url.as_ref()?.to_string())),
            name: project.map(|project| project.name),
            base_url: peer::base_url(base.as_str()).ok()?,
        })
    }

    /// The link, or that there is none.
    pub(super) fn require(app: &App) -> Result<Self, ApiError> {
        let reason = "The prototype is not linked to a project of a review server: link it first";
        Self::read(app).ok_or_else(|| ApiError::new(Code::NotLinked, reason))
    }

    /// What signs requests in there, if the user gave it.
    pub(super) fn token(&self, app: &App) -> Result<Option<String>, PrivateError> {
        Ok(tokens::all(&app.parts.home)?.remove(&self.base_url))
    }
}

/// Names of projects and comments become parts of addresses.
pub(super) fn is_id(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 128
        && id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// Rings `comments` whenever the review server says that something about them changed, for as long as the program runs.
/// Only while somebody listens.
pub(super) async fn ring(app: Arc<App>) {
    let mut pause = RETRY_INTERVAL;
    loop {
        let heard = match Link::read(&app).filter(|_| app.events.receiver_count() > 0) {
            Some(link) => tokio::select! {
                heard = listen(&app, &link) => heard,
                () = app.linked.notified() => true,
            },
            None => false,
        };
        pause = if heard {
            RETRY_INTERVAL
        } else {
            (pause * 2).min(MAX_PAUSE)
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = app.linked.notified() => pause = RETRY_INTERVAL,
        }
    }
}

/// Follows the stream to its end; whether there was one.
async fn listen(app: &App, link: &Link) -> bool {
    let address = format!("{}/api/v1/projects/{}/comments/stream", link.base_url, link.id);
    let mut request = app.web.get(address).header("accept", "text/event-stream");
    if let Ok(Some(token)) = link.token(app) {
        request = request.bearer_auth(token);
    }
    let Ok(response) = request.send().await else {
        return false;
    };
    if !response.status().is_success() {
        return false;
    }
    let mut stream = response.bytes_stream();
    while let Some(Ok(chunk)) = stream.next().await {
        // Frames are short and sent one by one; one that is torn is heard with the next.
        if chunk.windows(9).any(|part| part == b"\"changed\"") {
            app.tell(Event::new("comments", json!({})));
        }
    }
    true
}
