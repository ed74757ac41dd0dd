//! How the dev server is doing, in a word and in words.

use serde::Serialize;

use crate::proxy::Upstream;

/// As the interface shows it (`host` of `GET /api/editor/state`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// `vite`, `nuxt`, `react-router`, `next`, `astro`, or `attach`.
    pub kind: &'static str,
    /// The word.
    pub status: State,
    /// The words: what is going on, and what to do about it.
    pub words: String,
    /// The dev server's own last lines.
    pub log: Vec<String>,
    /// Where it listens, without a slash at the end; for the program only.
    #[serde(skip)]
    pub origin: Option<String>,
    /// The path its pages are below, `/` unless configured.
    #[serde(skip)]
    pub base: String,
}

/// The word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It was started and does not answer yet.
    Starting,
    /// It answers.
    Running,
    /// It ended, or could not be started.
    Failed,
    /// Somebody else started it.
    Attached,
}

impl Status {
    /// What the proxy needs of it.
    #[must_use]
    pub fn upstream(&self) -> Upstream {
        Upstream {
            origin: self.origin.clone(),
            base: self.base.clone(),
            starting: self.status == State::Starting,
            words: self.words.clone(),
            log: self.log.clone(),
        }
    }
}
