//! A turn by the vendor's program: it asks its model, our tools travel to it as messages of a server within the same pipe, and
//! each of their uses goes the way of every other.

use std::path::Path;
use std::sync::Arc;

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::run::{Ended, Says, failed, limited, of_servers};
use super::turn::{FailedBy, Level, Spent, Status, TurnFailure};
use super::work::Work;
use super::{hands, toolbox};
use crate::agent::vendor::{Heard, Question, STOP_TIMEOUT, Start, Talk, Verdict, Wants, used};
use crate::models::{Assistant, Failure, FailureKind, Message, Part};

/// What of the conversation before is told again, in bytes.
const MAX_BEFORE: usize = 100_000;

/// What is fixed for a turn.
pub(super) struct Subscription<'s> {
    pub(super) program: &'s Path,
    pub(super) model: Option<&'s str>,
    pub(super) budget: Option<f64>,
}

/// How the program ended a turn.
enum End {
    Done,
    Stopped,
    Failed(TurnFailure),
}

/// Runs a turn to its end.
pub(super) async fn run(
    work: &Arc<Work>,
    by: &Subscription<'_>,
    before: &[Message],
    asked: Message,
    stop: &CancellationToken,
) -> Ended {
    let mut said = String::new();
    let mut tasks = JoinSet::new();
    let speaking = speak(work, by, (before, &asked), stop, &mut said, &mut tasks);
    let end = match timeout(work.time_left(), speaking).await {
        Ok(end) => end,
        Err(_) => End::Failed(failed(
            FailedBy::Limit,
            "The turn took longer than 10 minutes and was ended.",
        )),
    };
    while tasks.try_join_next().is_some() {}
    // A step that is being made has to be known before the turn is over.
    if !tasks.is_empty() {
        work.session.stop();
        while tasks.join_next().await.is_some() {}
    }
    let mut messages = vec![asked];
    let said = work.hide(&said);
    if !said.trim().is_empty() {
        messages.push(Message::Assistant(Assistant::of_words(said)));
    }
    let (status, failure) = match end {
        End::Done => (Status::Done, None),
        End::Stopped => (Status::Stopped, None),
        End::Failed(failure) => (Status::Failed, Some(failure)),
    };
    Ended {
        status,
        failure: failure.map(|failure| TurnFailure {
            subscription: true,
            ..failure
        }),
        messages,
    }
}

async fn speak(
    work: &Arc<Work>,
    by: &Subscription<'_>,
    (before, asked): (&[Message], &Message),
    stop: &CancellationToken,
    said: &mut String,
    tasks: &mut JoinSet<()>,
) -> End {
    let system = format!("{}\n\n{}", toolbox::SYSTEM, work.fence.explained());
    let start = Start {
        system: &system,
        model: by.model,
        budget: by.budget,
    };
    let broken = |why: &str| End::Failed(failed(FailedBy::Provider, &format!("The vendor's program {why}")));
    let mut talk = match Talk::begin(by.program, &start, &told(before, asked)) {
        Ok(talk) => talk,
        Err(error) => return broken(&format!("cannot be started: {error}")),
    };
    let mut says = Says::new(work);
    let mut is_stopping = false;
    loop {
        let heard = tokio::select! {
            heard = talk.next() => heard,
            () = stop.cancelled(), if !is_stopping => {
                is_stopping = true;
                talk.interrupt();
                // A line that was half read is lost, and nobody needs it.
                continue;
            }
            () = sleep(STOP_TIMEOUT), if is_stopping => {
                says.end();
                return End::Stopped;
            }
        };
        match heard {
            Heard::Text(text) => {
                said.push_str(&text);
                says.text(&text);
            }
            Heard::Thinking(text) => says.thinking(&text),
            Heard::Pause => says.end(),
            Heard::Question(question) => {
                says.end();
                // A tool may wait for the user, and the program goes on meanwhile.
                tasks.spawn(answer(Arc::clone(work), question));
            }
            Heard::Verdict(verdict) => {
                says.end();
                spend(work, &verdict);
                return ended(verdict, is_stopping);
            }
            Heard::Gone => {
                says.end();
                return if is_stopping {
                    End::Stopped
                } else {
                    broken("ended before the turn did")
                };
            }
        }
    }
}

async fn answer(work: Arc<Work>, question: Question) {
    let offered = || {
        let mut tools = toolbox::all(&work.described_roots());
        tools.extend(of_servers(&work));
        tools
    };
    let (name, arguments) = match question.wants(offered) {
        Wants::Answer(response) => return question.answer(response).await,
        Wants::Tool { name, arguments } => (name, arguments),
    };
    if !work.may_call() {
        let text = "The turn used its tools as often as it may: say so and end.";
        return question.give(used(text, None, true)).await;
    }
    let done = hands::use_tool(&work, &name, Ok(&arguments)).await;
    question.give(used(&done.text, done.picture, done.is_error)).await;
}

/// What is asked, with what was said before: the program keeps no conversation.
fn told(before: &[Message], asked: &Message) -> String {
    let words = |message: &Message| match message {
        Message::User { parts } => {
            let texts = parts.iter().filter_map(|part| match part {
                Part::Text { text } => Some(text.as_str()),
                _ => None,
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Message::Assistant(said) => said.text.clone(),
    };
    let mut earlier = Vec::new();
    let mut room = MAX_BEFORE;
    for message in before.iter().rev() {
        let text = words(message);
        if text.trim().is_empty() {
            continue;
        }
        if text.len() > room {
            break;
        }
        room -= text.len();
        let who = if matches!(message, Message::User { .. }) {
            "The user"
        } else {
            "You"
        };
        earlier.push(format!("{who}: {text}"));
    }
    if earlier.is_empty() {
        return words(asked);
    }
    earlier.reverse();
    format!(
        "What was said in this chat before:\n\n{}\n\nNow:\n\n{}",
        earlier.join("\n\n"),
        words(asked)
    )
}

fn spend(work: &Work, verdict: &Verdict) {
    let usage = verdict.usage;
    let spent = Spent {
        usd: verdict.usd,
        sure: true,
        input: usage.input,
        output: usage.output,
        cache_read: usage.cache_read,
        cache_write: usage.cache_write,
    };
    *work.cost.lock() = spent;
    work.session.spend(spent);
}

fn ended(verdict: Verdict, is_stopping: bool) -> End {
    let Err(Failure { kind, words, .. }) = verdict.end else {
        return if is_stopping { End::Stopped } else { End::Done };
    };
    End::Failed(match kind {
        FailureKind::Stopped => return End::Stopped,
        _ if is_stopping => return End::Stopped,
        FailureKind::Authentication => failed(
            FailedBy::Authentication,
            "Authentication failed (401). Sign in again in the vendor tool, then start a new chat turn.",
        ),
        FailureKind::RateLimited(wait) => {
            let wait = wait.map(|wait| wait.as_secs());
            TurnFailure {
                retry_seconds: wait,
                ..failed(FailedBy::RateLimited, &limited(wait))
            }
        }
        _ => {
            let mut letters = words.chars();
            let first = letters.next().map(char::to_uppercase).into_iter().flatten();
            failed(FailedBy::Provider, &first.chain(letters).collect::<String>())
        }
    })
}

/// What cannot be had with the program is said.
pub(super) fn say_what_is_missing(work: &Work) {
    if work.settings.web.as_ref().is_ok_and(|web| web.search) {
        let words = "`webSearch` is enabled, but with the vendor's program there is no search of the web here.";
        work.notice(Level::Info, "web-search", words);
    }
}
