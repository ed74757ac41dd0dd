//! Plugins in Python and JavaScript: made from their templates with the tools' own options, they do what the one in Rust does.

use std::fs;
use std::path::Path;
use std::time::Duration;

use galley_tests::cli::run_within;
use galley_tests::greeter::greets;
use galley_tests::languages::{LANGUAGES, Language, more, with_more};
use galley_tests::operator::Operator;
use galley_tests::outside::Outside;
use galley_tests::paths;
use galley_tests::prelude::*;

/// The server compiles a component of ten megabytes in six seconds, and in more on a busy machine.
const INSTALL_TIMEOUT: Duration = Duration::from_secs(5 * 60);

/// One server has all of them, and what it compiled is kept for the next run.
#[test]
fn plugins_in_python_and_javascript_do_what_one_in_rust_does() {
    let outside = Outside::start(&["open.example.test"]);
    let operator = Operator::of(outside.reachable_by(Server::build()));
    let (compiled, kept) = (
        operator.server.data_dir().join("plugins"),
        paths::cache("languages-compiled"),
    );
    take(&kept, &compiled);
    for language in LANGUAGES {
        let component = with_more(language);
        let mut install = operator.server.command();
        install.args(["plugins", "install", "--yes", "--json"]).arg(&component);
        let review = run_within(&mut install, INSTALL_TIMEOUT).expect(0).stdout;
        assert!(review.contains("WASI, empty") && !review.contains("wasi:"), "{review}");
    }
    take(&compiled, &kept);
    for language in LANGUAGES {
        greets(&operator.server, language.slot());
        lists(&operator.server, language);
        is_set(&operator.server, language);
        if language.has_contract_1() {
            asks(&operator.server, &outside, language);
        }
        raises(&operator.server, language);
    }
}

/// Copies compiled components that are large, which only those of other languages are.
fn take(from: &Path, to: &Path) {
    const LARGE: u64 = 3 << 20;
    for file in from.read_dir().unwrap().flatten() {
        let copy = to.join(file.file_name());
        if file.metadata().unwrap().len() > LARGE && !copy.exists() {
            fs::copy(file.path(), copy).unwrap();
        }
    }
}

fn lists(server: &Server, language: Language) {
    let path = format!("/api/v1/x/{}/remarks", language.slot());
    let remarks = server.anonymous().get(&path).expect(200).json()["remarks"].clone();
    assert_eq!(remarks.as_array().map(Vec::len), Some(20));
    let text = "Remark 20: the spacing above the price is off by a few pixels on small screens – “see” the copy.";
    let last = json!({ "id": 20, "author": "Reviewer 20", "text": text, "created": 1_760_000_000_020_i64, "page": "/pricing" });
    assert_eq!(remarks[19], last);
    assert_eq!(remarks[0]["page"], Value::Null);
    let rows = server.anonymous().get(&path.replace("remarks", "rows")).expect(200);
    assert_eq!(rows.json()["remarks"], remarks);
}

fn is_set(server: &Server, language: Language) {
    let days = || {
        let answer = server
            .anonymous()
            .get(&format!("/api/v1/x/{}/setting", language.slot()));
        answer.expect(200).json()["days"].clone()
    };
    assert_eq!(days(), 7);
    server
        .galley(&["plugins", "config", language.slot(), "days=30"])
        .expect(0);
    assert_eq!(days(), 30);
}

fn asks(server: &Server, outside: &Outside, language: Language) {
    let answer = server.anonymous().get(&format!("/api/v1/x/{}/fetch", language.slot()));
    let expected = json!({ "one": { "ok": true }, "all": [404, "denied"], "refused": "denied" });
    assert_eq!(answer.expect(200).json(), expected);
    let asked = outside.asked();
    assert!(
        asked[0].starts_with("GET /v1 ") && asked[0].contains("x-test: yes"),
        "{asked:?}"
    );
    assert!(asked.len() == 2 && asked[1].starts_with("GET /missing "), "{asked:?}");
}

/// An exception that nobody catches is one line of the log, with the request and the place in the source.
fn raises(server: &Server, language: Language) {
    let path = format!("/api/v1/x/{}/fail", language.slot());
    for _ in 0..2 {
        let answer = server.anonymous().get(&path).expect(500);
        let id = answer.header("x-request-id").unwrap().to_owned();
        assert!(
            answer.error().contains(&id) && !answer.error().contains("nobody"),
            "{}",
            answer.error()
        );
        let lines = eventually("the exception is in the log", || {
            let log = server.log();
            let lines: Vec<String> = log
                .lines()
                .filter(|line| line.contains(&id))
                .map(str::to_owned)
                .collect();
            lines.iter().any(|line| line.contains("careless")).then_some(lines)
        });
        let errors: Vec<&String> = lines.iter().filter(|line| line.contains(" ERROR ")).collect();
        assert_eq!(errors.len(), 1, "{lines:#?}");
        let (reason, place) = expected(language);
        let (before, after) = errors[0].split_once(" | ").unwrap_or_else(|| panic!("{}", errors[0]));
        assert!(before.contains(reason), "`{reason}` in {before}");
        assert!(after.contains(&place), "`{place}` in {after}");
        if language == Language::Python {
            let printed = lines
                .iter()
                .any(|line| line.contains(" INFO ") && line.contains("It will fail."));
            assert!(printed, "{lines:#?}");
        }
    }
}

/// The exception, and its place as the language says it.
fn expected(language: Language) -> (&'static str, String) {
    let (file, reason) = match language {
        Language::Python => ("python/template/app.py", "KeyError: 'nobody'"),
        Language::StarlingMonkey => ("js/template/plugin.js", "can't access property"),
        Language::QuickJs => ("js/template/plugin.js", "cannot read property"),
    };
    let template = fs::read_to_string(paths::checkout().join("sdk").join(file)).unwrap();
    let source = more(language, &template);
    let line = 1 + source.lines().position(|line| line.contains("return known")).unwrap();
    let place = match language {
        Language::Python => format!("app.py\", line {line}, in careless"),
        Language::StarlingMonkey | Language::QuickJs => format!("plugin.js:{line}:"),
    };
    (reason, place)
}
