//! Taking a step back that later steps came after: what the file would be if it had never been, and what the later steps are then.
//!
//! Possible when the later steps lead, each from where the one before it ended, to the file as it is now: then the places of what
//! the step wrote are known exactly, however often the same characters stand in the file.

use std::ops::Range;

use super::entry::{Entry, FileEntry, Mark, Splice};
use super::journal::History;
use super::patch::differences;

/// What became of it.
pub(super) enum Rebased {
    /// The file without the step, and the later entries with this file of theirs as it is then.
    Done {
        content: String,
        entries: Vec<(Entry, FileEntry)>,
    },
    /// This entry changed the same place.
    Overlap(Entry),
    /// Somebody else changed the file in between, or a step has no way back by characters.
    Unknown,
}

/// What a step wrote, and what stood there before.
struct Place {
    at: Range<usize>,
    removed: String,
}

/// Takes one file of `entry` back from `now`.
pub(super) fn before_later(history: &History, entry: &Entry, file: &FileEntry, now: &str) -> Rebased {
    let later: Vec<(&Entry, &FileEntry)> = history
        .done
        .iter()
        .skip_while(|id| **id != entry.id)
        .skip(1)
        .filter_map(|id| history.entry(id))
        .filter_map(|later| Some((later, later.files.iter().find(|other| other.path == file.path)?)))
        .collect();
    let Some(contents) = contents(file, &later, now) else {
        return Rebased::Unknown;
    };
    let first = &contents[0];
    let Some(before) = backward(file, first) else {
        return Rebased::Unknown;
    };
    let wrote = differences(&before, first);
    let mut places: Vec<Place> = wrote
        .into_iter()
        .map(|(old, at)| Place {
            at,
            removed: before[old].to_owned(),
        })
        .collect();
    let mut content = without(first, &places);
    let mut entries = Vec::with_capacity(later.len());
    for ((step, changed), pair) in later.into_iter().zip(contents.windows(2)) {
        let changes = differences(&pair[0], &pair[1]);
        for place in &mut places {
            let Some(moved) = past(&pair[0], &pair[1], &place.at, &changes) else {
                return Rebased::Overlap(step.clone());
            };
            place.at = moved;
        }
        let after = without(&pair[1], &places);
        let mark = |old: &Option<Mark>, content: &str| old.as_ref().map(|old| Mark::of(content.as_bytes(), old.mode));
        let rebased = FileEntry {
            path: changed.path.clone(),
            before: mark(&changed.before, &content),
            after: mark(&changed.after, &after),
            splice: Splice::between(content.as_bytes(), after.as_bytes()),
        };
        entries.push((step.clone(), rebased));
        content = after;
    }
    Rebased::Done { content, entries }
}

/// The file after the step and after each later one; `None` when that does not lead to `now`.
fn contents(file: &FileEntry, later: &[(&Entry, &FileEntry)], now: &str) -> Option<Vec<String>> {
    let mut contents = vec![now.to_owned()];
    for (_, step) in later.iter().rev() {
        let content = contents.last()?;
        if !step.after.as_ref()?.fits(content.as_bytes()) {
            return None;
        }
        contents.push(backward(step, content)?);
    }
    let is_first = file.after.as_ref()?.fits(contents.last()?.as_bytes());
    contents.reverse();
    is_first.then_some(contents)
}

fn backward(file: &FileEntry, content: &str) -> Option<String> {
    let before = file.splice.as_ref()?.backward(content.as_bytes())?;
    String::from_utf8(before).ok()
}

/// A text with what stood before at each of the places, which are in ascending order.
fn without(content: &str, places: &[Place]) -> String {
    let mut result = String::with_capacity(content.len());
    let mut end = 0;
    for place in places {
        result.push_str(&content[end..place.at.start]);
        result.push_str(&place.removed);
        end = place.at.end;
    }
    result.push_str(&content[end..]);
    result
}

/// Where a place of `before` is in `after`, which has these changes beside it; `None` when one of them is about the same text.
fn past(
    before: &str,
    after: &str,
    place: &Range<usize>,
    changes: &[(Range<usize>, Range<usize>)],
) -> Option<Range<usize>> {
    let (unit, kind) = unit(before, place);
    let mut moved = place.clone();
    for (old, new) in changes {
        // Where nothing is left of the step, it is not certain on which side of it something was put.
        let touches = old.end >= place.start && old.start <= place.end;
        let meets = old.end > unit.start && old.start < unit.end;
        if meets || (place.is_empty() && touches) {
            return None;
        }
        // What is put at the edge of a text belongs to it as well, as what is put at a word without a space between them does.
        let put = &after[new.clone()];
        let extends = old.is_empty()
            && match kind {
                Unit::Text => (unit.start..=unit.end).contains(&old.start),
                Unit::Word => {
                    (old.start == unit.start && !put.ends_with(char::is_whitespace))
                        || (old.start == unit.end && !put.starts_with(char::is_whitespace))
                }
                Unit::Markup => false,
            };
        if extends {
            return None;
        }
        if old.end <= place.start {
            let shifted = |at: usize| at - old.len() + new.len();
            moved = shifted(moved.start)..shifted(moved.end);
        }
    }
    Some(moved)
}

