//! A change of a text that somebody else has changed since: it is made where what it replaces still stands, exactly once.
//!
//! What is looked for is not only the replaced characters, which may be few: the lines around them come along, as in a patch. A
//! formatter may have changed those, so fewer of them are tried in turn; what stands several times, or is too little to be
//! known again, is refused.

use std::ops::Range;

use similar::{DiffTag, TextDiff};

use super::entry::Splice;

/// Lines around a change: how many before it and behind it are looked for, the most first.
const CONTEXTS: [(usize, usize); 6] = [(3, 3), (2, 2), (1, 1), (1, 0), (0, 1), (0, 0)];
/// Characters before a change and behind it within its line, the most first.
const WIDTHS: [(usize, usize); 6] = [(64, 64), (32, 32), (16, 16), (8, 8), (1, 64), (64, 1)];
/// Fewer characters than this, white space left out, may stand anywhere.
const MIN_KNOWN: usize = 10;
/// So many of them must stand beside the replaced ones when those are looked for within a line.
const MIN_BESIDE: usize = 6;

/// Why a change does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misfit {
    /// What it replaces does not stand there.
    Gone,
    /// It stands there more than once.
    Several,
}

/// `now` with the change made, forward or backward.
pub(super) fn apply(now: &str, splice: &Splice, forward: bool) -> Result<String, Misfit> {
    let (old, new) = splice.sides(forward);
    let change = Change {
        lead: &splice.lead,
        old,
        new,
        trail: &splice.trail,
    };
    let found = match change.by_lines(now) {
        Err(Misfit::Gone) => vec![change.in_its_line(now)?],
        found => found?,
    };
    let mut result = String::with_capacity(now.len() + new.len());
    let mut end = 0;
    for (range, text) in &found {
        result.push_str(&now[end..range.start]);
        result.push_str(text);
        end = range.end;
    }
    result.push_str(&now[end..]);
    Ok(result)
}

/// A range of the present text, and what takes its place.
type Found = (Range<usize>, String);

struct Change<'a> {
    /// What stands before it.
    lead: &'a str,
    old: &'a str,
    new: &'a str,
    /// What stands behind it.
    trail: &'a str,
}

impl Change<'_> {
    /// Whole lines: each group of changed lines is looked for by itself, since others may have changed what is between them.
    fn by_lines(&self, now: &str) -> Result<Vec<Found>, Misfit> {
        let old = [self.lead, self.old, self.trail].concat();
        let new = [self.lead, self.new, self.trail].concat();
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let mut found: Vec<Found> = Vec::new();
        for (taken, put) in groups(&old, &new) {
            let range = find_lines(now, &old, &taken)?;
            if found.last().is_some_and(|(before, _)| before.end > range.start) {
                return Err(Misfit::Gone);
            }
            found.push((range, new[put].concat()));
        }
        if found.is_empty() { Err(Misfit::Gone) } else { Ok(found) }
    }

    /// The replaced characters with those beside them, as far as their lines go.
    fn in_its_line(&self, now: &str) -> Result<Found, Misfit> {
        let before = self.lead.rsplit('\n').next().unwrap_or_default().trim_start();
        let behind = self.trail.split('\n').next().unwrap_or_default().trim_end();
        for (left, right) in WIDTHS {
            let (before, behind) = (tail(before, left), head(behind, right));
            let beside = [visible(before), visible(behind)];
            let is_known = beside.iter().sum::<usize>() >= MIN_BESIDE
                && beside.iter().sum::<usize>() + visible(self.old) >= MIN_KNOWN
                // What was deleted goes back between two things that are both there.
                && (!self.old.is_empty() || beside.iter().all(|count| *count > 0));
            if !is_known {
                continue;
            }
            if let Some(at) = find_once(now, &[before, self.old, behind].concat())? {
                let start = at + before.len();
                return Ok((start..start + self.old.len(), self.new.to_owned()));
            }
        }
        Err(Misfit::Gone)
    }
}

