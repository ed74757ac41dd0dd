//! Uses in JSX, with their imports.

use serde_json::json;

use super::{becomes, refused};

const CARD: (&str, &str) = (
    "src/components/Card.tsx",
    "import { cn } from '@/lib/cn';\nexport function Card({ title, open, size, max, children }: { title?: string; open?: boolean; \
     size?: 'sm' | 'lg'; max?: number; children?: ReactNode }) { return <div>{children}</div> }",
);
const LOGO: (&str, &str) = (
    "src/components/Logo.tsx",
    "export default function Logo() { return <svg/> }",
);
const ALIAS: (&str, &str) = (
    "tsconfig.json",
    r#"{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }"#,
);

fn card() -> serde_json::Value {
    json!({ "path": "src/components/Card.tsx", "export": "Card" })
}

#[test]
fn a_use_is_written_with_its_properties_and_its_import() {
    let mut wanted = card();
    wanted["props"] = json!({ "title": "Fish & \"chips\"", "open": true, "size": "lg", "max": 3 });
    wanted["text"] = json!("Now {new}");
    becomes(
        &[
            (
                "src/App.tsx",
                "import React from 'react';\n\nexport default function App() {\n  return (\n    <main>\n      ‹p>a</p>\n    </main>\n  );\n}\n",
            ),
            CARD,
        ],
        wanted,
        "import React from 'react';\nimport { Card } from './components/Card';\n\nexport default function App() {\n  return (\n    <main>\n      <p>a</p>\n      \
         <Card title=\"Fish & &quot;chips&quot;\" open size=\"lg\" max={3}>Now &#123;new&#125;</Card>\n    </main>\n  );\n}\n",
    );
    let mut closed = card();
    closed["props"] = json!({ "open": false });
    becomes(
        &[
            (
                "src/components/Page.tsx",
                "export const Page = () => <main>‹p/></main>;\n",
            ),
            CARD,
        ],
        closed,
        "import { Card } from './Card';\nexport const Page = () => <main><p/><Card open={false} /></main>;\n",
    );
}

#[test]
fn an_import_is_written_as_the_others_are() {
    for (import, wanted) in [
        (
            "import { cn } from \"@/lib/cn\"",
            "import { cn } from \"@/lib/cn\"\nimport { Card } from \"@/components/Card\"",
        ),
        (
            "import { Row } from './components/Row.tsx';",
            "import { Row } from './components/Row.tsx';\nimport { Card } from './components/Card.tsx';",
        ),
        (
            "import { Row } from './components/Row';\nimport './a.css'",
            "import { Row } from './components/Row';\nimport './a.css'\nimport { Card } from './components/Card'",
        ),
        (
            "import type { CardProps } from '@/components/Card';",
            "import type { CardProps } from '@/components/Card';\nimport { Card } from '@/components/Card';",
        ),
        // The nearest import is the example.
        (
            "import { cn } from './lib/cn';\nimport { Row } from '@/components/Row';",
            "import { cn } from './lib/cn';\nimport { Row } from '@/components/Row';\nimport { Card } from '@/components/Card';",
        ),
        // From the same file already.
        (
            "import { Foot } from './components/Card';",
            "import { Foot, Card } from './components/Card';",
        ),
        (
            "import {\n  Foot,\n} from './components/Card';",
            "import {\n  Foot,\n  Card,\n} from './components/Card';",
        ),
        (
            "import Whole from './components/Card';",
            "import Whole, { Card } from './components/Card';",
        ),
        // Without an import of the project's own files that of the component itself is the example.
        (
            "'use client'\nimport a from 'a'",
            "'use client'\nimport a from 'a'\nimport { Card } from '@/components/Card'",
        ),
    ] {
        let text = format!("{import}\nexport const App = () => <main>‹p/></main>;\n");
        let files = [
            ("src/App.tsx", text.as_str()),
            CARD,
            ALIAS,
            ("src/lib/cn.ts", "export const cn = 1;"),
            ("src/components/Row.tsx", "export const Row = () => <p/>;"),
        ];
        becomes(
            &files,
            card(),
            &format!("{wanted}\nexport const App = () => <main><p/><Card /></main>;\n"),
        );
    }
}

