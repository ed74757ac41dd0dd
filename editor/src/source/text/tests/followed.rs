//! Each shape of text, and where it stands.

use super::{app, changes, choices, edit, refusal, request, stamp};
use crate::source::model::{Branch, Operation};

/// Edits the text “Old” of `<p>` into “New”: it is the only thing that changes.
fn followed(before: &str, markup: &str) {
    let code = format!("{before}\n{}", app(markup));
    let project = [("src/App.tsx", code.as_str())];
    changes(&project, "<p", |_| {}, "src/App.tsx", ("Old", "New"));
}

#[test]
fn texts_are_followed_to_their_place() {
    for (before, markup) in [
        ("", "<p>Old</p>"),
        ("", "<p>\n      Old\n    </p>"),
        ("", "<p>{'Old'}</p>"),
        ("", "<p>{\"Old\"}</p>"),
        ("", "<p>{`Old`}</p>"),
        ("", "<p>{('Old' as string)!}</p>"),
        ("", "<p><>Old</></p>"),
        ("", "<p>{on && 'Old'}</p>"),
        ("", "<p>{on && <b>bold</b>}Old</p>"),
        ("const text = 'Old';", "<p>{text}</p>"),
        ("const text = 'Old' as const; const other = text;", "<p>{other}</p>"),
        (
            "const texts = { title: 'Old', sub: 'x' } satisfies T;",
            "<p>{texts.title}</p>",
        ),
        ("const texts = { a: { b: ['x', 'Old'] } };", "<p>{texts.a.b[1]}</p>"),
        ("const texts = { 'a-b': 'Old' };", "<p>{texts['a-b']}</p>"),
        (
            "const key = 'a'; const texts = { a: 'Old', b: 'x' };",
            "<p>{texts[key]}</p>",
        ),
        (
            "const base = { a: 'x', b: 'Old' }; const texts = { ...base, a: 'y' };",
            "<p>{texts.b}</p>",
        ),
        ("const { a: { b = 'x' } } = { a: { b: 'Old' } };", "<p>{b}</p>"),
        ("const { a = 'Old' } = {};", "<p>{a}</p>"),
        ("const [, b] = ['x', 'Old'];", "<p>{b}</p>"),
        ("const { a, ...rest } = { a: 'x', b: 'Old' };", "<p>{rest.b}</p>"),
        ("const text = useMemo(() => 'Old', []);", "<p>{text}</p>"),
        ("const [text] = useState('Old');", "<p>{text}</p>"),
        ("function label() { return 'Old'; }", "<p>{label()}</p>"),
        ("const label = (text) => text;", "<p>{label('Old')}</p>"),
        ("const text = null;", "<p>{text ?? 'Old'}</p>"),
        ("const text = 'Old';", "<p>{text || 'other'}</p>"),
        ("const texts = Object.freeze({ a: 'Old' });", "<p>{texts?.a}</p>"),
        ("enum Kind { A }\nconst text = 'Old';", "<p>{text}</p>"),
        ("const text = () => <p>x</p>;", "<section><p>Old</p></section>"),
    ] {
        // The last one has a `<p>` before the one that is meant.
        if before.contains("<p>x") {
            let code = format!("{before}\n{}", app(markup));
            let project = [("src/App.tsx", code.as_str())];
            changes(&project, "<p>Old", |_| {}, "src/App.tsx", ("Old", "New"));
        } else {
            followed(before, markup);
        }
    }
}

#[test]
fn the_rest_of_a_text_stays_as_it_is_written() {
    let code = app("<p>\n      Tom &amp; Jerry,\n      <b>both</b> of\n      them\n    </p>");
    let project = [("App.jsx", code.as_str())];
    let with = |run: usize, text: &'static str| {
        move |request: &mut crate::source::model::Request| {
            let text = text.to_owned();
            request.operation = Operation::Text { text, run: Some(run) };
        }
    };
    changes(
        &project,
        "<p>",
        with(0, "Tom & Jerry!"),
        "App.jsx",
        ("Jerry,", "Jerry!"),
    );
    changes(&project, "<p>", with(1, " of us"), "App.jsx", ("them", "us"));
}

