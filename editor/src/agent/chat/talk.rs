//! What a model is told in a turn: the user's words, what they selected, the repository's instructions; and what of earlier turns
//! it is told again.

use std::fmt::Write as _;

use super::turn::Turn;
use crate::agent::conventions::Found;
use crate::agent::fence::Fence;
use crate::models::{Message, Part, Secrets, ToolResult};

/// What of a conversation is told whole, in bytes: half of what a model of 200,000 tokens reads. Of what is older only the words
/// are told again.
const MAX_WHOLE: usize = 300_000;
/// And what is told at all.
const MAX_ALL: usize = 500_000;

/// What the user says in this turn.
pub(super) fn asked(turn: &Turn, conventions: Option<&Found>, fence: &Fence, secrets: &Secrets) -> Message {
    let mut text = String::new();
    if let Some(found) = conventions {
        if !found.taken.is_empty() {
            text.push_str("What the repository tells assistants about its code. Follow it where it concerns how code is written.\n");
        }
        for taken in &found.taken {
            let _ = writeln!(text, "{}", fence.around(&taken.path, &secrets.hide(&taken.text)));
        }
        if !found.taken.is_empty() {
            text.push('\n');
        }
    }
    if let Some(page) = &turn.page {
        let _ = writeln!(
            text,
            "The preview shows: {}",
            fence.around("preview", &secrets.hide(page))
        );
    }
    for chip in &turn.selection {
        let label = chip.label.as_deref().unwrap_or_default();
        let about = format!("{} {label}", chip.src);
        let _ = writeln!(
            text,
            "The user selected: {}",
            fence.around("selection", &secrets.hide(&about))
        );
    }
    if !text.is_empty() {
        text.push_str("\nThe user writes:\n");
    }
    text.push_str(&secrets.hide(&turn.text));
    Message::user(text)
}

/// What was said before, with the oldest results of tools in one line each, and without the oldest turns where it is too long.
pub(super) fn before(turns: Vec<(String, Vec<Message>)>) -> Vec<Message> {
    let mut room = MAX_ALL;
    let mut whole = MAX_WHOLE;
    let mut kept: Vec<Vec<Message>> = Vec::new();
    for (_, mut messages) in turns.into_iter().rev() {
        let size = size_of(&messages);
        if size > whole {
            whole = 0;
            messages.iter_mut().for_each(shorten);
        } else {
            whole -= size;
        }
        let size = size_of(&messages);
        if size > room {
            break;
        }
        room -= size;
        kept.push(messages);
    }
    kept.into_iter().rev().flatten().collect()
}

/// Shortens results of the running turn, but for the newest messages, when it grows too long.
pub(super) fn within(messages: &mut [Message], own: usize) {
    let (_, mine) = messages.split_at_mut(own.min(messages.len()));
    let newest = mine.len().saturating_sub(4);
    for message in &mut mine[..newest] {
        if size_of(std::slice::from_ref(message)) > 2_000 {
            shorten(message);
        }
    }
}

/// Whether results have to be shortened.
pub(super) fn is_long(messages: &[Message]) -> bool {
    size_of(messages) > MAX_WHOLE
}

fn size_of(messages: &[Message]) -> usize {
    messages
        .iter()
        .map(|message| serde_json::to_string(message).map_or(0, |text| text.len()))
        .sum()
}

fn shorten(message: &mut Message) {
    let Message::User { parts } = message else { return };
    for part in parts {
        if let Part::ToolResult(ToolResult { name, parts, .. }) = part {
            let text = format!("[what {name} answered is left out here; use it again if it is needed]");
            *parts = vec![Part::Text { text }];
        }
    }
}

/// Makes a conversation that was broken off whole: providers take no call of a tool without its result.
pub(super) fn settle(messages: &mut Vec<Message>) {
    let Some(Message::Assistant(last)) = messages.last() else {
        return;
    };
    if last.calls.is_empty() {
        return;
    }
    let results = last.calls.iter().map(|call| {
        let text = "[stopped before it was done]".to_owned();
        Part::ToolResult(ToolResult {
            id: call.id.clone(),
            name: call.name.clone(),
            parts: vec![Part::Text { text }],
            is_error: true,
        })
    });
    let parts = results.collect();
    messages.push(Message::User { parts });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::models::{Assistant, ToolCall, Wire};

    fn result(text: &str) -> Message {
        let parts = vec![Part::ToolResult(ToolResult {
            id: "1".to_owned(),
            name: "read_file".to_owned(),
            parts: vec![Part::Text { text: text.to_owned() }],
            is_error: false,
        })];
        Message::User { parts }
    }

    #[test]
    fn results_of_old_turns_become_a_line_and_the_oldest_turns_go() {
        let long = "x".repeat(200_000);
        let turns: Vec<_> = (0..4)
            .map(|number| {
                (
                    number.to_string(),
                    vec![Message::user(format!("turn {number}")), result(&long)],
                )
            })
            .collect();
        let told = before(turns);
        let text = serde_json::to_string(&told).unwrap();
        assert_eq!(told.len(), 8);
        assert_eq!(
            (text.matches(&long).count(), text.matches("left out here").count()),
            (1, 3)
        );
        let words: Vec<_> = (0..4)
            .map(|number| (number.to_string(), vec![Message::user(format!("{number}{long}"))]))
            .collect();
        assert_eq!(before(words).len(), 2);
    }

    #[test]
    fn a_call_without_a_result_gets_one() {
        let mut messages = vec![
            Message::user("x"),
            Message::Assistant(Assistant {
                wire: Wire::Messages,
                verbatim: Vec::new(),
                text: String::new(),
                calls: vec![ToolCall {
                    id: "1".to_owned(),
                    name: "tree".to_owned(),
                    input: Ok(json!({})),
                }],
            }),
        ];
        settle(&mut messages);
        assert_eq!(messages.len(), 3);
        settle(&mut messages);
        assert_eq!(messages.len(), 3);
    }

    #[test]
    fn the_users_words_stand_outside_of_the_fence_and_nothing_else_does() {
        let mut secrets = Secrets::default();
        secrets.add("canary-12345");
        let mut turn = Turn::new(
            "1".to_owned(),
            0,
            "Make it red canary-12345".to_owned(),
            Vec::new(),
            None,
        );
        let fence = Fence::new();
        let text = |turn: &Turn| serde_json::to_string(&asked(turn, None, &fence, &secrets)).unwrap();
        assert!(text(&turn).contains(r#""Make it red [secret]""#));
        turn.page = Some("/shop".to_owned());
        assert!(text(&turn).contains("data-") && text(&turn).ends_with("Make it red [secret]\"}]}"));
    }
}
