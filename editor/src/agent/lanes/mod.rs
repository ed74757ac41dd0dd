//! The lanes: one edit that the engine refused, tried by a model within a small budget. What the model may see and change is what
//! the engine looked at, and what it proposes goes through the gate.

mod context;
mod lane;
mod model;
mod prompt;
mod task;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio_util::sync::CancellationToken;

pub use lane::{Lane, lane};
pub use model::Model;
pub use task::Task;

use super::gate::{Accepted, Code, Gate, Limits, Proposal, Refusal, TOOL};
use crate::models::{Budget, Exceeded, Failure, FailureKind, Message, Meter, Part, ToolCall, ToolResult, budget};
use crate::workspace::By;

/// How far a lane is.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// Which lane.
    pub lane: Lane,
    /// What it does.
    pub step: Step,
    /// Calls of the model so far.
    pub calls: u32,
    /// Dollars so far.
    pub usd: f64,
}

/// What a lane does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// The model is asked.
    Asking,
    /// The gate looks at the proposal.
    Checking,
    /// The page is looked at.
    Looking,
    /// The model is told what was wrong.
    Again,
}

/// What a lane cost, whether or not it came to anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Spent {
    /// Calls of the model.
    pub calls: u32,
    /// Tokens it read.
    pub input_tokens: u64,
    /// Tokens it wrote.
    pub output_tokens: u64,
    /// Dollars.
    pub usd: f64,
    /// Whether the model's price is not known.
    pub estimated: bool,
}

/// An edit that was made.
#[derive(Debug)]
pub struct Done {
    /// The step.
    pub accepted: Accepted,
    /// The model's sentence.
    pub why: String,
}

/// What came of a lane.
#[derive(Debug)]
pub struct Outcome {
    /// The edit, or why there is none.
    pub done: Result<Done, Refusal>,
    /// The last proposal that passed all checks that need no page.
    pub proposal: Option<Proposal>,
    /// What it cost.
    pub spent: Spent,
}

/// Looks at the page around a step. Called without a runtime's thread.
pub trait Sight: Send + Sync {
    /// Before a step: learns anew what the page should show, where the source was changed since that was learnt. Other edits are
    /// made meanwhile.
    ///
    /// # Errors
    /// When the page cannot say it any more.
    fn learn(&self) -> Result<(), Refusal>;

    /// Whether the source is still the one that it was learnt from. Asked while no other edit can be made.
    fn is_current(&self) -> bool;

    /// After the step, which a refusal takes back.
    ///
    /// # Errors
    /// With what the page shows instead.
    fn judge(&self, accepted: &Accepted) -> Result<(), Refusal>;
}

/// Who looks.
pub type Seen = Arc<dyn Sight>;

/// Tokens of an answer at most, whatever the budget leaves.
const MAX_ANSWER_TOKENS: u32 = 4_000;

/// What of a refusal's page differences goes back to the model, in characters.
const MAX_DIFFERENCES: usize = 2_000;

/// How often it is learnt anew what the page should show, for one proposal.
const MAX_LEARNT: usize = 3;

/// Why a change waits for a yes.
const UNSEEN: &str = "no page could be read to see whether it shows what was asked for: look at the diff, and decide";

/// The same, where somebody else is at work.
const CHANGING: &str = "the source was changed again and again meanwhile: look at the diff, and decide";