#[test]
fn texts_are_escaped_for_their_place() {
    for (markup, text, wanted) in [
        ("<p>Old</p>", "a < {b} & c", "<p>a &lt; &#123;b&#125; & c</p>"),
        ("<p>Old</p>", "one\ntwo", "<p>one<br />two</p>"),
        ("<p>{'Old'}</p>", "it's", "<p>{'it\\'s'}</p>"),
        ("<p>{\"Old\"}</p>", "it's \"x\"", "<p>{\"it's \\\"x\\\"\"}</p>"),
        ("<p>{`Old`}</p>", "`${x}`", "<p>{`\\`\\${x}\\``}</p>"),
        ("<p>{`Old`}</p>", "", "<p>{``}</p>"),
        ("<p>Old</p>", "", "<p></p>"),
        ("<p>{12}</p>", "13", "<p>{13}</p>"),
    ] {
        let code = app(markup);
        let project = [("App.jsx", code.as_str())];
        let outcome = edit(&project, &request(stamp(&project, "App.jsx", "<p"), text));
        assert_eq!(outcome, Ok(vec![("App.jsx".to_owned(), app(wanted))]), "{markup}");
    }
}

#[test]
fn an_element_without_text_is_given_one() {
    for (markup, wanted) in [
        ("<p></p>", "<p>New</p>"),
        ("<p />", "<p>New</p>"),
        ("<p className=\"a\" />", "<p className=\"a\">New</p>"),
        ("<p className={a}></p>", "<p className={a}>New</p>"),
    ] {
        let code = app(markup);
        let project = [("App.jsx", code.as_str())];
        let outcome = edit(&project, &request(stamp(&project, "App.jsx", "<p"), "New"));
        assert_eq!(outcome, Ok(vec![("App.jsx".to_owned(), app(wanted))]), "{markup}");
    }
}

#[test]
fn fixed_parts_of_a_template_literal_are_runs() {
    let code = app("<p>{`Hello ${name}, welcome` + '!'}</p>");
    let project = [("App.jsx", code.as_str())];
    let run = |number| {
        move |request: &mut crate::source::model::Request| {
            let text = "New ".to_owned();
            request.operation = Operation::Text {
                text,
                run: Some(number),
            };
        }
    };
    changes(&project, "<p>", run(0), "App.jsx", ("Hello ", "New "));
    changes(&project, "<p>", run(2), "App.jsx", (", welcome", "New "));
    changes(&project, "<p>", run(3), "App.jsx", ("'!'", "'New '"));
    let asked = refusal(&project, "<p>", |_| {});
    assert_eq!(asked.code, "choice-needed");
    assert_eq!(choices(&asked), ["run=0: “Hello”", "run=2: “, welcome”", "run=3: “!”"]);
}

#[test]
fn one_of_several_texts_is_found_by_what_was_shown() {
    let code = app("<p>Hello <b>you</b> there</p>");
    let project = [("App.jsx", code.as_str())];
    changes(
        &project,
        "<p>",
        |request| request.before = Some(" there".into()),
        "App.jsx",
        ("there", "New"),
    );
}

#[test]
fn both_sides_of_a_condition_can_be_changed() {
    let code = app("<p>{signedIn ? 'Sign out' : `Sign in`}</p>");
    let project = [("App.jsx", code.as_str())];
    let asked = refusal(&project, "<p>", |_| {});
    assert_eq!(
        choices(&asked),
        [
            "branch=then: “Sign out” – when signedIn",
            "branch=else: “Sign in” – otherwise"
        ]
    );
    changes(
        &project,
        "<p>",
        |request| request.branch = Some(Branch::Then),
        "App.jsx",
        ("Sign out", "New"),
    );
    changes(
        &project,
        "<p>",
        |request| request.branch = Some(Branch::Else),
        "App.jsx",
        ("Sign in", "New"),
    );
    changes(
        &project,
        "<p>",
        |request| request.before = Some("Sign in".into()),
        "App.jsx",
        ("Sign in", "New"),
    );
}

