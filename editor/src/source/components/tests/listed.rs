//! The list: which components there are, and the properties that their sources name.

use super::{offered, props};

#[test]
fn exported_components_are_listed_and_nothing_else() {
    let files = [
        (
            "src/App.tsx",
            "import { Card } from './Card';\nexport default function App() { return <Card title=\"a\" /> }",
        ),
        (
            "src/Card.tsx",
            "export function Card() { return <div /> }\nexport const Quiet = memo(() => <p/>);\nconst Inner = () => <i/>;\n\
             export const useCard = () => 1;\nexport const SIZE = 3;\nexport function Helper() { return 4 }\nexport { Inner as Part };",
        ),
        ("src/ui/button/index.tsx", "export default () => <button/>;"),
        ("src/Card.test.tsx", "export const Fake = () => <p/>;"),
        ("src/main.tsx", "export {};"),
    ];
    let found: Vec<_> = offered(&files)
        .into_iter()
        .map(|one| format!("{} {} {}", one.name, one.path, one.export))
        .collect();
    assert_eq!(
        found,
        [
            "App src/App.tsx default",
            "Button src/ui/button/index.tsx default",
            "Card src/Card.tsx Card",
            "Part src/Card.tsx Part",
            "Quiet src/Card.tsx Quiet",
        ]
    );
}

#[test]
fn properties_are_those_of_the_parameters_type() {
    let card = "import type { Tone } from './types';\ninterface Base { id?: string }\n\
        interface Props extends Base {\n  title: string;\n  count: number;\n  open?: boolean;\n  size?: 'sm' | 'lg';\n  tone: Tone;\n  \
        label: React.ReactNode;\n  onPick(): void;\n  items: string[];\n  hint: string | null;\n  children?: ReactNode;\n}\n\
        export function Card({ title, count = 3, ...rest }: Props) { return <div>{title}</div> }\n\
        export const Row: React.FC<{ gap: number }> = ({ gap }) => <p>{gap}</p>;\n\
        export const Field = forwardRef<HTMLInputElement, Omit<Props, 'items' | 'onPick' | 'tone'>>((props, ref) => <input/>);";
    let files = [
        ("src/Card.tsx", card),
        ("src/types.ts", "export * from './tones';"),
        ("src/tones.ts", "export type Tone = 'calm' | 'loud' | undefined;"),
    ];
    assert_eq!(
        props(&files, "Card"),
        [
            "title: text!",
            "count: number",
            "open: boolean",
            "size: sm|lg",
            "tone: calm|loud!",
            "label: text!",
            "onPick: code!",
            "items: code!",
            "hint: text!",
            "id: text",
        ]
    );
    assert_eq!(props(&files, "Row"), ["gap: number!"]);
    assert_eq!(
        props(&files, "Field"),
        [
            "title: text!",
            "count: number!",
            "open: boolean",
            "size: sm|lg",
            "label: text!",
            "hint: text!",
            "id: text"
        ]
    );
}

#[test]
fn without_types_a_pattern_names_the_properties() {
    let files = [(
        "src/Card.jsx",
        "export default function Card({ title, open = false, max = 3, onClick, children }) { return <div>{children}</div> }",
    )];
    assert_eq!(
        props(&files, "Card"),
        ["title: text", "open: boolean", "max: number", "onClick: text"]
    );
    let [card] = offered(&files).try_into().expect("one");
    assert!(card.content && !card.more);
}

#[test]
fn variants_of_a_class_list_are_choices() {
    let files = [(
        "src/ui/button.tsx",
        "const buttonVariants = cva('b', { variants: { variant: { default: 'x', ghost: 'y' }, wide: { true: 'w' } } });\n\
         function Button({ className, variant, asChild = false, ...props }: React.ComponentProps<'button'> & \
         VariantProps<typeof buttonVariants> & { asChild?: boolean }) { return <button {...props} /> }\nexport { Button, buttonVariants };",
    )];
    assert_eq!(
        props(&files, "Button"),
        ["variant: default|ghost", "wide: boolean", "asChild: boolean"]
    );
    let [button] = offered(&files).try_into().expect("one");
    assert!(button.more && button.content);
}

#[test]
fn properties_of_vue_are_those_of_define_props() {
    let files = [
        (
            "src/Card.vue",
            "<script setup lang=\"ts\">\nimport type { Tone } from './types'\nconst props = withDefaults(defineProps<{ title: string; tone: Tone; \
             size?: 'sm' | 'lg'; open: boolean; max: number; items: string[] }>(), { max: 3 })\n</script>\n<template><div><slot /></div></template>",
        ),
        ("src/types.ts", "export type Tone = 'calm' | 'loud'"),
        (
            "src/Row.vue",
            "<script setup>\ndefineProps({ title: { type: String, required: true }, gap: Number, kind: { type: [String, Number], default: 'a' } })\n\
             </script>\n<template><p>{{ title }}</p></template>",
        ),
        (
            "src/List.vue",
            "<script>\nexport default { props: ['title', 'size'] }\n</script>\n<template><p/></template>",
        ),
    ];
    assert_eq!(
        props(&files, "Card"),
        [
            "title: text!",
            "tone: calm|loud!",
            "size: sm|lg",
            "open: boolean",
            "max: number",
            "items: code!"
        ]
    );
    assert_eq!(props(&files, "Row"), ["title: text!", "gap: number", "kind: text"]);
    assert_eq!(props(&files, "List"), ["title: text", "size: text"]);
    let content: Vec<_> = offered(&files).into_iter().map(|one| (one.name, one.content)).collect();
    assert_eq!(
        content,
        [
            ("Card".to_owned(), true),
            ("List".to_owned(), false),
            ("Row".to_owned(), false)
        ]
    );
}

#[test]
fn a_place_says_of_each_component_whether_it_can_stand_there() {
    let files = [
        (
            "src/Card.tsx",
            "import { Row } from './Row';\nexport const Card = () => <div>‹p/><Row/></div>;",
        ),
        ("src/Row.tsx", "export const Row = () => <i/>;"),
        (
            "src/App.tsx",
            "import { Card } from './Card';\nexport default () => <main><Page/></main>;\nconst Page = () => <Card/>;",
        ),
        ("src/Late.tsx", "export default async function Late() { return <p/> }"),
        ("src/Other.vue", "<template><p/></template>"),
    ];
    let whys: Vec<_> = offered(&files)
        .into_iter()
        .map(|one| (one.name, one.why.unwrap_or_default()))
        .collect();
    let why = |name: &str| &whys.iter().find(|(known, _)| known == name).expect("listed").1;
    assert_eq!(whys.len(), 4, "{whys:?}");
    assert_eq!(why("Row"), "");
    assert!(why("Card").starts_with("The place is in Card itself"), "{whys:?}");
    assert!(why("App").contains("App shows Card"), "{whys:?}");
    assert!(why("Late").contains("made on the server"), "{whys:?}");
}
