//! Who is asked in a lane: a provider, or the vendor's program. The program runs on while its proposal is looked at, and waits
//! for what came of it as for any tool.

use std::path::PathBuf;

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{failed, over};
use crate::agent::gate::{Code, Refusal};
use crate::agent::question::{self, Unanswered};
use crate::agent::vendor::{Heard, Question, STOP_TIMEOUT, Start, Talk, Verdict, Wants, used};
use crate::models::{
    Access, Assistant, Budget, Client, Exceeded, Message, Meter, Part, Rates, Request, Secrets, ToolCall, Wire,
};

/// Who is asked.
pub enum Model {
    /// A provider, with its key.
    Provider(Box<Client>),
    /// The vendor's program, with the sign-in that the user has in it.
    Subscription(Box<Subscription>),
}

/// The vendor's program as a lane uses it.
pub struct Subscription {
    program: PathBuf,
    access: Access,
    secrets: Secrets,
    talk: Option<Talk>,
    /// The use of the tool that waits for what came of it.
    open: Option<Question>,
    verdict: Option<Verdict>,
}

impl Model {
    /// The program at this place. `secrets` are left out of what it is told.
    #[must_use]
    pub fn subscription(program: PathBuf, access: Access, secrets: Secrets) -> Self {
        Self::Subscription(Box::new(Subscription {
            program,
            access,
            secrets,
            talk: None,
            open: None,
            verdict: None,
        }))
    }

    fn access(&self) -> &Access {
        match self {
            Self::Provider(client) => client.access(),
            Self::Subscription(subscription) => &subscription.access,
        }
    }

    /// What it is called in the history.
    #[must_use]
    pub fn name(&self) -> String {
        self.access().model.clone().unwrap_or_default()
    }

    pub(super) fn rates(&self) -> Rates {
        self.access().rates("")
    }

    /// Bytes that a call with this request sends, with all that was said before.
    pub(super) fn size(&self, request: &Request) -> usize {
        match self {
            Self::Provider(client) => client.body(request).len(),
            Self::Subscription(_) => {
                let messages = request.messages.iter().map(|message| texts(message).len());
                request.system.len() + messages.sum::<usize>()
            }
        }
    }

    /// One call within what is left of the time; what it used is counted however it ended.
    pub(super) async fn ask(
        &mut self,
        request: &Request,
        meter: &mut Meter,
        stop: &CancellationToken,
        budget: Budget,
    ) -> Result<Assistant, Refusal> {
        match self {
            Self::Provider(client) => ask(client, request, meter, stop, budget).await,
            Self::Subscription(subscription) => tokio::select! {
                said = subscription.ask(request, budget) => said,
                () = stop.cancelled() => Err(Refusal::stopped()),
                () = sleep(meter.time_left()) => Err(over(Exceeded::Time, budget)),
            },
        }
    }

    /// Ends what is still open: nothing more is asked. Gives the dollars that the vendor counted, where it is known.
    pub(super) async fn end(&mut self, meter: &mut Meter) -> Option<f64> {
        let Self::Subscription(subscription) = self else {
            return None;
        };
        let verdict = subscription.end().await?;
        meter.add(verdict.usage);
        Some(verdict.usd)
    }
}

async fn ask(
    client: &Client,
    request: &Request,
    meter: &mut Meter,
    stop: &CancellationToken,
    budget: Budget,
) -> Result<Assistant, Refusal> {
    match question::call(client, request, meter, stop).await {
        Ok(said) => Ok(said),
        Err(Unanswered::Failed(failure)) => Err(failed(&failure)),
        Err(_) => Err(over(Exceeded::Time, budget)),
    }
}

impl Subscription {
    /// The first time starts the program, each other one tells it what came of its proposal.
    async fn ask(&mut self, request: &Request, budget: Budget) -> Result<Assistant, Refusal> {
        let broken = |why: String| Refusal::new(Code::Provider, format!("The vendor's program {why}"));
        let text = request.messages.last().map(texts).unwrap_or_default();
        let text = self.secrets.hide(&text).into_owned();
        if let Some(open) = self.open.take() {
            open.give(used(&text, None, true)).await;
        } else {
            let start = Start {
                system: &request.system,
                model: self
                    .access
                    .model
                    .as_deref()
                    .filter(|_| self.access.model_by_environment),
                budget: Some(budget.usd),
            };
            let talk = Talk::begin(&self.program, &start, &text);
            self.talk = Some(talk.map_err(|error| broken(format!("cannot be started: {error}")))?);
        }
        let Some(talk) = &mut self.talk else {
            return Err(broken("is not there".to_owned()));
        };
        let mut said = Assistant {
            wire: Wire::Messages,
            verbatim: Vec::new(),
            text: String::new(),
            calls: Vec::new(),
        };
        loop {
            match talk.next().await {
                Heard::Text(text) => said.text.push_str(&text),
                Heard::Thinking(_) | Heard::Pause => {}
                Heard::Question(question) => match question.wants(|| request.tools.clone()) {
                    Wants::Answer(response) => question.answer(response).await,
                    Wants::Tool { name, arguments } => {
                        self.open = Some(question);
                        said.calls.push(ToolCall {
                            id: "proposal".to_owned(),
                            name,
                            input: Ok(arguments),
                        });
                        return Ok(said);
                    }
                },
                Heard::Verdict(verdict) => {
                    let end = verdict.end.clone();
                    self.verdict = Some(verdict);
                    return end.map(|()| said).map_err(|failure| failed(&failure));
                }
                Heard::Gone => return Err(broken("ended before it proposed anything".to_owned())),
            }
        }
    }

    /// Interrupted, it says what it cost.
    async fn end(&mut self) -> Option<Verdict> {
        let mut talk = self.talk.take()?;
        if self.verdict.is_none() {
            talk.interrupt();
            let ending = async {
                loop {
                    match talk.next().await {
                        Heard::Verdict(verdict) => return Some(verdict),
                        Heard::Gone => return None,
                        _ => {}
                    }
                }
            };
            self.verdict = timeout(STOP_TIMEOUT, ending).await.ok().flatten();
        }
        self.verdict.take()
    }
}

/// The words of a message, results of tools among them.
fn texts(message: &Message) -> String {
    let Message::User { parts } = message else {
        return String::new();
    };
    let mut texts = Vec::new();
    let mut take = |part: &Part| {
        if let Part::Text { text } = part {
            texts.push(text.clone());
        }
    };
    for part in parts {
        match part {
            Part::ToolResult(result) => result.parts.iter().for_each(&mut take),
            part => take(part),
        }
    }
    texts.join("\n")
}