#[test]
fn conditions_in_conditions_are_told_apart_by_their_place() {
    let code = app("<p>{a ? 'One' : b ? 'Two' : 'Three'}</p>");
    let project = [("App.jsx", code.as_str())];
    changes(
        &project,
        "<p>",
        |request| request.branch = Some(Branch::Then),
        "App.jsx",
        ("One", "New"),
    );
    let asked = refusal(&project, "<p>", |request| request.branch = Some(Branch::Else));
    assert_eq!(asked.choices.len(), 2);
    assert_eq!(asked.choices[0].option, "at");
    let at = asked.choices[1].value.as_str().unwrap().parse().unwrap();
    changes(
        &project,
        "<p>",
        |request| request.at = Some(at),
        "App.jsx",
        ("Three", "New"),
    );
}

#[test]
fn a_default_is_changed_when_the_value_is_not_known() {
    let code = app("<p>{user.name ?? 'Guest'}</p>");
    let project = [("App.jsx", code.as_str())];
    let asked = refusal(&project, "<p>", |_| {});
    assert_eq!(
        choices(&asked),
        [
            "branch=then: what the code gives",
            "branch=else: “Guest” – without user.name"
        ]
    );
    changes(
        &project,
        "<p>",
        |request| request.branch = Some(Branch::Else),
        "App.jsx",
        ("Guest", "New"),
    );
    changes(
        &project,
        "<p>",
        |request| request.before = Some("Guest".into()),
        "App.jsx",
        ("Guest", "New"),
    );
}

#[test]
fn a_table_of_texts_is_chosen_from() {
    let code = format!(
        "const LABELS = {{ open: 'Open', done: 'Done' }};\n{}",
        app("<p>{LABELS[status]}</p>")
    );
    let project = [("App.jsx", code.as_str())];
    let asked = refusal(&project, "<p>", |_| {});
    assert_eq!(
        choices(&asked),
        [
            "at=App.jsx:1:24: “Open” – open, App.jsx:1",
            "at=App.jsx:1:38: “Done” – done, App.jsx:1",
        ]
    );
    changes(
        &project,
        "<p>",
        |request| request.before = Some("Done".into()),
        "App.jsx",
        ("'Done'", "'New'"),
    );
}

#[test]
fn imports_are_followed_through_barrels() {
    let app = "import { title, nested as deep } from '@/texts';\nimport * as all from './texts';\nimport data, { one } from './data.json';\n\
               export const App = () => <><h1>{title}</h1><h2>{deep.a}</h2><h3>{all.third}</h3><h4>{data.four}</h4><h5>{one}</h5></>;\n";
    let project = [
        ("src/App.tsx", app),
        (
            "tsconfig.json",
            r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#,
        ),
        (
            "src/texts/index.ts",
            "export * from './a';\nexport { b as nested } from './b';\nexport { default as third } from './c';\n",
        ),
        (
            "src/texts/a.ts",
            "export * from './index';\nexport const title: string = 'One';\n",
        ),
        ("src/texts/b.ts", "const b = { a: 'Two' } as const;\nexport { b };\n"),
        ("src/texts/c.ts", "export default 'Three';\n"),
        ("src/data.json", "{\n  \"four\": \"Four\", \"one\": \"Five\"\n}\n"),
    ];
    for (element, file, old) in [
        ("<h1>", "src/texts/a.ts", "One"),
        ("<h2>", "src/texts/b.ts", "Two"),
        ("<h3>", "src/texts/c.ts", "Three"),
        ("<h4>", "src/data.json", "Four"),
        ("<h5>", "src/data.json", "Five"),
    ] {
        changes(&project, element, |_| {}, file, (old, "New"));
    }
}
