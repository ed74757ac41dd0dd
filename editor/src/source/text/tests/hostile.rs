//! Sources that nobody writes by accident, and properties that hold for all.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{app, edit, inspected, refusal, request, stamp};
use crate::source::model::{Plan, Project, Replacement};

fn soon<R>(work: impl FnOnce() -> R) -> R {
    let begun = Instant::now();
    let result = work();
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "it took {:?}",
        begun.elapsed()
    );
    result
}

#[test]
fn circles_end() {
    for before in [
        "const a = a;",
        "const a = x ? a : a;",
        "const a = { ...a }; const t = a.b;",
        "const a = [...a];",
        "function a() { return a(); }",
        "const a = `${a}${a}`;",
        "const a = useMemo(() => a);",
        "import { a } from './App';\nexport { a };",
        "const a = [a, a, a].map((x) => a);",
        "const { a } = a;",
        "const a = (a ?? a) || (a && a);",
    ] {
        let code = format!("{before}\n{}", app("<p>{a}{a.b}{a()}{a[a]}</p>"));
        let project = [("src/App.jsx", code.as_str())];
        soon(|| inspected(&project, "<p", Some(3)));
    }
    let endless = "export function A({ children, t }) { return <p><A t={t}>{children}</A>{children}{t}</p>; }\n";
    let project = [("src/A.jsx", endless)];
    soon(|| inspected(&project, "<p", Some(1)));
}

#[test]
fn files_that_export_each_other_end() {
    let mut files = vec![(
        "App.jsx".to_owned(),
        format!("import {{ x }} from './f0';\n{}", app("<p>{x}</p>")),
    )];
    for index in 0..30 {
        let stars: String = (0..30).map(|other| format!("export * from './f{other}';\n")).collect();
        let named = format!("export {{ y{index} as x{index} }} from './f{}';\n", (index + 1) % 30);
        files.push((format!("f{index}.js"), stars + &named));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let project: [(&str, &str); 31] = files.try_into().unwrap();
    let refused = soon(|| refusal(&project, "<p", |_| {}));
    assert_eq!(refused.code, "import-missing");
}

#[test]
fn trees_of_choices_are_limited() {
    let mut code = "const c0 = 'x';\n".to_owned();
    for index in 1..60 {
        code += &format!("const c{index} = q{index} ? c{} : c{};\n", index - 1, index - 1);
    }
    code += &app("<p>{c59}</p>");
    let project = [("App.jsx", code.as_str())];
    let refused = soon(|| refusal(&project, "<p", |_| {}));
    assert!(
        ["too-many", "too-deep"].contains(&refused.code.word()),
        "{}",
        refused.code
    );
}

#[test]
fn large_files_are_followed() {
    let items: String = (0..20_000)
        .map(|index| format!("{{ title: 'Item {index}' }},\n"))
        .collect();
    let code = format!("const items = [{items}];\n{}", app("<p>{items[19999].title}</p>"));
    let project = [("App.jsx", code.as_str())];
    let run = soon(|| inspected(&project, "<p", None));
    assert_eq!(run[0].text, "Item 19999");
    let elements: String = (0..20_000).map(|index| format!("<i>{index}</i>")).collect();
    let code = app(&format!("<p>Old{elements}</p>"));
    let project = [("App.jsx", code.as_str())];
    assert_eq!(soon(|| inspected(&project, "<p", None))[0].text, "Old");
}

#[test]
fn deep_sources_are_followed() {
    let joined = "'a' + ".repeat(5_000);
    let code = app(&format!("<p>{{{joined}'b'}}</p>"));
    let project = [("App.jsx", code.as_str())];
    let runs = soon(|| inspected(&project, "<p", None));
    assert_eq!(runs.len(), 5_001);
}

/// The plan that takes an applied plan of one replacement back.
fn inverse(plan: &Plan, project: &impl Project) -> Plan {
    let [change] = &plan.changes[..] else {
        panic!("one file changes");
    };
    let [replacement] = &change.replacements[..] else {
        panic!("one place changes");
    };
    let text = project.read(&change.path).expect("the file");
    let start = replacement.range.start;
    let old = &text[replacement.range.clone()];
    let range = start..start + replacement.text.len();
    Plan::of(change.path.clone(), vec![Replacement::new(range, old)])
}

proptest! {
    #[test]
    fn an_edit_changes_what_is_shown_and_nothing_else(
        text in "[ -~é😀]{1,20}",
        shape in 0usize..7,
        crlf in any::<bool>(),
    ) {
        // The element is found by its `<p`, which must not stand in a text before it.
        prop_assume!(text.trim() == text && !text.contains("<p"));
        let (before, markup) = [
            ("", "<p>Old</p>"),
            ("", "<p>\n\tOld\n</p>"),
            ("", "<p>{'Old'}</p>"),
            ("", "<p>{`Old`}</p>"),
            ("const a = { b: \"Old\" };", "<p>{a.b}</p>"),
            ("const C = ({ t }) => <p>{t}</p>;", "<C t=\"Old\" />"),
            ("const C = ({ t }) => <p>{t}</p>;", "<C t='Old' />"),
        ][shape];
        let mut code = format!("// 😀\n{before}\n{}", app(markup));
        if crlf {
            code = code.replace('\n', "\r\n");
        }
        let project = [("src/App.jsx", code.as_str())];
        let asked = request(stamp(&project, "src/App.jsx", "<p"), &text);
        let changed = edit(&project, &asked).unwrap();
        let after = changed[0].1.clone();
        let again = [("src/App.jsx", after.as_str())];
        let shown = inspected(&again, "<p", None);
        prop_assert_eq!(&shown[0].text, &text);
        // Back by the inverse, and back by an edit.
        let plan = super::plan(&project, &asked).unwrap();
        let back = inverse(&plan, &project);
        prop_assert_eq!(back.changes[0].apply(&after), Some(code.clone()));
        let back = edit(&again, &request(stamp(&again, "src/App.jsx", "<p"), "Old")).unwrap();
        prop_assert_eq!(&back[0].1, &code);
    }
}
