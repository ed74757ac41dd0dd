//! Root-absolute references.

use super::*;

/// The references that are noted, of one file.
fn noted(path: &str, text: &str) -> Vec<String> {
    let log = studio().upload(&[INDEX, (path, text)]).send().json()["log"]
        .as_str()
        .unwrap()
        .to_owned();
    let start = format!("Note: {path} refers to ");
    let note = |line: &str| {
        Some(
            line.strip_prefix(&start)?
                .strip_suffix(" from the root of the server")?
                .to_owned(),
        )
    };
    log.lines().filter_map(note).collect()
}

#[test]
fn scripts_are_searched_for_quoted_paths_to_files() {
    let script = r#"const a="/assets/logo-Bx1.svg",b='/vite.svg';const c=`/fonts/a.woff2`;import("/assets/x.js?v=1")"#;
    let found = [
        "/assets/logo-Bx1.svg",
        "/vite.svg",
        "/fonts/a.woff2",
        "/assets/x.js?v=1",
    ];
    for name in ["assets/app.js", "app.mjs"] {
        assert_eq!(noted(name, script), found);
    }
}

#[test]
fn scripts_may_hold_other_slashes() {
    let script = r#"a("/");b("/about");c("//cdn.test/x.js");d("https://cdn.test/x.js");e("./x.svg");f("x/y.svg");
        g(/"\/x.svg/);h("/api/v1/items");i(`/assets/${name}.svg`)"#;
    assert!(noted("app.js", script).is_empty());
}

#[test]
fn style_sheets_are_searched_for_urls() {
    let css = r#"@font-face{src:url(/fonts/a.woff2)}a{background:url("/img/b.png")}b{background:url( '/img/c.png' )}
        @import "/more.css";"#;
    assert_eq!(
        noted("app.css", css),
        ["/fonts/a.woff2", "/img/b.png", "/img/c.png", "/more.css"]
    );
    let fine =
        "a{background:url(img/b.png)}b{background:url(//cdn.test/x.png)}c{background:url(data:image/png;base64,/x)}";
    assert!(noted("app.css", fine).is_empty());
}

#[test]
fn html_is_the_hosts_to_rewrite() {
    assert!(noted("about.html", r#"<img src="/logo.svg">"#).is_empty());
}

#[test]
fn each_reference_of_a_file_is_noted_once() {
    assert_eq!(noted("app.js", r#"a("/x.svg");b("/x.svg")"#), ["/x.svg"]);
}

#[test]
fn twenty_are_named_and_the_rest_counted() {
    let script: String = (0..25).map(|at| format!("load('/img/{at}.png');")).collect();
    assert_eq!(noted("app.js", &script).len(), 20);
    let log = studio().upload(&[INDEX, ("app.js", &script)]).send().json()["log"]
        .as_str()
        .unwrap()
        .to_owned();
    let notes: Vec<_> = log.lines().filter(|line| line.starts_with("Note:")).collect();
    assert_eq!((notes.len(), notes[20]), (22, "Note: and 5 more"));
    assert!(notes[21].contains("relative paths (in Vite `base: './'`)"));
}

#[test]
fn a_relative_build_has_no_notes() {
    let answer = studio().upload(&[INDEX, ("app.js", r#"import("./x.js")"#)]).send();
    assert!(!answer.json()["log"].as_str().unwrap().contains("Note:"));
}
