//! Which element a change is about: where it stands before the change, and where the same one stands afterwards.
//!
//! Stamps shift with every change, so an element is kept as its way through the file's tree: which child of which child it is.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::agent::gate::{Hunk, Proposal};
use crate::source::engine;
use crate::source::model::{Outline, Project, Stamp};

/// An element that is the same one before and after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    /// Before the change.
    pub(super) src: Stamp,
    /// Which of the elements that share the stamp.
    pub(super) item: Option<usize>,
    way: Vec<usize>,
}

impl Subject {
    /// Of an edit that the engine is asked for; where it adds, moves or takes away elements it is about what they stand in.
    pub(super) fn of_edit(project: &dyn Project, body: &Map<String, Value>) -> Option<Subject> {
        let text = |key: &str| body.get(key).and_then(Value::as_str);
        let src: Stamp = text("src")?.parse().ok()?;
        let outline = outline(project, &src.path)?;
        let mut way = way_to(&outline, &src)?;
        let is_within = matches!(text("place"), Some("first" | "last"));
        match text("kind")? {
            "move" => {
                let to = text("to").and_then(|to| to.parse::<Stamp>().ok());
                match to.filter(|to| to.path == src.path).and_then(|to| way_to(&outline, &to)) {
                    Some(to) => shared(&mut way, &to),
                    None => drop(way.pop()),
                }
            }
            "insert" if is_within => {}
            "insert" | "delete" | "duplicate" | "detach" | "swap" => drop(way.pop()),
            _ => {}
        }
        let item = body.get("item").and_then(Value::as_u64);
        let item = item.and_then(|item| usize::try_from(item).ok());
        Self::at(&outline, &src.path, way).map(|subject| Subject {
            // What elements stand in is no item of their list.
            item: item.filter(|_| subject.src == src),
            ..subject
        })
    }

    /// Of a proposal: the element of the first file with elements that everything changed in it stands in. Where it changes none, as
    /// a stylesheet, the element that the user selected.
    pub(super) fn of_proposal(project: &dyn Project, proposal: &Proposal, selected: Option<&str>) -> Option<Subject> {
        let mut paths: Vec<&str> = proposal.files.iter().map(|hunk| hunk.path.as_str()).collect();
        paths.dedup();
        let found = paths.into_iter().find_map(|path| {
            let hunks: Vec<&Hunk> = proposal.files.iter().filter(|hunk| hunk.path == path).collect();
            of_hunks(project, path, &hunks)
        });
        found.or_else(|| {
            let src: Stamp = selected?.parse().ok()?;
            let outline = outline(project, &src.path)?;
            let way = way_to(&outline, &src)?;
            Self::at(&outline, &src.path, way)
        })
    }

    /// Where it stands now.
    pub(super) fn now(&self, project: &dyn Project) -> Option<Stamp> {
        let outline = outline(project, &self.src.path)?;
        let element = &outline.elements[element_at(&outline, &self.way)?];
        (!element.component).then(|| element.stamp(&self.src.path))
    }

    /// The element at the end of a way, or the next one around it that the page can show: components have no stamp.
    fn at(outline: &Outline, path: &str, mut way: Vec<usize>) -> Option<Subject> {
        loop {
            let element = &outline.elements[element_at(outline, &way)?];
            if !element.component {
                let src = element.stamp(path);
                return Some(Subject { src, item: None, way });
            }
            way.pop();
        }
    }
}

fn outline(project: &dyn Project, path: &str) -> Option<Outline> {
    let text = project.read(path)?;
    engine::outline_of(project, path, &text).ok()
}

fn of_hunks(project: &dyn Project, path: &str, hunks: &[&Hunk]) -> Option<Subject> {
    let text = project.read(path)?;
    let before = engine::outline_of(project, path, &text).ok()?;
    let mut changes: Vec<(Range<usize>, &str)> = Vec::new();
    for hunk in hunks {
        let start = text.find(&hunk.old)?;
        changes.push((start..start + hunk.old.len(), &hunk.new));
    }
    changes.sort_by_key(|(range, _)| range.start);
    let mut changed = String::with_capacity(text.len());
    let mut from = 0;
    for (range, new) in &changes {
        changed.push_str(text.get(from..range.start)?);
        changed.push_str(new);
        from = range.end;
    }
    changed.push_str(text.get(from..)?);
    let (old, new) = differing(&text, &changed);
    let after = engine::outline(path, &changed).ok()?;
    let mut way = way_around(&before, &old)?;
    shared(&mut way, &way_around(&after, &new)?);
    Subject::at(&before, path, way)
}

/// The stretches in which two texts differ.
fn differing(old: &str, new: &str) -> (Range<usize>, Range<usize>) {
    let same = |(one, other): &(u8, u8)| one == other;
    let head = old.bytes().zip(new.bytes()).take_while(same).count();
    let tails = old.as_bytes()[head..]
        .iter()
        .rev()
        .zip(new.as_bytes()[head..].iter().rev());
    let tail = tails.take_while(|(one, other)| one == other).count();
    (head..old.len() - tail, head..new.len() - tail)
}

/// To the innermost element that a stretch stands within, not the one that it is.
fn way_around(outline: &Outline, range: &Range<usize>) -> Option<Vec<usize>> {
    let holds = |of: &Range<usize>| of.start < range.start && range.end < of.end;
    let index = outline.elements.iter().rposition(|element| holds(&element.range))?;
    Some(way(outline, index))
}

fn way_to(outline: &Outline, src: &Stamp) -> Option<Vec<usize>> {
    let index = outline
        .elements
        .binary_search_by_key(&src.at, |element| element.at)
        .ok()?;
    Some(way(outline, index))
}

