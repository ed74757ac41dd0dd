//! Packages as libraries ship them.

use std::path::Path;

use serde_json::json;

use super::installed;
use super::{Request, prepare};
use crate::config::{DesignSystem, Source};
use crate::source::model::LibraryComponent;
use crate::source::model::library::Kind;

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn components(files: &[(&str, &str)]) -> Vec<LibraryComponent> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), files);
    installed::read(folder.path()).unwrap().components
}

fn shown(components: &[LibraryComponent]) -> Vec<String> {
    let shown = components.iter().map(|component| {
        let props = component.props.iter().map(|property| {
            let kind = match &property.kind {
                Kind::Text => "text".to_owned(),
                Kind::Number => "number".to_owned(),
                Kind::Boolean => "boolean".to_owned(),
                Kind::Choice { options } => options.join("|"),
                Kind::Code => "code".to_owned(),
            };
            format!("{}{}: {kind}", property.name, if property.required { "" } else { "?" })
        });
        let props: Vec<_> = props.collect();
        let (name, package, export) = (&component.name, &component.package, &component.export);
        let more = [
            (component.more, " more"),
            (component.content, " content"),
            (component.is_vue, " vue"),
        ];
        let more: String = more.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
        format!("{name} = {export} of {package} {{ {} }}{more}", props.join(", "))
    });
    shown.collect()
}

#[test]
fn each_way_of_declaring_a_react_component_is_read() {
    let read = components(&[
        (
            "package.json",
            r#"{ "name": "@acme/ui", "version": "2.1.0", "exports": { ".": { "import": { "types": "./dist/index.d.mts", "default": "./dist/index.mjs" } } } }"#,
        ),
        (
            "dist/index.d.mts",
            r#"
import * as React$1 from 'react';
import { Shape } from './shape.mjs';
export * from './card.mjs';
export { default as Avatar } from './avatar.mjs';
interface ButtonProps extends React$1.HTMLAttributes<HTMLButtonElement> {
    /** How loud it is. */
    variant?: 'solid' | 'ghost';
    size: Shape;
    onPress?: () => void;
    children?: React$1.ReactNode;
}
declare const Button: React$1.ForwardRefExoticComponent<ButtonProps & React$1.RefAttributes<HTMLButtonElement>>;
declare function Badge({ label, count }: { label: string; count?: number }): React$1.JSX.Element;
declare const Plain: (props: { open: boolean }) => React$1.ReactNode;
declare class Grid extends React$1.Component<{ columns?: number }> { render(): JSX.Element; }
declare const Memo: React$1.MemoExoticComponent<typeof Badge>;
declare const Compound: React$1.FC<{ title: string }> & { Item: React$1.FC<{}> };
declare function useTheme(): string;
declare function Format(value: number): string;
declare const VERSION: string;
export { Button, type ButtonProps, Badge, Plain, Grid, Memo, Compound, useTheme, Format, VERSION };
"#,
        ),
        ("dist/shape.d.mts", "export type Shape = 'small' | 'large';"),
        (
            "dist/card.d.mts",
            "import { Own } from './own.mjs';\nexport interface CardProps { title?: string }\nexport declare const Card: Own<CardProps>;\nexport default Card;",
        ),
        ("dist/own.d.mts", "export interface Own<P> { (props: P): unknown }"),
        (
            "dist/avatar.d.mts",
            "declare const Avatar: import('react').FC<{ src: string }>;\nexport default Avatar;",
        ),
        ("dist/index.mjs", ""),
    ]);
    assert_eq!(
        shown(&read),
        [
            "Avatar = Avatar of @acme/ui { src: text }",
            "Badge = Badge of @acme/ui { label: text, count?: number }",
            "Button = Button of @acme/ui { variant?: solid|ghost, size: small|large, onPress?: code } more content",
            "Card = Card of @acme/ui { title?: text }",
            "Compound = Compound of @acme/ui { title: text }",
            "Grid = Grid of @acme/ui { columns?: number }",
            "Memo = Memo of @acme/ui { label: text, count?: number }",
            "Plain = Plain of @acme/ui { open: boolean }",
        ]
    );
}

