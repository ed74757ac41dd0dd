//! Style edits of whole prototypes.

mod conditions;
mod describe;
mod imports;

use super::{Step, StyleEdit, inspect, plan};
use crate::source::model::inspection::StyleFrom;
use crate::source::model::{Branch, Change, Project, Refusal, Scope, Viewport};
use describe::describe;

/// The files of a prototype; the element is the first `<p` of the first file.
type Files<'f> = &'f [(&'f str, &'f str)];

impl Project for Files<'_> {
    fn read(&self, path: &str) -> Option<std::sync::Arc<str>> {
        let (_, text) = self.iter().find(|(name, _)| *name == path)?;
        Some(std::sync::Arc::from(*text))
    }

    fn files(&self) -> std::sync::Arc<[String]> {
        self.iter().map(|(name, _)| (*name).to_owned()).collect()
    }
}

fn style_edit<'a>(property: &'a str, value: Option<&'a str>) -> StyleEdit<'a> {
    StyleEdit::plain(property, value)
}

/// The files that change, as `path: text`, or `+add -remove` for classes.
fn outcome(files: Files<'_>, edit: &StyleEdit<'_>) -> Result<String, Refusal> {
    let subject = describe(files[0].0, files[0].1);
    Ok(match plan(&files, &subject, edit)? {
        Step::Classes { add, remove, .. } => format!("+{} -{}", add.join(" "), remove.join(" ")),
        Step::Plan(plan) => {
            let applied = plan.changes.iter().map(|change: &Change| {
                let text = files.read(&change.path).unwrap();
                format!("{}: {}", change.path, change.apply(&text).unwrap())
            });
            applied.collect::<Vec<_>>().join("\n")
        }
    })
}

/// Sets `color` to `blue`.
fn blue(files: Files<'_>) -> Result<String, Refusal> {
    outcome(files, &style_edit("color", Some("blue")))
}

