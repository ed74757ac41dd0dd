//! Children and properties, which stand where a component is used.

use super::super::texts;
use super::{changes, choices, inspected, refusal, stamp};
use crate::source::model::Inspect;
use crate::source::model::inspection::RunForm;

#[test]
fn properties_are_changed_where_the_component_is_used() {
    for (component, usage) in [
        (
            "export function Card(props) { return <h2>{props.title}</h2>; }",
            "<Card title=\"Old\" />",
        ),
        (
            "export function Card({ title }) { return <h2>{title}</h2>; }",
            "<Card title={'Old'} />",
        ),
        (
            "export const Card = ({ title: text = 'none' }) => <h2>{text}</h2>;",
            "<Card title='Old' />",
        ),
        (
            "export const Card = ({ title = 'none', ...rest }) => <h2>{rest.sub}</h2>;",
            "<Card title='x' sub='Old' />",
        ),
        (
            "export const Card = memo(forwardRef(({ title }, ref) => <h2 ref={ref}>{title}</h2>));",
            "<Card title='Old' />",
        ),
        (
            "export class Card extends Component { render() { return <h2>{this.props.title}</h2>; } }",
            "<Card title='Old' />",
        ),
        (
            "export function Card(props) { const { title } = props; return <h2>{title}</h2>; }",
            "<Card {...{ title: 'Old' }} />",
        ),
        (
            "export function Card({ children }) { return <h2>{children}</h2>; }",
            "<Card>Old</Card>",
        ),
        (
            "export function Card({ children }) { return <h2>{children}</h2>; }",
            "<Card>{'Old'}</Card>",
        ),
        (
            "export function Card({ children }) { return <h2>{children}</h2>; }",
            "<Card children='Old' />",
        ),
        (
            "export function Card({ title }) { return <h2>{title}</h2>; }",
            "<Card title={<>Old</>} />",
        ),
        (
            "export function Inner({ text }) { return <h2>{text}</h2>; }\nexport function Card({ title }) { return <Inner text={title} />; }",
            "<Card title='Old' />",
        ),
        (
            "function Title({ children }) { return <h2>{children}</h2>; }\nexport function Card() {}\nCard.Title = Title;",
            "<Card.Title>Old</Card.Title>",
        ),
    ] {
        let app = format!("import {{ Card }} from './Card';\nexport const App = () => <main>{usage}</main>;\n");
        let project = [("src/Card.jsx", component), ("src/App.jsx", app.as_str())];
        changes(&project, "<h2", |_| {}, "src/App.jsx", ("Old", "New"));
    }
}

#[test]
fn a_default_is_changed_in_the_component() {
    let card = "export default function Card({ title = 'Untitled' }) { return <h2>{title}</h2>; }";
    let app = "import Anything from './Card';\nexport const App = () => <Anything />;\n";
    let project = [("src/Card.jsx", card), ("src/App.jsx", app)];
    changes(&project, "<h2", |_| {}, "src/Card.jsx", ("Untitled", "New"));
}

const CARD: &str = "export function Card({ title }) { return <h2>{title}</h2>; }\n";

#[test]
fn one_of_several_uses_is_chosen() {
    let one = "import { Card } from './ui';\nexport const One = () => <main><Card title=\"First\" /></main>;\n";
    let two =
        "import { Card as Box } from './ui/Card';\nexport const Two = () => <main><Box title=\"Second\" /></main>;\n";
    let barrel = "export * from './Card';\n";
    let project = [
        ("src/ui/Card.jsx", CARD),
        ("src/ui/index.js", barrel),
        ("src/One.jsx", one),
        ("src/Two.jsx", two),
    ];
    let asked = refusal(&project, "<h2", |_| {});
    assert_eq!(
        choices(&asked),
        [
            "usage=src/One.jsx:2:31: “First” – used in src/One.jsx:2",
            "usage=src/Two.jsx:2:31: “Second” – used in src/Two.jsx:2",
        ]
    );
    let usage = stamp(&project, "src/Two.jsx", "<Box");
    changes(
        &project,
        "<h2",
        |request| request.usage = Some(usage),
        "src/Two.jsx",
        ("Second", "New"),
    );
    changes(
        &project,
        "<h2",
        |request| request.before = Some("First".into()),
        "src/One.jsx",
        ("First", "New"),
    );

    let within = stamp(&project, "src/Two.jsx", "<main>");
    let inspect = Inspect {
        src: stamp(&project, "src/ui/Card.jsx", "<h2"),
        item: None,
        within: Some(within),
        viewport: Default::default(),
    };
    let uses = texts(&project, &inspect).unwrap().usages;
    let uses: Vec<_> = uses.iter().map(|usage| (usage.text.as_str(), usage.likely)).collect();
    assert_eq!(uses, [("<Card> title=“First”", false), ("<Box> title=“Second”", true)]);
}