fn way(outline: &Outline, index: usize) -> Vec<usize> {
    let mut way = Vec::new();
    let mut next = Some(index);
    while let Some(index) = next {
        let parent = outline.elements[index].parent;
        let before = outline.elements[..index].iter();
        way.push(before.filter(|element| element.parent == parent).count());
        next = parent;
    }
    way.reverse();
    way
}

fn element_at(outline: &Outline, way: &[usize]) -> Option<usize> {
    let mut parent = None;
    for child in way {
        let children = outline.elements.iter().enumerate();
        let mut children = children.filter(|(_, element)| element.parent == parent);
        parent = Some(children.nth(*child)?.0);
    }
    parent
}

/// Shortens a way to what it has in common with another.
fn shared(way: &mut Vec<usize>, other: &[usize]) {
    let same = way.iter().zip(other).take_while(|(one, other)| one == other).count();
    way.truncate(same);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const APP: &str = "export const App = () => (\n  <main>\n    <h1>Hello</h1>\n    <Card title=\"One\" />\n    <ul>\n      <li>One</li>\n      <li>Two</li>\n    </ul>\n  </main>\n);\n";

    fn project(app: &str) -> [(&str, &str); 2] {
        [("App.tsx", app), ("app.css", "h1 { color: red }")]
    }

    /// Where the subject stands, before and in a changed file.
    fn stands(subject: Option<Subject>, changed: &str) -> (String, Option<String>) {
        let subject = subject.unwrap();
        let now = subject.now(&project(changed));
        (subject.src.to_string(), now.map(|src| src.to_string()))
    }

    fn both(before: &str, after: &str) -> (String, Option<String>) {
        (format!("App.tsx:{before}"), Some(format!("App.tsx:{after}")))
    }

    #[test]
    fn an_edit_is_about_its_element_or_what_that_stands_in() {
        let of = |body: serde_json::Value| Subject::of_edit(&project(APP), body.as_object().unwrap());
        let lower = format!("\n{APP}");
        let text = of(json!({ "src": "App.tsx:3:4", "kind": "text", "text": "x" }));
        assert_eq!(stands(text, &lower), both("3:4", "4:4"));
        let item = of(json!({ "src": "App.tsx:6:6", "kind": "text", "text": "x", "item": 1 })).unwrap();
        assert_eq!(item.item, Some(1));
        // A component has no stamp of its own.
        let component = of(json!({ "src": "App.tsx:4:4", "kind": "attribute", "name": "title", "value": "x" }));
        assert_eq!(stands(component, APP), both("2:2", "2:2"));
        for (kind, more) in [
            ("delete", json!({})),
            ("duplicate", json!({})),
            ("insert", json!({ "place": "after" })),
        ] {
            let mut body = json!({ "src": "App.tsx:6:6", "kind": kind, "item": 1 });
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let subject = of(body).unwrap();
            assert_eq!(subject.item, None, "{kind}");
            assert_eq!(stands(Some(subject), APP), both("5:4", "5:4"), "{kind}");
        }
        let inside = of(json!({ "src": "App.tsx:5:4", "kind": "insert", "place": "last", "markup": "<li/>" }));
        assert_eq!(stands(inside, APP), both("5:4", "5:4"));
        let moved = of(json!({ "src": "App.tsx:3:4", "kind": "move", "to": "App.tsx:6:6", "place": "after" }));
        assert_eq!(stands(moved, APP), both("2:2", "2:2"));
        for nothing in [
            json!({ "src": "App.tsx:2:2", "kind": "delete" }),
            json!({ "src": "App.tsx:9:9", "kind": "text" }),
            json!({ "src": "gone.tsx:1:1", "kind": "text" }),
            json!({ "kind": "text" }),
        ] {
            assert_eq!(of(nothing.clone()), None, "{nothing}");
        }
    }

    #[test]
    fn a_proposal_is_about_what_holds_all_of_its_changes() {
        let of = |hunks: &[(&str, &str, &str)], selected: Option<&str>| {
            let files = hunks.iter().map(|(path, old, new)| Hunk {
                path: (*path).to_owned(),
                old: (*old).to_owned(),
                new: (*new).to_owned(),
            });
            let (files, why) = (files.collect(), String::new());
            Subject::of_proposal(&project(APP), &Proposal { files, why }, selected)
        };
        let src = |subject: Option<Subject>| subject.map(|subject| subject.src.to_string());
        let app = "App.tsx";
        assert_eq!(
            src(of(&[(app, "Hello", "Servus")], None)).as_deref(),
            Some("App.tsx:3:4")
        );
        let both = [(app, "<li>One</li>", "<li>1</li>"), (app, "<li>Two</li>", "<li>2</li>")];
        assert_eq!(src(of(&both, None)).as_deref(), Some("App.tsx:5:4"));
        let added = [(app, "      <li>Two</li>\n", "      <li>Two</li>\n      <li>Two</li>\n")];
        assert_eq!(src(of(&added, None)).as_deref(), Some("App.tsx:5:4"));
        assert_eq!(
            src(of(&[(app, "<h1>Hello</h1>", "<h2>Hello</h2>")], None)).as_deref(),
            Some("App.tsx:3:4")
        );
        assert_eq!(
            src(of(&[(app, "    <h1>Hello</h1>\n", "")], None)).as_deref(),
            Some("App.tsx:2:2")
        );
        let style = [("app.css", "red", "blue")];
        assert_eq!(src(of(&style, Some("App.tsx:3:4"))).as_deref(), Some("App.tsx:3:4"));
        assert_eq!(src(of(&style, None)), None);
        assert_eq!(of(&[(app, "nowhere", "x")], None), None);
        assert_eq!(
            of(&[(app, "Hello", "<b")], None),
            None,
            "what cannot be read says nothing"
        );
    }
}
