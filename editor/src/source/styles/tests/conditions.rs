//! Declarations that hold on a condition: which one decides at a width, and what an edit of it says.

use super::{Files, outcome, style_edit};
use crate::source::model::{Plan, Refusal, Stamp, Viewport, Whenever};
use crate::source::styles::tests::describe::describe;
use crate::source::styles::{Step, StyleEdit, inspect, plan};

/// The heading of create-vite, as a paragraph.
const CSS: &str = "p {\n  font-size: 56px;\n  margin: 32px 0;\n  @media (max-width: 1024px) {\n    font-size: 36px;\n    margin: 20px 0;\n  }\n}\n";
pub(super) const APP: (&str, &str) = ("src/App.tsx", "import './index.css'\nconst a = <p/>;");

fn planned(files: Files<'_>, edit: &StyleEdit<'_>) -> Result<Plan, Refusal> {
    match plan(&files, &describe(files[0].0, files[0].1), edit)? {
        Step::Plan(plan) => Ok(plan),
        Step::Classes { notes, .. } => Ok(Plan {
            notes,
            ..Plan::default()
        }),
    }
}

pub(super) fn at<'a>(viewport: &'a Viewport, when: Option<Whenever>) -> StyleEdit<'a> {
    StyleEdit {
        viewport,
        when,
        ..style_edit("font-size", Some("80px"))
    }
}

#[test]
fn an_edit_goes_to_the_declaration_that_decides_at_the_width() {
    let files = [APP, ("src/index.css", CSS)];
    let (narrow, wide) = (Viewport::wide(876.0), Viewport::wide(1440.0));
    let refusal = outcome(&files, &at(&narrow, None)).unwrap_err();
    assert_eq!(refusal.code, "choice-needed");
    assert_eq!(
        refusal.reason,
        "font-size is declared by p at src/index.css:5, on pages up to 1024 pixels wide: choose what the change is for"
    );
    let labels: Vec<_> = refusal.choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["Only on pages up to 1024 pixels wide", "At all widths"]);
    assert!(refusal.choices.iter().all(|choice| choice.option == "when"));
    let now = outcome(&files, &at(&narrow, Some(Whenever::Now))).unwrap();
    assert_eq!(now, format!("src/index.css: {}", CSS.replace("36px", "80px")));
    let always = outcome(&files, &at(&narrow, Some(Whenever::Always))).unwrap();
    assert_eq!(
        always,
        format!("src/index.css: {}", CSS.replace("36px", "80px").replace("56px", "80px"))
    );
    let plan = planned(&files, &at(&wide, None)).unwrap();
    assert_eq!(plan.changes[0].apply(CSS).unwrap(), CSS.replace("56px", "80px"));
    assert!(plan.notes.is_empty(), "{:?}", plan.notes);
}

#[test]
fn without_a_width_the_answer_says_that_a_rule_may_win() {
    let files = [APP, ("src/index.css", CSS)];
    let plan = planned(&files, &style_edit("font-size", Some("80px"))).unwrap();
    assert_eq!(plan.changes[0].apply(CSS).unwrap(), CSS.replace("56px", "80px"));
    assert_eq!(
        plan.notes,
        [
            "The page may not change: p at src/index.css:5 declares font-size too, on pages up to 1024 pixels wide, and wins where that holds"
        ]
    );
}

#[test]
fn a_declaration_that_is_named_is_changed_and_what_wins_is_said() {
    let files = [APP, ("src/index.css", CSS)];
    let narrow = Viewport::wide(876.0);
    let base: Stamp = "src/index.css:2:2".parse().unwrap();
    let edit = StyleEdit {
        at: Some(&base),
        ..at(&narrow, None)
    };
    let plan = planned(&files, &edit).unwrap();
    assert_eq!(plan.changes[0].apply(CSS).unwrap(), CSS.replace("56px", "80px"));
    assert_eq!(
        plan.notes,
        [
            "The page does not change: p at src/index.css:5 declares font-size too, on pages up to 1024 pixels wide, and wins"
        ]
    );
    let nested: Stamp = "src/index.css:5:4".parse().unwrap();
    let (wide, edit) = (Viewport::wide(1440.0), |viewport| StyleEdit {
        at: Some(&nested),
        ..at(viewport, None)
    });
    assert!(planned(&files, &edit(&narrow)).unwrap().notes.is_empty());
    let notes = planned(&files, &edit(&wide)).unwrap().notes;
    assert!(
        notes[0].starts_with("The page does not change: p at src/index.css:5 holds only on pages up to 1024"),
        "{notes:?}"
    );
    let nowhere: Stamp = "src/index.css:1:0".parse().unwrap();
    let lost = StyleEdit {
        at: Some(&nowhere),
        ..at(&narrow, None)
    };
    assert_eq!(outcome(&files, &lost).unwrap_err().code, "source-changed");
}

