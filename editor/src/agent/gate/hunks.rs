//! From texts that stand in a file exactly once to the replacements of the words that differ. Nothing is matched by likeness.

use std::ops::Range;

use similar::{DiffTag, TextDiff};

use super::proposal::Hunk;
use super::refusal::{Code, Refusal};
use crate::source::model::Replacement;

/// How many of the nearest lines a refusal names.
const MAX_NEAREST: usize = 3;

/// Where the hunk's old text stands.
pub(super) fn place(text: &str, hunk: &Hunk) -> Result<Range<usize>, Refusal> {
    let path = &hunk.path;
    if hunk.old.is_empty() {
        let reason = format!("`old` is empty: copy from {path} what is to be replaced, as it stands there");
        return Err(Refusal::new(Code::NotUnique, reason));
    }
    let found: Vec<usize> = occurrences(text, &hunk.old);
    match found.as_slice() {
        [start] => Ok(*start..*start + hunk.old.len()),
        [] => {
            let mut reason = format!("`old` does not occur in {path}; it must be copied exactly, white space included");
            let nearest = nearest(text, &hunk.old);
            if !nearest.is_empty() {
                reason.push_str(". The nearest lines are:\n");
                reason.push_str(&nearest);
            }
            Err(Refusal::new(Code::NotUnique, reason))
        }
        several => {
            let lines: Vec<String> = several
                .iter()
                .take(8)
                .map(|at| line_of(text, *at).to_string())
                .collect();
            let reason = format!(
                "`old` occurs {} times in {path} (lines {}): add lines around it until it occurs once",
                several.len(),
                lines.join(", ")
            );
            Err(Refusal::new(Code::NotUnique, reason))
        }
    }
}

/// Every place, overlapping ones too.
fn occurrences(text: &str, wanted: &str) -> Vec<usize> {
    let step = wanted.chars().next().map_or(1, char::len_utf8);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(wanted) {
        found.push(from + at);
        from += at + step;
    }
    found
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// The lines of a file that are most like the first line that says something, with their numbers.
fn nearest(text: &str, old: &str) -> String {
    let Some(wanted) = old.lines().map(str::trim).find(|line| !line.is_empty()) else {
        return String::new();
    };
    let mut lines: Vec<(f32, usize, &str)> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && line.len() < 400)
        .map(|(at, line)| (likeness(wanted, line.trim()), at + 1, line))
        .filter(|(likeness, ..)| *likeness > 0.5)
        .collect();
    lines.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let named = lines
        .iter()
        .take(MAX_NEAREST)
        .map(|(_, at, line)| format!("{at}: {line}"));
    named.collect::<Vec<_>>().join("\n")
}

/// From 0 to 1: how many pairs of neighbouring characters two texts share.
fn likeness(one: &str, other: &str) -> f32 {
    let pairs = |text: &str| -> Vec<(char, char)> {
        let mut pairs: Vec<_> = text.chars().zip(text.chars().skip(1)).collect();
        pairs.sort_unstable();
        pairs
    };
    let (one, other) = (pairs(one), pairs(other));
    let (mut left, mut right, mut shared) = (0, 0, 0_u16);
    while left < one.len() && right < other.len() {
        match one[left].cmp(&other[right]) {
            std::cmp::Ordering::Equal => {
                shared = shared.saturating_add(1);
                left += 1;
                right += 1;
            }
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
        }
    }
    let all = u16::try_from(one.len() + other.len()).unwrap_or(u16::MAX).max(1);
    2.0 * f32::from(shared) / f32::from(all)
}

/// The words of a hunk that differ.
pub(super) fn shrink(hunk: &Hunk, start: usize) -> Vec<Replacement> {
    let old: Vec<&str> = words(&hunk.old);
    let new: Vec<&str> = words(&hunk.new);
    let starts = |words: &[&str]| -> Vec<usize> {
        let mut at = 0;
        let mut starts = vec![0];
        for word in words {
            at += word.len();
            starts.push(at);
        }
        starts
    };
    let (old_at, new_at) = (starts(&old), starts(&new));
    let mut replacements: Vec<Replacement> = Vec::new();
    for operation in TextDiff::from_slices(&old, &new).ops() {
        if operation.tag() == DiffTag::Equal {
            continue;
        }
        let (from, to) = (operation.old_range(), operation.new_range());
        let range = start + old_at[from.start]..start + old_at[from.end];
        let text = &hunk.new[new_at[to.start]..new_at[to.end]];
        match replacements.last_mut() {
            Some(last) if last.range.end == range.start => {
                last.range.end = range.end;
                last.text.push_str(text);
            }
            _ => replacements.push(Replacement::new(range, text)),
        }
    }
    replacements
}

