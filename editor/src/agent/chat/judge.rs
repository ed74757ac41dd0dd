//! At the end of a turn that changed something a model judges whether it reached its goal: by what was asked, what was changed,
//! and what the page shows. It changes nothing.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::eyes::{self, Seen, WIDTH};
use super::turn::{Goal, Turn, Verdict, What};
use super::work::Work;
use crate::models::budget::GOAL;
use crate::models::{Client, Message, Meter, Part, Request, Tool};
use crate::review::Surface;

const TOOL: &str = "judge";
/// Bytes of the differences that are shown.
const MAX_DIFF: usize = 12_000;
/// Bytes of the wish.
const MAX_WISH: usize = 4_000;
/// What a picture counts as, in bytes of a request.
const PICTURE: usize = 5_000;

const SYSTEM: &str = "You judge whether a change of a web prototype reached what its user asked for. You get the wish, the differences \
in the source, and a picture of the page afterwards where there is one. Call `judge` once: `reached` when the wish is fulfilled, \
`not-reached` when something of it is missing or wrong, `unclear` when this cannot be told from what you see. Give the reason in \
one sentence, in the language of the wish.";

/// What a model says of the turn.
pub(super) async fn judge(work: &Work, client: &Client, turn: &Turn, surface: &Surface) -> Option<Goal> {
    if work.edits.lock().is_empty() || work.stop.is_cancelled() {
        return None;
    }
    let unclear = |why: &str| {
        let why = why.to_owned();
        Some(Goal {
            verdict: Verdict::Unclear,
            why,
        })
    };
    let seen = eyes::look(surface, turn.page.as_deref().unwrap_or("/"), WIDTH)
        .await
        .ok();
    let has_picture = seen.is_some();
    let mut request = ask(work, turn, seen);
    let mut meter = Meter::new(GOAL, work.rates.clone());
    let text = match request.messages.first() {
        Some(Message::User { parts }) => parts.iter().map(size).sum::<usize>(),
        _ => 0,
    };
    let bytes = SYSTEM.len() + 1_000 + text + if has_picture { PICTURE } else { 0 };
    request.max_tokens = match meter.may_call(bytes) {
        Ok(tokens) => tokens,
        Err(exceeded) => return unclear(&format!("It was not judged: {exceeded}.")),
    };
    meter.call();
    let before = *work.cost.lock();
    let time = meter.time_left();
    let asked = timeout(time, client.ask(&request, work.stop.clone()));
    let Ok(outcome) = asked.await else {
        return unclear("It was not judged: the model took too long.");
    };
    work.spent(before, &outcome.usage);
    let said = match outcome.said {
        Ok((_, said)) => said,
        Err(_) if work.stop.is_cancelled() => return None,
        Err(failure) => return unclear(&format!("It was not judged: {}", work.hide(&failure.words))),
    };
    let judged = said.calls.iter().find(|call| call.name == TOOL);
    match judged.and_then(|call| read(call.input.as_ref().ok()?)) {
        Some(goal) => Some(Goal {
            why: work.hide(&goal.why),
            ..goal
        }),
        None => unclear("The model gave no judgement."),
    }
}

fn size(part: &Part) -> usize {
    match part {
        Part::Text { text } => text.len(),
        _ => 0,
    }
}

fn ask(work: &Work, turn: &Turn, seen: Option<Seen>) -> Request {
    let mut diff = String::new();
    for item in work.session.turn(&turn.id).map(|turn| turn.items).unwrap_or_default() {
        if let What::Edit { files, .. } = item.what {
            for file in files.as_array().into_iter().flatten() {
                let _ = writeln!(diff, "{}", file["diff"].as_str().unwrap_or_default());
            }
        }
    }
    diff.truncate(diff.floor_char_boundary(MAX_DIFF.min(diff.len())));
    let wish = &turn.text[..turn.text.floor_char_boundary(MAX_WISH.min(turn.text.len()))];
    let mut text = format!(
        "{}\n\nThe wish:\n{}\n\nWhat was changed:\n{}\n",
        work.fence.explained(),
        work.hide(wish),
        work.fence.around("differences", &work.hide(&diff)),
    );
    let mut parts = Vec::new();
    match seen {
        Some(seen) => {
            let complaints = seen.complaints.join("\n");
            if !complaints.is_empty() {
                let _ = writeln!(
                    text,
                    "The page complains:\n{}",
                    work.fence.around("page", &work.hide(&complaints))
                );
            }
            text.push_str("The page afterwards:");
            parts.push(Part::Image {
                media_type: "image/png".to_owned(),
                data: seen.picture,
            });
        }
        None => text.push_str("There is no picture of the page."),
    }
    parts.insert(0, Part::Text { text });
    Request {
        system: SYSTEM.to_owned(),
        tools: vec![Tool {
            name: TOOL.to_owned(),
            description: "Says whether the wish was fulfilled.".to_owned(),
            input_schema: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["verdict", "why"],
                "properties": {
                    "verdict": { "type": "string", "enum": ["reached", "not-reached", "unclear"] },
                    "why": { "type": "string", "description": "one sentence" },
                },
            }),
        }],
        messages: vec![Message::User { parts }],
        must_call: Some(TOOL.to_owned()),
        ..Request::default()
    }
}

fn read(input: &Value) -> Option<Goal> {
    let verdict = serde_json::from_value(input["verdict"].clone()).ok()?;
    let why: String = input["why"].as_str().unwrap_or_default().chars().take(400).collect();
    Some(Goal { verdict, why })
}