#[test]
fn vue_libraries_are_read_part_by_part() {
    let read = components(&[
        (
            "package.json",
            r#"{ "name": "acme-vue", "exports": { "./*": { "types": "./*/index.d.ts", "import": "./*/index.mjs" }, "./package.json": "./package.json" } }"#,
        ),
        (
            "button/index.d.ts",
            "import { DefineComponent } from 'vue';\nexport interface ButtonProps { label?: string; raised?: boolean }\ndeclare const Button: DefineComponent<ButtonProps, {}, {}>;\nexport default Button;",
        ),
        (
            "chip/index.d.ts",
            "declare const _default: import(\"vue\").DefineComponent<{ label: { type: StringConstructor; required: true }; size: { type: PropType<'s' | 'm'>; default: string } }>;\nexport default _default;",
        ),
        (
            "tag/index.d.ts",
            "import { SFCWithInstall } from '../install';\nimport _default from './src/tag.vue.js';\ndeclare const AcmeTag: SFCWithInstall<typeof _default> & { Group: {} };\nexport { AcmeTag, AcmeTag as default };",
        ),
        (
            "tag/src/tag.vue.d.ts",
            "import * as _$vue from \"vue\";\ndeclare const __VLS_base: _$vue.DefineComponent<{ text?: string }, {}>;\ndeclare const __VLS_export: __VLS_WithSlots<typeof __VLS_base, {}>;\ndeclare const _default: typeof __VLS_export;\nexport default _default;",
        ),
        (
            "utils/index.d.ts",
            "export declare function clamp(value: number): number;",
        ),
    ]);
    assert_eq!(
        shown(&read),
        [
            "AcmeTag = AcmeTag of acme-vue/tag { text?: text } vue",
            "Button = default of acme-vue/button { label?: text, raised?: boolean } vue",
            "Chip = default of acme-vue/chip { label: text, size?: s|m } vue",
        ]
    );
}

#[test]
fn sources_speak_where_nothing_is_declared() {
    let read = components(&[
        ("package.json", r#"{ "name": "own-ui" }"#),
        (
            "src/index.ts",
            "export { Tile } from './Tile';\nexport { default as Row } from './Row.vue';",
        ),
        (
            "src/Tile.tsx",
            "export function Tile({ title, wide = false }: { title: string; wide?: boolean }) { return <p>{title}</p> }",
        ),
        (
            "src/Row.vue",
            "<script setup lang=\"ts\">defineProps<{ gap: number }>()</script><template><div /></template>",
        ),
    ]);
    assert_eq!(
        shown(&read),
        [
            "Row = Row of own-ui { gap: number } vue",
            "Tile = Tile of own-ui { title: text, wide?: boolean }"
        ]
    );
}

#[test]
fn circles_and_broken_files_end() {
    let read = components(&[
        ("package.json", r#"{ "name": "round", "types": "index.d.ts" }"#),
        (
            "index.d.ts",
            "export * from './a'; export * from './broken'; export { Gone } from './gone';",
        ),
        (
            "a.d.ts",
            "export * from './index'; export { B } from './b'; export declare const C: React.FC;",
        ),
        ("b.d.ts", "export { B } from './a';"),
        ("broken.d.ts", "export declare const ; {{{"),
    ]);
    assert_eq!(shown(&read), ["C = C of round {  } more"]);
}

fn installed_in(root: &Path, name: &str, description: serde_json::Value, declarations: &str) {
    let text = description.to_string();
    write(
        &root.join("node_modules").join(name),
        &[("package.json", text.as_str()), ("index.d.ts", declarations)],
    );
}

#[tokio::test]
async fn packages_of_the_prototype_are_found_and_declared_ones_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let dependencies =
        json!({ "name": "shop", "dependencies": { "ui": "1", "vue-ui": "1", "lodash": "4", "react": "19" } });
    write(root, &[("package.json", dependencies.to_string().as_str())]);
    let component = "export declare const Button: React.FC<{ label: string }>;";
    installed_in(
        root,
        "ui",
        json!({ "name": "ui", "version": "1.0.0", "peerDependencies": { "react": "*" } }),
        component,
    );
    let vue = "export declare const Chip: DefineComponent<{ label: string }>;";
    installed_in(
        root,
        "vue-ui",
        json!({ "name": "vue-ui", "peerDependencies": { "vue": "3" } }),
        vue,
    );
    installed_in(
        root,
        "lodash",
        json!({ "name": "lodash" }),
        "export declare function Map(): void;",
    );
    let declared = |source| DesignSystem {
        source,
        label: Some("Acme".into()),
        allow_build: false,
        hints: false,
    };
    let request = Request {
        root: root.to_owned(),
        kept: root.join(".tool"),
        declared: vec![
            declared(Source::Installed {
                package: "missing".into(),
            }),
            declared(Source::Installed {
                package: "lodash".into(),
            }),
            declared(Source::Registry {
                spec: "file:../secret".into(),
            }),
        ],
        storybooks: Vec::new(),
        allowed: Vec::new(),
        is_vue: false,
    };
    let (libraries, reports) = prepare(&request).await;
    let labels: Vec<_> = libraries.iter().map(|library| library.label.as_str()).collect();
    assert_eq!(labels, ["ui"]);
    assert_eq!(libraries[0].components[0].package, "ui");
    let problems: Vec<_> = reports
        .iter()
        .map(|report| report.problem.as_deref().unwrap_or(""))
        .collect();
    assert!(problems[0].contains("missing is not installed"), "{problems:?}");
    assert!(problems[1].contains("exports no component"), "{problems:?}");
    assert!(problems[2].contains("no name of the registry"), "{problems:?}");
    assert_eq!(problems[3], "");
    assert!(!reports[3].declared && reports[3].version == "1.0.0" && reports[3].components == 1);
}
