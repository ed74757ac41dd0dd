//! A turn by the provider's API: the model is asked, its tools are used, it is asked again.

use std::sync::Arc;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::hands;
use super::talk;
use super::toolbox;
use super::turn::{FailedBy, Level, Status, TurnFailure, What};
use super::work::Work;
use crate::agent::mcp::offer;
use crate::models::{
    Assistant, Client, Event, Failure, FailureKind, Flow, Message, Part, Request, StopReason, Tool, ToolCall,
    ToolResult, Usage,
};

/// Calls of the model in a turn.
const MAX_ROUNDS: usize = 40;
/// Tokens of an answer.
const MAX_TOKENS: u32 = 8_192;

/// How a turn ended.
pub(super) struct Ended {
    pub(super) status: Status,
    pub(super) failure: Option<TurnFailure>,
    /// What was said in it.
    pub(super) messages: Vec<Message>,
}

impl Ended {
    /// Before anything was said.
    pub(super) fn stopped() -> Ended {
        Ended {
            status: Status::Stopped,
            failure: None,
            messages: Vec::new(),
        }
    }

    /// The same by a failure.
    pub(super) fn failed(failure: TurnFailure) -> Ended {
        Ended {
            status: Status::Failed,
            failure: Some(failure),
            messages: Vec::new(),
        }
    }
}

/// Runs a turn to its end.
pub(super) async fn run(
    work: &Arc<Work>,
    client: &Client,
    before: Vec<Message>,
    asked: Message,
    web_search: bool,
    stop: &CancellationToken,
) -> Ended {
    let own = before.len();
    let mut messages = before;
    messages.push(asked);
    let result = rounds(work, client, &mut messages, own, web_search, stop).await;
    let mut messages = messages.split_off(own);
    talk::settle(&mut messages);
    let (status, failure) = match result {
        Ok(()) => (Status::Done, None),
        Err(None) => (Status::Stopped, None),
        Err(Some(failure)) => (Status::Failed, Some(failure)),
    };
    Ended {
        status,
        failure,
        messages,
    }
}

/// `Err(None)`: stopped.
async fn rounds(
    work: &Arc<Work>,
    client: &Client,
    messages: &mut Vec<Message>,
    own: usize,
    web_search: bool,
    stop: &CancellationToken,
) -> Result<(), Option<TurnFailure>> {
    let roots = work.described_roots();
    let system = format!("{}\n\n{}", toolbox::SYSTEM, work.fence.explained());
    for _ in 0..MAX_ROUNDS {
        if talk::is_long(messages) {
            talk::within(messages, own);
        }
        let mut tools = toolbox::all(&roots);
        tools.extend(of_servers(work));
        let request = Request {
            system: system.clone(),
            tools,
            messages: messages.clone(),
            max_tokens: MAX_TOKENS,
            web_search,
            ..Request::default()
        };
        let mut said = String::new();
        let answer = one(work, client, &request, messages, &mut said, stop);
        let answered = timeout(work.time_left(), answer).await;
        let answered = answered.unwrap_or_else(|_| Err(Some(too_long())));
        if answered.is_err() && !said.trim().is_empty() {
            // The user has read it, and may speak of it.
            let said = Message::Assistant(Assistant::of_words(said.trim_end()));
            messages.push(work.without_secrets(said));
        }
        let (reason, calls) = answered?;
        match reason {
            StopReason::ToolUse if !calls.is_empty() => {
                let parts = use_all(work, &calls, stop).await?;
                messages.push(Message::User { parts });
            }
            StopReason::Pause => {}
            StopReason::MaxTokens => {
                work.notice(
                    Level::Warning,
                    "max-tokens",
                    "The answer was cut: it is as long as it may be.",
                );
                return Ok(());
            }
            StopReason::Refusal => {
                work.notice(Level::Warning, "refusal", "The model does not answer this.");
                return Ok(());
            }
            StopReason::ContextFull => {
                let words = "The conversation is as long as the model can read. Start a new chat to go on.";
                return Err(Some(failed(FailedBy::Provider, words)));
            }
            StopReason::End | StopReason::ToolUse => return Ok(()),
        }
    }
    Err(Some(failed(
        FailedBy::Limit,
        "The turn asked the model too often and was ended.",
    )))
}

/// Tools of servers that answered so far.
pub(super) fn of_servers(work: &Work) -> Vec<Tool> {
    let ready = work.ready.lock();
    let offers = offer(ready.iter().map(|(id, tools)| (id.as_str(), tools.as_slice())));
    let tools = offers.into_iter().map(|(name, offer)| Tool {
        name,
        description: work.hide(&offer.tool.description),
        input_schema: offer.tool.schema,
    });
    tools.collect()
}

