//! What comes back while a model answers.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::request::{Assistant, ToolCall};

/// One thing that happened. The last one is [`Event::Stop`] or [`Event::Failed`], and exactly one of them comes.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// More of what it says.
    Text(String),
    /// More of what it thinks.
    Thinking(String),
    /// It calls a tool: whole, its arguments read.
    ToolUse(ToolCall),
    /// The provider's own tool is at work, as its search of the web.
    ServerTool(String),
    /// What was used so far by this call: replaces what was told before.
    Usage(Usage),
    /// Nothing was said yet, and the call is made again after this time.
    Retrying(Duration, Failure),
    /// It is done.
    Stop(StopReason, Assistant),
    /// It is not.
    Failed(Failure),
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// It said all it had to say.
    End,
    /// It waits for the results of its calls.
    ToolUse,
    /// The answer is as long as it may be.
    MaxTokens,
    /// The conversation is as long as it may be.
    ContextFull,
    /// It does not answer this.
    Refusal,
    /// The provider's own tools take long: the answer has to be sent back as it is.
    Pause,
}

/// Tokens of a call, each counted in one place only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Read by the model, and neither from the cache nor into it.
    pub input: u64,
    /// Written into the cache.
    pub cache_write: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written by the model, its thinking too.
    pub output: u64,
    /// Searches of the web.
    pub web_searches: u64,
}

impl Usage {
    /// Everything the model read.
    #[must_use]
    pub fn all_input(&self) -> u64 {
        self.input + self.cache_write + self.cache_read
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.cache_write += other.cache_write;
        self.cache_read += other.cache_read;
        self.output += other.output;
        self.web_searches += other.web_searches;
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{words}")]
pub struct Failure {
    /// What it was.
    pub kind: FailureKind,
    /// The answer's status, if there was one.
    pub status: Option<u16>,
    /// For people: the provider's words, without any secret.
    pub words: String,
}

/// The kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// 401: the key is not known.
    Authentication,
    /// 403: the key may not do this, or its account has no credit.
    Permission,
    /// 404: the model or the address is not there.
    NotFound,
    /// 413, or a request the provider finds too long.
    TooLarge,
    /// 429, with the provider's hint when to try again.
    RateLimited(Option<Duration>),
    /// 529, 503, or the same within an answer that had begun.
    Overloaded(Option<Duration>),
    /// Another 4xx: the request is wrong.
    BadRequest,
    /// Another 5xx.
    Server,
    /// The provider cannot be reached, or is silent.
    Network,
    /// What came is no answer: cut off, too large, or not of the format.
    Broken,
    /// The caller stopped it.
    Stopped,
}

impl Failure {
    /// Without a status.
    #[must_use]
    pub fn new(kind: FailureKind, words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            kind,
            status: None,
            words,
        }
    }

    /// When to try again, if the provider said it.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            FailureKind::RateLimited(after) | FailureKind::Overloaded(after) => after,
            _ => None,
        }
    }
}
