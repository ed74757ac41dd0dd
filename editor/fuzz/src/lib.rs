//! What must hold of every text, however broken. `cargo xtask fuzz` runs the targets for a while.

use std::sync::Arc;

use galley_editor::source::css::edit::Declarations;
use galley_editor::source::css::{Dialect, NodeKind, Sheet};
use galley_editor::source::model::memo::Kept;
use galley_editor::source::model::{Inserted, Inspect, Lanes, Operation, Place, Plan, Project, Request};
use galley_editor::source::{engine, verify};
use galley_editor::stamp;

/// How deep parentheses may stand in each other in a text that is tried.
const MAX_DEPTH: usize = 12;

/// Whether the parser would need minutes. oxc 0.146 reads what stands behind a `(` as parameters of an arrow function, and
/// where it is none reads it again: each level doubles the time and the memory.
/// Files that people wrote are far from that.
fn is_too_deep(text: &str) -> bool {
    let mut depth = 0usize;
    text.bytes().any(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > MAX_DEPTH
    })
}

/// A text can be read and stamped, or is refused; the stamps are all that stamping adds, and it adds them once.
pub fn scan(path: &str, text: &str) {
    if is_too_deep(text) {
        return;
    }
    let Ok(outline) = engine::outline(path, text) else {
        return;
    };
    for element in &outline.elements {
        assert!(
            text.get(element.range.clone()).is_some_and(|own| own.starts_with('<')),
            "the range of <{}>",
            element.tag
        );
        assert_eq!(
            outline.locate(element.at),
            Some(element),
            "an element is found at its own place"
        );
    }
    let Ok(stamped) = stamp::stamp(path, text) else { return };
    if stamped.elements == 0 {
        assert_eq!(stamped.code, text);
        return;
    }
    let again = stamp::stamp(path, &stamped.code).expect("what was stamped can be read");
    assert_eq!(again.code, stamped.code, "nothing is stamped twice");
    let after = engine::outline(path, &stamped.code).expect("what was stamped can be read");
    assert_eq!(outline.elements.len(), after.elements.len());
}

/// Every edit of an element is refused, or leaves a text that can be read and differs in the planned ranges only.
pub fn edit(path: &str, text: &str, choose: u8) {
    if is_too_deep(text) {
        return;
    }
    let Ok(outline) = engine::outline(path, text) else {
        return;
    };
    let Some(element) = outline
        .elements
        .get(usize::from(choose >> 3) % outline.elements.len().max(1))
    else {
        return;
    };
    let project = Opened {
        path,
        text: text.into(),
        kept: Kept::default(),
    };
    let src = element.stamp(path);
    let _ = engine::inspect(
        &project,
        &Inspect {
            src: src.clone(),
            item: None,
            within: None,
            viewport: Default::default(),
        },
        Lanes::default(),
    );
    let new = || "a \"b\" {c} <d> `${e}` 'f'".to_owned();
    let operation = match choose & 7 {
        0 => Operation::Text { text: new(), run: None },
        1 => Operation::Attribute {
            name: "title".into(),
            value: Some(new()),
        },
        2 => Operation::Class {
            add: vec!["p-4".into()],
            remove: vec!["p-2".into()],
        },
        3 => Operation::Style {
            property: "color".into(),
            value: Some("red".into()),
        },
        4 => Operation::Insert {
            place: Place::Last,
            what: Inserted::Markup("<b>new</b>".into()),
        },
        5 => Operation::Duplicate,
        6 => Operation::Delete,
        _ => Operation::Text {
            text: new(),
            run: Some(0),
        },
    };
    let request = Request::of(src, operation);
    let Ok(plan) = engine::plan(&project, &request, Lanes::default()) else {
        return;
    };
    for change in &plan.changes {
        assert_eq!(change.path, path, "there is no other file");
        let new = change.apply(text).expect("the ranges fit");
        engine::outline(path, &new).expect("an edited text can be read");
    }
    // Reading the function around an edit is as good as reading the whole file.
    verify::verify(&[(path, text)], &plan).expect("the plan is in order");
}

/// A project of one file that keeps what it has read, as the program does.
struct Opened<'t> {
    path: &'t str,
    text: Arc<str>,
    kept: Kept,
}

impl Project for Opened<'_> {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        (path == self.path).then(|| self.text.clone())
    }

    fn files(&self) -> Arc<[String]> {
        Arc::new([self.path.to_owned()])
    }

    fn kept(&self) -> Option<&Kept> {
        Some(&self.kept)
    }
}

/// A stylesheet is refused, or its statements stand where they are said to; and a declaration that is added, changed or removed
/// is the only thing that changes.
pub fn css(text: &str, choose: u8) {
    let (path, dialect) = match choose & 3 {
        0 | 1 => ("a.css", Dialect::Css),
        2 => ("a.scss", Dialect::Scss),
        _ => ("a.less", Dialect::Less),
    };
    let Ok(sheet) = Sheet::parse(text, dialect) else { return };
    for (index, node) in sheet.nodes.iter().enumerate() {
        assert!(
            text.get(node.range.clone()).is_some_and(|own| !own.is_empty()),
            "{node:?}"
        );
        let around = node
            .parent
            .map(|parent| (parent, sheet.nodes[parent].block().expect("a parent has a block")));
        if let Some((parent, block)) = around {
            assert!(
                parent < index && block.start <= node.range.start && node.range.end <= block.end,
                "{node:?}"
            );
        }
        let before = sheet.nodes[..index].iter().rfind(|other| other.parent == node.parent);
        assert!(
            before.is_none_or(|before| before.range.end <= node.range.start),
            "{node:?}"
        );
    }
    if sheet.nodes.is_empty() {
        return;
    }
    let index = usize::from(choose >> 2) % sheet.nodes.len();
    let node = &sheet.nodes[index];
    let edits = match node.kind {
        NodeKind::Rule { .. } => vec![(Declarations::of(&sheet, text, Some(index)).add("color", "red"), 1)],
        NodeKind::Declaration { .. } => {
            let declarations = Declarations::of(&sheet, text, node.parent);
            let change = Declarations::change(node, "blue").expect("it is a declaration");
            vec![(change, 0), (declarations.remove(node), -1)]
        }
        NodeKind::At { .. } | NodeKind::Other { .. } => return,
    };
    for (replacement, more) in edits {
        let plan = Plan::of(path, vec![replacement]);
        let new = plan.changes[0].apply(text).expect("the range fits");
        // What the last check refuses is not done, as in any edit.
        if verify::verify(&[(path, text)], &plan).is_err() {
            continue;
        }
        let after = Sheet::parse(&new, dialect).unwrap_or_else(|error| panic!("{error}: {new:?}"));
        assert_eq!(after.nodes.len() as isize, sheet.nodes.len() as isize + more, "{new:?}");
    }
}
