//! The last check of every plan: the changed files are read again, and outside the replaced characters nothing may have
//! become something else.

use std::ops::Range;
use std::sync::Arc;

use super::css::{self, Dialect, Sheet};
use super::module;
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
        if stays_in_body(project, change, &old) == Some(true) {
            return Ok(());
        }
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

/// Whether a change stands within the block of one function, which afterwards is one, too, and means the same beside the
/// change. Then all around it is read as before, and reading the block is enough. `None` when that cannot be told.
fn stays_in_body(project: &dyn Project, change: &Change, old: &Arc<str>) -> Option<bool> {
    let replacements = &change.replacements;
    let start = replacements.iter().map(|one| one.range.start).min()?;
    let end = replacements.iter().map(|one| one.range.end).max()?;
    let module = module::known(project.kept()?, &change.path, old)?;
    let body = module.body_around(&(start..end))?;
    let offset = body.range.start;
    let inside = Change {
        path: change.path.clone(),
        replacements: replacements
            .iter()
            .map(|one| Replacement::new(one.range.start - offset..one.range.end - offset, one.text.clone()))
            .collect(),
    };
    let before = old.get(body.range.clone())?;
    let after = inside.apply(before)?;
    // Only a text that grows can become too large.
    if after.len() > before.len() && !script::is_readable(&change.apply(old)?) {
        return None;
    }
    let pieces = |text| script::body_pieces(&change.path, text, body.kind);
    Some(same_outside(&inside, &pieces(before)?, &pieces(&after)?))
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
    use crate::source::model::memo::Kept;

    /// A project of one file whose elements are kept, as they are once somebody looked at it.
    struct Opened {
        file: (&'static str, Arc<str>),
        kept: Kept,
    }

    impl Opened {
        fn new(path: &'static str, text: &str) -> Self {
            let (kept, text) = (Kept::default(), Arc::from(text));
            module::get(Some(&kept), path, &text).unwrap();
            let file = (path, text);
            Self { file, kept }
        }

        /// Whether the block of a function was enough to tell that the edit is in order.
        fn stays(&self, from: &str, to: &str) -> bool {
            let (path, text) = &self.file;
            let start = text.find(from).unwrap();
            let change = Change {
                path: (*path).to_owned(),
                replacements: vec![Replacement::new(start..start + from.len(), to)],
            };
            let stays = stays_in_body(self, &change, text) == Some(true);
            let plan = Plan::of(*path, change.replacements.clone());
            let whole = verify(&[(*path, &**text)], &plan).is_ok();
            assert!(whole || !stays, "{from} to {to}");
            assert_eq!(verify(self, &plan).is_ok(), whole, "{from} to {to}");
            stays
        }
    }

    impl Project for Opened {
        fn read(&self, path: &str) -> Option<Arc<str>> {
            (path == self.file.0).then(|| self.file.1.clone())
        }

        fn files(&self) -> Arc<[String]> {
            Arc::new([self.file.0.to_owned()])
        }

        fn kept(&self) -> Option<&Kept> {
            Some(&self.kept)
        }
    }

    #[test]
    fn an_edit_within_a_function_reads_nothing_else() {
        let text = "import a from 'a';\nclass B extends C {\n  async d() { await super.e(); return <p>one</p>; }\n}\nconst f = () => { return <i>two</i>; };\nconst g = <b>three</b>;\n";
        let opened = Opened::new("a.tsx", text);
        assert!(opened.stays("one", "uno"));
        assert!(
            opened.stays("<p>one</p>", "null; a(); <p>{}</p>"),
            "its statements may change"
        );
        assert!(opened.stays("two", "{a}"));
        assert!(opened.stays("<i>two</i>", "null"));
        assert!(!opened.stays("three", "drei"), "this stands in no function");
        assert!(!opened.stays("'a'", "'b'"));
        for breaks in [
            "{",
            "</p>; } e() { return <p>",
            "</p>; }}); class G { h() { return <p>",
            "<b>",
            "{await",
        ] {
            assert!(!opened.stays("one", breaks), "{breaks}");
        }
        assert!(
            !opened.stays("<i>two</i>", "await a"),
            "that waits in a function that is not async"
        );
    }

    proptest::proptest! {
        #[test]
        fn a_function_by_itself_tells_what_the_whole_file_does(
            at in 0usize..400,
            length in 0usize..12,
            to in "[a-c<>{}()$`'\"/*;=, \n]{0,6}|</p>|return|await |yield |\\}\\); \\(function\\(\\) \\{",
        ) {
            let text = "import a from 'a';\nexport class B extends C {\n  d = 1\n  async d() { for await (const x of y) { if (x) await super.e() } return <p title='x'>one {a}</p> }\n  *h() { yield* a }\n}\nconst f = (a) => { const b = `x${a}`; return a ? <i>two</i> : a.map((c) => { return <b key={c}>{c}</b> }) }\n(f)\nlet g = function* () { 'use strict'; yield <b>three</b> }\n;[g]\n";
            let opened = Opened::new("a.tsx", text);
            let start = at.min(text.len());
            let end = (start + length).min(text.len());
            let replacements = vec![Replacement::new(start..end, to.clone())];
            let change = Change { path: "a.tsx".to_owned(), replacements: replacements.clone() };
            if stays_in_body(&opened, &change, &opened.file.1) == Some(true) {
                let whole = verify(&[("a.tsx", text)], &Plan::of("a.tsx", replacements));
                proptest::prop_assert!(whole.is_ok(), "{start}..{end} to {to}: {whole:?}");
            }
        }
    }

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
