//! Our scanner of single-file components against Vue's own compiler: the same nodes with the same ranges.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use galley_editor::source::notation::references;
use galley_editor::source::sfc::tree::{Id, Namespace, NodeKind, Shown};
use galley_editor::source::sfc::{Sfc, scan, whitespace};
use galley_editor_tests::{oracle, paths};

/// Exactly these, so that a new release of Vue is met on purpose.
const PACKAGES: [&str; 2] = ["@vue/compiler-sfc@3.5.45", "create-vue@3.22.3"];

/// Stands in our line for a text whose characters are not read, as with a CDATA section in it.
const RANGE_ONLY: &str = "(range only)";

#[test]
fn every_node_of_a_template_stands_where_vue_says() {
    let packages = oracle::packages("vue", &PACKAGES);
    let mut files = oracle::files(&paths::checkout().join("tests/editor/oracles/vue"), &[".vue"]);
    assert!(files.len() >= 8, "the collection of nasty files is missing");
    files.extend(oracle::files(&packages.join("node_modules/create-vue"), &[".vue"]));
    let own = files.len();
    assert!(own >= 30, "create-vue has templates");
    // More to compare with: the folder of a repository.
    if let Some(folder) = std::env::var_os("GALLEY_VUE_CORPUS") {
        files.extend(oracle::files(Path::new(&folder), &[".vue"]));
    }
    let theirs = oracle::ask("vue.mjs", &packages, &files);
    assert_eq!(theirs.len(), files.len());
    let mut wrong = Vec::new();
    let mut broken = 0;
    for (file, theirs) in files.iter().zip(&theirs) {
        let text = fs::read_to_string(file).unwrap();
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let sfc = scan(text);
        let errors = theirs["errors"].as_array().unwrap();
        if sfc.problems.is_empty() != errors.is_empty() {
            wrong.push(format!(
                "{}: theirs {errors:?}, ours {:?}",
                file.display(),
                sfc.problems
            ));
        }
        if !errors.is_empty() {
            broken += 1;
            continue;
        }
        let ours = describe(&sfc);
        let theirs: Vec<&str> = theirs["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line.as_str().unwrap())
            .collect();
        let differs = |at: &usize| match (ours.get(*at), theirs.get(*at)) {
            (Some(ours), Some(theirs)) => match ours.strip_suffix(RANGE_ONLY) {
                Some(range) => !theirs.starts_with(range),
                None => ours != theirs,
            },
            _ => true,
        };
        if let Some(place) = (0..ours.len().max(theirs.len())).find(differs) {
            let (ours, theirs) = (ours.get(place), theirs.get(place));
            wrong.push(format!(
                "{}: node {place}: theirs {theirs:?}, ours {ours:?}",
                file.display()
            ));
        }
    }
    let meant = files
        .iter()
        .filter(|file| file.parent().is_some_and(|folder| folder.ends_with("vue/broken")))
        .count();
    assert!(broken >= meant, "only {broken} files are broken");
    let all = files.len();
    println!(
        "{} of {all} files agree, {broken} of them are broken for both",
        all - wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "{} of {all} differ\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

/// Each node as one line, as oracles/vue.mjs prints it.
fn describe(sfc: &Sfc<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, node) in sfc.nodes.iter().enumerate() {
        let span = format!("{}..{}", node.span.start, node.span.end);
        match &node.kind {
            NodeKind::Element(_) => element(sfc, id, &span, &mut lines),
            NodeKind::Text(text) if text.shown == Shown::Nothing => {}
            NodeKind::Text(text) if !text.solid => lines.push(format!("text {span} {RANGE_ONLY}")),
            NodeKind::Text(_) => lines.push(format!("text {span} {}", quoted(&whitespace::shown(sfc, id)))),
            NodeKind::Comment => lines.push(format!("comment {span}")),
            NodeKind::Interpolation(inner) => lines.push(format!("expression {span} {}..{}", inner.start, inner.end)),
        }
    }
    let blocks = sfc.template().into_iter().chain(sfc.scripts()).chain(sfc.styles());
    let mut blocks: Vec<_> = blocks.collect();
    blocks.sort_by_key(|block| block.content.start);
    for block in blocks {
        let name = sfc.tag(sfc.element(block.id).unwrap());
        let module = block.module.map(|name| if name == "$style" { "true" } else { name });
        lines.push(format!(
            "block {name} {}..{} {} {} {} {} {}",
            block.content.start,
            block.content.end,
            block.lang.unwrap_or("-"),
            if block.setup { "setup" } else { "-" },
            if block.scoped { "scoped" } else { "-" },
            module.unwrap_or("-"),
            block.src.unwrap_or("-"),
        ));
    }
    lines
}

fn element(sfc: &Sfc<'_>, id: Id, span: &str, lines: &mut Vec<String>) {
    let element = sfc.element(id).unwrap();
    let namespace = match element.namespace {
        Namespace::Html => 0,
        Namespace::Svg => 1,
        Namespace::MathMl => 2,
    };
    lines.push(format!("element {span} {namespace} {}", sfc.tag(element)));
    for attribute in &element.attributes {
        let name = attribute.name;
        let mut line = format!("{}..{}", attribute.span.start, attribute.span.end);
        let Some(directive) = &attribute.directive else {
            write!(line, " {}..{}", name.start, name.end).unwrap();
            if let Some(value) = attribute.value {
                let text = references::html_attribute(value.inner.of(sfc.text));
                let is_class = name.of(sfc.text) == "class";
                let text = if is_class {
                    whitespace::condensed(&text).trim().to_owned()
                } else {
                    text.into_owned()
                };
                write!(line, " {}..{} {}", value.span.start, value.span.end, quoted(&text)).unwrap();
            }
            lines.push(format!("attribute {line}"));
            continue;
        };
        if name.of(sfc.text) == "v-pre" {
            continue;
        }
        write!(line, " {}", name.of(sfc.text)).unwrap();
        if let Some(argument) = directive.argument {
            write!(line, " :{}..{}", argument.start, argument.end).unwrap();
        }
        for modifier in &directive.modifiers {
            write!(line, " .{}..{}", modifier.start, modifier.end).unwrap();
        }
        if let Some(value) = attribute.value {
            write!(line, " ={}..{}", value.inner.start, value.inner.end).unwrap();
        }
        lines.push(format!("directive {line}"));
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