/// Tries an edit. Without `seen` nothing is written, and the proposal is left to a person. It ends when `stop` is cancelled, and then nothing is changed.
pub async fn run(
    task: &Task,
    gate: &Gate,
    model: &mut Model,
    seen: Option<Seen>,
    tell: impl Fn(Progress),
    stop: CancellationToken,
) -> Outcome {
    let budget = match task.lane {
        Lane::Save => budget::SAVE,
        Lane::Repair => budget::REPAIR,
    };
    let mut meter = Meter::new(budget, model.rates());
    let mut proposal = None;
    let done = attempts(
        task,
        gate,
        model,
        &seen,
        &tell,
        &stop,
        &mut meter,
        &mut proposal,
        budget,
    )
    .await;
    let counted = model.end(&mut meter).await;
    let usage = meter.usage();
    let cost = meter.cost();
    let spent = Spent {
        calls: meter.calls(),
        input_tokens: usage.all_input(),
        output_tokens: usage.output,
        usd: counted.unwrap_or(cost.usd),
        estimated: counted.is_none() && cost.estimated,
    };
    Outcome { done, proposal, spent }
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of one loop, which ends in many places"
)]
async fn attempts(
    task: &Task,
    gate: &Gate,
    model: &mut Model,
    seen: &Option<Seen>,
    tell: &impl Fn(Progress),
    stop: &CancellationToken,
    meter: &mut Meter,
    last: &mut Option<Proposal>,
    budget: Budget,
) -> Result<Done, Refusal> {
    let say = |meter: &Meter, step| {
        tell(Progress {
            lane: task.lane,
            step,
            calls: meter.calls(),
            usd: meter.cost().usd,
        });
    };
    let (workspace, wanted) = (Arc::clone(gate.workspace()), task.request.clone());
    let found = blocking(move || context::context(&workspace, &wanted)).await?;
    let limits = match task.lane {
        Lane::Save => Limits::save(found.paths()),
        Lane::Repair => Limits::repair(found.paths()),
    };
    let mut request = prompt::request(task, &found);
    let mut refused: Option<Refusal> = None;
    loop {
        let allowed = meter.may_call(model.size(&request));
        let tokens = match (allowed, refused.take()) {
            (Ok(tokens), _) => tokens,
            // Why the last proposal was refused says more than that there is no other try.
            (Err(_), Some(refusal)) => return Err(refusal),
            (Err(exceeded), None) => return Err(over(exceeded, budget)),
        };
        request.max_tokens = tokens.min(MAX_ANSWER_TOKENS);
        say(meter, if meter.calls() == 0 { Step::Asking } else { Step::Again });
        meter.call();
        let said = model.ask(&request, meter, stop, budget).await?;
        let Some(call) = said
            .calls
            .iter()
            .find(|call| call.name == TOOL)
            .or(said.calls.first())
            .cloned()
        else {
            let words: String = said
                .text
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .chars()
                .take(300)
                .collect();
            let reason = if words.is_empty() {
                "the model proposed nothing".to_owned()
            } else {
                format!("the model proposed nothing: {words}")
            };
            return Err(Refusal::new(Code::NotVerified, reason));
        };
        say(meter, Step::Checking);
        let checked = match understand(&call) {
            Ok(proposal) => {
                let (gate, limits) = (gate.clone(), limits.clone());
                blocking(move || gate.check(&proposal, &limits).map(|_| proposal)).await?
            }
            Err(refusal) => Err(refusal),
        };
        let refusal = match checked {
            Err(refusal) => refusal,
            Ok(proposal) => {
                *last = Some(proposal.clone());
                if stop.is_cancelled() {
                    return Err(Refusal::stopped());
                }
                say(meter, Step::Looking);
                let why = proposal.why.clone();
                match make(gate, proposal, &limits, task, model.name(), seen, stop).await {
                    Ok(accepted) => return Ok(Done { accepted, why }),
                    // Nobody could look: another proposal would not be seen either.
                    Err(refusal) if refusal.is_unseen => return Err(refusal),
                    Err(refusal) => refusal,
                }
            }
        };
        let results = said.calls.iter().map(|each| {
            let text = if each.id == call.id {
                explained(&refusal)
            } else {
                "Not looked at: one proposal at a time".to_owned()
            };
            Part::ToolResult(ToolResult {
                id: each.id.clone(),
                name: each.name.clone(),
                parts: vec![Part::Text { text }],
                is_error: true,
            })
        });
        let parts = results.collect();
        request.messages.push(Message::Assistant(said));
        request.messages.push(Message::User { parts });
        refused = Some(refusal);
    }
}