#[test]
fn uses_inside_other_components_are_found_likely() {
    let layout = "export function Layout({ children }) { return <div>{children}</div>; }\n";
    let app = "import { Card } from './Card';\nimport { Layout } from './Layout';\n\
               export const App = () => <><Layout><Card title=\"In\" /></Layout><Card title=\"Out\" /></>;\n";
    let project = [("src/Card.jsx", CARD), ("src/Layout.jsx", layout), ("src/App.jsx", app)];
    let inspect = Inspect {
        src: stamp(&project, "src/Card.jsx", "<h2"),
        item: None,
        within: Some(stamp(&project, "src/Layout.jsx", "<div")),
        viewport: Default::default(),
    };
    let uses = texts(&project, &inspect).unwrap().usages;
    let uses: Vec<_> = uses.iter().map(|usage| usage.likely).collect();
    assert_eq!(uses, [true, false]);
}

#[test]
fn a_component_used_for_each_item_leads_to_the_items() {
    let app = "import { Card } from './Card';\nconst items = [{ title: 'One' }, { title: 'Two' }];\n\
               export const App = () => <main>{items.map((item) => <Card key={item.title} {...item} />)}</main>;\n";
    let project = [("src/Card.jsx", CARD), ("src/App.jsx", app)];
    changes(
        &project,
        "<h2",
        |request| request.item = Some(1),
        "src/App.jsx",
        ("Two", "New"),
    );
    assert_eq!(inspected(&project, "<h2", Some(0))[0].form, RunForm::Item);
}

#[test]
fn an_item_that_is_looked_for_may_be_shown_in_several_rows() {
    let list = "const kinds = [{ id: 'a', label: 'Open' }, { id: 'b', label: 'Done' }];";
    let row = format!(
        "{list}\nexport const cell = ({{ row }}) => {{ const kind = kinds.find((kind) => kind.id === row.kind); return \
         <b>{{kind.label}}</b>; }};"
    );
    assert_eq!(inspected(&[("src/App.tsx", row.as_str())], "<b", None)[0].shared, 2);
    let one = format!(
        "{list}\nexport const App = () => {{ const kind = kinds.find((kind) => kind.id === 'b'); return \
         <b>{{kind.label}}</b>; }};"
    );
    assert_eq!(inspected(&[("src/App.tsx", one.as_str())], "<b", None)[0].shared, 1);
}

#[test]
fn a_text_of_a_component_is_shared_by_its_uses() {
    let card = "export const Card = () => <h2>Same</h2>;\nexport const Twice = () => <><Card /><Card /><Card /></>;\n";
    let project = [("src/Card.jsx", card)];
    assert_eq!(inspected(&project, "<h2", None)[0].shared, 3);
    let name = "const brand = 'Acme';\nexport const App = () => <><h1>{brand}</h1><h2>{brand}</h2></>;\n";
    let project = [("src/App.jsx", name)];
    assert_eq!(inspected(&project, "<h1", None)[0].shared, 2);
}

#[test]
fn a_component_that_nothing_uses_says_so() {
    let project = [("src/Card.jsx", CARD)];
    let refused = refusal(&project, "<h2", |_| {});
    assert_eq!(refused.code, "no-usage");
    assert!(refused.reason.contains("Card (src/Card.jsx:1)"), "{}", refused.reason);
}

#[test]
fn lazy_components_are_components() {
    let app = "import { lazy } from 'react';\nconst Card = lazy(() => import('./Card'));\nexport const App = () => <Card title=\"Old\" />;\n";
    let card = "export default function Card({ title }) { return <h2>{title}</h2>; }\n";
    let project = [("src/Card.jsx", card), ("src/App.jsx", app)];
    changes(&project, "<h2", |_| {}, "src/App.jsx", ("Old", "New"));
}
