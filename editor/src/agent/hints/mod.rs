//! Hints: an example of each component's use, for libraries whose declaration asks for them. A model writes them, once for what the
//! library declares; each is held against the declarations, and what they do not allow is dropped. Nothing of it reaches a file of the
//! prototype.

mod checked;
mod kept;
mod wish;

use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

pub use checked::Hints;
pub use wish::Wish;

use super::lanes::Spent;
use super::question::{Model, Unanswered, ask};
use crate::models::budget::HINTS;
use crate::models::{Rates, Secrets};

/// What became of a library's hints.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// How many components have one.
    pub made: usize,
    /// How many were dropped.
    pub dropped: usize,
    /// Why the first of those was.
    pub why: Option<String>,
    /// Why there are none.
    pub problem: Option<String>,
    /// What was spent on them since the Editor started: nothing on those that were kept.
    pub cost: Spent,
}

/// What an answer came to, and its cost.
pub struct Asked {
    /// The hints, or why there are none.
    pub hints: Result<Hints, String>,
    /// What asking cost.
    pub cost: Spent,
}

impl Wish {
    /// Those that were kept when the same was asked before. Reads a file.
    #[must_use]
    pub fn kept(&self, folder: &Path) -> Option<Hints> {
        kept::read(folder, &self.name()).map(|hints| hints.checked_again(self))
    }

    /// Keeps hints for the next time.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn keep(&self, folder: &Path, hints: &Hints) -> std::io::Result<()> {
        kept::write(folder, &self.name(), hints)
    }

    /// Asks a model, once.
    pub async fn ask(&self, model: Model<'_>, rates: &Rates, secrets: &Secrets, stop: &CancellationToken) -> Asked {
        let answer = ask(model, self.request(secrets), HINTS, rates, stop).await;
        let cost = Spent {
            calls: u32::from(!matches!(answer.said, Err(Unanswered::Budget(_)))),
            input_tokens: answer.usage.all_input(),
            output_tokens: answer.usage.output,
            usd: answer.cost.usd,
            estimated: answer.cost.estimated,
        };
        let hints = match answer.said {
            Ok(said) => self.understand(&said, secrets),
            Err(why) => Err(checked::plain(&secrets.hide(&why.to_string()))),
        };
        Asked { hints, cost }
    }

    fn understand(&self, said: &Value, secrets: &Secrets) -> Result<Hints, String> {
        let list = said["hints"].as_array().filter(|list| !list.is_empty());
        let list = list.ok_or_else(|| Unanswered::Silent.to_string())?;
        let mut hints = Hints::default();
        for one in list {
            let text = |key: &str| one[key].as_str().unwrap_or_default();
            hints.take(self, text("component"), text("example"), secrets);
        }
        Ok(hints)
    }
}
