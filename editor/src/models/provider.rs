//! Who provides models.

use serde::{Deserialize, Serialize};

/// A provider, as `EDITOR_PROVIDER` names it in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Anthropic.
    Anthropic,
    /// OpenAI.
    OpenAi,
    /// Google's Gemini, by its endpoint that speaks OpenAI's format.
    Gemini,
    /// Whatever speaks OpenAI's format at an address of one's own: Ollama, vLLM, a gateway.
    Compatible,
}

/// How a provider is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// Anthropic's Messages.
    Messages,
    /// OpenAI's Chat Completions.
    Completions,
}

impl Provider {
    /// All of them, in the order in which keys are looked for.
    pub const ALL: [Provider; 4] = [Self::Anthropic, Self::OpenAi, Self::Gemini, Self::Compatible];

    /// As the wire, the file and `EDITOR_PROVIDER` have it.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Gemini => "gemini",
            Self::Compatible => "compatible",
        }
    }

    /// The provider of an id.
    #[must_use]
    pub fn of(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.id() == id)
    }

    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "Anthropic",
            Self::OpenAi => "OpenAI",
            Self::Gemini => "Gemini",
            Self::Compatible => "Compatible endpoint",
        }
    }

    /// What its variables begin with, as in `ANTHROPIC_API_KEY`.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Anthropic => "ANTHROPIC",
            Self::OpenAi => "OPENAI",
            Self::Gemini => "GEMINI",
            Self::Compatible => "COMPATIBLE",
        }
    }

    /// The variable that holds its key.
    #[must_use]
    pub fn key_variable(self) -> String {
        format!("{}_API_KEY", self.prefix())
    }

    /// The variable that holds its address.
    #[must_use]
    pub fn base_variable(self) -> String {
        format!("{}_BASE_URL", self.prefix())
    }

    /// Its format.
    #[must_use]
    pub fn wire(self) -> Wire {
        match self {
            Self::Anthropic => Wire::Messages,
            Self::OpenAi | Self::Gemini | Self::Compatible => Wire::Completions,
        }
    }

    /// Where it is spoken to when nobody says otherwise. An endpoint of one's own has to be named.
    #[must_use]
    pub fn default_base(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("https://api.anthropic.com"),
            Self::OpenAi => Some("https://api.openai.com/v1"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com/v1beta/openai"),
            Self::Compatible => None,
        }
    }
}
