//! The last check of every plan: the changed files are read again, and outside the replaced characters nothing may have
//! become something else.

use std::ops::Range;

use super::css::{self, Dialect, Sheet};
use super::script::{self, Piece};
use super::sfc;
use crate::source::model::code::Code;
use crate::source::model::inspection::Language;
use crate::source::model::plan::{Change, Plan, Refusal, Replacement};
use crate::source::model::project::Project;

/// Applies `plan` in memory and reads the result.
///
/// # Errors
/// `would-break` when a file would have an error, or would mean something else outside of what is replaced.
pub fn verify(project: &dyn Project, plan: &Plan) -> Result<(), Refusal> {
    plan.changes.iter().try_for_each(|change| {
        let reason = |why: &str| {
            let path = &change.path;
            Refusal::uncertain(
                Code::WouldBreak,
                format!(
                    "The edit is not made, because {path} would not be in order after it: {why}. Change it in the code"
                ),
            )
        };
        let old = project.read(&change.path).ok_or_else(|| reason("it cannot be read"))?;
        let new = change
            .apply(&old)
            .ok_or_else(|| reason("its places do not fit the file"))?;
        let (Some(before), after) = (pieces(&change.path, &old).ok().flatten(), pieces(&change.path, &new)) else {
            return Ok(());
        };
        let after = after.map_err(|why| reason(&why))?.unwrap_or_default();
        if same_outside(change, &before, &after) {
            Ok(())
        } else {
            Err(reason("something beside the edited place would change its meaning"))
        }
    })
}

/// Whether a file that could be read can be read after a change, too; else why not.
///
/// # Errors
/// With the parser's words.
pub fn still_reads(path: &str, old: &str, new: &str) -> Result<(), String> {
    match pieces(path, old) {
        Ok(Some(_)) => pieces(path, new).map(|_| ()),
        Ok(None) | Err(_) => Ok(()),
    }
}

/// What a file consists of; `None` for files that are not understood here.
fn pieces(path: &str, text: &str) -> Result<Option<Vec<Piece>>, String> {
    let ending = path.rsplit('.').next().unwrap_or_default();
    match (Language::of(path), ending) {
        (Some(Language::Jsx), _) | (None, "ts" | "mts" | "cts") => script::pieces(path, text)
            .map(Some)
            .map_err(|broken| broken.to_string()),
        (Some(Language::Vue), _) => component(text).map(Some),
        (None, "json") => match serde_json::from_str::<serde::de::IgnoredAny>(text) {
            Ok(_) => Ok(Some(Vec::new())),
            Err(error) => Err(error.to_string()),
        },
        _ => match Dialect::of(path) {
            Some(dialect) => statements(text, dialect, 0).map(Some),
            None => Ok(None),
        },
    }
}

/// The template, the scripts and the styles of a single-file component.
fn component(text: &str) -> Result<Vec<Piece>, String> {
    let component = sfc::read(text).map_err(|broken| broken.to_string())?;
    let mut pieces = sfc::pieces(&component).map_err(|broken| broken.to_string())?;
    for style in component.styles().filter(|style| style.src.is_none()) {
        if let Some(dialect) = Dialect::of(style.lang.unwrap_or("css")) {
            pieces.extend(statements(style.content.of(text), dialect, style.content.start)?);
        }
    }
    Ok(pieces)
}

/// The statements of a stylesheet that begins at `start` of the file, each with its kind and its depth.
fn statements(text: &str, dialect: Dialect, start: usize) -> Result<Vec<Piece>, String> {
    let sheet = Sheet::parse(text, dialect).map_err(|malformed| malformed.to_string())?;
    let mut depths: Vec<u64> = Vec::with_capacity(sheet.nodes.len());
    let mut pieces = Vec::with_capacity(sheet.nodes.len());
    for node in &sheet.nodes {
        let depth = node.parent.map_or(0, |parent| depths[parent] + 1);
        depths.push(depth);
        let kind = match node.kind {
            css::NodeKind::Rule { .. } => 0,
            css::NodeKind::At { .. } => 1,
            css::NodeKind::Declaration { .. } => 2,
            css::NodeKind::Other { .. } => 3,
        };
        // Its first character stands for it: its end moves when what follows is removed together with its semicolon.
        let at = node.range.start + start;
        pieces.push((at..at + 1, depth * 4 + kind));
    }
    Ok(pieces)
}

/// Whether the pieces that no replacement touches are the same before and after, each at its shifted place.
fn same_outside(change: &Change, before: &[Piece], after: &[Piece]) -> bool {
    let edits = Edits::new(&change.replacements);
    let mut before = before
        .iter()
        .filter_map(|(range, kind)| edits.shifted(range).map(|range| (range, *kind)));
    let mut after = after
        .iter()
        .filter(|(range, _)| !touches(&edits.new, range))
        .map(|(range, kind)| (range.clone(), *kind));
    loop {
        match (before.next(), after.next()) {
            (None, None) => return true,
            (one, other) if one == other => {}
            _ => return false,
        }
    }
}