#[test]
fn what_holds_on_a_condition_is_removed_there_or_everywhere() {
    let files = [APP, ("src/index.css", CSS)];
    let narrow = Viewport::wide(876.0);
    let removal = |when| StyleEdit {
        value: None,
        ..at(&narrow, when)
    };
    assert_eq!(outcome(&files, &removal(None)).unwrap_err().code, "choice-needed");
    let now = outcome(&files, &removal(Some(Whenever::Now))).unwrap();
    assert_eq!(
        now,
        format!("src/index.css: {}", CSS.replace("    font-size: 36px;\n", ""))
    );
    let always = outcome(&files, &removal(Some(Whenever::Always))).unwrap();
    assert!(!always.contains("font-size"), "{always}");
}

#[test]
fn what_decides_is_told_at_each_width() {
    let files = [APP, ("src/index.css", CSS)];
    let listed = |viewport: &Viewport| -> Vec<(String, bool, Option<bool>, Option<bool>)> {
        let styles = inspect(&(&files[..]), &describe(files[0].0, files[0].1), viewport);
        let sizes = styles.into_iter().filter(|style| style.property == "font-size");
        sizes
            .map(|style| {
                let holds = style.conditions.first().and_then(|condition| condition.holds);
                (style.value, style.editable, style.wins, holds)
            })
            .collect()
    };
    let entry = |value: &str, editable, wins, holds| (value.to_owned(), editable, wins, holds);
    assert_eq!(
        listed(&Viewport::wide(876.0)),
        [
            entry("36px", true, Some(true), Some(true)),
            entry("56px", true, Some(false), None)
        ]
    );
    assert_eq!(
        listed(&Viewport::wide(1440.0)),
        [
            entry("36px", false, Some(false), Some(false)),
            entry("56px", true, Some(true), None)
        ]
    );
    assert_eq!(
        listed(&Viewport::default()),
        [entry("36px", false, None, None), entry("56px", true, None, None)]
    );
}

