//! A whole life of a dev server, of which only Vite itself is a stand-in.

use super::*;

const VITE: &str = r"
import http from 'node:http';
export async function createServer({ server: { host, port } }) {
  const server = http.createServer((request, response) => {
    if (request.url === '/crash') { console.error('the last straw'); process.exit(7); }
    response.end(String(process.pid));
  });
  return {
    config: { server: {}, base: '/shop/' },
    printUrls: () => console.log('ready'),
    listen: () => new Promise((done) => server.listen(port, host, done)),
  };
}
";

fn prototype() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    let vite = root.path().join("node_modules/vite");
    std::fs::create_dir_all(&vite).expect("own folders can be made");
    for (file, text) in [
        (
            root.path().join("package.json"),
            r#"{ "devDependencies": { "vite": "8" } }"#,
        ),
        (
            vite.join("package.json"),
            r#"{ "version": "8.0.0", "type": "module", "exports": { ".": { "types": "./x.d.ts", "import": "./index.js" } } }"#,
        ),
        (vite.join("index.js"), VITE),
    ] {
        std::fs::write(file, text).expect("own files can be written");
    }
    root
}

fn options(root: &tempfile::TempDir) -> Options {
    Options {
        root: root.path().canonicalize().expect("it is there"),
        enabled: Enabled::default(),
        attach: None,
        port: None,
        stamping: Stamping {
            endpoint: "http://127.0.0.1:1/__stamp".to_owned(),
            token: "token".to_owned(),
        },
    }
}

async fn ask(host: &Host, path: &str) -> Option<String> {
    let address = format!("{}{path}", host.origin()?);
    let answer = crate::proxy::client().ok()?.get(address).send().await.ok()?;
    answer.text().await.ok()
}

#[tokio::test]
async fn a_dev_server_lives_fails_is_restarted_and_ends() {
    let root = prototype();
    lives_fails_is_restarted_and_ends(&root, None).await;
    // Node waits already for what it is to start.
    let early = Early::start(root.path());
    assert!(early.is_some());
    lives_fails_is_restarted_and_ends(&root, early).await;
}

async fn lives_fails_is_restarted_and_ends(root: &tempfile::TempDir, early: Option<Early>) {
    let waits = early.as_ref().and_then(|early| early.runner.id());
    let host = start(options(root), early).await.expect("it starts");
    assert_eq!(host.status().status, State::Starting);
    host.booted().await.expect("nothing is missing");
    let status = host.status();
    assert_eq!(
        (status.status, status.base.as_str()),
        (State::Running, "/shop/"),
        "{status:?}"
    );
    assert_eq!(status.words, "Vite 8.0.0 is running.");
    let first = ask(&host, "/").await.expect("an answer");
    let process = waits.map(|process| process.to_string());
    assert!(
        process.is_none_or(|process| first == process),
        "it became the dev server"
    );

    let mut changes = host.changes();
    ask(&host, "/crash").await;
    let failed = changes
        .wait_for(|status| status.status == State::Failed)
        .await
        .expect("it is watched")
        .clone();
    assert!(
        failed.words.contains("ended by itself") && failed.words.contains('7'),
        "{}",
        failed.words
    );
    assert!(failed.log.contains(&"the last straw".to_owned()), "{:?}", failed.log);
    assert_eq!(host.origin(), None);

    host.restart().await;
    changes
        .wait_for(|status| status.status == State::Running)
        .await
        .expect("it is watched");
    let second = ask(&host, "/").await.expect("an answer");
    assert_ne!(first, second);

    let origin = host.origin().expect("it listens");
    host.stop().await;
    let client = crate::proxy::client().expect("a client");
    assert!(client.get(origin).send().await.is_err(), "nobody listens any more");
}

#[tokio::test]
async fn an_attached_dev_server_is_none_of_ours_to_start() {
    let root = prototype();
    let attach = url::Url::parse("https://localhost:3000/docs/").ok();
    let options = Options {
        attach,
        ..options(&root)
    };
    let host = start(options, None).await.expect("it attaches");
    host.booted().await.expect("nothing is missing");
    let status = host.status();
    assert_eq!((status.kind, status.status), ("attach", State::Attached));
    assert_eq!(
        (status.origin.as_deref(), status.base.as_str()),
        (Some("https://localhost:3000"), "/docs/")
    );
    let settings = root.path().join(shims::ATTACHED).join("settings.json");
    assert!(settings.is_file());
    host.stop().await;
    assert!(!settings.exists(), "the run's secret goes with the run");
    assert!(root.path().join(shims::ATTACHED).join("vite.mjs").is_file());
}

#[tokio::test]
async fn a_runner_that_gets_no_task_ends_and_ran_nothing_of_the_prototype() {
    let root = prototype();
    let ran = root.path().join("ran");
    let vite = root.path().join("node_modules/vite/index.js");
    let code = std::fs::read_to_string(&vite).expect("it is there");
    let writes = format!(
        "import {{ writeFileSync }} from 'node:fs';\nwriteFileSync({:?}, '');\n",
        ran.display().to_string()
    );
    std::fs::write(vite, writes + &code).expect("own files can be written");
    let mut early = Early::start(root.path()).expect("there is Node");
    let shims = early.shims.file("runner.cjs");
    // The Editor is gone before it has said anything.
    drop(early.runner.stdin.take());
    early.runner.wait().await.expect("it ends");
    assert!(!ran.exists());
    assert!(!shims.exists(), "the folder of the run goes with it");
    assert!(
        Early::start(&root.path().join("node_modules")).is_none(),
        "that is no prototype"
    );
}

#[test]
fn the_shim_asks_the_projects_vue_which_tags_are_custom_elements() {
    let shims = shims::Shims::for_run().expect("own files can be written");
    let script = format!(
        "import {{ customElements }} from {:?};
         const vue = (isCustomElement) => ({{ api: {{ options: {{ template: {{ compilerOptions: {{ isCustomElement }} }} }} }} }});
         const code = '<template><my-card a=\"<x-y\"><your-card/></my-card><p/></template>';
         console.log(JSON.stringify([
           customElements(vue((tag) => tag.startsWith('my-')), code),
           customElements(vue(() => {{ throw new Error('no'); }}), code),
           customElements(vue(undefined), code),
           customElements(undefined, code),
         ]));",
        shims.file("vue.cjs").display().to_string()
    );
    let ran = std::process::Command::new("node")
        .args(["--input-type=module", "--eval", &script])
        .output()
        .expect("node is there");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert_eq!(
        said.trim(),
        r#"[["my-card"],[],[],[]]"#,
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}
