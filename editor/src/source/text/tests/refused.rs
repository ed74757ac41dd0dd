//! What is refused, and why.

use super::{app, plan, refusal, request, stamp};
use crate::source::model::Operation;

#[test]
fn what_stands_nowhere_is_refused_with_its_reason() {
    for (before, markup, code, words) in [
        (
            "let title = 'a'; title = 'b';",
            "<p>{title}</p>",
            "mutable-variable",
            "App.tsx:1",
        ),
        (
            "const texts = { a: 'x' }; texts.a = 'y';",
            "<p>{texts.a}</p>",
            "mutable-variable",
            "“texts” is changed",
        ),
        (
            "const list = ['x']; list.push('y');",
            "<p>{list[0]}</p>",
            "mutable-variable",
            "“list” is changed",
        ),
        (
            "const [n, setN] = useState('x'); setN('y');",
            "<p>{n}</p>",
            "state",
            "begins as 'x'",
        ),
        (
            "const { data } = useQuery(q);",
            "<p>{data.title}</p>",
            "from-network",
            "useQuery",
        ),
        ("const price = 1;", "<p>{price.toFixed(2)}</p>", "formatted", "toFixed"),
        (
            "const name = 'x';",
            "<p>{name.toUpperCase()}</p>",
            "computed",
            "toUpperCase",
        ),
        ("const a = 1;", "<p>{a + 1}</p>", "computed", "a calculation"),
        ("", "<p>{new Date().getFullYear()}</p>", "computed", "App.tsx"),
        (
            "import { title } from 'library';",
            "<p>{title}</p>",
            "library",
            "“library”",
        ),
        (
            "import { make } from '@scope/lib/x';",
            "<p>{make()}</p>",
            "library",
            "make, a function",
        ),
        (
            "import { title } from './missing';",
            "<p>{title}</p>",
            "import-missing",
            "./missing",
        ),
        (
            "import { nothing } from './data';",
            "<p>{nothing}</p>",
            "import-missing",
            "“nothing”",
        ),
        (
            "import { text } from './broken';",
            "<p>{text}</p>",
            "file-unreadable",
            "src/broken.ts",
        ),
        ("", "<p>{unknown}</p>", "not-declared", "“unknown”"),
        (
            "",
            "<p>{items.map((item, index) => index)}</p>",
            "list-position",
            "“index”",
        ),
        ("", "<p><b>x</b></p>", "no-text", "select the element"),
        (
            "",
            "<p dangerouslySetInnerHTML={{ __html: x }} />",
            "no-text",
            "attribute",
        ),
        (
            "const a = { [k]: 'x' };",
            "<p>{a.b}</p>",
            "computed",
            "names that are only known",
        ),
        (
            "const { slug } = useParams();",
            "<p>{slug}</p>",
            "from-address",
            "address",
        ),
        (
            "function make(text: string) { return text; }",
            "<p>{make(x)}</p>",
            "not-declared",
            "“x”",
        ),
        ("const a = b; const b = a;", "<p>{a}</p>", "too-deep", "circle"),
        ("let later; ", "<p>{later}</p>", "computed", "given later"),
        ("declare const a: string;", "<p>{a}</p>", "computed", "“a”"),
    ] {
        let source = format!("{before}\n{}", app(markup));
        let project = [
            ("src/App.tsx", source.as_str()),
            ("src/data.ts", "export const x = 1;\n"),
            ("src/broken.ts", "export const text = ;\n"),
        ];
        let refused = refusal(&project, "<p", |_| {});
        assert_eq!(refused.code, code, "{before} {markup}: {}", refused.reason);
        assert!(refused.reason.contains(words), "{words}: {}", refused.reason);
        assert!(refused.choices.is_empty(), "{refused:?}");
    }
}

#[test]
fn a_line_break_is_refused_where_it_would_not_show() {
    let code = app("<p>{'Old'}</p>");
    let project = [("App.jsx", code.as_str())];
    let refused = plan(&project, &request(stamp(&project, "App.jsx", "<p"), "a\nb")).unwrap_err();
    assert_eq!(refused.code, "line-break");
}

#[test]
fn a_number_stays_a_number() {
    let code = app("<p>{12.5}</p>");
    let project = [("App.jsx", code.as_str())];
    for text in ["many", "1e3", "0x1", "", "1_000", "007", "1.", ".5", "1.2.3", "+1"] {
        let refused = plan(&project, &request(stamp(&project, "App.jsx", "<p"), text)).unwrap_err();
        assert_eq!(refused.code, "not-a-number", "{text}");
    }
}

#[test]
fn questions_about_what_is_not_there_are_refused() {
    let code = app("<p>Old</p>");
    let project = [("App.jsx", code.as_str())];
    let refused = refusal(&project, "<p", |request| request.src.at.column += 1);
    assert_eq!(refused.code, "no-element");
    let refused = refusal(&project, "<p", |request| request.src.path = "Gone.jsx".into());
    assert_eq!(refused.code, "no-element");
    let run = Some(7);
    let text = "x".to_owned();
    let refused = refusal(&project, "<p", |request| {
        request.operation = Operation::Text { text, run }
    });
    assert_eq!(refused.code, "no-text");
    let project = [("App.jsx", "<p>Old</p")];
    assert_eq!(refusal(&project, "<p", |_| {}).code, "syntax-error");
}
