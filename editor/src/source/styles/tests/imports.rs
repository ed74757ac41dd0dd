//! What an `@import` adds to the rules of a stylesheet: layers, conditions, and the widths that Tailwind names.

use super::conditions::{APP, at};
use super::{Files, outcome, style_edit};
use crate::source::model::{Viewport, Whenever};
use crate::source::styles::StyleEdit;

#[test]
fn the_layer_and_the_conditions_of_an_import_count() {
    let size = |files: Files<'_>, width| {
        let viewport = Viewport::wide(width);
        outcome(
            files,
            &StyleEdit {
                viewport: &viewport,
                ..style_edit("font-size", Some("80px"))
            },
        )
    };
    let base = ("src/base.css", "p.a { font-size: 56px }");
    let app = ("src/App.tsx", "import './index.css'\nconst a = <p className=\"a\"/>;");
    // In a layer it loses against what is in none, whatever its specificity.
    let index = (
        "src/index.css",
        "@import \"./base.css\" layer(base);\np { font-size: 36px }",
    );
    assert_eq!(
        size(&[app, index, base], 876.0).unwrap(),
        "src/index.css: @import \"./base.css\" layer(base);\np { font-size: 80px }"
    );
    // Without a layer it wins.
    let index = ("src/index.css", "@import \"./base.css\";\np { font-size: 36px }");
    assert_eq!(
        size(&[app, index, base], 876.0).unwrap(),
        "src/base.css: p.a { font-size: 80px }"
    );
    // Layers of several files, in the order in which one of them names them.
    let other = ("src/other.css", "p { font-size: 20px }");
    let index = (
        "src/index.css",
        "@layer base, other;\n@import \"./other.css\" layer(other);\n@import \"./base.css\" layer(base);",
    );
    assert_eq!(
        size(&[app, index, base, other], 876.0).unwrap(),
        "src/other.css: p { font-size: 80px }"
    );
    // Its condition decides, and is said.
    let index = (
        "src/index.css",
        "@import \"./base.css\" screen and (max-width: 900px);\np { font-size: 36px }",
    );
    assert_eq!(
        size(&[app, index, base], 1440.0).unwrap(),
        "src/index.css: @import \"./base.css\" screen and (max-width: 900px);\np { font-size: 80px }"
    );
    let refusal = size(&[app, index, base], 876.0).unwrap_err();
    assert_eq!(
        refusal.reason,
        "font-size is declared by p.a at src/base.css:1, on pages up to 900 pixels wide: choose what the change is for"
    );
    // A script that loads it, too, loads it without one.
    let script = ("src/main.ts", "import './base.css'");
    assert_eq!(
        size(&[app, index, base, script], 1440.0).unwrap(),
        "src/base.css: p.a { font-size: 80px }"
    );
    // Of equal rules the one that is imported later wins, and the importing file's own at last.
    let (one, two) = (
        ("src/one.css", "p { font-size: 1px }"),
        ("src/two.css", "p { font-size: 2px }"),
    );
    let index = ("src/index.css", "@import \"./two.css\";\n@import \"./one.css\";");
    assert_eq!(
        size(&[app, index, one, two], 876.0).unwrap(),
        "src/one.css: p { font-size: 80px }"
    );
    let index = ("src/index.css", "@import \"./two.css\";\np { font-size: 3px }");
    assert_eq!(
        size(&[app, index, two], 876.0).unwrap(),
        "src/index.css: @import \"./two.css\";\np { font-size: 80px }"
    );
    // Imports in a circle end.
    let index = ("src/index.css", "@import \"./two.css\" print;\np { font-size: 3px }");
    let two = ("src/two.css", "@import \"./index.css\" layer(x);\np { font-size: 2px }");
    assert!(size(&[app, index, two], 876.0).is_ok());
}

#[test]
fn widths_that_tailwind_names_are_widths() {
    let viewport = Viewport::wide(800.0);
    let package = ("package.json", "{ \"tailwindcss\": \"^3.4.1\" }");
    for around in [
        "@screen md",
        "@media screen(md)",
        "@media (min-width: theme('screens.md'))",
    ] {
        let css = format!("p {{ font-size: 56px }}\n{around} {{ p {{ font-size: 36px }} }}\n");
        let files = [APP, package, ("src/index.css", &*css)];
        let refusal = outcome(&files, &at(&viewport, None)).unwrap_err();
        let labels: Vec<_> = refusal.choices.iter().map(|choice| choice.label.as_str()).collect();
        assert_eq!(
            labels,
            ["Only on pages from 768 pixels wide", "At all widths"],
            "{around}"
        );
        let now = outcome(&files, &at(&viewport, Some(Whenever::Now))).unwrap();
        assert_eq!(now, format!("src/index.css: {}", css.replace("36px", "80px")));
        // Below it the other rule is in force.
        let narrow = Viewport::wide(700.0);
        let now = outcome(&files, &at(&narrow, None)).unwrap();
        assert_eq!(now, format!("src/index.css: {}", css.replace("56px", "80px")));
    }
}
