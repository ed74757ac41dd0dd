use serde_json::{Value, json};

use super::{PATH, becomes, refused};
use crate::source::engine::plan;
use crate::source::model::Lanes;

fn class(add: &[&str], remove: &[&str]) -> Value {
    json!({ "kind": "class", "add": add, "remove": remove })
}

#[test]
fn classes_are_changed_in_the_strings_that_hold_them() {
    let clsx = "import cls, { clsx as c } from 'clsx';\n";
    let cn = "import { cn } from '@/lib/utils';\n";
    for (before, element, wanted) in [
        ("", "‹a className=\"a p-2\"/>", "<a className=\"a p-4\"/>"),
        ("", "‹a className={'a p-2'}/>", "<a className={'a p-4'}/>"),
        ("", "‹a className={`a p-2`}/>", "<a className={`a p-4`}/>"),
        (
            "",
            "‹a className={`p-2 ${b} c-${d}`}/>",
            "<a className={`p-4 ${b} c-${d}`}/>",
        ),
        ("", "‹a className={'p-2 ' + b}/>", "<a className={'p-4 ' + b}/>"),
        (
            "",
            "‹a className={['a', 'p-2', b].join(' ')}/>",
            "<a className={['a', 'p-4', b].join(' ')}/>",
        ),
        (
            "",
            "‹a className={['p-2', b].filter(Boolean).join(' ')}/>",
            "<a className={['p-4', b].filter(Boolean).join(' ')}/>",
        ),
        (
            cn,
            "‹a className={cn('p-2', className)}/>",
            "<a className={cn('p-4', className)}/>",
        ),
        (
            cn,
            "‹a className={cn(\"p-2\", on && 'b')}/>",
            "<a className={cn(\"p-4\", on && 'b')}/>",
        ),
        (
            clsx,
            "‹a className={cls(['p-2'], { b: on })}/>",
            "<a className={cls(['p-4'], { b: on })}/>",
        ),
        (
            clsx,
            "‹a className={c('p-2') as string}/>",
            "<a className={c('p-4') as string}/>",
        ),
        ("", "‹a/>", "<a className=\"p-4\"/>"),
        ("", "‹B x={1}/>", "<B x={1} className=\"p-4\"/>"),
    ] {
        let whole = |element: &str| format!("{before}const a = {element};");
        becomes(&whole(element), class(&["p-4"], &[]), &whole(wanted));
    }
}

#[test]
fn a_class_in_a_condition_needs_its_side() {
    let source = "import clsx from 'clsx';\nconst a = ‹a className={clsx('a', on ? 'p-2' : 'p-3')}/>;";
    assert_eq!(refused(source, class(&["p-4"], &[])), "choice-needed");
    let mut edit = class(&["p-4"], &[]);
    edit["branch"] = json!("else");
    let wanted = "import clsx from 'clsx';\nconst a = <a className={clsx('a', on ? 'p-2' : 'p-4')}/>;";
    becomes(source, edit, wanted);
    let mut edit = class(&[], &["b"]);
    edit["branch"] = json!("then");
    let source = "import clsx from 'clsx';\nconst a = ‹a className={clsx('a', { 'b c': on })}/>;";
    becomes(source, edit, &source.replace('‹', "<").replace("'b c'", "'c'"));
}

#[test]
fn lists_that_are_not_understood_are_refused() {
    for (source, code) in [
        ("const a = ‹a className={b}/>;", "class-shape"),
        ("const a = ‹a className={paint('a')}/>;", "unknown-call"),
        ("const a = ‹a className={cn('a')}/>;", "unknown-call"),
        (
            "import bind from 'classnames/bind';\nconst cx = bind.bind(styles);\nconst a = ‹a className={cx('a')}/>;",
            "unknown-call",
        ),
        (
            "import { cva } from 'class-variance-authority';\nconst a = ‹a className={cva('a')}/>;",
            "unknown-call",
        ),
        (
            "import s from './a.module.css';\nconst a = ‹a className={s.b}/>;",
            "class-module",
        ),
        ("const a = ‹a className={b.c}/>;", "class-shape"),
        ("const a = ‹a className/>;", "class-shape"),
        ("const a = ‹a {...b}/>;", "spread-class"),
        ("const a = ‹a className=\"b\" {...c}/>;", "spread-after"),
    ] {
        assert_eq!(refused(source, class(&["p-4"], &[])), code, "{source}");
    }
    assert_eq!(
        refused("const a = ‹a className=\"b\"/>;", class(&[], &["c"])),
        "class-missing"
    );
    assert_eq!(refused("const a = ‹a/>;", class(&[], &["c"])), "class-missing");
    assert_eq!(refused("const a = ‹a/>;", class(&["b c"], &[])), "class-name");
}

#[test]
fn a_spread_that_cannot_bring_classes_is_no_obstacle() {
    let source = "import { cn } from './cn';\nfunction A({ className, ...props }) { return ‹a className={cn('p-2', className)} {...props}/>; }";
    becomes(
        source,
        class(&["p-4"], &[]),
        &source.replace('‹', "<").replace("p-2", "p-4"),
    );
    for source in [
        "import { cn } from './cn';\nfunction A({ title, ...props }) { return ‹a className={cn('p-2')} {...props}/>; }",
        "import { cn } from './cn';\nfunction A({ className, ...props }) { return list.map((props) => ‹a className={cn('p-2')} {...props}/>); }",
        "import { cn } from './cn';\nfunction A({ className, ...props }) { return ‹a className={cn('p-2')} {...props.more}/>; }",
        "import { cn } from './cn';\nfunction A({ className, ...props }) {}\nconst B = (props) => ‹a className={cn('p-2')} {...props}/>;",
    ] {
        assert_eq!(refused(source, class(&["p-4"], &[])), "spread-after", "{source}");
    }
}

#[test]
fn a_style_beside_computed_classes_may_not_show() {
    let package = ("package.json", "{ \"tailwindcss\": \"^4.1.0\" }");
    let notes = |classes: &str| {
        let text = format!("const A = () => <a className={{{classes}}}/>;");
        let edit =
            json!({ "src": "src/App.tsx:1:16", "kind": "style", "property": "background-color", "value": "#ff0" });
        let request = serde_json::from_value(edit).unwrap();
        let planned = plan(&[(PATH, text.as_str()), package], &request, Lanes::default()).unwrap();
        assert!(
            planned.changes[0].replacements[0].text.contains("bg-[#ff0]"),
            "{planned:?}"
        );
        planned.notes
    };
    let computed = notes("`rounded ${tone[kind]} p-2`");
    assert_eq!(
        computed,
        [
            "The page may not change: some classes of the element are computed, and one of them may declare background-color too"
        ]
    );
    assert_eq!(notes("`rounded ${on ? 'bold' : ''} p-2`"), [""; 0]);
    assert_eq!(notes("'rounded p-2'"), [""; 0]);
}
