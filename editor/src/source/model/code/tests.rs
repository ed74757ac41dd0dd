//! Each code is provoked by a real case, and stands in API.md.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Code;
use crate::source::engine::plan;
use crate::source::model::{Lanes, LineIndex, Plan, Project, Refusal, Replacement, Request, Stamp, Verdict};
use crate::source::verify;

/// Files by their paths.
struct Files(Vec<(String, String)>);

impl Project for Files {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        let (_, text) = self.0.iter().find(|(name, _)| name == path)?;
        Some(Arc::from(text.as_str()))
    }

    fn files(&self) -> Arc<[String]> {
        self.0.iter().map(|(path, _)| path.clone()).collect()
    }
}

/// Plans an edit of the element marked `‹` in the first file; `to` of a move is a piece of that file.
fn planned(files: &[(&str, &str)], mut edit: Value, lanes: Lanes) -> Result<Plan, Refusal> {
    let (path, marked) = files[0];
    let text = marked.replace('‹', "<");
    let stamp = |offset| Stamp {
        path: path.to_owned(),
        at: LineIndex::new(&text).position(offset),
    };
    edit["src"] = json!(stamp(marked.find('‹').unwrap_or_default()));
    if let Some(to) = edit.get("to").and_then(Value::as_str).map(str::to_owned)
        && !to.contains(':')
    {
        edit["to"] = json!(stamp(text.find(&to).expect("the element to move to")));
    }
    let request: Request = serde_json::from_value(edit).expect("an edit");
    let first = (path.to_owned(), text.clone());
    let rest = files[1..].iter().map(|(path, text)| ((*path).into(), (*text).into()));
    plan(&Files([first].into_iter().chain(rest).collect()), &request, lanes)
}

const AWAKE: Lanes = Lanes {
    detach: true,
    swap: true,
};

fn edit(files: &[(&str, &str)], edit: Value) -> Refusal {
    refused(planned(files, edit, AWAKE))
}

/// A plan where a refusal is wanted becomes one that fits no case.
fn refused<T: std::fmt::Debug>(outcome: Result<T, Refusal>) -> Refusal {
    outcome.map_or_else(|refusal| refusal, |done| Refusal::changed(format!("{done:?}")))
}

/// A component that has to be given something.
const BADGE: (&str, &str) = (
    "src/Badge.tsx",
    "export const Badge = ({ text }: { text: string }) => <b>{text}</b>;",
);

fn using(path: &str, export: &str) -> Value {
    json!({ "kind": "insert", "place": "after", "use": { "path": path, "export": export } })
}

fn jsx(source: &str, wanted: Value) -> Refusal {
    edit(&[("src/App.tsx", source)], wanted)
}

fn vue(template: &str, wanted: Value) -> Refusal {
    edit(&[("src/App.vue", &format!("<template>{template}</template>"))], wanted)
}

/// A new text for the element that stands in a component, after some declarations.
fn text(before: &str, markup: &str) -> Refusal {
    let source = format!("{before}\nexport const App = () => <main>{markup}</main>;\n");
    let files = [
        ("src/App.tsx", source.as_str()),
        ("src/broken.ts", "export const text = ;"),
        ("locales/en.json", "{ \"known\": \"Known\" }"),
    ];
    edit(&files, new("New"))
}

fn new(text: &str) -> Value {
    json!({ "kind": "text", "text": text })
}

fn attribute(name: &str, value: impl Into<Value>) -> Value {
    json!({ "kind": "attribute", "name": name, "value": value.into() })
}

fn class(add: &[&str], remove: &[&str]) -> Value {
    json!({ "kind": "class", "add": add, "remove": remove })
}

fn style(property: &str, value: impl Into<Value>) -> Value {
    json!({ "kind": "style", "property": property, "value": value.into() })
}

fn insert(place: &str, markup: &str) -> Value {
    json!({ "kind": "insert", "place": place, "markup": markup })
}

fn shift(to: &str, place: &str) -> Value {
    json!({ "kind": "move", "to": to, "place": place })
}

fn swap(component: &str, from: Option<&str>) -> Value {
    json!({ "kind": "swap", "component": component, "from": from })
}

fn with(mut edit: Value, key: &str, value: &str) -> Value {
    edit[key] = json!(value);
    edit
}

/// A style for an element with the class `card`, in a project with this stylesheet.
fn sheet(css: &str, wanted: Value) -> Refusal {
    let app = "import './a.css';\nexport const App = () => <main>‹p className=\"card\">x</p></main>;";
    edit(&[("src/App.tsx", app), ("src/a.css", css)], wanted)
}