/// The whole stretch in which a hunk's texts differ, as one replacement.
pub(super) fn stretch(hunk: &Hunk, start: usize) -> Vec<Replacement> {
    let (old, new) = (hunk.old.as_str(), hunk.new.as_str());
    if old == new {
        return Vec::new();
    }
    let same = |pair: &(u8, u8)| pair.0 == pair.1;
    let mut head = old.bytes().zip(new.bytes()).take_while(same).count();
    while !old.is_char_boundary(head) || !new.is_char_boundary(head) {
        head -= 1;
    }
    let (rest, other) = (&old[head..], &new[head..]);
    let mut tail = rest.bytes().rev().zip(other.bytes().rev()).take_while(same).count();
    while !rest.is_char_boundary(rest.len() - tail) || !other.is_char_boundary(other.len() - tail) {
        tail -= 1;
    }
    let range = start + head..start + old.len() - tail;
    vec![Replacement::new(range, &other[..other.len() - tail])]
}

/// Words, white space and each other character by itself.
fn words(text: &str) -> Vec<&str> {
    #[derive(PartialEq, Clone, Copy)]
    enum Sort {
        Word,
        Space,
        Other,
    }
    let sort = |character: char| {
        if character.is_alphanumeric() || character == '_' {
            Sort::Word
        } else if character.is_whitespace() && character != '\n' {
            Sort::Space
        } else {
            Sort::Other
        }
    };
    let mut words = Vec::new();
    let (mut start, mut before) = (0, None);
    for (at, character) in text.char_indices() {
        let now = sort(character);
        if before.is_some_and(|before| before != now || now == Sort::Other) {
            words.push(&text[start..at]);
            start = at;
        }
        before = Some(now);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

/// Lines that a replacement takes out or puts in, the larger number.
pub(super) fn lines(text: &str, replacement: &Replacement) -> usize {
    let old = text.get(replacement.range.clone()).unwrap_or_default();
    let count = |text: &str| text.trim_matches('\n').matches('\n').count() + 1;
    count(old).max(count(&replacement.text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::source::model::Change;

    fn hunk(old: &str, new: &str) -> Hunk {
        Hunk {
            path: "a.tsx".into(),
            old: old.into(),
            new: new.into(),
        }
    }

    const TEXT: &str = "<p>One</p>\n<p>Two</p>\n<b>One</b>\naaa\n";

    #[test]
    fn a_text_must_stand_there_exactly_once() {
        assert_eq!(place(TEXT, &hunk("<p>One</p>", "")), Ok(0..10));
        let gone = place(TEXT, &hunk("<p>  Two</p>", "")).unwrap_err();
        assert_eq!(gone.code, Code::NotUnique);
        assert!(gone.reason.contains("2: <p>Two</p>"), "{}", gone.reason);
        let twice = place(TEXT, &hunk("One", "")).unwrap_err();
        assert!(
            twice.reason.contains("2 times") && twice.reason.contains("lines 1, 3"),
            "{}",
            twice.reason
        );
        assert!(
            place(TEXT, &hunk("aa", "")).unwrap_err().reason.contains("2 times"),
            "overlapping"
        );
        assert!(place(TEXT, &hunk("", "x")).is_err());
    }

    #[test]
    fn only_the_words_that_differ_are_replaced() {
        let found = shrink(
            &hunk("<p className=\"a b\">One two</p>", "<p className=\"a c\">One three</p>"),
            5,
        );
        let texts: Vec<_> = found
            .iter()
            .map(|each| (each.range.clone(), each.text.as_str()))
            .collect();
        assert_eq!(texts, [(21..22, "c"), (28..31, "three")]);
    }

    proptest! {
        #[test]
        fn both_ways_lead_to_the_new_text(old in "[ab<> é\n]{0,16}", new in "[ab<> é\n]{0,16}") {
            let one = hunk(&old, &new);
            for replacements in [shrink(&one, 2), stretch(&one, 2)] {
                let change = Change { path: "a".into(), replacements };
                prop_assert_eq!(change.apply(&format!("12{old}34")), Some(format!("12{new}34")));
            }
        }
    }
}