/// One call of the model, shown while it comes. `words` has what it said so far, however it ends.
async fn one(
    work: &Arc<Work>,
    client: &Client,
    request: &Request,
    messages: &mut Vec<Message>,
    words: &mut String,
    stop: &CancellationToken,
) -> Result<(StopReason, Vec<ToolCall>), Option<TurnFailure>> {
    let before = *work.cost.lock();
    let mut usage = Usage::default();
    let mut answer = client.stream(request, stop.clone());
    let mut says = Says::new(work);
    while let Some(event) = answer.next().await {
        match event {
            Event::Text(text) => {
                words.push_str(&text);
                says.text(&text);
            }
            Event::Thinking(text) => says.thinking(&text),
            Event::ToolUse(_) => {}
            Event::ServerTool(name) => {
                says.end();
                work.add(What::Tool {
                    title: if name.contains("search") {
                        "Search the web".to_owned()
                    } else {
                        format!("Use {name}")
                    },
                    tool: name,
                    server: None,
                    status: super::turn::ToolStatus::Done,
                    detail: None,
                });
            }
            Event::Usage(used) => {
                usage = used;
                work.spent(before, &usage);
            }
            Event::Retrying(wait, failure) => {
                let seconds = wait.as_secs().max(1);
                let words = format!(
                    "{}. It is tried again in {seconds} s.",
                    failure.words.trim_end_matches('.')
                );
                work.notice(Level::Info, "retry", words);
            }
            Event::Stop(reason, said) => {
                says.end();
                work.spent(before, &usage);
                let calls = said.calls.clone();
                messages.push(work.without_secrets(Message::Assistant(said)));
                return Ok((reason, calls));
            }
            Event::Failed(failure) => {
                says.end();
                work.spent(before, &usage);
                if failure.kind == FailureKind::Stopped {
                    return Err(None);
                }
                return Err(Some(told(&failure)));
            }
        }
    }
    Err(Some(failed(FailedBy::Provider, "The call of the model ended early.")))
}

/// Uses the tools that were called, one after the other.
async fn use_all(
    work: &Arc<Work>,
    calls: &[ToolCall],
    stop: &CancellationToken,
) -> Result<Vec<Part>, Option<TurnFailure>> {
    let mut parts = Vec::new();
    for call in calls {
        if !work.may_call() {
            let words = format!(
                "The turn used its tools {} times, which is as often as it may.",
                super::work::MAX_CALLS
            );
            return Err(Some(failed(FailedBy::Limit, &words)));
        }
        let input = call.input.as_ref().map_err(String::as_str);
        // What only waits for files is not broken off: a step that was made has to be known.
        let answer = hands::use_tool(work, &call.name, input).await;
        if stop.is_cancelled() {
            return Err(None);
        }
        if work.time_left().is_zero() {
            return Err(Some(too_long()));
        }
        let mut answered = vec![Part::Text { text: answer.text }];
        answered.extend(answer.picture.map(|data| Part::Image {
            media_type: "image/png".to_owned(),
            data,
        }));
        parts.push(Part::ToolResult(ToolResult {
            id: call.id.clone(),
            name: call.name.clone(),
            parts: answered,
            is_error: answer.is_error,
        }));
    }
    Ok(parts)
}

/// Words as they come, without secrets that break between two pieces.
pub(super) struct Says<'w> {
    work: &'w Work,
    now: Option<(usize, bool, Flow)>,
}

impl<'w> Says<'w> {
    pub(super) fn new(work: &'w Work) -> Says<'w> {
        Says { work, now: None }
    }

    pub(super) fn text(&mut self, piece: &str) {
        self.more(piece, false);
    }

    pub(super) fn thinking(&mut self, piece: &str) {
        self.more(piece, true);
    }

    fn more(&mut self, piece: &str, is_thinking: bool) {
        if self
            .now
            .as_ref()
            .is_none_or(|(_, thinking, _)| *thinking != is_thinking)
        {
            self.end();
            let text = String::new();
            let what = if is_thinking {
                What::Thinking { text }
            } else {
                What::Text { text }
            };
            let n = self.work.add(what);
            self.now = Some((n, is_thinking, Flow::new(self.work.secrets.clone())));
        }
        if let Some((n, _, flow)) = &mut self.now {
            self.work.session.more(*n, &flow.add(piece));
        }
    }

    /// What was held back is shown; what comes next is another item.
    pub(super) fn end(&mut self) {
        if let Some((n, _, mut flow)) = self.now.take() {
            self.work.session.more(n, &flow.end());
        }
    }
}

/// A failure of the provider in the words people get.
fn told(failure: &Failure) -> TurnFailure {
    let retry = failure.retry_after().map(|wait| wait.as_secs().max(1));
    match failure.kind {
        FailureKind::Authentication => failed(
            FailedBy::Authentication,
            "Authentication failed (401). Replace the key from the settings gear, then start a new chat turn.",
        ),
        FailureKind::RateLimited(_) => TurnFailure {
            retry_seconds: retry,
            ..failed(FailedBy::RateLimited, &limited(retry))
        },
        _ => TurnFailure {
            retry_seconds: retry,
            ..failed(FailedBy::Provider, &failure.words)
        },
    }
}

/// What is said of a rate limit.
pub(super) fn limited(retry: Option<u64>) -> String {
    match retry {
        Some(1) => "The provider limits how often it may be asked: try again in 1 second".to_owned(),
        Some(seconds) => format!("The provider limits how often it may be asked: try again in {seconds} seconds"),
        None => "The provider limits how often it may be asked".to_owned(),
    }
}

pub(super) fn failed(kind: FailedBy, words: &str) -> TurnFailure {
    TurnFailure {
        kind,
        words: words.to_owned(),
        retry_seconds: None,
        subscription: false,
    }
}

fn too_long() -> TurnFailure {
    failed(FailedBy::Limit, "The turn took longer than 10 minutes and was ended.")
}