/// One real case for each code: a new code without a case does not compile.
fn provoked(code: Code) -> Refusal {
    let delete = || json!({ "kind": "delete" });
    let detach = || json!({ "kind": "detach" });
    match code {
        Code::NoLanguage => edit(&[("src/a.css", "‹p>")], delete()),
        Code::SourceChanged => jsx(
            "const a = ‹p>x</p>;",
            json!({ "kind": "text", "text": "y", "at": "src/App.tsx:1:1" }),
        ),
        Code::NoElement => jsx("const a = <p/>; // ‹", delete()),
        Code::ChoiceNeeded => jsx("const a = ‹p title={on ? 'a' : 'b'}/>;", attribute("title", "c")),
        Code::LaneDormant => {
            let files = [("src/App.tsx", "const a = ‹A/>;")];
            refused(planned(&files, detach(), Lanes::default()))
        }
        Code::ReactOnly => vue("‹A/>", detach()),
        Code::SyntaxError => jsx("const a = ‹p>;", delete()),
        Code::WouldBreak => {
            let source = "const a = <p>one</p>;";
            let wrong = Plan::of("src/App.tsx", vec![Replacement::new(13..16, "<b>")]);
            refused(verify::verify(&[("src/App.tsx", source)], &wrong))
        }

        Code::NoText => text("", "‹p><b>x</b></p>"),
        Code::MixedText => vue("<svg>‹text>a<![CDATA[b]]>c</text></svg>", new("New")),
        Code::SameForAll => {
            let source = "const App = () => <ul>{['a', 'b'].map((x) => ‹li key={x}>Buy</li>)}</ul>;";
            jsx(source, with(new("New"), "scope", "item"))
        }
        Code::LineBreak => jsx(
            "const a = 'x';\nconst App = () => <main>‹p>{a}</p></main>;",
            new("a\nb"),
        ),
        Code::ControlCharacter => jsx("const App = () => <main>‹p>a</p></main>;", new("a\0b")),
        Code::Placeholders => {
            let app = "export const App = () => <main>‹p>{t('hello', { name })}</p></main>;";
            let files = [
                ("src/App.tsx", app),
                ("locales/en.json", "{ \"hello\": \"Hello {name}\" }"),
            ];
            edit(&files, new("Hello"))
        }
        Code::NotANumber => jsx("const App = () => <main>‹p>{3}</p></main>;", new("three")),

        Code::Computed => text("const a = 1;", "‹p>{a + 1}</p>"),
        Code::State => text("const [n, setN] = useState('x'); setN('y');", "‹p>{n}</p>"),
        Code::FromNetwork => text("const { data } = useQuery(q);", "‹p>{data.title}</p>"),
        Code::FromAddress => text("const { slug } = useParams();", "‹p>{slug}</p>"),
        Code::Formatted => text("const price = 1;", "‹p>{price.toFixed(2)}</p>"),
        Code::Library => text("import { title } from 'library';", "‹p>{title}</p>"),
        Code::ObjectKey => text(
            "const o = { a: 'x' };",
            "{Object.entries(o).map(([key]) => ‹p>{key}</p>)}",
        ),
        Code::ListPosition => text("const list = ['x'];", "{list.map((item, index) => ‹p>{index}</p>)}"),
        Code::Parameter => text("", "{render((a, b) => ‹p>{b}</p>)}"),
        Code::NoUsage => text("export function Card({ title }) { return ‹p>{title}</p>; }", ""),
        Code::MutableVariable => text("let title = 'a'; title = 'b';", "‹p>{title}</p>"),
        Code::NotDeclared => text("", "‹p>{unknown}</p>"),
        Code::ImportMissing => text("import { a } from './missing';", "‹p>{a}</p>"),
        Code::FileUnreadable => text("import { text } from './broken';", "‹p>{text}</p>"),
        Code::TranslationMissing => text("", "‹p>{t('unknown')}</p>"),
        Code::TooDeep => text("const a = b; const b = a;", "‹p>{a}</p>"),
        Code::TooMany => {
            let list = format!("const list = [{}];", "'x', ".repeat(5000));
            text(&list, "{list.map((item) => ‹p>{item}</p>)}")
        }

        Code::AttributeName => jsx("const a = ‹p/>;", attribute("a b", "c")),
        Code::AttributeKind => jsx("const a = ‹p/>;", attribute("onClick", "c")),
        Code::AttributeMissing => jsx("const a = ‹p/>;", attribute("title", Value::Null)),
        Code::AttributeTwice => vue("‹p title=\"a\" :title=\"b\"/>", attribute("title", "c")),
        Code::Expression => jsx("const a = ‹p title={b}/>;", attribute("title", "c")),
        Code::ValueKind => jsx("const a = ‹B max={3}/>;", attribute("max", "c")),
        Code::Spread => jsx("const A = () => <p>‹B {...c}/></p>;", swap("B", None)),
        Code::SpreadAfter => jsx("const a = ‹p title=\"b\" {...c}/>;", attribute("title", "c")),

        Code::ClassName => jsx("const a = ‹p/>;", class(&["b c"], &[])),
        Code::TooManyClasses => jsx("const a = ‹p className=\"b\"/>;", class(&["c"; 300], &[])),
        Code::ClassMissing => jsx("const a = ‹p/>;", class(&[], &["c"])),
        Code::ClassModule => {
            let source = "import s from './a.module.css';\nconst a = ‹p className={s.b}/>;";
            jsx(source, class(&["c"], &[]))
        }
        Code::ClassShape => jsx("const a = ‹p className={b}/>;", class(&["c"], &[])),
        Code::UnknownCall => jsx("const a = ‹p className={paint('b')}/>;", class(&["c"], &[])),
        Code::SpreadClass => jsx("const a = ‹p {...b}/>;", class(&["c"], &[])),
        Code::NoClassString => {
            let one_side = with(class(&["c"], &[]), "branch", "then");
            jsx("const a = ‹p className=\"b\"/>;", one_side)
        }
        Code::SeveralConditions => {
            let source = "import clsx from 'clsx';\nconst a = ‹p className={clsx(b && 'flex', c && 'grid')}/>;";
            jsx(source, with(class(&["mt-2"], &[]), "branch", "then"))
        }
        Code::ClassQuotes => vue("‹p :class=\"'a'\">x</p>", class(&["content-[\"x\"]"], &[])),

        Code::BadProperty => jsx("const a = ‹p/>;", style("Color", "red")),
        Code::BadValue => jsx("const a = ‹p/>;", style("color", "red; top: 0")),
        Code::StyleExpression => jsx("const a = ‹p style={b}/>;", style("color", "red")),
        Code::NoStylePlace => jsx("const a = ‹B/>;", style("color", "red")),
        Code::NoDeclaration => jsx("const a = ‹p/>;", style("color", Value::Null)),
        Code::SharedStyle => {
            let source = "const s = { color: 'red' };\nconst a = ‹p style={s}/>;\nconst b = <i style={s}/>;";
            jsx(source, with(style("color", Value::Null), "scope", "item"))
        }
        Code::SeveralRules => {
            let files = [
                (
                    "src/App.tsx",
                    "import './b.css';\nexport const a = ‹p className=\"card\"/>;",
                ),
                ("src/a.css", ".card { color: red }"),
                ("src/b.css", "@import './a.css'; .card { color: green }"),
                ("src/main.ts", "import './a.css'"),
            ];
            edit(&files, style("color", "blue"))
        }
        Code::StyleUncertain => sheet(
            ".card { color: red } .dark .card { color: white }",
            style("color", "blue"),
        ),
        Code::NoTailwind => jsx("const a = ‹p/>;", with(style("color", "red"), "variant", "md")),
        Code::NoVariant => {
            let files = [
                ("src/App.tsx", "const a = ‹p/>;"),
                ("package.json", "{ \"devDependencies\": { \"tailwindcss\": \"4\" } }"),
            ];
            edit(&files, with(style("color", "red"), "variant", "md hover"))
        }
        Code::SetByClass => {
            let files = [
                ("src/App.tsx", "const a = ‹p className=\"p-4\"/>;"),
                ("package.json", "{ \"devDependencies\": { \"tailwindcss\": \"4\" } }"),
            ];
            edit(&files, style("padding-left", Value::Null))
        }
        Code::SetByShorthand => sheet(".card { padding: 0 }", style("padding-left", Value::Null)),
        Code::ShorthandAfter => sheet(".card { padding-left: 2px; padding: 0 }", style("padding-left", "1px")),
        Code::StylesheetBroken => sheet(".card { color: red", style("color", "blue")),

        Code::BadMarkup => jsx("const a = <p>‹b/></p>;", insert("after", "<i>")),
        Code::NotInScope => jsx("const a = <p>‹b/></p>;", insert("after", "<Unknown/>")),
        Code::OutOfScope => jsx(
            "const a = <p>{list.map((x) => <i>‹b>{x}</b></i>)}<u/></p>;",
            shift("<u/>", "after"),
        ),
        Code::NoChildren => jsx("const a = ‹br/>;", insert("first", "<i/>")),
        Code::ComponentChildren => jsx("const a = ‹B/>;", insert("first", "<i/>")),
        Code::SpreadChildren => jsx("const a = ‹p {...b}/>;", insert("first", "<i/>")),
        Code::OtherFile => jsx("const a = <p>‹b/></p>;", shift("src/B.tsx:1:0", "after")),
        Code::IntoItself => jsx("const a = <p>‹b><i/></b></p>;", shift("<i/>", "after")),
        Code::AlreadyThere => jsx(
            "const a = (\n  <p>\n    ‹b/>\n    <i/>\n  </p>\n);",
            shift("<i/>", "before"),
        ),
        Code::Repeated => jsx(
            "const a = <p>{list.map((x) => ‹b key={x}/>)}</p>;",
            json!({ "kind": "duplicate" }),
        ),
        Code::RootElement => jsx("const A = () => ‹p/>;", delete()),
        Code::Conditional => vue("‹b v-if=\"a\"/><i v-else/>", json!({ "kind": "duplicate" })),
        Code::AttributeValue => jsx("const a = <B icon={‹p/>}/>;", delete()),
        Code::ValuePosition => jsx("const a = ‹p/>;", delete()),

        Code::ComponentPlace => edit(
            &[("src/A.tsx", "export const A = () => <main>‹p/></main>;")],
            using("src/A.tsx", "A"),
        ),
        Code::ComponentProperty => edit(
            &[("src/A.tsx", "const A = () => <main>‹p/></main>;"), BADGE],
            using("src/Badge.tsx", "Badge"),
        ),
        Code::NoComponent => jsx("const A = () => <p>‹b/></p>;", detach()),
        Code::NotPlainMarkup => jsx("const B = memo(() => <p/>);\nconst A = () => <p>‹B/></p>;", detach()),
        Code::ComponentName => jsx("const A = () => <p>‹B/></p>;", swap("c d", None)),
        Code::ModuleName => jsx("const A = () => <p>‹B/></p>;", swap("C", Some("c'; evil()"))),
        Code::NameTaken => jsx("const C = 1;\nconst A = () => <p>‹B/></p>;", swap("C", Some("c"))),
    }
}