/// Replaced ranges in ascending order: where they are in the old text, and where in the new.
struct Edits {
    old: Vec<Range<usize>>,
    new: Vec<Range<usize>>,
}

impl Edits {
    fn new(replacements: &[Replacement]) -> Self {
        let mut ordered: Vec<&Replacement> = replacements.iter().collect();
        ordered.sort_by_key(|replacement| replacement.range.start);
        let mut edits = Self {
            old: Vec::new(),
            new: Vec::new(),
        };
        // How far the new text is ahead of the old, as what was added and what was removed.
        let (mut added, mut removed) = (0, 0);
        for replacement in ordered {
            let start = replacement.range.start + added - removed;
            edits.old.push(replacement.range.clone());
            edits.new.push(start..start + replacement.text.len());
            added += replacement.text.len();
            removed += replacement.range.len();
        }
        edits
    }

    /// Where an untouched piece of the old text is in the new.
    fn shifted(&self, range: &Range<usize>) -> Option<Range<usize>> {
        if touches(&self.old, range) {
            return None;
        }
        let passed = self.old.partition_point(|edit| edit.end < range.start);
        let Some(last) = passed.checked_sub(1) else {
            return Some(range.clone());
        };
        let (old, new) = (self.old[last].end, self.new[last].end);
        Some(range.start - old + new..range.end - old + new)
    }
}

/// Whether one of the ascending ranges meets `range`; being neighbours counts.
fn touches(edits: &[Range<usize>], range: &Range<usize>) -> bool {
    let next = edits.partition_point(|edit| edit.end < range.start);
    edits.get(next).is_some_and(|edit| edit.start <= range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verified(path: &str, text: &str, from: &str, to: &str) -> Result<(), Refusal> {
        let start = text.find(from).unwrap();
        let replacement = Replacement::new(start..start + from.len(), to);
        verify(&[(path, text)], &Plan::of(path, vec![replacement]))
    }

    #[test]
    fn an_edit_that_stays_in_its_place_passes() {
        let text = "const a = <p title=\"x\">one<b>two</b></p>;\nconst b = <i/>;\n";
        verified("a.tsx", text, "one", "uno ✓").unwrap();
        verified("a.tsx", text, "<b>two</b>", "").unwrap();
        verified("a.tsx", text, "x\"", "x\" id=\"y\"").unwrap();
        verified("a.json", "{\"a\":1}", "1", "\"x\"").unwrap();
        verified("a.css", "a{top:0}b{top:1px}", "0", "2px").unwrap();
        verified("a.scss", "a{b{top:0}}// it's\nc{}", "top:0", "left:0;top:1px").unwrap();
        verified("a.sass", "a\n  top: 0", "0", "{").unwrap();
        verified("a.less", "top:0\n;left:0", ";left:0", "").unwrap();
        let component = "<template><p/></template>\n<style scoped>\np{top:0}\n</style>\n";
        verified("a.vue", component, "0", "1px").unwrap();
    }

    #[test]
    fn an_edit_that_breaks_the_file_is_refused() {
        for (path, text, from, to) in [
            ("a.tsx", "const a = <p>one</p>;", "one", "<b>"),
            ("a.ts", "const a = 'one';", "one", "o'ne"),
            ("a.json", "{\"a\":\"one\"}", "one", "o\"ne"),
            ("a.css", "a{top:0}", "a", "b{"),
            ("a.vue", "<script setup>\nconst a = 'one'\n</script>", "one", "o'ne"),
            ("a.vue", "<script>\nexport default {}\n</script>", "{}", "{"),
            (
                "a.vue",
                "<template><p/></template><style>\np{top:0}\n</style>",
                "0",
                "0}",
            ),
            ("a.vue", "<style lang=\"scss\">\np{top:0}\n</style>", "0", "\"0"),
        ] {
            assert_eq!(
                verified(path, text, from, to).unwrap_err().code,
                "would-break",
                "{path}"
            );
        }
    }

    #[test]
    fn an_edit_that_changes_what_stands_beside_it_is_refused() {
        let text = "const a = 'one'; const b = 'two'; const c = 'three';";
        let refusal = verified("a.ts", text, "one", "one'; /*").unwrap_err();
        assert_eq!(refusal.code, "would-break");
        let style = "<style>\na{top:0}b{left:0}\n</style>";
        let refusal = verified("a.vue", style, "0", "0 /*").unwrap_err();
        assert_eq!(refusal.code, "would-break");
        let refusal = verified("a.ts", "f('one', `x`, 'two', `y`)", "one", "one`, '").unwrap_err();
        assert_eq!(refusal.code, "would-break");
    }
}
