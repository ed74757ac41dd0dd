//! Lines that a proposal only lays out anew, apart from what it changes. Nobody asked for them, and a diff of forty such lines hides the
//! one that matters. What is put into an element, or taken out of it, is moved as a whole, from change to change: that belongs to it.

use std::ops::Range;

use similar::{DiffTag, TextDiff};

use crate::source::spacing;

/// A line of a text that is not blank.
struct Line<'t> {
    number: usize,
    whole: &'t str,
    /// What counts of it: all where its white space says something.
    says: &'t str,
}

/// The number of the first line of a file that is only laid out anew, and how many there are; `None` without such lines.
pub(super) fn only_laid_out(path: &str, old: &str, new: &str) -> Option<(usize, usize)> {
    let (before, after) = (lines(path, old), lines(path, new));
    let one: Vec<&str> = before.iter().map(|line| line.says).collect();
    let other: Vec<&str> = after.iter().map(|line| line.says).collect();
    let diff = TextDiff::from_slices(&one, &other);
    let ops = diff.ops();
    let mut found: Option<(usize, usize)> = None;
    for (at, op) in ops.iter().enumerate().filter(|(_, op)| op.tag() == DiffTag::Equal) {
        let pairs = op.old_range().zip(op.new_range());
        let moved: Vec<usize> = pairs
            .filter(|(one, other)| before[*one].whole != after[*other].whole)
            .map(|(one, _)| one)
            .collect();
        let (Some(first), Some(last)) = (moved.first(), moved.last()) else {
            continue;
        };
        let is_between = at > 0 && at + 1 < ops.len();
        if is_between && *first == op.old_range().start && *last + 1 == op.old_range().end {
            continue;
        }
        let (line, count) = found.unwrap_or((before[*first].number, 0));
        found = Some((line, count + moved.len()));
    }
    found
}

fn lines<'t>(path: &str, text: &'t str) -> Vec<Line<'t>> {
    let exact = spacing::exact(path, text);
    let is_exact = |line: &Range<usize>| exact.iter().any(|one| one.start < line.end && line.start < one.end);
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, whole) in text.split_inclusive('\n').enumerate() {
        let range = start..start + whole.len();
        start = range.end;
        let whole = whole.trim_end_matches(['\n', '\r']);
        if whole.trim().is_empty() && !is_exact(&range) {
            continue;
        }
        lines.push(Line {
            number: at + 1,
            whole,
            says: if is_exact(&range) { whole } else { whole.trim() },
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str =
        "export const App = () => (\n  <main>\n    <h1>One</h1>\n    <p>Two</p>\n    <p>Three</p>\n  </main>\n);\n";

    #[test]
    fn what_is_only_indented_anew_is_counted() {
        let wide = OLD.replace("    <", "        <");
        assert_eq!(only_laid_out("a.tsx", OLD, &wide), Some((3, 3)));
        assert_eq!(only_laid_out("a.tsx", OLD, &wide.replace("One", "Uno")), Some((4, 2)));
        assert_eq!(
            only_laid_out("a.tsx", OLD, &OLD.replace(");\n", ");  \n")),
            Some((7, 1))
        );
        let top = format!(
            "import './a.css';\n{}",
            OLD.replace("Three", "Drei").replace("    <p>Two", "\t<p>Two")
        );
        assert_eq!(
            only_laid_out("a.tsx", OLD, &top),
            Some((4, 1)),
            "between two changes, and apart from both"
        );
    }

    #[test]
    fn what_is_put_into_an_element_or_said_by_white_space_is_not() {
        for new in [
            OLD.to_owned(),
            OLD.replace("One", "Uno"),
            OLD.replace(
                "    <p>Two</p>\n    <p>Three</p>\n",
                "    <div>\n      <p>Two</p>\n      <p>Three</p>\n    </div>\n",
            ),
            OLD.replace("    <h1>One</h1>\n", ""),
            OLD.replace("    <h1>", "\n    <h1>"),
        ] {
            assert_eq!(only_laid_out("a.tsx", OLD, &new), None, "{new}");
            assert_eq!(only_laid_out("a.tsx", &new, OLD), None, "{new}");
        }
        let code = "const a = `\n  one\n  two\n`;\n";
        assert_eq!(only_laid_out("a.tsx", code, &code.replace("  ", "    ")), None);
        let page = "<template>\n  <pre>\n  one\n  two</pre>\n</template>\n";
        assert_eq!(
            only_laid_out("a.vue", page, &page.replace("  one\n  two", "    one\n    two")),
            None
        );
    }
}
