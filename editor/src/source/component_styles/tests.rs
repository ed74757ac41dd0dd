//! Styles on the uses of components, in both languages.

use serde_json::json;

use crate::source::engine::{inspect, plan};
use crate::source::model::inspection::Able;
use crate::source::model::marks::marked;
use crate::source::model::{Inspect, Lanes, Refusal, Stamp};

const MERGING: (&str, &str) = (
    "package.json",
    r#"{ "dependencies": { "react": "19", "tailwindcss": "4", "tailwind-merge": "3" } }"#,
);

/// Sets `padding: 8px` on the element marked by `‹` in the first file; the changed file and its text.
fn styled(files: &[(&str, &str)], scope: Option<&str>) -> Result<(String, String), Refusal> {
    let (path, source) = files[0];
    let (text, at) = marked(source, '‹');
    let src = Stamp {
        path: path.to_owned(),
        at,
    };
    let file = |at: usize| files.get(at).copied().unwrap_or(("other.txt", ""));
    let project = [(path, text.as_str()), file(1), file(2)];
    let request =
        json!({ "src": src.to_string(), "kind": "style", "property": "padding", "value": "8px", "scope": scope });
    let planned = plan(&project, &serde_json::from_value(request).unwrap(), Lanes::default());
    if scope.is_none() {
        let question = Inspect {
            src,
            item: None,
            within: None,
            viewport: Default::default(),
        };
        let can = inspect(&project, &question, Lanes::default())
            .expect("an inspection")
            .can
            .style;
        let is_possible = planned
            .as_ref()
            .map_or_else(|refusal| !refusal.choices.is_empty(), |_| true);
        assert_eq!(can == Able::Yes, is_possible, "{can:?} {planned:?}");
    }
    let plan = planned?;
    let [change] = plan.changes.as_slice() else {
        panic!("{plan:?}")
    };
    let (_, old) = project.iter().find(|(name, _)| *name == change.path).expect("the file");
    Ok((change.path.clone(), change.apply(old).unwrap()))
}

fn jsx(markup: &str) -> String {
    format!("import {{ Card }} from './Card';\nexport const App = () => <main>{markup}</main>;\n")
}

fn vue(markup: &str) -> String {
    format!(
        "<script setup>\nimport Card from './Card.vue'\n</script>\n\n<template>\n  <main>\n    {markup}\n  </main>\n</template>\n"
    )
}

#[test]
fn a_component_that_passes_its_style_on_is_styled_at_its_use() {
    for source in [
        "export const Card = ({ style, title }) => <p style={style}>{title}</p>;",
        "export function Card({ title, ...props }) { return <p {...props}>{title}</p>; }",
        "export const Card = (props) => <p {...props} className=\"card\" />;",
        "export const Card = ({ wide, style }) => wide ? <p style={style} /> : <b style={{ top: 0, ...style }} />;",
        "import { Root } from '@radix-ui/react-label';\nexport const Card = (props) => <Root {...props} />;",
        "export const Card = (props) => <Inner {...props} />;\nconst Inner = ({ style }) => <p style={style} />;",
        "import { Slot } from '@radix-ui/react-slot';\nexport const Card = ({ asChild, ...props }) => {\n  const Tag = asChild ? Slot : 'button';\n  return <Tag {...props} />;\n};",
    ] {
        let outcome = styled(&[("App.tsx", &jsx("‹Card title=\"a\"/>")), ("Card.tsx", source)], None);
        let wanted = jsx("<Card title=\"a\" style={{ padding: '8px' }}/>");
        assert_eq!(outcome, Ok(("App.tsx".to_owned(), wanted)), "{source}");
    }
    for source in [
        "<template><p>a</p></template>",
        "<template>\n  <!-- c -->\n  <p v-if=\"a\">a</p>\n  <b v-else/>\n</template>",
        "<script setup>\ndefineOptions({ inheritAttrs: false })\n</script>\n<template><p v-bind=\"$attrs\"/></template>",
        "<script setup lang=\"ts\">\nconst props = defineProps<{ class?: string }>()\n</script>\n<template><p :class=\"props.class\"/></template>",
    ] {
        let outcome = styled(&[("App.vue", &vue("‹Card title=\"a\"/>")), ("Card.vue", source)], None);
        let wanted = vue("<Card title=\"a\" style=\"padding: 8px\"/>");
        assert_eq!(outcome, Ok(("App.vue".to_owned(), wanted)), "{source}");
    }
}

#[test]
fn with_tailwind_a_component_that_merges_its_class_is_given_one() {
    for source in [
        "import { cn } from '@/lib/utils';\nexport const Card = ({ className, ...props }) => <p className={cn('p-4', className)} {...props} />;",
        "export function Card({ className }) { return <p className={twMerge('p-4', className)} />; }",
        "const card = cva('p-4');\nexport const Card = ({ className, size, ...props }) => <p className={cn(card({ size, className }))} {...props} />;",
    ] {
        let outcome = |markup: &str| styled(&[("App.tsx", &jsx(markup)), ("Card.tsx", source), MERGING], None);
        let done = |markup: &str| Ok(("App.tsx".to_owned(), jsx(markup)));
        assert_eq!(outcome("‹Card/>"), done("<Card className=\"p-2\"/>"), "{source}");
        assert_eq!(
            outcome("‹Card className=\"p-6\"/>"),
            done("<Card className=\"p-2\"/>"),
            "{source}"
        );
    }
}

