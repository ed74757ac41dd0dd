//! A turn of a chat as pages see it and as it is kept.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::conventions::{Left, Taken};

/// One request of the user with everything that came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// The page made it up: the same one again is the same turn.
    pub id: String,
    /// In milliseconds since 1970.
    pub at: u64,
    /// The same; `None` while it runs.
    pub ended_at: Option<u64>,
    /// What the user wrote.
    pub text: String,
    /// Elements the user selected.
    #[serde(default)]
    pub selection: Vec<Chip>,
    /// The page the preview showed.
    pub page: Option<String>,
    /// Which model answered.
    pub model: Option<String>,
    /// How it goes.
    pub status: Status,
    /// Why it failed.
    pub failure: Option<TurnFailure>,
    /// What happened, in order.
    #[serde(default)]
    pub items: Vec<Item>,
    /// What it cost.
    #[serde(default)]
    pub cost: Spent,
    /// Steps of the history.
    #[serde(default)]
    pub edits: Vec<String>,
    /// Whether all its edits were taken back.
    #[serde(default)]
    pub undone: bool,
    /// Whether it reached what it was asked for.
    pub goal: Option<Goal>,
}

/// An element the user selected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chip {
    /// Its stamp.
    pub src: String,
    /// The hash of the text that was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_hash: Option<String>,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// How a turn goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The model is at work.
    Running,
    /// The user is asked.
    Waiting,
    /// It came to its end.
    Done,
    /// The user stopped it.
    Stopped,
    /// It did not come to its end.
    Failed,
}

impl Status {
    /// Whether nothing more happens in it.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Stopped | Self::Failed)
    }
}

/// Why a turn failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnFailure {
    /// What it was.
    pub kind: FailedBy,
    /// A sentence for people.
    pub words: String,
    /// When it can be tried again.
    pub retry_seconds: Option<u64>,
    /// Whether it is the failure of the vendor's program.
    pub subscription: bool,
}

/// What a turn failed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailedBy {
    /// The key or the sign-in is not known.
    Authentication,
    /// Too much was asked in a short time.
    RateLimited,
    /// Anything else at the provider.
    Provider,
    /// The program ended.
    Interrupted,
    /// It took too many calls, or too long.
    Limit,
}

/// What was spent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spent {
    /// Dollars.
    pub usd: f64,
    /// Whether the price of each model was known.
    pub sure: bool,
    /// Tokens.
    pub input: u64,
    /// Tokens.
    pub output: u64,
    /// Tokens.
    pub cache_read: u64,
    /// Tokens.
    pub cache_write: u64,
}

impl Default for Spent {
    fn default() -> Self {
        Self {
            usd: 0.0,
            sure: true,
            input: 0,
            output: 0,
            cache_read: 0,
            cache_write: 0,
        }
    }
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.usd += other.usd;
        self.sure &= other.sure;
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
    }
}

/// Whether a turn reached what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// The judgement.
    pub verdict: Verdict,
    /// Its reason.
    pub why: String,
}

/// A judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It did.
    Reached,
    /// It did not.
    NotReached,
    /// It cannot be told.
    Unclear,
}

/// Something that happened in a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its number in the turn, from 0.
    pub n: usize,
    /// What it is.
    #[serde(flatten)]
    pub what: What,
}

/// The kinds of what happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum What {
    /// What the model says, as Markdown.
    Text {
        /// So far.
        text: String,
    },
    /// What it thinks.
    Thinking {
        /// So far.
        text: String,
    },
    /// It used a tool.
    Tool {
        /// By its name.
        tool: String,
        /// A sentence.
        title: String,
        /// Of which server.
        server: Option<String>,
        /// How it went.
        status: ToolStatus,
        /// Its result in short, or why there is none.
        detail: Option<String>,
    },
    /// Files were changed.
    Edit {
        /// The step of the history.
        edit_id: String,
        /// What the history calls it.
        title: String,
        /// The files with their diffs.
        files: Value,
        /// Whose edit it was.
        by: By,
        /// A picture of what it is about, before it: a path of the API.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// The same after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    /// The user is asked.
    Approval {
        /// Its id.
        approval: String,
        /// What about.
        about: About,
        /// A sentence.
        title: String,
        /// The command, the arguments or the diff.
        detail: String,
        /// What can be answered.
        choices: Vec<Choice>,
        /// What was.
        answer: Option<Choice>,
    },
    /// Something people should know.
    Notice {
        /// How bad it is.
        level: Level,
        /// For programs.
        code: String,
        /// A sentence.
        words: String,
    },
    /// What the repository tells assistants.
    Conventions {
        /// Files the model gets.
        taken: Vec<Taken>,
        /// Files it does not get.
        left: Vec<Left>,
    },
}

/// How a use of a tool goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolStatus {
    /// It is at work.
    Running,
    /// It answered.
    Done,
    /// It could not.
    Failed,
    /// It was not allowed to.
    Refused,
}

/// Whose edit it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The engine's.
    Edit,
    /// The model's, through the gate.
    Propose,
}

/// What the user is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum About {
    /// Starting a server.
    Server,
    /// Calling a tool.
    Tool,
    /// A change that is large, or can do something new.
    Change,
}

/// What can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// This time.
    Once,
    /// For this session of the chat.
    Session,
    /// From now on.
    Always,
    /// No.
    No,
}

/// How bad something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// To be known.
    Info,
    /// To be thought of.
    Warning,
    /// To be corrected.
    Error,
}

impl Turn {
    /// Nothing happened yet.
    #[must_use]
    pub fn new(id: String, at: u64, text: String, selection: Vec<Chip>, page: Option<String>) -> Turn {
        Turn {
            id,
            at,
            ended_at: None,
            text,
            selection,
            page,
            model: None,
            status: Status::Running,
            failure: None,
            items: Vec::new(),
            cost: Spent::default(),
            edits: Vec::new(),
            undone: false,
            goal: None,
        }
    }
}

/// Whether a text can be the id of a session or a turn.
#[must_use]
pub fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}