#[test]
fn every_code_has_a_case_that_comes_to_it() {
    let documented = documented("Refusals of edits");
    let mut wrong = Vec::new();
    for code in Code::ALL {
        let refusal = provoked(*code);
        let status = match refusal.verdict {
            Verdict::Conflict => "409",
            Verdict::Uncertain => "422",
            Verdict::Dormant => "403",
        };
        let row = documented.iter().find(|(word, _)| *code == word.as_str());
        let has_status = row.is_some_and(|(_, statuses)| statuses.contains(status));
        let asks = status == "409" && *code != Code::SourceChanged;
        if refusal.code != *code || !has_status || asks == refusal.choices.is_empty() {
            wrong.push(format!("{code}: {status} {refusal:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn reasons_say_what_stands_in_the_way_and_what_helps() {
    let mut poor = Vec::new();
    for code in Code::ALL {
        let Refusal { reason, .. } = provoked(*code);
        let two_parts = reason.char_indices().any(|(at, sign)| {
            let (what, way_out) = reason.split_at(at);
            matches!(sign, ':' | ';' | '.') && what.len() > 10 && way_out.len() > 10
        });
        if !two_parts || reason.ends_with(['.', ':', ';', ' ']) {
            poor.push(format!("{code}: {reason}"));
        }
    }
    assert!(poor.is_empty(), "{}", poor.join("\n"));
}

#[test]
fn api_md_lists_exactly_these_codes() {
    let mut listed: Vec<String> = documented("Refusals of edits")
        .into_iter()
        .map(|(word, _)| word)
        .collect();
    let mut known: Vec<&str> = Code::ALL.iter().map(|code| code.word()).collect();
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known);
}

/// The words and statuses of the table below a heading of API.md.
pub(crate) fn documented(heading: &str) -> Vec<(String, String)> {
    let text = include_str!("../../../../API.md");
    let below = text.split(&format!("## {heading}\n")).nth(1).expect("the heading");
    let section = below.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| {
        let (word, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        let (status, _) = rest.split_once(" | ")?;
        Some((word.to_owned(), status.to_owned()))
    });
    rows.collect()
}

#[test]
fn a_code_goes_over_the_wire_as_its_word() {
    assert_eq!(json!(Code::SpreadAfter), json!("spread-after"));
}
