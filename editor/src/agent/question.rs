//! One question to a model, which it answers by the use of one tool. A provider is asked, or the vendor's program, within a budget.

use std::path::Path;

use serde_json::Value;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::vendor::{self, Start};
use crate::models::{
    Assistant, Budget, Client, Cost, Exceeded, Failure, FailureKind, Message, Meter, Part, Rates, Request, Secrets,
    Usage,
};

/// What a picture counts as, in bytes of a request.
const PICTURE: usize = 5_000;
/// What a request has beside its words, in bytes.
const FRAME: usize = 1_000;

/// Who is asked.
#[derive(Clone, Copy)]
pub enum Model<'m> {
    /// A provider, with its key.
    Provider(&'m Client),
    /// The vendor's program, with the sign-in that the user has in it.
    Program {
        /// Where it is.
        program: &'m Path,
        /// The model, where the user named one.
        model: Option<&'m str>,
        /// What it is not told.
        secrets: &'m Secrets,
    },
}

/// What came of a question.
#[derive(Debug)]
pub struct Answer {
    /// The arguments that the tool was used with, or why it was not.
    pub said: Result<Value, Unanswered>,
    /// What was used, also by a call that failed.
    pub usage: Usage,
    /// What that cost.
    pub cost: Cost,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unanswered {
    /// It was not asked.
    #[error("{0}")]
    Budget(#[from] Exceeded),
    /// It was asked, and the time was over.
    #[error("the model took too long")]
    Late,
    /// It could not be asked, or was stopped.
    #[error("{0}")]
    Failed(#[from] Failure),
    /// It did not use the tool, or with arguments that are none.
    #[error("the model did not answer as it was asked to")]
    Silent,
}

/// Asks once. `request` names the tool in `must_call`; how long its answer may be is the budget's. Within a runtime only.
pub async fn ask(
    model: Model<'_>,
    request: Request,
    budget: Budget,
    rates: &Rates,
    stop: &CancellationToken,
) -> Answer {
    let mut meter = Meter::new(budget, rates.clone());
    let (said, usd) = match meter.may_call(size(&request)) {
        Err(exceeded) => (Err(exceeded.into()), None),
        Ok(tokens) => {
            let request = Request {
                max_tokens: tokens,
                ..request
            };
            meter.call();
            match model {
                Model::Provider(client) => (of_provider(client, &request, &mut meter, stop).await, None),
                Model::Program {
                    program,
                    model,
                    secrets,
                } => {
                    let start = Start {
                        system: &request.system,
                        model,
                        budget: Some(budget.usd),
                    };
                    of_program(program, &start, &request, secrets, &mut meter, stop).await
                }
            }
        }
    };
    let counted = meter.cost();
    Answer {
        said,
        usage: meter.usage(),
        cost: usd.map_or(counted, |usd| Cost { usd, estimated: false }),
    }
}

async fn of_provider(
    client: &Client,
    request: &Request,
    meter: &mut Meter,
    stop: &CancellationToken,
) -> Result<Value, Unanswered> {
    let said = call(client, request, meter, stop).await?;
    let wanted = request.must_call.as_deref().unwrap_or_default();
    let used = said.calls.into_iter().find(|call| call.name == wanted);
    used.and_then(|call| call.input.ok()).ok_or(Unanswered::Silent)
}

/// One call of a provider within what is left of the time; what it used is counted however it ended.
///
/// # Errors
/// [`Unanswered::Late`] or [`Unanswered::Failed`].
pub(super) async fn call(
    client: &Client,
    request: &Request,
    meter: &mut Meter,
    stop: &CancellationToken,
) -> Result<Assistant, Unanswered> {
    let late = CancellationToken::new();
    let asked = client.ask(request, late.clone());
    tokio::pin!(asked);
    let mut is_late = false;
    let outcome = tokio::select! {
        outcome = &mut asked => outcome,
        () = stop.cancelled() => {
            late.cancel();
            asked.await
        }
        () = sleep(meter.time_left()) => {
            is_late = true;
            late.cancel();
            asked.await
        }
    };
    meter.add(outcome.usage);
    match outcome.said {
        Ok((_, said)) => Ok(said),
        Err(_) if is_late => Err(Unanswered::Late),
        Err(failure) => Err(failure.into()),
    }
}

/// With the dollars that the vendor counts.
async fn of_program(
    program: &Path,
    start: &Start<'_>,
    request: &Request,
    secrets: &Secrets,
    meter: &mut Meter,
    stop: &CancellationToken,
) -> (Result<Value, Unanswered>, Option<f64>) {
    let parts: Vec<Part> = parts(request)
        .map(|part| match part {
            Part::Text { text } => Part::Text {
                text: secrets.hide(text).into_owned(),
            },
            part => part.clone(),
        })
        .collect();
    let asked = vendor::once(program, start, &parts, &request.tools, meter.time_left(), stop).await;
    if let Some(verdict) = &asked.verdict {
        meter.add(verdict.usage);
    }
    let wanted = request.must_call.as_deref().unwrap_or_default();
    let said = match asked.said {
        Ok(Some((name, arguments))) if name == wanted && arguments.is_object() => Ok(arguments),
        Ok(_) => Err(Unanswered::Silent),
        Err(_) if meter.time_left().is_zero() => Err(Unanswered::Late),
        Err(failure) => Err(failure.into()),
    };
    (said, asked.verdict.map(|verdict| verdict.usd))
}

impl Unanswered {
    /// Whether somebody stopped it.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        matches!(self, Self::Failed(failure) if failure.kind == FailureKind::Stopped)
    }
}

fn parts(request: &Request) -> impl Iterator<Item = &Part> {
    let users = request.messages.iter().filter_map(|message| match message {
        Message::User { parts } => Some(parts),
        Message::Assistant(_) => None,
    });
    users.flatten()
}

fn size(request: &Request) -> usize {
    let parts = parts(request).map(|part| match part {
        Part::Text { text } => text.len(),
        Part::Image { .. } => PICTURE,
        Part::ToolResult(_) => 0,
    });
    request.system.len() + FRAME + parts.sum::<usize>()
}
