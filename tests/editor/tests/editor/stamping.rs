//! What the dev server gets from `/__stamp`, alone and together, the first time and again, and through the shim.

use std::process::Command;

use galley_editor::stamp;
use galley_editor_tests::stamping::{Answer, answers, body_of_tags, request, tags, token};
use galley_editor_tests::{Repository, attached};
use serde_json::{Value, json};

/// Modules of all kinds and sizes, as they stand on disk.
fn modules(repository: &Repository) -> Vec<(String, String)> {
    let mut modules = vec![
        (
            "src/lines.tsx".to_owned(),
            "export const A = () => (\r\n  <p>é 😀</p>\r\n);\r\n".to_owned(),
        ),
        ("src/none.tsx".to_owned(), "export const one = 1;\n".to_owned()),
        (
            "src/Card.vue".to_owned(),
            "<template>\n  <p>Hi</p>\n</template>\n".to_owned(),
        ),
        (
            "src/a b/[id].tsx".to_owned(),
            "export const A = () => <br/>;\n".to_owned(),
        ),
    ];
    for size in [1, 20, 300, 3000] {
        let body = "  <li className=\"row\">Row</li>,\n".repeat(size);
        modules.push((
            format!("src/rows{size}.tsx"),
            format!("export const rows = [\n{body}];\n"),
        ));
    }
    for (path, text) in &modules {
        repository.write(path, text);
    }
    modules
}

fn expected(path: &str, text: &str) -> Answer {
    let stamped = stamp::stamp(path, text).expect("it can be read");
    Answer {
        code: (stamped.elements > 0).then_some(stamped.code),
        mappings: stamped.mappings,
        reason: String::new(),
    }
}

#[test]
fn modules_are_stamped_alike_alone_together_and_again() {
    let repository = Repository::react();
    let modules = modules(&repository);
    let editor = attached(&repository);
    let token = token(&repository);
    let all = || modules.iter().map(|(path, text)| (&**path, &**text));
    let expected: Vec<Answer> = all().map(|(path, text)| expected(path, text)).collect();
    for round in ["first", "again"] {
        let together = request(&editor, &token, all()).send().expect(200);
        assert_eq!(answers(&together.body), expected, "{round}");
        for (module, expected) in all().zip(&expected) {
            let alone = request(&editor, &token, [module]).send().expect(200);
            assert_eq!(
                answers(&alone.body),
                std::slice::from_ref(expected),
                "{round}: {}",
                module.0
            );
        }
    }
}

#[test]
fn a_changed_file_is_stamped_anew_and_its_old_text_no_more() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let token = token(&repository);
    let ask = |text: &str| {
        let answer = request(&editor, &token, [("src/New.tsx", text)]).send().expect(200);
        answers(&answer.body).remove(0)
    };
    let (before, after) = ("export const A = () => <p/>;\n", "export const A = () => <b/>;\n");
    for text in [before, after, before] {
        repository.write("src/New.tsx", text);
        let other = if text == before { after } else { before };
        assert_eq!(ask(text), expected("src/New.tsx", text));
        assert_eq!(ask(text), expected("src/New.tsx", text));
        let refused = ask(other);
        assert!(
            refused.code.is_none() && refused.reason.contains("another plugin"),
            "{refused:?}"
        );
    }
}

#[test]
fn a_module_that_cannot_be_stamped_does_not_hold_up_the_others() {
    let repository = Repository::react();
    repository.write("src/Good.tsx", "export const A = () => <p/>;\n");
    repository.write("src/Bad.tsx", "export const A = () => <p></b>;\n");
    let editor = attached(&repository);
    let asked = [
        ("src/Bad.tsx", "export const A = () => <p></b>;\n"),
        ("src/Gone.tsx", "export const A = () => <p/>;\n"),
        ("../outside.tsx", "export const A = () => <p/>;\n"),
        ("src/Good.tsx", "export const A = () => <p/>;\n"),
    ];
    let answer = request(&editor, &token(&repository), asked).send().expect(200);
    let found = answers(&answer.body);
    assert_eq!(found[3], expected("src/Good.tsx", asked[3].1));
    for refused in &found[..3] {
        assert!(refused.code.is_none() && !refused.reason.is_empty(), "{refused:?}");
    }
    let broken = request(&editor, &token(&repository), []).body("{\"path\":\"a.tsx\",\"code\":9}\nshort");
    let broken = broken.send().expect(400).json();
    assert_eq!(broken["reason"], "Module 1: its text is shorter than `code` says");
}

#[test]
fn the_shim_asks_for_many_at_once_and_makes_a_map_of_each() {
    let repository = Repository::react();
    let mut modules = modules(&repository);
    // More than one request's worth, with a byte order mark in one.
    let (path, text) = ("src/bom.tsx", "\u{feff}export const A = () => <i/>;\n");
    repository.write(path, text);
    modules.push((path.to_owned(), text.to_owned()));
    let _editor = attached(&repository);
    let list: Vec<Value> = modules
        .iter()
        .map(|(path, text)| json!({ "id": repository.at(path), "code": text }))
        .collect();
    let script = format!(
        "import {{ stamp }} from {};\n\
         const modules = {};\n\
         const all = Array.from({{ length: 20 }}, () => modules).flat();\n\
         const done = await Promise.all(all.map(({{ id, code }}) => stamp(id, code)));\n\
         for (const [at, one] of done.entries()) {{\n\
           if (JSON.stringify(one) !== JSON.stringify(done[at % modules.length])) throw new Error(`answer ${{at}} is another's`);\n\
         }}\n\
         process.stdout.write(JSON.stringify(done.slice(0, modules.length)), () => process.exit(0));\n\
         ",
        json!(repository.at(".tool/attach/client.cjs")),
        json!(list),
    );
    let output = Command::new("node")
        .args(["--input-type=module", "--eval", &script])
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    let found: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {words}"));
    assert_eq!(found.len(), modules.len(), "{words}");
    for (found, (path, text)) in found.iter().zip(&modules) {
        let text = text.trim_start_matches('\u{feff}');
        let expected = expected(path, text);
        let Some(code) = expected.code else {
            assert!(found.is_null(), "{path}: {found}");
            continue;
        };
        let name = path.rsplit('/').next().unwrap();
        let map = json!({ "version": 3, "names": [], "sources": [name], "sourcesContent": [text], "mappings": expected.mappings });
        assert_eq!(*found, json!({ "code": code, "map": map }), "{path}");
    }
}

