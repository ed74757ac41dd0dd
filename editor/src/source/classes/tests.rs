//! The same expressions are class lists in React's JSX, in Vue's and in Vue's templates.

use serde_json::{Value, json};

use crate::source::engine::plan;
use crate::source::model::marks::marked;
use crate::source::model::{Lanes, Refusal, Stamp};

const IMPORT: &str = "import { cn } from '@/lib/utils';\nimport s from './a.module.css';\n";

fn edited(path: &str, marked_text: &str, edit: &Value) -> Result<String, Refusal> {
    let (text, at) = marked(marked_text, '‹');
    let mut edit = edit.clone();
    let path = path.to_owned();
    edit["src"] = json!(Stamp { path: path.clone(), at });
    let request = serde_json::from_value(edit).unwrap();
    let plan = plan(&[(&*path, &*text)], &request, Lanes::default())?;
    Ok(plan.changes[0].apply(&text).unwrap())
}

/// What becomes of the expression in JSX and in a template, or the code of the refusal.
fn in_both(expression: &str, edit: &Value) -> [Result<String, String>; 2] {
    let jsx = |expression: &str| format!("{IMPORT}const a = ‹a className={{{expression}}}/>;\n");
    let vue = |expression: &str| {
        format!("<script setup>\n{IMPORT}</script>\n<template>\n  ‹p :class=\"{expression}\">x</p>\n</template>\n")
    };
    let within = |text: String, frame: String| {
        let frame = frame.replace('‹', "<");
        let (before, after) = frame.split_once("###").unwrap();
        text.strip_prefix(before)
            .unwrap()
            .strip_suffix(after)
            .unwrap()
            .to_owned()
    };
    let jsx_result = edited("src/A.tsx", &jsx(expression), edit).map(|text| within(text, jsx("###")));
    let vue_result = edited("src/A.vue", &vue(expression), edit).map(|text| within(text, vue("###")));
    [jsx_result, vue_result].map(|result| result.map_err(|refusal| refusal.code.to_string()))
}

#[test]
fn the_same_expressions_are_class_lists_everywhere() {
    for (expression, branch, wanted) in [
        ("'p-2'", None, "'p-4'"),
        ("'p-2 ' + b", None, "'p-4 ' + b"),
        ("`p-2 ${b}`", None, "`p-4 ${b}`"),
        ("`a ${on ? 'p-2' : 'p-3'}`", Some("then"), "`a ${on ? 'p-4' : 'p-3'}`"),
        ("`a ${on ? 'p-2' : 'p-3'}`", None, "choice-needed"),
        ("on ? 'p-2' : 'p-3'", Some("else"), "on ? 'p-2' : 'p-4'"),
        ("cn('p-2', b)", None, "cn('p-4', b)"),
        ("cn(['p-2'], ...b)", None, "cn(['p-4'], ...b)"),
        ("cn('a', on && 'p-2')", Some("then"), "cn('a', on && 'p-4')"),
        ("cn('a', { 'p-2': true })", None, "cn('a', { 'p-4': true })"),
        ("cn('a', { 'p-2': on })", Some("then"), "cn('a', { 'p-4': on })"),
        ("cn('a', { flex: on })", Some("then"), "cn('a', { 'flex p-4': on })"),
        ("cn('a', { flex })", Some("then"), "cn('a', { 'flex p-4': flex })"),
        ("['p-2', b].join(' ')", None, "['p-4', b].join(' ')"),
        (
            "['p-2', b].filter(Boolean).join(' ')",
            None,
            "['p-4', b].filter(Boolean).join(' ')",
        ),
        ("`p-2 ${b}`.trim()", None, "`p-4 ${b}`.trim()"),
        ("cn(s.card, s['b'], 'p-2')", None, "cn(s.card, s['b'], 'p-4')"),
        ("cn(undefined, null, 'p-2')", None, "cn(undefined, null, 'p-4')"),
        ("cn('a', on ? x ? 'p-2' : 'b' : 'c')", None, "several-conditions"),
    ] {
        let mut edit = json!({ "kind": "class", "add": ["p-4"], "remove": [] });
        if let Some(branch) = branch {
            edit["branch"] = json!(branch);
        }
        for result in in_both(expression, &edit) {
            let result = result.unwrap_or_else(|code| code);
            assert_eq!(result, wanted, "{expression}");
        }
    }
}

#[test]
fn a_class_that_is_a_key_is_taken_out_with_its_condition() {
    let edit = json!({ "kind": "class", "add": [], "remove": ["flex"], "branch": "then" });
    for (expression, wanted) in [
        ("cn('a', { flex: on, b: x })", "cn('a', { b: x })"),
        ("cn('a', { b: x, flex })", "cn('a', { b: x })"),
        ("cn('a', { 'flex c': on })", "cn('a', { 'c': on })"),
    ] {
        assert_eq!(
            in_both(expression, &edit),
            [(); 2].map(|()| Ok(wanted.to_owned())),
            "{expression}"
        );
    }
}

#[test]
fn a_function_nobody_knows_holds_no_classes() {
    let edit = json!({ "kind": "class", "add": [], "remove": ["a"] });
    let codes = in_both("paint('a')", &edit).map(Result::unwrap_err);
    assert_eq!(codes, ["unknown-call", "class-missing"]);
}