async fn make(
    gate: &Gate,
    proposal: Proposal,
    limits: &Limits,
    task: &Task,
    model: String,
    seen: &Option<Seen>,
    stop: &CancellationToken,
) -> Result<Accepted, Refusal> {
    let Some(seen) = seen.clone() else {
        return Err(Refusal::unseen(UNSEEN));
    };
    let by = By {
        session: task.lane.id().to_owned(),
        turn: None,
        model,
    };
    let (gate, limits, title) = (gate.clone(), limits.clone(), task.title.clone());
    let stop = stop.clone();
    let made = blocking(move || propose(&gate, &proposal, &limits, &title, &by, &*seen, &stop));
    made.await?
}

/// What the page should show is that of the moment before the step: what the user edits while the model thinks stays.
fn propose(
    gate: &Gate,
    proposal: &Proposal,
    limits: &Limits,
    title: &str,
    by: &By,
    seen: &dyn Sight,
    stop: &CancellationToken,
) -> Result<Accepted, Refusal> {
    for _ in 0..MAX_LEARNT {
        seen.learn()?;
        let mut is_late = false;
        let ready = || {
            is_late = !seen.is_current();
            if is_late {
                Err(Refusal::unseen(CHANGING))
            } else {
                Ok(())
            }
        };
        let made = gate.propose_when(proposal, limits, title, by.clone(), ready, |accepted| {
            seen.judge(accepted)?;
            // Nobody waits for it any more.
            if stop.is_cancelled() {
                Err(Refusal::stopped())
            } else {
                Ok(())
            }
        });
        if !is_late {
            return made;
        }
    }
    Err(Refusal::unseen(CHANGING))
}

/// Runs what reads and parses files where it may take its time.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    let ended = |_| Refusal::new(Code::NotVerified, "the check of the proposal ended early");
    tokio::task::spawn_blocking(work).await.map_err(ended)
}

fn understand(call: &ToolCall) -> Result<Proposal, Refusal> {
    let wrong = |why: &str| Refusal::new(Code::Provider, format!("what the model answered cannot be used: {why}"));
    if call.name != TOOL {
        return Err(wrong(&format!("there is no tool `{}`, only `{TOOL}`", call.name)));
    }
    let input = call.input.as_ref().map_err(|_| wrong("they are no JSON object"))?;
    Proposal::read(input).map_err(|why| wrong(&why))
}

fn explained(refusal: &Refusal) -> String {
    let mut text = format!("Refused ({}): {}", refusal.code, refusal.reason);
    if let Some(differences) = &refusal.differences {
        let differences: String = differences.to_string().chars().take(MAX_DIFFERENCES).collect();
        text.push_str("\nThe page differs from what was asked for: ");
        text.push_str(&differences);
    }
    text
}

fn over(exceeded: Exceeded, budget: Budget) -> Refusal {
    let Budget { calls, usd, time, .. } = budget;
    let seconds = time.as_secs();
    let reason = format!("{exceeded} ({calls} calls, {seconds} seconds, ${usd:.2}): change it in the code");
    Refusal::new(Code::Budget, reason)
}

/// A provider's failure as the lanes and the chat refuse with it.
#[must_use]
pub fn failed(failure: &Failure) -> Refusal {
    let seconds = |wait: Duration| wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    match failure.kind {
        FailureKind::RateLimited(after) => {
            let mut refusal = Refusal::new(
                Code::RateLimited,
                format!("The provider wants to be asked later: {failure}"),
            );
            refusal.retry_after_seconds = after.map(seconds);
            refusal
        }
        FailureKind::Stopped => Refusal::stopped(),
        _ => {
            let status = failure.status.map(|status| format!(" ({status})")).unwrap_or_default();
            Refusal::new(Code::Provider, format!("The provider failed{status}: {failure}"))
        }
    }
}

#[cfg(test)]
mod tests;