const SAME: &str = "{\"ok\":true,\"same\":true}\n";
const OTHER: &str = "{\"ok\":true,\"same\":false}\n";

#[test]
fn an_answer_that_was_kept_is_asked_for_by_its_name() {
    let repository = Repository::react();
    let modules = modules(&repository);
    let editor = attached(&repository);
    let token = token(&repository);
    let all = || modules.iter().map(|(path, text)| (&**path, &**text));
    let given = request(&editor, &token, all()).send().expect(200);
    let names = tags(&given.body);
    let again = request(&editor, &token, all()).send().expect(200);
    assert_eq!(tags(&again.body), names);
    let ask = |asked: &[(&str, &str)]| {
        let body = body_of_tags(asked.iter().copied());
        request(&editor, &token, []).body(body).send().expect(200).text()
    };
    let named: Vec<(&str, &str)> = all().zip(&names).map(|((path, _), tag)| (path, &**tag)).collect();
    assert_eq!(ask(&named), SAME.repeat(named.len()));
    let (path, text) = (named[0].0, &modules[0].1);
    for (asked, why) in [
        ((path, named[1].1), "another module's answer"),
        ((path, ""), "no answer's name"),
        (("src/nothing.tsx", named[0].1), "no module"),
        (("../lines.tsx", named[0].1), "not of the prototype"),
    ] {
        assert_eq!(ask(&[asked]), OTHER, "{why}");
    }
    let custom = format!("{}\n", json!({ "path": path, "tag": named[0].1, "custom": ["x-y"] }));
    let custom = request(&editor, &token, []).body(custom).send().expect(200);
    assert_eq!(custom.text(), OTHER);
    repository.write(path, "export const A = () => <b/>;\n");
    assert_eq!(ask(&named[..2]), format!("{OTHER}{SAME}"));
    repository.write(path, text);
    assert_eq!(ask(&named[..2]), SAME.repeat(2), "it is what it was");
    for line in [
        json!({ "path": path }),
        json!({ "path": path, "tag": "1", "code": 0 }),
        json!({ "path": path, "tag": 1 }),
    ] {
        request(&editor, &token, [])
            .body(format!("{line}\n"))
            .send()
            .expect(400);
    }
}

#[test]
fn the_shim_neither_sends_nor_gets_a_module_twice() {
    let repository = Repository::react();
    let modules = modules(&repository);
    let _editor = attached(&repository);
    let list: Vec<Value> = modules
        .iter()
        .map(|(path, text)| json!({ "id": repository.at(path), "code": text }))
        .collect();
    let changed = json!({ "id": repository.at("src/Card.vue"), "code": "<template><b>Ho</b></template>\n" });
    let script = format!(
        "import http from 'node:http';\n\
         import {{ writeFileSync }} from 'node:fs';\n\
         let sent = 0;\n\
         let got = 0;\n\
         const plain = http.request;\n\
         http.request = (...all) => {{\n\
           const request = plain(...all);\n\
           request.on('response', (response) => (got += Number(response.headers['content-length'])));\n\
           const end = request.end;\n\
           request.end = (body) => {{\n\
             sent += body.length;\n\
             return end.call(request, body);\n\
           }};\n\
           return request;\n\
         }};\n\
         const {{ stamp }} = await import({});\n\
         const modules = {};\n\
         const changed = {};\n\
         const round = async (modules) => {{\n\
           [sent, got] = [0, 0];\n\
           const done = await Promise.all(modules.map(({{ id, code }}) => stamp(id, code)));\n\
           return {{ done, sent, got }};\n\
         }};\n\
         const rounds = [await round(modules), await round(modules)];\n\
         writeFileSync(changed.id, changed.code);\n\
         rounds.push(await round([changed]), await round([changed]));\n\
         process.stdout.write(JSON.stringify(rounds), () => process.exit(0));\n\
         ",
        json!(repository.at(".tool/attach/client.cjs")),
        json!(list),
        changed,
    );
    let output = Command::new("node")
        .args(["--input-type=module", "--eval", &script])
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    let rounds: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {words}"));
    let bytes = |round: usize, key: &str| rounds[round][key].as_u64().expect("a number") as usize;
    let source: usize = modules.iter().map(|(_, text)| text.len()).sum();
    assert!(bytes(0, "sent") > source && bytes(0, "got") > source, "{words}");
    assert_eq!(rounds[1]["done"], rounds[0]["done"]);
    assert!(bytes(1, "sent") < 100 * modules.len() && bytes(1, "got") <= SAME.len() * modules.len());
    let new = &rounds[2]["done"][0];
    let expected = expected("src/Card.vue", changed["code"].as_str().unwrap());
    assert_eq!(new["code"].as_str(), expected.code.as_deref());
    assert_eq!((&rounds[3]["done"][0], bytes(3, "got")), (new, SAME.len()));
}
