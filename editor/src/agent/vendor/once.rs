//! One question to the program, which its model answers by the use of one tool. It is interrupted then: its model is asked once,
//! and its last word is what that cost.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::STOP_TIMEOUT;
use super::program::Start;
use super::talk::{Heard, Talk, Wants};
use super::verdict::Verdict;
use crate::models::{Failure, FailureKind, Part, Tool};

/// What a question came to.
#[derive(Debug)]
pub struct Once {
    /// The tool that was used, with its arguments; `None` when the model used none. Or why it could not be asked.
    pub said: Result<Option<(String, Value)>, Failure>,
    /// What it cost, where the program still said it.
    pub verdict: Option<Verdict>,
}

/// Asks, for at most so long. `stop` ends it with [`FailureKind::Stopped`]. Within a runtime only.
pub async fn once(
    program: &Path,
    start: &Start<'_>,
    parts: &[Part],
    tools: &[Tool],
    limit: Duration,
    stop: &CancellationToken,
) -> Once {
    let broken = |why: &str| Failure::new(FailureKind::Server, format!("the vendor's program {why}"));
    let mut talk = match Talk::with(program, start, parts) {
        Ok(talk) => talk,
        Err(error) => {
            return Once {
                said: Err(broken(&format!("cannot be started: {error}"))),
                verdict: None,
            };
        }
    };
    let heard = tokio::select! {
        heard = answer(&mut talk, tools) => heard,
        () = stop.cancelled() => Answer::Not(Failure::new(FailureKind::Stopped, "it was stopped")),
        () = sleep(limit) => Answer::Not(broken("took too long")),
    };
    let (said, verdict) = match heard {
        Answer::Used(name, arguments) => (Ok(Some((name, arguments))), None),
        Answer::Nothing => (Ok(None), None),
        Answer::Not(failure) => (Err(failure), None),
        Answer::Gone => {
            return Once {
                said: Err(broken("ended before it answered")),
                verdict: None,
            };
        }
        Answer::Over(verdict) => (verdict.end.clone().map(|()| None), Some(verdict)),
    };
    let verdict = match verdict {
        Some(verdict) => Some(verdict),
        None => timeout(STOP_TIMEOUT, last_word(&mut talk)).await.ok().flatten(),
    };
    Once { said, verdict }
}

enum Answer {
    Used(String, Value),
    /// It wanted something else, which would have its model asked again.
    Nothing,
    Not(Failure),
    Over(Verdict),
    Gone,
}

async fn answer(talk: &mut Talk, tools: &[Tool]) -> Answer {
    loop {
        match talk.next().await {
            Heard::Question(question) => match question.wants(|| tools.to_vec()) {
                Wants::Answer(response) => {
                    let is_denied = response["behavior"] == "deny";
                    question.answer(response).await;
                    if is_denied {
                        return Answer::Nothing;
                    }
                }
                Wants::Tool { name, arguments } => return Answer::Used(name, arguments),
            },
            Heard::Verdict(verdict) => return Answer::Over(verdict),
            Heard::Gone => return Answer::Gone,
            Heard::Text(_) | Heard::Thinking(_) | Heard::Pause => {}
        }
    }
}

async fn last_word(talk: &mut Talk) -> Option<Verdict> {
    talk.interrupt();
    loop {
        match talk.next().await {
            Heard::Verdict(verdict) => return Some(verdict),
            Heard::Gone => return None,
            _ => {}
        }
    }
}
