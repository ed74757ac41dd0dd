//! Class lists.

use super::*;

#[test]
fn classes_are_changed_where_they_stand() {
    becomes(
        "^<p class=\"a b\">x</p>",
        class(&["c"], &["a"]),
        "<p class=\"b c\">x</p>",
    );
    becomes(
        "^<p class=\"p-2 m-1\">x</p>",
        class(&["p-4"], &[]),
        "<p class=\"p-4 m-1\">x</p>",
    );
    becomes("^<p>x</p>", class(&["a", "b"], &[]), "<p class=\"a b\">x</p>");
    becomes("^<p class>x</p>", class(&["a"], &[]), "<p class=\"a\">x</p>");
    becomes("^<p class=a>x</p>", class(&["b"], &[]), "<p class=\"a b\">x</p>");
    becomes(
        "^<p :class=\"'a'\">x</p>",
        class(&["b"], &[]),
        "<p :class=\"'a b'\">x</p>",
    );
    becomes(
        "^<p :class=\"['a', on && 'c']\">x</p>",
        class(&["b"], &["a"]),
        "<p :class=\"['b', on && 'c']\">x</p>",
    );
    becomes(
        "^<p :class=\"cn('a', props.class)\">x</p>",
        class(&["b"], &[]),
        "<p :class=\"cn('a b', props.class)\">x</p>",
    );
    becomes(
        "^<p :class=\"{ on }\">x</p>",
        class(&["b"], &[]),
        "<p :class=\"{ on }\" class=\"b\">x</p>",
    );
    becomes(
        "^<p class=\"a\" :class=\"x\">x</p>",
        class(&["b"], &[]),
        "<p class=\"a b\" :class=\"x\">x</p>",
    );
    becomes(
        "^<p :class=\"`a ${x} b`\">x</p>",
        class(&[], &["b"]),
        "<p :class=\"`a ${x} `\">x</p>",
    );
}

#[test]
fn classes_of_one_side_are_changed_when_it_is_chosen() {
    let sample = "^<p class=\"a\" :class=\"on ? 'b' : 'c'\">x</p>";
    refused(sample, class(&[], &["b"]), "choice-needed");
    let edit = with(class(&["d"], &["b"]), "branch", "then");
    becomes(sample, edit, "<p class=\"a\" :class=\"on ? 'd' : 'c'\">x</p>");
    let edit = || with(class(&[], &["b"]), "branch", "then");
    becomes(
        "^<p :class=\"{ a: x, b: y }\">x</p>",
        edit(),
        "<p :class=\"{ a: x }\">x</p>",
    );
    becomes(
        "^<p :class=\"{ b: y, a: x }\">x</p>",
        edit(),
        "<p :class=\"{ a: x }\">x</p>",
    );
    becomes(
        "^<p :class=\"{ 'a b': y }\">x</p>",
        edit(),
        "<p :class=\"{ 'a': y }\">x</p>",
    );
    becomes(
        "^<p :class=\"['a', { b }]\">x</p>",
        edit(),
        "<p :class=\"['a', {  }]\">x</p>",
    );
}

#[test]
fn classes_that_cannot_be_changed_for_certain_are_refused() {
    refused("^<p class=\"a\">x</p>", class(&[], &["b"]), "class-missing");
    let refusal = refused(
        "^<p class=\"a\" :class=\"x\">x</p>",
        class(&[], &["b"]),
        "class-missing",
    );
    assert!(refusal.reason.contains("computed"), "{}", refusal.reason);
    refused("^<p>x</p>", class(&["a b"], &[]), "class-name");
    refused(
        "^<p :class=\"'a'\">x</p>",
        class(&["content-[\"x\"]"], &[]),
        "class-quotes",
    );
}

#[test]
fn a_function_joins_classes_only_by_where_its_name_comes_from() {
    let file = |script: &str, class: &str| {
        format!("<script setup>\n{script}\n</script>\n<template>\n  ^<p :class=\"{class}\">x</p>\n</template>\n")
    };
    for script in [
        "import classNames from 'classnames/bind'\nconst cn = classNames.bind(styles)",
        "import cn from 'classnames/bind'",
        "import { cva as cn } from 'class-variance-authority'",
        "import * as cn from 'somewhere'",
    ] {
        let refusal = edited(&file(script, "cn('a')"), class(&[], &["a"])).expect_err(script);
        assert_eq!(refusal.code, "class-missing", "{script}: {}", refusal.reason);
        assert!(refusal.reason.contains("computed"), "{}", refusal.reason);
    }
    for (script, called) in [
        ("import { cn } from '@/lib/utils'", "cn"),
        ("import { clsx as join } from 'clsx'", "join"),
        ("import { twMerge as cn } from 'tailwind-merge'", "cn"),
        ("function cn(...list) { return list.join(' ') }", "cn"),
        ("// Nuxt imports it.", "cn"),
    ] {
        whole_becomes(
            &file(script, &format!("{called}('a', 'b')")),
            class(&[], &["a"]),
            &file(script, &format!("{called}('', 'b')")).replace('^', ""),
        );
    }
}

#[test]
fn words_beside_an_expression_of_a_template_are_no_classes() {
    refused(
        "^<p :class=\"`btn-${on ? 'a' : 'b'}`\">x</p>",
        class(&[], &["a"]),
        "class-missing",
    );
    let edit = with(class(&[], &["a"]), "branch", "then");
    refused("^<p :class=\"`btn-${on ? 'a' : 'b'}`\">x</p>", edit, "class-missing");
    refused("^<p :class=\"`${'a'}${x}`\">x</p>", class(&[], &["a"]), "class-missing");
}
