//! One edit as the journal keeps it: which files, from which content to which, with the inverse.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// One step of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Names it, and its folder of backups. Later ones sort behind.
    pub id: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// For people: what was done.
    pub title: String,
    /// What it was.
    pub kind: EntryKind,
    /// Who did it, where that was a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
    /// The files.
    pub files: Vec<FileEntry>,
}

/// Which model did a step, and in which conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct By {
    /// The chat session; `save` or `repair` for those lanes.
    pub session: String,
    /// The turn of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// The model's name.
    pub model: String,
}

/// What changed the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// An edit of the page.
    Edit,
    /// A file saved in the code view.
    File,
    /// Changes thrown away.
    Discard,
    /// What a model proposed, and the gate let through.
    Model,
}

/// One file of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// Relative to the prototype's root.
    pub path: String,
    /// What it was; `None` when it was not there.
    pub before: Option<Mark>,
    /// What it became; `None` when it went.
    pub after: Option<Mark>,
    /// How to get from one to the other. Without it both contents stand in the backup.
    pub splice: Option<Splice>,
}

/// One file of a step that was taken.
#[derive(Debug, Clone)]
pub struct Written {
    /// Relative to the prototype's root.
    pub path: String,
    /// What it was.
    pub before: Option<Vec<u8>>,
    /// What it is.
    pub after: Option<Vec<u8>>,
}

/// The exact state of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// SHA-256 of its bytes, in hex.
    pub hash: String,
    /// Its permissions.
    pub mode: u32,
}

impl Mark {
    /// The mark of a content.
    #[must_use]
    pub fn of(content: &[u8], mode: u32) -> Self {
        let hash = HEXLOWER.encode(&Sha256::digest(content));
        Self { hash, mode }
    }

    /// Whether `content` is what was marked.
    #[must_use]
    pub fn fits(&self, content: &[u8]) -> bool {
        HEXLOWER.encode(&Sha256::digest(content)) == self.hash
    }
}

/// The one stretch in which two contents differ.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// Where it begins, in bytes.
    pub start: usize,
    /// What stood there.
    pub removed: String,
    /// What stands there now.
    pub inserted: String,
    /// What stands before it: its line so far, and up to three lines. A journal of an older Editor has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lead: String,
    /// What stands behind it: the rest of its line, and up to three lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trail: String,
}

/// Lines that are kept on each side of a splice, and bytes at most.
const CONTEXT_LINES: usize = 3;
const MAX_CONTEXT_BYTES: usize = 600;

impl Splice {
    /// The stretch between what both have in common at their beginnings and ends; `None` when one of them is no text.
    #[must_use]
    pub fn between(before: &[u8], after: &[u8]) -> Option<Self> {
        let (before, after) = (str::from_utf8(before).ok()?, str::from_utf8(after).ok()?);
        let same = |pair: &(u8, u8)| pair.0 == pair.1;
        let mut start = before.bytes().zip(after.bytes()).take_while(same).count();
        while !before.is_char_boundary(start) || !after.is_char_boundary(start) {
            start -= 1;
        }
        let lead = last_lines(&before[..start]).to_owned();
        let (before, after) = (&before[start..], &after[start..]);
        let mut tail = before.bytes().rev().zip(after.bytes().rev()).take_while(same).count();
        while !before.is_char_boundary(before.len() - tail) || !after.is_char_boundary(after.len() - tail) {
            tail -= 1;
        }
        Some(Self {
            start,
            removed: before[..before.len() - tail].to_owned(),
            inserted: after[..after.len() - tail].to_owned(),
            trail: first_lines(&after[after.len() - tail..]).to_owned(),
            lead,
        })
    }

    /// What is replaced in a direction, and by what.
    #[must_use]
    pub fn sides(&self, forward: bool) -> (&str, &str) {
        if forward {
            (&self.removed, &self.inserted)
        } else {
            (&self.inserted, &self.removed)
        }
    }

    /// From before to after; `None` when it does not fit.
    #[must_use]
    pub fn forward(&self, content: &[u8]) -> Option<Vec<u8>> {
        swap(content, self.start, &self.removed, &self.inserted)
    }

    /// From after to before; `None` when it does not fit.
    #[must_use]
    pub fn backward(&self, content: &[u8]) -> Option<Vec<u8>> {
        swap(content, self.start, &self.inserted, &self.removed)
    }
}

fn last_lines(text: &str) -> &str {
    let line_ends = text.char_indices().rev().filter(|(_, character)| *character == '\n');
    let start = line_ends.map(|(at, _)| at + 1).nth(CONTEXT_LINES).unwrap_or(0);
    let least = text.ceil_char_boundary(text.len().saturating_sub(MAX_CONTEXT_BYTES));
    &text[start.max(least)..]
}

fn first_lines(text: &str) -> &str {
    let line_ends = text.char_indices().filter(|(_, character)| *character == '\n');
    let end = line_ends.map(|(at, _)| at + 1).nth(CONTEXT_LINES).unwrap_or(text.len());
    &text[..text.floor_char_boundary(end.min(MAX_CONTEXT_BYTES))]
}

fn swap(content: &[u8], start: usize, old: &str, new: &str) -> Option<Vec<u8>> {
    let rest = content.get(start..)?.strip_prefix(old.as_bytes())?;
    Some([&content[..start], new.as_bytes(), rest].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_splice_leads_there_and_back(before in "[aé😀\r\n]{0,12}", after in "[aé😀\r\n]{0,12}") {
            let splice = Splice::between(before.as_bytes(), after.as_bytes()).unwrap();
            prop_assert_eq!(splice.forward(before.as_bytes()), Some(after.clone().into_bytes()));
            prop_assert_eq!(splice.backward(after.as_bytes()), Some(before.into_bytes()));
        }
    }

    #[test]
    fn a_splice_does_not_fit_another_content() {
        let splice = Splice::between(b"one two", b"one fee").unwrap();
        assert_eq!(splice.forward(b"one"), None);
        assert_eq!(splice.forward(b"one xwo"), None);
        assert_eq!(Splice::between(b"\xff", b""), None);
    }
}
