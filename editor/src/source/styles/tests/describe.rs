//! Subjects for tests: what a language would tell about the first `<p` of a text.

use super::super::{Block, Inline, InlineForm, Insert, ModuleClass, Subject, Takes};

/// Reads the attributes that the tests use.
pub fn describe<'a>(path: &'a str, text: &'a str) -> Subject<'a> {
    let jsx = !path.ends_with(".vue");
    let start = text.find("<p").unwrap() + 2;
    let mut subject = Subject {
        path,
        text,
        tag: "p",
        is_component: false,
        attributes: Vec::new(),
        open: false,
        classes: Vec::new(),
        classes_open: false,
        classes_computed: false,
        modules: Vec::new(),
        styles: Vec::new(),
        takes: Takes::default(),
        pixels: jsx,
        insert: None,
        ancestors: Vec::new(),
        scripts: std::iter::once(0..text.len()).filter(|_| jsx).collect(),
        blocks: blocks(text),
    };
    let mut at = start;
    let mut end = start;
    while !text[at..].starts_with(['/', '>']) {
        if text[at..].starts_with(char::is_whitespace) {
            at += 1;
            continue;
        }
        let name_end = at + text[at..].find(['=', '}', ' ', '/', '>']).unwrap();
        if text[at..].starts_with('{') {
            subject.open = true;
            subject.styles.iter_mut().for_each(|style| style.spread_after = true);
            at = name_end + 1;
        } else {
            let value = name_end + 2..close(text, name_end + 1);
            attribute(&mut subject, &text[at..name_end], at, value.clone());
            at = value.end + 1;
        }
        end = at;
    }
    subject.insert = Some(Insert {
        at: end,
        space: " ".into(),
        jsx,
    });
    subject
}

/// The offset of the quote or brace that closes the one at `open`.
fn close(text: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, character) in text[open..].char_indices() {
        match character {
            '"' if text[open..].starts_with('"') && at > 0 => return open + at,
            '{' => depth += 1,
            '}' if depth == 1 && text[open..].starts_with('{') => return open + at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    panic!("{text}")
}

fn attribute(subject: &mut Subject<'_>, name: &str, start: usize, value: std::ops::Range<usize>) {
    let source = &subject.text[value.clone()];
    let quoted = subject.text[..value.start].ends_with('"');
    match name {
        "className" | "class" if quoted => subject.classes.extend(source.split_whitespace().map(str::to_owned)),
        "className" | ":class" => {
            let (object, name) = source.split_once('.').unwrap();
            subject.modules.push(ModuleClass {
                object: object.into(),
                name: name.into(),
            });
        }
        "style" | ":style" => {
            let form = match source.starts_with('{') {
                true => InlineForm::Object,
                false if quoted && name == "style" => InlineForm::Text,
                false => InlineForm::Expression,
            };
            let attribute = start..value.end + 1;
            let quote = quoted.then_some('"');
            subject.styles.push(Inline {
                form,
                range: value,
                attribute,
                quote,
                spread_after: false,
            });
        }
        name => subject.attributes.push((name.to_owned(), Some(source.to_owned()))),
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let Some(start) = text.find("<style ").filter(|_| text.contains("</style>")) else {
        return Vec::new();
    };
    let open = start + text[start..].find('>').unwrap() + 1;
    let tag = &text[start..open];
    vec![Block {
        content: open..text.find("</style>").unwrap(),
        scoped: tag.contains("scoped"),
        certain: true,
        module: tag.contains("module").then(|| "$style".to_owned()),
        lang: if tag.contains("scss") { "scss" } else { "css" }.to_owned(),
    }]
}