/// What an edit of `color` to `blue` changes at 876 pixels and what it notes, or the code of its refusal.
fn noted(files: Files<'_>) -> Result<(String, Vec<String>), &'static str> {
    let viewport = Viewport::wide(876.0);
    let edit = StyleEdit {
        viewport: &viewport,
        ..style_edit("color", Some("blue"))
    };
    let plan = planned(files, &edit).map_err(|refusal| refusal.code.word())?;
    let changed = plan.changes.iter().map(|change| {
        let (_, text) = files.iter().find(|(path, _)| *path == change.path).unwrap();
        change.apply(text).unwrap()
    });
    Ok((changed.collect::<Vec<_>>().join("\n"), plan.notes))
}

#[test]
fn layers_weights_order_and_importance_decide() {
    for (css, wanted) in [
        // The later one of the same weight, whatever stands around it.
        (
            "p { color: red } @media screen and (width > 1px) { p { color: teal } }",
            Err("choice-needed"),
        ),
        (
            "@media (width > 1px) { p { color: teal } } p { color: red }",
            Ok("@media (width > 1px) { p { color: teal } } p { color: blue }"),
        ),
        (
            "@media (width > 900px) { p { color: teal !important } } p { color: red }",
            Ok("@media (width > 900px) { p { color: teal !important } } p { color: blue }"),
        ),
        (
            "@media (width > 1px) { p { color: teal !important } } p { color: red }",
            Err("choice-needed"),
        ),
        // No layer wins over a layer, a later layer over an earlier one, an outer layer over those in it.
        (
            "p { color: red } @layer a { p { color: teal } }",
            Ok("p { color: blue } @layer a { p { color: teal } }"),
        ),
        (
            "@layer a, b; @layer b { p { color: teal } } @layer a { p { color: red } }",
            Ok("@layer a, b; @layer b { p { color: blue } } @layer a { p { color: red } }"),
        ),
        (
            "@layer a { p { color: teal; @layer c { color: red } } }",
            Ok("@layer a { p { color: blue; @layer c { color: red } } }"),
        ),
        (
            "@layer a { p { color: red !important } } p { color: teal !important }",
            Ok("@layer a { p { color: blue !important } } p { color: teal !important }"),
        ),
        // Declarations behind nested rules count where they stand.
        (
            "p { color: red; @media (width > 1px) { color: teal } color: green }",
            Ok("p { color: red; @media (width > 1px) { color: teal } color: blue }"),
        ),
        (
            "p { color: red; & { color: teal } }",
            Ok("p { color: red; & { color: blue } }"),
        ),
    ] {
        let files = [APP, ("src/index.css", css)];
        let found = noted(&files).map(|(text, notes)| {
            assert!(notes.is_empty(), "{css}: {notes:?}");
            text
        });
        assert_eq!(found.as_deref().map_err(|code| *code), wanted, "{css}");
    }
}

#[test]
fn what_only_the_page_knows_is_noted_until_the_page_has_answered() {
    let css = "p { color: red; @media (prefers-color-scheme: dark) { color: white } @container (width > 400px) { color: teal } }";
    let files = [APP, ("src/index.css", css)];
    let (text, notes) = noted(&files).unwrap();
    assert_eq!(text, css.replace("red", "blue"));
    assert!(
        notes[0].contains("in dark mode") && notes[1].contains("within @container (width > 400px)"),
        "{notes:?}"
    );
    let answers = [
        ("@media (prefers-color-scheme: dark)".to_owned(), true),
        ("@container (width > 400px)".to_owned(), false),
    ];
    let viewport = Viewport {
        width: Some(876.0),
        holds: answers.into(),
    };
    let edit = |when| StyleEdit {
        viewport: &viewport,
        when,
        ..style_edit("color", Some("blue"))
    };
    let refusal = outcome(&files, &edit(None)).unwrap_err();
    let labels: Vec<_> = refusal.choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["Only in dark mode", "Always"]);
    let now = outcome(&files, &edit(Some(Whenever::Now))).unwrap();
    assert_eq!(now, format!("src/index.css: {}", css.replace("white", "blue")));
    let always = outcome(&files, &edit(Some(Whenever::Always))).unwrap();
    assert_eq!(always.matches("blue").count(), 3, "{always}");
}

#[test]
fn an_own_style_says_when_an_important_rule_wins() {
    let css = ("src/index.css", "p { color: red !important }");
    let app = (
        "src/App.tsx",
        "import './index.css'\nconst a = <p style={{ color: 'green' }}/>;",
    );
    let (text, notes) = noted(&[app, css]).unwrap();
    assert!(text.contains("color: 'blue'"), "{text}");
    assert_eq!(
        notes,
        ["The page does not change: p at src/index.css:1 declares color too and wins"]
    );
}

#[test]
fn only_a_conditional_rule_offers_the_element_itself_for_always() {
    let css = "@media (max-width: 900px) { p { color: teal } }";
    let files = [APP, ("src/index.css", css)];
    let viewport = Viewport::wide(876.0);
    let edit = StyleEdit {
        viewport: &viewport,
        ..style_edit("color", Some("blue"))
    };
    let refusal = outcome(&files, &edit).unwrap_err();
    let options: Vec<_> = refusal.choices.iter().map(|choice| choice.option).collect();
    assert_eq!(options, ["when", "when", "scope"]);
    // Where it does not hold, nothing declares the property.
    let wide = Viewport::wide(901.0);
    let added = outcome(
        &files,
        &StyleEdit {
            viewport: &wide,
            ..edit
        },
    )
    .unwrap();
    assert!(added.contains("style={{ color: 'blue' }}"), "{added}");
}

