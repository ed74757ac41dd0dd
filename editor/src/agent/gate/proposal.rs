//! What a model proposes, and how much of it is allowed.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::refusal::{Code, Refusal};
use crate::models::Tool;

/// The tool's name.
pub const TOOL: &str = "propose";

/// Changes of files, all of them or none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Each replaces one text; a file may come several times.
    pub files: Vec<Hunk>,
    /// What it is for, in a sentence.
    #[serde(default)]
    pub why: String,
}

/// One text of a file and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    /// Relative to the prototype's root, `/` between parts.
    pub path: String,
    /// What stands there now, exactly once in the file.
    pub old: String,
    /// What stands there afterwards.
    pub new: String,
}

impl Proposal {
    /// Reads the arguments of the tool.
    ///
    /// # Errors
    /// With what is wrong with them, for the model.
    pub fn read(input: &Value) -> Result<Self, String> {
        let proposal: Self = serde_json::from_value(input.clone()).map_err(|error| error.to_string())?;
        if proposal.files.is_empty() {
            return Err("`files` is empty: name at least one change".into());
        }
        Ok(proposal)
    }

    /// The tool as models are offered it.
    #[must_use]
    pub fn tool() -> Tool {
        Tool {
            name: TOOL.to_owned(),
            description: "Propose a change of source files. Each entry replaces the text `old` of the file `path` by `new`. `old` must be \
                copied exactly, white space included, and must occur exactly once in the file: add lines around it until it does. Change \
                nothing that was not asked for. The change is checked, and either made as a whole or refused with a reason."
                .to_owned(),
            input_schema: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["files", "why"],
                "properties": {
                    "files": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "additionalProperties": false,
                            "required": ["path", "old", "new"],
                            "properties": {
                                "path": { "type": "string", "description": "relative to the prototype's root" },
                                "old": { "type": "string", "description": "what stands there now, exactly once" },
                                "new": { "type": "string", "description": "what takes its place" }
                            }
                        }
                    },
                    "why": { "type": "string", "description": "one short sentence for the user" }
                }
            }),
        }
    }
}

/// How much one proposal may change, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The only files it may change; `None`: any of the prototype's own.
    pub paths: Option<Vec<String>>,
    /// Files at once.
    pub files: usize,
    /// Lines at once: those that are taken out and those that are put in, the larger number for each place.
    pub lines: usize,
    /// Whether a person can be asked for more ([`Refusal::can_be_granted`](super::Refusal)).
    pub can_ask: bool,
    /// What a person has allowed for this proposal.
    pub granted: Vec<Code>,
}

impl Limits {
    /// Of the lane for texts, attributes, styles and classes.
    #[must_use]
    pub fn save(paths: Vec<String>) -> Self {
        Self::lane(paths, 3, 40)
    }

    /// Of the lane for structure and items of lists.
    #[must_use]
    pub fn repair(paths: Vec<String>) -> Self {
        Self::lane(paths, 5, 120)
    }

    /// Of a chat: what goes past it needs a yes.
    #[must_use]
    pub fn chat() -> Self {
        Self {
            paths: None,
            files: 10,
            lines: 400,
            can_ask: true,
            granted: Vec::new(),
        }
    }

    /// Refuses what goes past them, unless a person has allowed it; where one can be asked, the refusal says so.
    pub(super) fn refuse(&self, refusal: Refusal) -> Result<(), Refusal> {
        if self.granted.contains(&refusal.code) {
            return Ok(());
        }
        Err(if self.can_ask { refusal.grantable() } else { refusal })
    }

    fn lane(paths: Vec<String>, files: usize, lines: usize) -> Self {
        Self {
            paths: Some(paths),
            files,
            lines,
            can_ask: false,
            granted: Vec::new(),
        }
    }
}
