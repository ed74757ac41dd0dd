//! The outcome of planning an edit: replacements of byte ranges, or a refusal.

use std::ops::Range;

use serde::Serialize;

use super::code::Code;
use super::position::Stamp;
use super::project::MAX_SOURCE_BYTES;

/// What has to be replaced, in one or several files, so that the edit is done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// One entry for each file.
    pub changes: Vec<Change>,
    /// What people should know besides, in whole sentences: what the edit leaves behind.
    pub notes: Vec<String>,
}

impl Plan {
    /// A plan for one file.
    #[must_use]
    pub fn of(path: impl Into<String>, replacements: Vec<Replacement>) -> Self {
        let path = path.into();
        Self {
            changes: vec![Change { path, replacements }],
            ..Self::default()
        }
    }
}

/// The replacements in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Relative to the prototype's root, `/` between parts.
    pub path: String,
    /// In any order; their ranges must not overlap. Two insertions at one offset are applied in their order.
    pub replacements: Vec<Replacement>,
}

/// One byte range with what takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Byte offsets into the file's text (without byte order mark).
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

impl Replacement {
    /// Replaces `range` by `text`.
    #[must_use]
    pub fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { range, text }
    }

    /// Inserts `text` at `offset`.
    #[must_use]
    pub fn insert(offset: usize, text: impl Into<String>) -> Self {
        Self::new(offset..offset, text)
    }

    /// Removes `range`.
    #[must_use]
    pub fn remove(range: Range<usize>) -> Self {
        Self::new(range, "")
    }
}

impl Change {
    /// The text after the change; `None` when a range does not fit the text or two overlap, which is a defect of the planner.
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut ordered: Vec<&Replacement> = self.replacements.iter().collect();
        ordered.sort_by_key(|replacement| replacement.range.start);
        let mut result = String::with_capacity(text.len());
        let mut done = 0;
        for replacement in ordered {
            result.push_str(text.get(done..replacement.range.start)?);
            result.push_str(&replacement.text);
            done = replacement.range.end.max(replacement.range.start);
        }
        result.push_str(text.get(done..)?);
        Some(result)
    }
}

/// Why an edit is not done. Serialized as the wire's refusal, with `ok: false` beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Which status the answer has.
    #[serde(skip)]
    pub verdict: Verdict,
    /// A stable word for programs, as `spread-after` (API.md lists them).
    pub code: Code,
    /// For people: what stands in the way, and what they can do.
    pub reason: String,
    /// What to choose from, when a choice is all that is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// The configuration key that would wake the lane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lane: Option<&'static str>,
}

/// The kinds of refusals, by their status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// 409: the source changed meanwhile, or a choice is needed. Asking again can succeed.
    Conflict,
    /// 422: it cannot be done for certain.
    Uncertain,
    /// 403: the lane is dormant.
    Dormant,
}

/// One way to go on: the same request with `option` set to `value`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// A field of the request: `run`, `branch`, `scope`, `item`, `usage`, `at` or `when`.
    pub option: &'static str,
    /// Its value, as it goes into the request.
    pub value: serde_json::Value,
    /// For people.
    pub label: String,
}

impl Refusal {
    /// It cannot be done for certain (422).
    #[must_use]
    pub fn uncertain(code: Code, reason: impl Into<String>) -> Self {
        Self::new(Verdict::Uncertain, code, reason)
    }

    /// The source is not what the caller saw (409).
    #[must_use]
    pub fn changed(reason: impl Into<String>) -> Self {
        Self::new(Verdict::Conflict, Code::SourceChanged, reason)
    }

    /// No element begins at that place of the file (422).
    #[must_use]
    pub fn no_element(stamp: &Stamp) -> Self {
        let (path, at) = (&stamp.path, stamp.at);
        let reason = format!(
            "There is no element at line {}, column {} of {path}: select an element in the page or in the tree",
            at.line, at.column
        );
        Self::uncertain(Code::NoElement, reason)
    }

    /// The file is missing, or is nothing that is read as source (422).
    #[must_use]
    pub fn no_source(path: &str) -> Self {
        let reason = format!(
            "{path} is not there, or is no text of at most {} MB: select an element of another file",
            MAX_SOURCE_BYTES >> 20
        );
        Self::uncertain(Code::NoElement, reason)
    }

    /// One of several has to be chosen first (409).
    #[must_use]
    pub fn choose(reason: impl Into<String>, choices: Vec<Choice>) -> Self {
        let choose = Self::new(Verdict::Conflict, Code::ChoiceNeeded, reason);
        Self { choices, ..choose }
    }

    /// The lane is dormant (403); `key` as `lanes.detach`.
    #[must_use]
    pub fn dormant(key: &'static str) -> Self {
        let reason =
            format!("This edit is switched off: set {key} to true in tool.config.json and start the Editor again");
        let lane = Some(key);
        Self {
            lane,
            ..Self::new(Verdict::Dormant, Code::LaneDormant, reason)
        }
    }

    fn new(verdict: Verdict, code: Code, reason: impl Into<String>) -> Self {
        Self {
            verdict,
            code,
            reason: reason.into(),
            choices: Vec::new(),
            lane: None,
        }
    }
}

/// What people should know of a copy that is without an attribute of the original.
pub(in crate::source) fn left_out(attribute: &str) -> String {
    format!("The copy is without {}, which names one element only", short(attribute))
}

/// A piece of source or text as a part of a reason: one line, and not a long one.
pub(in crate::source) fn short(source: &str) -> String {
    const MAX_LENGTH: usize = 60;
    let line = source.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(replacements: Vec<Replacement>) -> Change {
        let path = "a".to_owned();
        Change { path, replacements }
    }

    #[test]
    fn replacements_are_applied_whatever_their_order() {
        let change = change(vec![
            Replacement::new(4..5, "E"),
            Replacement::insert(1, "x"),
            Replacement::insert(1, "y"),
            Replacement::remove(2..3),
        ]);
        assert_eq!(change.apply("abcde").as_deref(), Some("axybdE"));
    }

    #[test]
    fn ranges_that_do_not_fit_are_no_edit() {
        for replacements in [
            vec![Replacement::remove(3..9)],
            vec![Replacement::remove(0..2), Replacement::remove(1..3)],
            vec![Replacement::insert(1, "x")],
        ] {
            let text = if replacements.len() == 1 && replacements[0].range.is_empty() {
                "é"
            } else {
                "abcd"
            };
            assert_eq!(change(replacements).apply(text), None);
        }
    }
}