fn code(files: Files<'_>) -> &'static str {
    blue(files).unwrap_err().code.word()
}

#[test]
fn an_own_style_is_changed_first() {
    for (before, after) in [
        ("<p style={{ color: 'red' }}/>", "<p style={{ color: 'blue' }}/>"),
        ("<p style={{ top: 1 }}/>", "<p style={{ top: 1, color: 'blue' }}/>"),
        ("<p/>", "<p style={{ color: 'blue' }}/>"),
        (
            "<p className=\"a\"/>",
            "<p className=\"a\" style={{ color: \"blue\" }}/>",
        ),
        ("<p style={{ ...a }}/>", "<p style={{ ...a, color: 'blue' }}/>"),
    ] {
        let sheet = ("src/a.css", "p { margin: 0 }");
        let files = [("src/A.tsx", before), ("src/main.tsx", "import './a.css'"), sheet];
        assert_eq!(blue(&files).unwrap(), format!("src/A.tsx: {after}"));
    }
}

#[test]
fn setting_and_removing_gives_the_same_bytes() {
    for text in [
        "<p/>",
        "<p id=\"x\"/>",
        "<p style={{ top: 1 }}/>",
        "<p style={{\n  top: 1,\n}}/>",
    ] {
        let added = blue(&[("src/A.tsx", text)]).unwrap();
        let added = added.strip_prefix("src/A.tsx: ").unwrap();
        let removed = outcome(&[("src/A.tsx", added)], &style_edit("color", None)).unwrap();
        assert_eq!(removed, format!("src/A.tsx: {text}"));
    }
}

#[test]
fn objects_are_followed_to_where_they_stand() {
    let here = "const styles = { card: { color: 'red' }, other: {} } as const;\nconst a = <p style={styles.card}/>;";
    assert_eq!(
        blue(&[("src/A.tsx", here)]).unwrap(),
        format!("src/A.tsx: {}", here.replace("red", "blue"))
    );
    let plain = "const card: CSSProperties = { color: 'red' };\nconst a = <p style={card}/>;";
    assert_eq!(
        blue(&[("src/A.tsx", plain)]).unwrap(),
        format!("src/A.tsx: {}", plain.replace("red", "blue"))
    );
    let files = [
        (
            "src/A.tsx",
            "import { styles as s } from './styles'\nconst a = <p style={s.card}/>;",
        ),
        ("src/styles.ts", "export const styles = { card: { color: 'red' } };"),
    ];
    assert_eq!(
        blue(&files).unwrap(),
        "src/styles.ts: export const styles = { card: { color: 'blue' } };"
    );
    let files = [
        (
            "src/A.tsx",
            "import s from './styles'\nconst a = <p style={s['card']}/>;",
        ),
        (
            "src/styles.ts",
            "const s = { card: { color: 'red' } };\nexport default s;",
        ),
    ];
    assert_eq!(
        blue(&files).unwrap(),
        "src/styles.ts: const s = { card: { color: 'blue' } };\nexport default s;"
    );
}

#[test]
fn an_object_that_several_elements_share_asks_for_the_scope() {
    let text = "const s = { card: { color: 'red' } };\nconst a = <p style={s.card}/>;\nconst b = <i style={s.card}/>;";
    let files = [("src/A.tsx", text)];
    let refusal = blue(&files).unwrap_err();
    assert_eq!((refusal.code.word(), refusal.choices.len()), ("choice-needed", 2));
    let scoped = |scope| {
        outcome(
            &files,
            &StyleEdit {
                scope: Some(scope),
                ..style_edit("color", Some("blue"))
            },
        )
        .unwrap()
    };
    assert_eq!(
        scoped(Scope::All),
        format!("src/A.tsx: {}", text.replace("red", "blue"))
    );
    let item = text.replacen("style={s.card}", "style={{ ...s.card, color: 'blue' }}", 1);
    assert_eq!(scoped(Scope::Item), format!("src/A.tsx: {item}"));
}

#[test]
fn what_cannot_be_followed_is_refused() {
    for (text, wanted) in [
        ("const a = <p style={make()}/>;", "style-expression"),
        (
            "let card = { color: 'red' };\nconst a = <p style={card}/>;",
            "style-expression",
        ),
        (
            "const card = on ? {} : {};\nconst a = <p style={card}/>;",
            "style-expression",
        ),
        (
            "const card = { color: 'red' };\nfunction F() { const card = {}; return <p style={card}/> }",
            "style-expression",
        ),
        (
            "const s = { card: { color: 'red' }, ...more };\nconst a = <p style={s.card}/>;",
            "style-expression",
        ),
        ("const a = <p style={{ color: x }}/>;", "expression"),
        ("const a = <p style={{ color: 'red', ...x }}/>;", "spread-after"),
        ("const a = <p style={{ color: 'red' }} {...x}/>;", "spread-after"),
        (
            "const a = <p style={{ color: on ? 'red' : 'green' }}/>;",
            "choice-needed",
        ),
    ] {
        assert_eq!(code(&[("src/A.tsx", text)]), wanted, "{text}");
    }
    let sides = [("src/A.tsx", "<p style={{ color: on ? 'red' : 'green' }}/>")];
    let then = StyleEdit {
        branch: Some(Branch::Then),
        ..style_edit("color", Some("blue"))
    };
    assert_eq!(
        outcome(&sides, &then).unwrap(),
        "src/A.tsx: <p style={{ color: on ? 'blue' : 'green' }}/>"
    );
}

#[test]
fn a_value_must_be_one() {
    let files: Files<'_> = &[("src/A.tsx", "<p/>")];
    let refused = |property, value| outcome(files, &style_edit(property, value)).unwrap_err().code.word();
    assert_eq!(refused("color", Some("red; top: 0")), "bad-value");
    assert_eq!(refused("Color", Some("red")), "bad-property");
    assert_eq!(refused("color", None), "no-declaration");
}

const MODULE: &str = ".card {\n  color: red;\n}\n.card:hover { color: green }\n";

#[test]
fn a_module_is_changed_at_its_rule() {
    let app = "import s from './a.module.css'\nconst a = <p className={s.card}/>;";
    let files = [("src/A.tsx", app), ("src/a.module.css", MODULE)];
    assert_eq!(
        blue(&files).unwrap(),
        format!("src/a.module.css: {}", MODULE.replace("red", "blue"))
    );
    let removed = outcome(&files, &style_edit("color", None)).unwrap();
    assert_eq!(removed, "src/a.module.css: .card {\n}\n.card:hover { color: green }\n");
    let added = outcome(&files, &style_edit("top", Some("0"))).unwrap();
    assert_eq!(
        added,
        format!("src/a.module.css: {}", MODULE.replace("red;", "red;\n  top: 0;"))
    );
    let styles = inspect(&(&files[..]), &describe(files[0].0, files[0].1), &Viewport::default());
    let listed: Vec<_> = styles
        .iter()
        .map(|style| (style.value.as_str(), style.from, style.editable))
        .collect();
    assert_eq!(
        listed,
        [("green", StyleFrom::Module, false), ("red", StyleFrom::Module, true)]
    );
    assert_eq!(styles[1].at.as_ref().unwrap().to_string(), "src/a.module.css:2:2");
}

#[test]
fn a_modules_rule_that_others_use_asks_for_the_scope() {
    let app = "import s from './a.module.css'\nconst a = <p className={s.card}/>;\nconst b = <i className={s.card}/>;";
    let files = [("src/A.tsx", app), ("src/a.module.css", MODULE)];
    assert_eq!(code(&files), "choice-needed");
    let all = StyleEdit {
        scope: Some(Scope::All),
        ..style_edit("color", Some("blue"))
    };
    assert!(outcome(&files, &all).unwrap().starts_with("src/a.module.css"));
    let item = StyleEdit {
        scope: Some(Scope::Item),
        ..style_edit("color", Some("blue"))
    };
    assert!(
        outcome(&files, &item)
            .unwrap()
            .contains("<p className={s.card} style={{ color: 'blue' }}/>")
    );
    // A property that nothing declares goes to the element, not to the shared rule.
    assert!(
        outcome(&files, &style_edit("top", Some("0")))
            .unwrap()
            .contains("style={{ top: '0' }}")
    );
}

#[test]
fn composed_classes_count() {
    let app = "import s from './a.module.css'\nconst a = <p className={s.card}/>;";
    let module = ".base { color: red }\n.card { composes: base; composes: far from './b.module.css'; margin: 0 }";
    let files = [
        ("src/A.tsx", app),
        ("src/a.module.css", module),
        ("src/b.module.css", ".far { top: 0 }"),
    ];
    assert!(blue(&files).unwrap().contains(".base { color: blue }"));
    assert!(
        outcome(&files, &style_edit("top", Some("1px")))
            .unwrap()
            .contains(".far { top: 1px }")
    );
}

#[test]
fn a_plain_stylesheet_is_changed_when_it_is_certain() {
    let css = ".card { color: red }";
    let app = ("src/A.tsx", "import './a.css'\nconst a = <p className=\"card\"/>;");
    assert_eq!(
        blue(&[app, ("src/a.css", css)]).unwrap(),
        "src/a.css: .card { color: blue }"
    );
    // Nothing loads it: it holds for nothing.
    let unused = [("src/A.tsx", "const a = <p className=\"card\"/>;"), ("src/a.css", css)];
    assert!(blue(&unused).unwrap().contains("style={{ color: \"blue\" }}"));
    let shared = [app, ("src/a.css", css), ("src/B.tsx", "<i className=\"x card\"/>")];
    let refusal = blue(&shared).unwrap_err();
    assert_eq!(refusal.code, "choice-needed");
    assert!(refusal.choices[0].label.contains("2 places"), "{refusal:?}");
}

#[test]
fn a_rule_that_might_win_asks_first() {
    let app = ("src/A.tsx", "import './a.css'\nconst a = <p className=\"card\"/>;");
    for (css, wanted) in [
        (".card { color: red } .dark .card { color: white }", "style-uncertain"),
        (".card { color: red } .x, .dark > * { color: white }", "style-uncertain"),
        (".card { color: red } .card:hover { color: white }", "ok"),
        (".card { color: red } @media print { .card { color: white } }", "ok"),
        ("#main p { color: white } .card { color: red }", "style-uncertain"),
        ("@layer base { .x .card { color: white } } .card { color: red }", "ok"),
        (".card { color: red !important } .dark .card { color: white }", "ok"),
    ] {
        let outcome = blue(&[app, ("src/a.css", css)]);
        assert_eq!(
            outcome.as_ref().map_or_else(|refusal| refusal.code.word(), |_| "ok"),
            wanted,
            "{css}: {outcome:?}"
        );
        if let Ok(text) = outcome {
            assert_eq!(text, format!("src/a.css: {}", css.replace("red", "blue")));
        }
    }
    let two = [
        app,
        ("src/a.css", ".card { color: red }"),
        ("src/b.css", "@import './a.css'; .card { color: green }"),
        ("src/main.ts", "import './b.css'"),
    ];
    assert_eq!(code(&two), "several-rules");
}

#[test]
fn shorthands_are_not_torn_apart() {
    let app = ("src/A.tsx", "import './a.css'\nconst a = <p className=\"card\"/>;");
    let css = |css| [app, ("src/a.css", css)];
    let left = style_edit("padding-left", Some("1px"));
    assert!(
        outcome(&css(".card { padding: 0 }"), &left)
            .unwrap()
            .ends_with(".card { padding: 0; padding-left: 1px }")
    );
    let refused = |css_text, edit: &StyleEdit<'_>| outcome(&css(css_text), edit).unwrap_err().code.word();
    assert_eq!(
        refused(".card { padding-left: 2px; padding: 0 }", &left),
        "shorthand-after"
    );
    assert_eq!(
        refused(".card { padding: 0 }", &style_edit("padding-left", None)),
        "set-by-shorthand"
    );
}

#[test]
fn a_broken_stylesheet_is_never_touched() {
    let app = ("src/A.tsx", "import './a.css'\nconst a = <p className=\"card\"/>;");
    assert_eq!(code(&[app, ("src/a.css", ".card { color: red")]), "stylesheet-broken");
}

#[test]
fn utilities_are_replaced_by_utilities() {
    let tailwind = ("package.json", "{ \"devDependencies\": { \"tailwindcss\": \"4\" } }");
    for (classes, property, value, wanted) in [
        ("p-4 flex", "padding", Some("8px"), "+p-2 -"),
        ("p-4 flex", "padding-left", Some("8px"), "+pl-2 -"),
        ("p-4 flex", "padding", None, "+ -p-4"),
        ("p-4 flex", "color", Some("#fff"), "+text-[#fff] -"),
        ("md:p-4", "padding", Some("3px"), "+p-[3px] -"),
    ] {
        let text = format!("<p className=\"{classes}\"/>");
        let files = [("src/A.tsx", text.as_str()), tailwind];
        assert_eq!(
            outcome(&files, &style_edit(property, value)).unwrap(),
            wanted,
            "{classes} {property}"
        );
    }
    let text = "<p className=\"p-4\"/>";
    assert!(
        outcome(&[("src/A.tsx", text)], &style_edit("padding", Some("8px")))
            .unwrap()
            .contains("style={{ padding: \"8px\" }}")
    );
    let longhand = [("src/A.tsx", text), tailwind];
    assert_eq!(
        outcome(&longhand, &style_edit("padding-left", None)).unwrap_err().code,
        "set-by-class"
    );
}

#[test]
fn the_blocks_of_a_vue_component_are_changed_where_they_stand() {
    let text = "<template><p class=\"card\"/></template>\n<style scoped lang=\"scss\">\n.card { color: red; &:hover { top: 0 } }\n</style>\n";
    assert_eq!(
        blue(&[("src/A.vue", text)]).unwrap(),
        format!("src/A.vue: {}", text.replace("red", "blue"))
    );
    let module = "<template><p :class=\"$style.card\"/></template>\n<style module>\n.card { color: red }\n</style>\n";
    assert_eq!(
        blue(&[("src/A.vue", module)]).unwrap(),
        format!("src/A.vue: {}", module.replace("red", "blue"))
    );
    let bound = "<template><p class=\"card\"/></template>\n<style scoped>\n.card { color: v-bind(tone) }\n</style>\n";
    assert_eq!(code(&[("src/A.vue", bound)]), "expression");
    let added = outcome(&[("src/A.vue", text)], &style_edit("left", Some("0"))).unwrap();
    assert!(added.contains(".card { color: red; left: 0; &:hover"), "{added}");
}

#[test]
fn vues_own_styles_are_changed() {
    for (before, after) in [
        (
            "<p style=\"color: red; top: 0\"/>",
            "<p style=\"color: blue; top: 0\"/>",
        ),
        ("<p style=\"top: 0\"/>", "<p style=\"top: 0; color: blue\"/>"),
        ("<p/>", "<p style=\"color: blue\"/>"),
        ("<p :style=\"{ color: 'red' }\"/>", "<p :style=\"{ color: 'blue' }\"/>"),
        (
            "<p style=\"color: red\" :style=\"{ color: 'red' }\"/>",
            "<p style=\"color: red\" :style=\"{ color: 'blue' }\"/>",
        ),
        (
            "<p style=\"top: 0\" :style=\"{ left: 0 }\"/>",
            "<p style=\"top: 0\" :style=\"{ left: 0, color: 'blue' }\"/>",
        ),
    ] {
        let wrap = |text: &str| format!("<template>{text}</template>");
        let text = wrap(before);
        assert_eq!(
            blue(&[("src/A.vue", &text)]).unwrap(),
            format!("src/A.vue: {}", wrap(after))
        );
    }
    let both = "<template><p style=\"color: red\" :style=\"more\"/></template>";
    assert_eq!(code(&[("src/A.vue", both)]), "style-expression");
    let only = "<template><p style=\"color: red\"/></template>";
    assert_eq!(
        outcome(&[("src/A.vue", only)], &style_edit("color", None)).unwrap(),
        "src/A.vue: <template><p/></template>"
    );
}