#[test]
fn without_imports_the_components_own_file_is_the_example() {
    becomes(
        &[
            (
                "src/pages/home/Page.jsx",
                "'use client';\nexport const Page = () => <main>‹p/></main>;\n",
            ),
            (
                "src/components/Card.jsx",
                "import { cn } from \"@/lib/cn\"\nexport const Card = () => <p/>;",
            ),
            ("src/lib/cn.js", "export const cn = 1;"),
            (
                "jsconfig.json",
                r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#,
            ),
        ],
        json!({ "path": "src/components/Card.jsx", "export": "Card" }),
        "'use client';\nimport { Card } from \"@/components/Card\"\nexport const Page = () => <main><p/><Card /></main>;\n",
    );
}

#[test]
fn what_is_imported_already_is_used_by_its_name_there() {
    for (import, tag) in [
        ("import { Card } from './components/Card';", "Card"),
        ("import { Card as Box } from './components/Card';", "Box"),
    ] {
        let text = format!("{import}\nexport const App = () => <main>‹p/></main>;\n");
        becomes(
            &[("src/App.tsx", &text), CARD],
            card(),
            &format!("{import}\nexport const App = () => <main><p/><{tag} /></main>;\n"),
        );
    }
    becomes(
        &[
            (
                "src/App.tsx",
                "import { mark } from './components/Logo';\nexport const App = () => <main>‹p/></main>;\n",
            ),
            LOGO,
        ],
        json!({ "path": "src/components/Logo.tsx", "export": "default" }),
        "import Logo, { mark } from './components/Logo';\nexport const App = () => <main><p/><Logo /></main>;\n",
    );
    becomes(
        &[(
            "src/App.tsx",
            "export const Row = () => <i/>;\nexport const App = () => <main>‹p/></main>;\n",
        )],
        json!({ "path": "src/App.tsx", "export": "Row" }),
        "export const Row = () => <i/>;\nexport const App = () => <main><p/><Row /></main>;\n",
    );
}

#[test]
fn a_component_that_cannot_be_used_is_refused_with_the_reason() {
    let app = ("src/App.tsx", "export const App = () => <main>‹p/></main>;");
    let with = |props: serde_json::Value| {
        let mut wanted = card();
        wanted["props"] = props;
        wanted
    };
    for (files, wanted, code, says) in [
        (
            vec![app, CARD],
            json!({ "path": "src/components/Card.tsx", "export": "Cart" }),
            "import-missing",
            "Cart",
        ),
        (
            vec![app, CARD],
            json!({ "path": "../secret.tsx", "export": "Card" }),
            "import-missing",
            "../secret.tsx",
        ),
        (
            vec![app, CARD],
            with(json!({ "size": "xl" })),
            "component-property",
            "sm, lg",
        ),
        (
            vec![app, CARD],
            with(json!({ "open": "yes" })),
            "component-property",
            "true or false",
        ),
        (
            vec![app, CARD],
            with(json!({ "tilte": "x" })),
            "component-property",
            "tilte",
        ),
        (
            vec![
                app,
                (
                    "src/List.tsx",
                    "export const List = ({ items }: { items: string[] }) => <ul/>;",
                ),
            ],
            json!({ "path": "src/List.tsx", "export": "List" }),
            "component-property",
            "items",
        ),
        (
            vec![app, LOGO],
            json!({ "path": "src/components/Logo.tsx", "export": "default", "text": "x" }),
            "component-children",
            "Logo",
        ),
        (
            vec![app, ("src/Box.vue", "<template><p/></template>")],
            json!({ "path": "src/Box.vue", "export": "default" }),
            "component-place",
            "Vue",
        ),
        (
            vec![
                (
                    "src/App.tsx",
                    "const Card = 1;\nexport const App = () => <main>‹p/></main>;",
                ),
                CARD,
            ],
            card(),
            "name-taken",
            "Card",
        ),
        (
            vec![
                (
                    "src/App.tsx",
                    "export const App = () => <main>{list.map((Card) => <i>‹p/></i>)}</main>;",
                ),
                CARD,
            ],
            card(),
            "name-taken",
            "Card",
        ),
    ] {
        let (found, reason) = refused(&files, wanted);
        assert_eq!(found, code, "{reason}");
        assert!(reason.contains(says), "{reason}");
    }
}
