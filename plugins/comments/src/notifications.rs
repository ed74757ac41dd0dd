//! Notifies people by mail that they were mentioned.
//!
//! A remark that mentions somebody publishes the event [`TOPIC`] with its own write. This plugin subscribes to it, so
//! the mails are made afterwards and no answer waits for them. A repeated event makes no second mail, because a note's key
//! is the remark and the participant. The host also checks who may get the mail.
//!
//! Mail goes out in the instance's name, so nobody can use it to send their own words to strangers: no mail holds a
//! visitor's text or name, and an address without an account gets the place of the mention, not the text.

use galley_sdk::mail::{self, Note};
use galley_sdk::prelude::*;
use galley_sdk::sql::Batch;
use galley_sdk::{log, projects, settings};
use serde::{Deserialize, Serialize};

use crate::author::{self, Author};
use crate::ids;
use crate::participants::Mentions;
use crate::store::{RemarkId, Store};

/// The topic of the event.
pub(crate) const TOPIC: &str = "comments/people-mentioned";

/// The data of the event: [`PeopleMentioned`].
pub(crate) const SCHEMA: &str = r#"{
    "type": "object",
    "required": ["projectId", "commentId", "people", "sender"],
    "properties": {
        "projectId": { "type": "string" },
        "commentId": { "type": "string" },
        "replyId": { "type": ["string", "null"] },
        "people": { "type": "array", "items": { "type": "string" } },
        "by": { "type": ["string", "null"] },
        "sender": { "type": "string" }
    }
}"#;

/// The most characters of a line of a note.
const MAX_LINE: usize = 200;
/// The most bytes of a page's place in a link.
const MAX_PLACE: usize = 1_000;
/// The same for a place that a visitor gave.
const PLAIN_PLACE: usize = 60;

/// The event's data. It holds ids only: nobody is notified of a remark that was deleted meanwhile.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PeopleMentioned {
    project_id: String,
    comment_id: String,
    /// Set when a reply mentioned them.
    reply_id: Option<String>,
    /// The participants who are mentioned for the first time.
    people: Vec<String>,
    /// The name of the person who mentioned them; `None` for the remark's author.
    by: Option<String>,
    /// Who mentioned them, for the host's bound: an account's uid, or [`VISITORS`].
    sender: String,
}

/// All visitors of a project are one sender.
const VISITORS: &str = "visitors";

/// The person who mentions somebody.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Notifier<'t> {
    /// The author of the remark, who writes it now.
    Author(&'t Author),
    /// Somebody who changes the remark of another: the caller.
    Editor(&'t Caller),
}

impl Notifier<'_> {
    /// The name, unless it is a visitor's statement or the author's.
    fn name(self) -> Option<String> {
        match self {
            Notifier::Author(_) => None,
            Notifier::Editor(caller) => match &caller.user {
                Some(user) => Some(user.name.clone()),
                None => caller.is_admin().then(|| "An admin".into()),
            },
        }
    }

    /// See [`PeopleMentioned::sender`].
    fn sender(self, project: &str) -> String {
        let account = match self {
            Notifier::Author(author) => author.email.is_some().then(|| author.uid.clone()),
            Notifier::Editor(caller) => caller.user.as_ref().map(author::uid),
        };
        account.unwrap_or_else(|| format!("{VISITORS}:{project}"))
    }
}

/// Adds to a batch the event that notifies the people of `mentions`, if there are any.
pub(crate) fn add(
    batch: Batch,
    project: &str,
    comment: &str,
    reply: Option<&str>,
    mentions: Mentions,
    by: Notifier<'_>,
) -> Batch {
    if mentions.tell.is_empty() {
        return batch;
    }
    let event = PeopleMentioned {
        project_id: project.to_owned(),
        comment_id: comment.to_owned(),
        reply_id: reply.map(str::to_owned),
        people: mentions.tell,
        by: by.name(),
        sender: by.sender(project),
    };
    batch.publish(TOPIC, &event)
}