#[test]
fn rules_in_no_layer_win_over_the_utilities_of_tailwind_4() {
    let app = (
        "src/App.tsx",
        "import './index.css'\nconst a = <p className=\"text-sm\"/>;",
    );
    let css = ("src/index.css", "p { font-size: 56px }");
    let size = |package, css| {
        let files = [app, css, ("package.json", package)];
        outcome(&files, &style_edit("font-size", Some("80px"))).unwrap()
    };
    let (four, three) = ("{ \"tailwindcss\": \"^4.1.0\" }", "{ \"tailwindcss\": \"^3.4.1\" }");
    assert_eq!(size(four, css), "src/index.css: p { font-size: 80px }");
    assert_eq!(size(three, css), "+text-[80px] -");
    assert_eq!(
        size(four, ("src/index.css", "@layer base { p { font-size: 56px } }")),
        "+text-[80px] -"
    );
    assert_eq!(
        size(three, ("src/index.css", "p.text-sm { font-size: 56px }")),
        "src/index.css: p.text-sm { font-size: 80px }"
    );
}

#[test]
fn the_blocks_of_a_component_are_read_alike() {
    let text = "<template><p class=\"card\"/></template>\n<style scoped>\n.card { color: red; @media (max-width: 900px) { color: teal } }\n</style>\n";
    let files = [("src/A.vue", text)];
    let viewport = Viewport::wide(876.0);
    let edit = StyleEdit {
        viewport: &viewport,
        when: Some(Whenever::Now),
        ..style_edit("color", Some("blue"))
    };
    assert_eq!(
        outcome(&files, &edit).unwrap(),
        format!("src/A.vue: {}", text.replace("teal", "blue"))
    );
}

#[test]
fn a_class_with_a_breakpoint_decides_from_its_width_on() {
    let app = (
        "src/App.tsx",
        "const a = <p className=\"text-sm md:text-lg xl:text-2xl\"/>;",
    );
    let files = [app, ("package.json", "{ \"tailwindcss\": \"^4.1.0\" }")];
    let (narrow, wide) = (Viewport::wide(700.0), Viewport::wide(876.0));
    assert_eq!(outcome(&files, &at(&narrow, None)).unwrap(), "+text-[80px] -");
    let refusal = outcome(&files, &at(&wide, None)).unwrap_err();
    let labels: Vec<_> = refusal.choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["Only on pages from 768 pixels wide", "At all widths"]);
    assert_eq!(
        outcome(&files, &at(&wide, Some(Whenever::Now))).unwrap(),
        "+md:text-[80px] -"
    );
    assert_eq!(
        outcome(&files, &at(&wide, Some(Whenever::Always))).unwrap(),
        "+text-[80px] -md:text-lg xl:text-2xl"
    );
}

#[test]
fn at_all_widths_is_offered_where_only_rules_with_a_condition_declare_it() {
    let narrow = Viewport::wide(876.0);
    let labels = |refusal: Refusal| -> Vec<String> {
        let choices = refusal.choices.into_iter();
        choices
            .map(|choice| format!("{}: {}", choice.option, choice.label))
            .collect()
    };
    // A rule of the same selector takes it.
    let css = "p {\n  margin: 0;\n}\n@media (max-width: 900px) {\n  p {\n    font-size: 36px;\n  }\n}\n";
    let files = [APP, ("src/index.css", css)];
    let refusal = outcome(&files, &at(&narrow, None)).unwrap_err();
    assert_eq!(
        labels(refusal),
        [
            "when: Only on pages up to 900 pixels wide",
            "when: At all widths: adds it to p in src/index.css",
            "scope: Always, only this element, in its own style",
        ]
    );
    let always = outcome(&files, &at(&narrow, Some(Whenever::Always))).unwrap();
    let wanted = css
        .replace("36px", "80px")
        .replace("margin: 0;", "margin: 0;\n  font-size: 80px;");
    assert_eq!(always, format!("src/index.css: {wanted}"));
    // Without one there is a new rule, before whatever may win over it.
    let css = "@media (max-width: 900px) {\n    p {\n        font-size: 36px;\n    }\n}\n";
    let files = [APP, ("src/index.css", css)];
    let refusal = outcome(&files, &at(&narrow, None)).unwrap_err();
    assert_eq!(
        labels(refusal)[1],
        "when: At all widths: adds a rule p to src/index.css"
    );
    let always = outcome(&files, &at(&narrow, Some(Whenever::Always))).unwrap();
    let rule = "p {\n    font-size: 80px;\n}\n\n";
    assert_eq!(always, format!("src/index.css: {rule}{}", css.replace("36px", "80px")));
}