/// Where two texts differ, each place as narrow as it can be: ranges of the old text, and of the new. As many lines as before are
/// taken for the same lines in their order, however alike they are.
pub(super) fn differences(old: &str, new: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let Some(whole) = Splice::between(old.as_bytes(), new.as_bytes()) else {
        return Vec::new();
    };
    let lines = [&whole.removed, &whole.inserted].map(|text| text.split_inclusive('\n').collect::<Vec<&str>>());
    let starts = lines.each_ref().map(|lines| {
        let mut at = whole.start;
        let ends = lines.iter().map(|line| {
            at += line.len();
            at
        });
        std::iter::once(whole.start).chain(ends).collect::<Vec<usize>>()
    });
    let groups = if lines[0].len() == lines[1].len() {
        let other = (0..lines[0].len()).filter(|line| lines[0][*line] != lines[1][*line]);
        other.map(|line| (line..line + 1, line..line + 1)).collect()
    } else {
        groups(&lines[0], &lines[1])
    };
    let narrow = groups.into_iter().filter_map(|(old_lines, new_lines)| {
        let old_at = starts[0][old_lines.start]..starts[0][old_lines.end];
        let new_at = starts[1][new_lines.start]..starts[1][new_lines.end];
        let splice = Splice::between(old[old_at.clone()].as_bytes(), new[new_at.clone()].as_bytes())?;
        let (from, to) = (old_at.start + splice.start, new_at.start + splice.start);
        Some((from..from + splice.removed.len(), to..to + splice.inserted.len()))
    });
    narrow.collect()
}

/// The lines that differ, as ranges of both sides.
fn groups(old: &[&str], new: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut groups: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for operation in TextDiff::from_slices(old, new).ops() {
        if operation.tag() == DiffTag::Equal {
            continue;
        }
        let (old, new) = (operation.old_range(), operation.new_range());
        match groups.last_mut() {
            Some((last_old, last_new)) if last_old.end == old.start && last_new.end == new.start => {
                (last_old.end, last_new.end) = (old.end, new.end);
            }
            _ => groups.push((old, new)),
        }
    }
    groups
}

/// Where lines stand in `now`: with as much around them as is still there.
fn find_lines(now: &str, lines: &[&str], taken: &Range<usize>) -> Result<Range<usize>, Misfit> {
    for (before, behind) in CONTEXTS {
        let before = lines[taken.start.saturating_sub(before)..taken.start].concat();
        let own = lines[taken.clone()].concat();
        let behind = lines[taken.end..lines.len().min(taken.end + behind)].concat();
        let known = visible(&before) + visible(&own) + visible(&behind);
        let is_between = visible(&before) > 0 && visible(&behind) > 0;
        if known < MIN_KNOWN || (own.is_empty() && !is_between) {
            continue;
        }
        let Some(at) = find_once(now, &[before.as_str(), &own, &behind].concat())? else {
            continue;
        };
        let start = at + before.len();
        let range = start..start + own.len();
        let is_whole = is_line_end(now, range.start) && (own.is_empty() || is_line_end(now, range.end));
        if is_whole {
            return Ok(range);
        }
    }
    Err(Misfit::Gone)
}

/// Whether a line begins, or the text begins or ends.
fn is_line_end(text: &str, at: usize) -> bool {
    at == 0 || at == text.len() || text.as_bytes()[at - 1] == b'\n'
}

/// The one place of `wanted`, `None` when there is none.
fn find_once(text: &str, wanted: &str) -> Result<Option<usize>, Misfit> {
    let Some(first) = text.find(wanted) else {
        return Ok(None);
    };
    let step = text[first..].chars().next().map_or(1, char::len_utf8);
    match text[first + step..].find(wanted) {
        Some(_) => Err(Misfit::Several),
        None => Ok(Some(first)),
    }
}

fn visible(text: &str) -> usize {
    text.chars().filter(|character| !character.is_whitespace()).count()
}