/// Sends a note to each of the people who are still mentioned.
pub(crate) fn people_mentioned<S: Store>(event: Event<PeopleMentioned>) -> Result<()> {
    let event = event.data;
    let Some(project) = projects::get(&event.project_id) else {
        return Ok(());
    };
    let id = RemarkId {
        project: &event.project_id,
        comment: &event.comment_id,
        reply: event.reply_id.as_deref(),
    };
    let people = S::still_mentioned(&id, &ids::keys(&event.people))?;
    // It may have been deleted meanwhile.
    let Some(remark) = S::remark(&id)? else {
        return Ok(());
    };
    let by_visitor = remark.author_uid.starts_with("viewer:");
    let by = match (&event.by, by_visitor) {
        (Some(name), _) => name,
        (None, false) => &remark.author_name,
        (None, true) => "A visitor",
    };
    let subject = cut(&format!("{by} mentioned you in {}", project.name));
    let what = match event.reply_id {
        Some(_) => "In a reply",
        None => "In a comment",
    };
    let mut place = place(&project.url, &remark.page);
    if by_visitor {
        place = place.filter(|place| is_plain(place));
    }
    // A page outside of the prototype is not shown, because mail programs make links of addresses.
    let page = place
        .map(|place| format!(" on the page /{}", encoded(&cut(place))))
        .unwrap_or_default();
    let outline = format!("{what}{page}.\n");
    let text = match by_visitor {
        true => outline.clone(),
        false => format!("{what}{page}:\n\n{}", quoted(&remark.body)),
    };
    // Where the comment is shown, beside the page it stands on.
    let link = format!("{}/projects/{}?c={}", public_url(), project.slug, remark.number);
    for (id, email) in people {
        let note = Note {
            key: format!("{}:{id}", event.reply_id.as_ref().unwrap_or(&event.comment_id)),
            to: email,
            subject: subject.clone(),
            heading: subject.clone(),
            text: text.clone(),
            link: link.clone(),
            project: project.id.clone(),
        };
        match mail::notify_by(&note, &event.sender, &outline) {
            Ok(()) => {}
            // The project was deleted in the meantime.
            Err(problem) if problem.is("not-found") => return Ok(()),
            // Another attempt would fail, too, and delay later events.
            Err(problem) if ["too-many", "invalid", "denied"].iter().any(|code| problem.is(code)) => {
                log::warn(format!("nobody is told of a mention: {}", problem.message));
            }
            Err(problem) => return Err(problem.into()),
        }
    }
    Ok(())
}

/// The address of this instance.
fn public_url() -> String {
    let url: Option<String> = settings::get("publicUrl");
    url.unwrap_or_default().trim_end_matches('/').to_owned()
}

/// The page of the prototype a remark stands on, below its address `home`. `page` is what a client said: a path, or a whole
/// address. `None` when that does not lie in the prototype.
fn place<'p>(home: &str, page: &'p str) -> Option<&'p str> {
    let path = home
        .splitn(4, '/')
        .nth(3)
        .map(|path| format!("/{path}"))
        .unwrap_or_default();
    let below = page
        .strip_prefix(home)
        .or_else(|| page.strip_prefix(&path).filter(|_| path.len() > 1))
        // The bridge reports the start page without the slash.
        .or_else(|| (page == path.trim_end_matches('/')).then_some(""))
        .unwrap_or(page)
        .trim_start_matches('/');
    let name = below.split(['?', '#']).next().unwrap_or_default();
    let climbs = |part: &str| matches!(part.to_lowercase().replace("%2e", ".").as_str(), "." | "..");
    let foreign = name.contains([':', '\\']) || name.split('/').any(climbs);
    (!foreign && below.len() <= MAX_PLACE).then_some(below)
}

/// Whether a place that a visitor gave is one rather than a message: a short path without dots, which mail programs make
/// links of, or one to a page.
fn is_plain(place: &str) -> bool {
    let path = place.strip_suffix(".html").unwrap_or(place);
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '#');
    path.len() <= PLAIN_PLACE && path.chars().all(allowed)
}

/// A place, encoded for a link.
fn encoded(place: &str) -> String {
    let mut text = String::new();
    for c in place.chars() {
        if c.is_whitespace() || c.is_control() || "\"<>`{}|^".contains(c) {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes);
            for byte in &bytes[..c.len_utf8()] {
                text.push_str(&format!("%{byte:02X}"));
            }
        } else {
            text.push(c);
        }
    }
    text
}

/// A text as a quotation.
fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}\n")).collect()
}

/// A line that fits a note.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_LINE - 1) {
        Some((at, c)) if at + c.len_utf8() < text.len() => format!("{}…", &text[..at]),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_a_place_in_the_prototype_or_none() {
        for (page, below) in [
            ("/", Some("")),
            ("", Some("")),
            ("/about", Some("about")),
            ("about.html?a=1#b", Some("about.html?a=1#b")),
            ("https://x.org/p/demo/about", Some("about")),
            ("/p/demo/about", Some("about")),
            ("/p/demo", Some("")),
            ("/p/demonstration", Some("p/demonstration")),
            ("//evil.example/", Some("evil.example/")),
            ("#/route", Some("#/route")),
            ("/?next=a:b/../c", Some("?next=a:b/../c")),
            ("https://evil.example/", None),
            ("javascript:alert(1)", None),
            ("/../../api/v1/me", None),
            ("/a/%2E./b", None),
            ("/a\\..\\b", None),
        ] {
            assert_eq!(place("https://x.org/p/demo/", page), below, "{page}");
        }
        let own = "https://demo.serve.org/";
        assert_eq!(place(own, "https://demo.serve.org/a"), Some("a"));
        assert_eq!(place(own, "/a"), Some("a"));
    }

    #[test]
    fn what_cannot_stand_in_a_link_is_encoded() {
        assert_eq!(encoded("a b\n\"c\u{a0}ä?x=%20"), "a%20b%0A%22c%C2%A0ä?x=%20");
    }

    #[test]
    fn a_line_is_cut_at_a_character() {
        assert_eq!(cut("short"), "short");
        assert_eq!(cut(&"é".repeat(MAX_LINE)), "é".repeat(MAX_LINE));
        let cut = cut(&"é".repeat(MAX_LINE + 1));
        assert!(cut.chars().count() == MAX_LINE && cut.ends_with('…'));
    }
}
