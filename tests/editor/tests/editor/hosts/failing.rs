//! Dev servers that do not start, break off, or find their port taken: shown in words, with their own last lines.

use galley_editor_tests::{Editor, Repository};
use galley_harness::http::Request;

use super::state_when;

/// A prototype whose Vite is a few lines long.
fn with_vite(vite: &str) -> Repository {
    Repository::new()
        .file(
            "package.json",
            r#"{ "dependencies": { "react": "19" }, "devDependencies": { "vite": "8" } }"#,
        )
        .file(".gitignore", "node_modules\n")
        .file(
            "node_modules/vite/package.json",
            r#"{ "version": "8.0.0", "type": "module", "exports": "./index.js" }"#,
        )
        .file("node_modules/vite/index.js", vite)
        .commit()
}

/// Answers every request with a page; `/crash` ends it, and `/stamps` is a page whose elements carry positions.
const SMALL: &str = r#"
import http from 'node:http';
export async function createServer({ server: { host, port } }) {
  const server = http.createServer((request, response) => {
    if (request.url === '/crash') { console.error('the last straw'); process.exit(7); }
    response.setHeader('content-type', 'text/html');
    response.end('<html><head></head><body><h1>Small</h1></body></html>');
  });
  return {
    config: { server: {}, base: '/' },
    printUrls: () => console.log('small and ready'),
    listen: () => new Promise((done) => server.listen(port, host, done)),
  };
}
"#;

fn page(editor: &Editor, path: &str) -> galley_harness::http::Response {
    Request::new(editor.prototype(), "GET", path)
        .header("sec-fetch-dest", "iframe")
        .send()
}

#[test]
fn a_dev_server_that_breaks_off_is_shown_with_its_last_lines() {
    let repository = with_vite(SMALL);
    let editor = Editor::start(&repository, &[]);
    state_when(&editor, "running");
    assert!(page(&editor, "/").expect(200).text().contains("<h1>Small</h1>"));
    page(&editor, "/crash").expect(502);
    let state = state_when(&editor, "failed");
    let words = state["host"]["words"].as_str().expect("words");
    assert!(words.contains("Vite ended by itself"), "{words}");
    assert!(state["host"]["log"].to_string().contains("the last straw"), "{state}");
    let page = page(&editor, "/").expect(502).text();
    assert!(
        page.contains("Vite ended by itself") && page.contains("the last straw"),
        "{page}"
    );
}

#[test]
fn a_dev_server_that_broke_off_is_started_again_when_asked() {
    let repository = with_vite(SMALL);
    let editor = Editor::start(&repository, &[]);
    state_when(&editor, "running");
    page(&editor, "/crash").expect(502);
    state_when(&editor, "failed");
    editor.ask("/api/host/restart").expect(200);
    state_when(&editor, "running");
    assert!(page(&editor, "/").expect(200).text().contains("<h1>Small</h1>"));
    assert_eq!(editor.end("TERM").code, Some(0));
}

#[test]
fn a_dev_server_that_cannot_start_leaves_the_editor_running() {
    let repository = with_vite("export function createServer() { throw new Error('this configuration is odd'); }");
    let editor = Editor::start(&repository, &[]);
    let state = state_when(&editor, "failed");
    let words = state["host"]["words"].as_str().expect("words");
    assert!(words.contains("Vite could not start"), "{words}");
    assert!(
        state["host"]["log"].to_string().contains("this configuration is odd"),
        "{state}"
    );
}

#[test]
fn a_module_the_configuration_asks_for_in_vain_ends_the_editor() {
    let repository = with_vite("export const createServer = () => import('vite-plugin-nobody-installed');");
    let ended = Editor::on(repository.path()).fail();
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let words = "Cannot find module 'vite-plugin-nobody-installed'";
    assert!(ended.stderr.contains(words), "{}", ended.stderr);
    assert!(ended.stderr.contains("npm install"), "{}", ended.stderr);
}

#[test]
fn packages_that_are_not_installed_end_the_editor() {
    let repository = Repository::new()
        .file(
            "package.json",
            r#"{ "dependencies": { "react": "19" }, "devDependencies": { "vite": "8" } }"#,
        )
        .file("pnpm-lock.yaml", "")
        .commit();
    let ended = Editor::on(repository.path()).fail();
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("Cannot find module 'vite'"), "{}", ended.stderr);
    assert!(ended.stderr.contains("pnpm install"), "{}", ended.stderr);
}

#[test]
fn a_port_that_was_asked_for_and_is_taken_is_an_error() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let repository = with_vite(SMALL);
    let ended = Editor::on(repository.path()).args(["--host-port", &port]).fail();
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(
        ended.stderr.contains(&format!("Port {port} is taken")),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_page_without_positions_is_warned_of_in_the_words_of_the_specification() {
    let repository = with_vite(SMALL);
    let editor = Editor::start(&repository, &[]);
    let words = "data-desde-src not found in any compiled source module";
    galley_harness::poll::eventually("the warning", || editor.stderr().contains(words).then_some(()));
    assert!(
        !editor.stderr().contains("Bridge <script> tag not found"),
        "{}",
        editor.stderr()
    );
}