fn head(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

fn tail(text: &str, most: usize) -> &str {
    let mut starts = text.char_indices().rev().take(most);
    starts.by_ref().last().map_or("", |(start, _)| &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "import { Card } from './Card';\n\nexport const App = () => (\n  <main>\n    <h1 className=\"big\">Hello</h1>\n    <p>Some words</p>\n    <Card title=\"One\" />\n  </main>\n);\n";

    fn splice(from: &str, to: &str) -> (Splice, String) {
        let after = BEFORE.replacen(from, to, 1);
        (Splice::between(BEFORE.as_bytes(), after.as_bytes()).unwrap(), after)
    }

    /// Takes a step back after somebody changed the text it left.
    fn undone(step: (&str, &str), theirs: impl Fn(&str) -> String) -> Result<String, Misfit> {
        let (splice, after) = splice(step.0, step.1);
        apply(&theirs(&after), &splice, false)
    }

    #[test]
    fn what_others_changed_elsewhere_stays() {
        for step in [
            ("Hello", "Servus"),
            ("    <p>Some words</p>\n", ""),
            ("big", "big bold"),
        ] {
            for theirs in [
                |text: &str| format!("// formatted\n{text}"),
                |text: &str| format!("{text}// the end\n"),
                |text: &str| text.replace("'./Card'", "\"./Card\""),
                |text: &str| text.replace(";\n", "\n"),
                |text: &str| text.replace("  </main>\n", "    <Card title=\"Two\" />\n  </main>\n"),
            ] {
                assert_eq!(undone(step, theirs), Ok(theirs(BEFORE)), "{step:?}");
            }
        }
    }

    #[test]
    fn what_was_deleted_goes_back_only_between_what_it_stood_between() {
        let beside = |text: &str| text.replace("<Card title=\"One\" />", "<Card title=\"Two\" />");
        assert_eq!(undone(("    <p>Some words</p>\n", ""), beside), Err(Misfit::Gone));
        assert_eq!(undone(("Hello", "Servus"), beside), Ok(beside(BEFORE)));
    }

    #[test]
    fn differences_are_as_narrow_as_they_can_be() {
        let new = BEFORE.replace("Card }", "Card, Menu }").replace("Hello", "Help");
        let found = differences(BEFORE, &new);
        let texts: Vec<_> = found
            .into_iter()
            .map(|(old, at)| (&BEFORE[old], new[at].to_owned()))
            .collect();
        assert_eq!(texts, [("", ", Menu".to_owned()), ("lo", "p".to_owned())]);
    }

    #[test]
    fn a_formatter_that_moved_the_line_does_not_hide_it() {
        let indented = |text: &str| text.replace("\n    <", "\n\t\t<").replace("\n  <", "\n\t<");
        assert_eq!(undone(("Hello", "Servus"), indented), Ok(indented(BEFORE)));
        let quoted = |text: &str| text.replace("className=\"big\"", "className='big'");
        assert_eq!(undone(("Hello", "Servus"), quoted), Ok(quoted(BEFORE)));
    }

    #[test]
    fn what_is_gone_or_there_twice_is_refused() {
        let gone = |text: &str| text.replace("Servus", "Theirs");
        assert_eq!(undone(("Hello", "Servus"), gone), Err(Misfit::Gone));
        let twice = |text: &str| format!("{text}{text}");
        assert_eq!(undone(("Hello", "Servus"), twice), Err(Misfit::Several));
        let empty = |_: &str| String::new();
        assert_eq!(undone(("Hello", "Servus"), empty), Err(Misfit::Gone));
    }

    #[test]
    fn a_change_in_two_places_is_found_in_both() {
        let after = BEFORE
            .replace("import { Card }", "import { Card, Menu }")
            .replace("    <p>Some words</p>\n", "    <Menu />\n    <p>Some words</p>\n");
        let splice = Splice::between(BEFORE.as_bytes(), after.as_bytes()).unwrap();
        let theirs = |text: &str| text.replace("<main>", "<main id=\"theirs\">");
        assert_eq!(apply(&theirs(&after), &splice, false), Ok(theirs(BEFORE)));
        assert_eq!(apply(&theirs(BEFORE), &splice, true), Ok(theirs(&after)));
    }

    #[test]
    fn too_little_is_not_known_again() {
        let splice = Splice::between(b"a\nb\n", b"a\nc\n").unwrap();
        assert_eq!(apply("x\nc\n", &splice, false), Err(Misfit::Gone));
    }
}