/// What a place is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A text of the markup, or a string.
    Text,
    /// A word of a list of classes, or of code.
    Word,
    /// Tags and braces: what is put beside them is something else.
    Markup,
}

/// What belongs together with a place: half of a sentence of one step and half of another's is nothing anybody wrote. A text of
/// the markup and a string are one; in a list of classes, and in code, each word is.
fn unit(content: &str, place: &Range<usize>) -> (Range<usize>, Unit) {
    const EDGES: [char; 9] = ['<', '>', '{', '}', '"', '\'', '`', ';', '\n'];
    let before = &content[..place.start];
    let behind = &content[place.end..];
    if content[place.clone()].contains(EDGES) {
        return (place.clone(), Unit::Markup);
    }
    let start = before.rfind(EDGES).map_or(0, |at| at + 1);
    let end = place.end + behind.find(EDGES).unwrap_or(behind.len());
    let edges = (before[..start].chars().next_back(), content[end..].chars().next());
    let is_text = matches!(edges, (Some('>' | '}' | '\n'), Some('<' | '{' | '\n')));
    let is_string = matches!(edges, (Some('"' | '\'' | '`'), Some('"' | '\'' | '`')));
    let names_classes = || {
        let word = content[..start].rsplit(char::is_whitespace).next().unwrap_or_default();
        ["class", "cn(", "clsx(", "cva("].iter().any(|name| word.contains(name))
    };
    if is_text || (is_string && !names_classes()) {
        return (start..end, Unit::Text);
    }
    let word_start = place.start - before[start..].rsplit(char::is_whitespace).next().map_or(0, str::len);
    let word_end = place.end
        + behind[..end - place.end]
            .split(char::is_whitespace)
            .next()
            .map_or(0, str::len);
    (word_start..word_end, Unit::Word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "<p className=\"one two\" id=\"a b\">Some words</p>";

    fn place(of: &str) -> Range<usize> {
        let start = TEXT.find(of).unwrap();
        start..start + of.len()
    }

    #[test]
    fn a_text_and_a_string_belong_together_and_classes_do_not() {
        for (changed, whole) in [
            ("Some", "Some words"),
            ("ord", "Some words"),
            ("tw", "two"),
            ("one", "one"),
            ("b", "a b"),
        ] {
            let place = if changed == "b" { place("b\"") } else { place(changed) };
            let place = place.start..place.start + changed.len();
            assert_eq!(&TEXT[unit(TEXT, &place).0], whole, "{changed}");
        }
    }

    #[test]
    fn a_place_moves_with_what_is_before_it_and_meets_what_is_in_it() {
        let words = place("Some words");
        let put = |place: &Range<usize>, old: Range<usize>, put: &str| {
            let mut after = TEXT.to_owned();
            after.replace_range(old.clone(), put);
            let new = old.start..old.start + put.len();
            past(TEXT, &after, place, &[(old, new)])
        };
        let past = |place: &Range<usize>, old: Range<usize>, length: usize| put(place, old, &"x".repeat(length));
        assert_eq!(past(&words, place("one"), 5), Some(words.start + 2..words.end + 2));
        assert_eq!(past(&words, place("</p>"), 0), Some(words.clone()));
        let empty = words.end..words.end;
        for (place, old) in [
            (words.clone(), place("words")),
            (place("Some"), place("words")),
            (place("Some"), words.end..words.end),
            (empty.clone(), empty),
        ] {
            assert_eq!(past(&place, old.clone(), 3), None, "{place:?} {old:?}");
        }
        // A text that only grew at its edge is not the step's own any more, and neither is a word.
        assert_eq!(put(&words, words.end..words.end, "0"), None);
        assert_eq!(put(&words, words.start..words.start, "0"), None);
        let word = place("two");
        assert_eq!(put(&word, word.end..word.end, "-large"), None);
        assert_eq!(put(&word, word.end..word.end, " three"), Some(word.clone()));
    }
}