#[test]
fn a_component_that_keeps_its_style_asks_whether_everywhere_or_here_is_meant() {
    for source in [
        "export const Card = ({ title }) => <p>{title}</p>;\n",
        "export const Card = ({ style, title }) => <p>{title}<b style={style}/></p>;\n",
        "export const Card = (props) => <p {...props.rest}>{props.title}</p>;\n",
        "export const Card = (props) => <p {...props} style={{ top: 0 }} />;\n",
    ] {
        let app = jsx("‹Card title=\"a\"/>");
        let files = [("App.tsx", &*app), ("Card.tsx", source)];
        let refusal = styled(&files, None).expect_err(source);
        assert_eq!(refusal.code, "choice-needed", "{source}: {refusal:?}");
        assert!(
            refusal.choices.iter().all(|choice| choice.option == "scope"),
            "{refusal:?}"
        );
        assert!(refusal.reason.contains("Card.tsx"), "{refusal:?}");
        let here = jsx("<div style={{ padding: '8px' }}><Card title=\"a\"/></div>");
        assert_eq!(styled(&files, Some("item")), Ok(("App.tsx".to_owned(), here)));
    }
    let app = jsx("‹Card title=\"a\"/>");
    let source = "export const Card = ({ title }) => <p>{title}</p>;\n";
    let files = [("App.tsx", &*app), ("Card.tsx", source)];
    let labels: Vec<_> = styled(&files, None)
        .unwrap_err()
        .choices
        .into_iter()
        .map(|choice| choice.label)
        .collect();
    assert_eq!(
        labels,
        [
            "Everywhere <Card> is used, in Card.tsx",
            "Only here, on a <div> around it"
        ]
    );
    let everywhere = source.replace("<p>", "<p style={{ padding: '8px' }}>");
    assert_eq!(styled(&files, Some("all")), Ok(("Card.tsx".to_owned(), everywhere)));
}

#[test]
fn a_component_of_vue_that_keeps_its_style_asks_too() {
    for source in [
        "<template><p>a</p><b/></template>",
        "<script setup>\ndefineOptions({ inheritAttrs: false })\n</script>\n<template><p><b v-bind=\"$attrs\"/></p></template>",
        "<script>\nexport default { inheritAttrs: false }\n</script>\n<template><p>a</p></template>",
    ] {
        let app = vue("‹Card\n      title=\"a\"\n    />\n    <i/>");
        let files = [("App.vue", &*app), ("Card.vue", source)];
        let refusal = styled(&files, None).expect_err(source);
        assert_eq!(refusal.code, "choice-needed", "{source}: {refusal:?}");
        let here =
            vue("<div style=\"padding: 8px\">\n      <Card\n        title=\"a\"\n      />\n    </div>\n    <i/>");
        assert_eq!(styled(&files, Some("item")), Ok(("App.vue".to_owned(), here)));
    }
    let source = "<script>\nexport default { inheritAttrs: false }\n</script>\n<template><p>a</p></template>";
    let app = vue("‹Card/>");
    let everywhere = source.replace("<p>", "<p style=\"padding: 8px\">");
    let outcome = styled(&[("App.vue", &*app), ("Card.vue", source)], Some("all"));
    assert_eq!(outcome, Ok(("Card.vue".to_owned(), everywhere)));
}

#[test]
fn a_component_of_a_library_can_be_wrapped_only() {
    let app =
        |markup: &str| format!("import {{ Card }} from 'library';\nexport const App = () => <main>{markup}</main>;\n");
    let refusal = styled(&[("App.tsx", &app("‹Card/>"))], None).unwrap_err();
    assert_eq!(refusal.choices.len(), 1, "{refusal:?}");
    assert!(refusal.reason.contains("source is not in this project"), "{refusal:?}");
    let span = styled(&[("App.tsx", &app("<p>‹Card/></p>"))], Some("item")).unwrap().1;
    assert_eq!(span, app("<p><span style={{ padding: '8px' }}><Card/></span></p>"));
    // What holds certain children, or looks at them, is not given others.
    for markup in [
        "<ul>‹Card/></ul>",
        "<Card>‹Card/></Card>",
        "<svg>‹Card/></svg>",
        "{items.map((item) => ‹Card key={item}/>)}",
    ] {
        let refusal = styled(&[("App.tsx", &app(markup))], None).expect_err(markup);
        assert_eq!(refusal.code, "no-style-place", "{markup}: {refusal:?}");
    }
    let icon = "import { Plus } from 'lucide-react';\nexport const App = () => ‹Plus/>;\n";
    let styled = styled(&[("App.tsx", icon)], None).unwrap().1;
    assert!(styled.contains("<Plus style={{ padding: '8px' }}/>"), "{styled}");
}
