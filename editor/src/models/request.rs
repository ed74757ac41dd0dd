//! What a model is asked, in no provider's format.
//!
//! What a model answered is kept verbatim beside its meaning, unknown fields too: providers sign their thinking, and take an
//! answer back only as they gave it. Where the provider changed since, the meaning is sent instead.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::provider::Wire;

/// One call of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The model's name; empty for the one of the user's settings.
    pub model: String,
    /// Who the model is and how it works here. No date and nothing that changes from call to call: this is cached.
    pub system: String,
    /// What it can call. They are sent sorted by name.
    pub tools: Vec<Tool>,
    /// The conversation, the oldest first. It begins with what the user said.
    pub messages: Vec<Message>,
    /// How many tokens the answer may have.
    pub max_tokens: u32,
    /// Whether the provider may search the web for it. Providers without a search of their own ignore it.
    pub web_search: bool,
    /// The name of the one tool that has to be called, if any.
    pub must_call: Option<String>,
}

/// Something a model can call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name: letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// What it does.
    pub description: String,
    /// A JSON schema of its arguments: an object.
    pub input_schema: Value,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub enum Message {
    /// What the user, or the program for them, said; with the results of tools first.
    User {
        /// In order.
        parts: Vec<Part>,
    },
    /// What the model answered.
    Assistant(Assistant),
}

impl Message {
    /// A text of the user.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        let parts = vec![Part::Text { text: text.into() }];
        Self::User { parts }
    }
}

/// A piece of what the user said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// A text.
    Text {
        /// Its characters.
        text: String,
    },
    /// A picture.
    Image {
        /// As `image/png`.
        media_type: String,
        /// Its bytes in base64.
        data: String,
    },
    /// What a tool answered.
    ToolResult(ToolResult),
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call's id.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// Texts and pictures.
    pub parts: Vec<Part>,
    /// Whether it failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// A call that a model makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Names it in this conversation.
    pub id: String,
    /// The tool's name, which may be one that nobody offered.
    pub name: String,
    /// Its arguments, or what the model wrote when that is no JSON object.
    pub input: Result<Value, String>,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Assistant {
    /// Whose format `verbatim` has.
    pub wire: Wire,
    /// Anthropic: the blocks of its content. OpenAI: one message.
    pub verbatim: Vec<Value>,
    /// All it said, without its thinking.
    pub text: String,
    /// What it calls, in order.
    pub calls: Vec<ToolCall>,
}

impl Assistant {
    /// Words alone, as of an answer that was broken off. Nothing is verbatim: every provider is told them by their meaning.
    #[must_use]
    pub fn of_words(text: impl Into<String>) -> Self {
        Self {
            wire: Wire::Completions,
            verbatim: Vec::new(),
            text: text.into(),
            calls: Vec::new(),
        }
    }
}
