//! At the end of a turn that changed something a model judges whether it reached its goal: by what was asked, what was changed,
//! and what the page shows. It changes nothing.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::eyes::{self, Seen, WIDTH};
use super::turn::{Goal, Turn, Verdict, What};
use super::work::Work;
use crate::agent::question::{Model, Unanswered, ask};
use crate::models::budget::GOAL;
use crate::models::{Message, Part, Request, Tool};
use crate::review::Surface;

const TOOL: &str = "judge";
/// Bytes of the differences that are shown.
const MAX_DIFF: usize = 12_000;
/// Bytes of the wish.
const MAX_WISH: usize = 4_000;
const SYSTEM: &str = "You judge whether a change of a web prototype reached what its user asked for. You get the wish, the differences \
in the source, and a picture of the page afterwards where there is one. Call `judge` once: `reached` when the wish is fulfilled, \
`not-reached` when something of it is missing or wrong, `unclear` when this cannot be told from what you see. Give the reason in \
one sentence, in the language of the wish.";

/// What a model says of the turn; `None` where nothing was changed, or somebody stopped it.
pub(super) async fn judge(work: &Work, model: Model<'_>, turn: &Turn, surface: &Surface) -> Option<Goal> {
    if work.edits.lock().is_empty() || work.stop.is_cancelled() {
        return None;
    }
    let unclear = |why: String| {
        let verdict = Verdict::Unclear;
        Some(Goal { verdict, why })
    };
    let page = turn.page.as_deref().unwrap_or("/");
    let seen = tokio::select! {
        seen = eyes::look(surface, page, WIDTH) => seen.ok(),
        () = work.stop.cancelled() => return None,
    };
    let before = *work.cost.lock();
    let answer = ask(model, request(work, turn, seen), GOAL, &work.rates, &work.stop).await;
    work.add_cost(before, &answer.usage, answer.cost);
    let silent = || unclear("The model gave no judgement.".to_owned());
    match answer.said {
        Ok(said) => match read(&said) {
            Some(goal) => Some(Goal {
                why: work.hide(&goal.why),
                ..goal
            }),
            None => silent(),
        },
        Err(why) if why.is_stopped() => None,
        Err(Unanswered::Silent) => silent(),
        Err(why) => unclear(format!(
            "It was not judged: {}.",
            work.hide(why.to_string().trim_end_matches('.'))
        )),
    }
}

fn request(work: &Work, turn: &Turn, seen: Option<Seen>) -> Request {
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
