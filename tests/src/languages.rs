//! Plugins in other languages than Rust, made as their authors make them: `galley plugins new`, then the template's own command.
//!
//! A component is kept between runs, under a name that changes with what it is made of.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::cli::{run, run_within};
use crate::{disk, paths};

/// The table that [`with_more`] lists, as the guest `twenty` does in Rust.
const REMARKS: &str = include_str!("../guests/twenty/remarks.sql");
const COLUMNS: &str = "id, author, text, created, page";

/// Handlers of the plugin in JavaScript that ask other hosts, and its job.
const POWERS_IN_JAVASCRIPT: &str = r#"
function ask() {
  const one = fetch({ host: OPEN, path: '/v1', headers: [['x-test', 'yes']] });
  const [missing, denied] = fetchAll({ host: OPEN, path: '/missing' }, { host: 'other.example.test', path: '/' });
  try {
    fetch({ host: 'other.example.test', path: '/' });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return { one: one.json(), all: [missing.status, denied.code], refused: problem.code };
  }
}

export const jobs = runs({
  tidy() {
    const [[[times]]] = batch([GREETED, 'none', 'tidy']);
    if (times > 1) throw new Refused(409, 'once is enough');
  },
});

function tidied() {
  return { times: query("SELECT times FROM greetings WHERE name = 'tidy'")[0][0] };
}
"#;

/// How long a component may take on a busy machine.
const BUILD_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// A language with what makes components of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `componentize-py`.
    Python,
    /// JavaScript, by `componentize-js`.
    StarlingMonkey,
    /// JavaScript, by `componentize-qjs`.
    QuickJs,
}

/// All of them.
pub const LANGUAGES: [Language; 3] = [Language::Python, Language::StarlingMonkey, Language::QuickJs];

impl Language {
    /// A slot for its plugins.
    pub fn slot(self) -> &'static str {
        match self {
            Language::Python => "in-python",
            Language::StarlingMonkey => "in-starlingmonkey",
            Language::QuickJs => "in-quickjs",
        }
    }

    /// The file that holds the plugin.
    pub fn source(self) -> &'static str {
        match self {
            Language::Python => "app.py",
            Language::StarlingMonkey | Language::QuickJs => "plugin.js",
        }
    }

    /// Whether its components speak version 1 of the contract. Version 0.1 has no jobs, and `componentize-qjs` makes no component
    /// that imports interfaces of both.
    pub fn has_contract_1(self) -> bool {
        self != Language::QuickJs
    }

    fn option(self) -> &'static str {
        match self {
            Language::Python => "python",
            Language::StarlingMonkey | Language::QuickJs => "javascript",
        }
    }

    /// The command of the template's README.md.
    fn build(self, folder: &Path) -> Command {
        let tools = paths::target().join("galley");
        let mut command;
        match self {
            Language::Python => {
                let readme = fs::read_to_string(folder.join("README.md")).expect("the template has a README.md");
                let line = readme
                    .lines()
                    .find_map(|line| line.trim().strip_prefix("componentize-py "));
                command = Command::new(tools.join("python/bin/componentize-py"));
                command.args(line.expect("it says how it is built").split_whitespace());
                command.env("PYTHONPATH", tools.join("python"));
            }
            Language::StarlingMonkey | Language::QuickJs => {
                let modules = folder.join("node_modules");
                symlink(tools.join("js/node_modules"), modules).expect("a link can be made");
                command = Command::new("npm");
                let script = if self == Language::QuickJs {
                    "build:quickjs"
                } else {
                    "build"
                };
                command.args(["run", "--silent", script]);
            }
        }
        command.current_dir(folder);
        command
    }

    /// The template's plugin, for its own slot, with `change` made to its folder.
    ///
    /// # Panics
    /// When it cannot be built.
    pub fn component(self, change: impl FnOnce(&Path)) -> PathBuf {
        let work = tempfile::tempdir().expect("a temporary folder");
        let folder = work.path().join("plugin");
        let mut new = Command::new(paths::galley());
        new.args(["plugins", "new", self.slot(), "--language", self.option(), "--path"])
            .arg(&folder);
        run(&mut new).expect(0);
        change(&folder);

        let kept = paths::cache("languages").join(format!("{}-{}.wasm", self.slot(), digest(&folder)));
        if !kept.is_file() {
            run_within(&mut self.build(&folder), BUILD_TIMEOUT).expect(0);
            let made = folder.join(format!("{}.wasm", self.slot()));
            let mut test = Command::new(paths::galley());
            test.args(["plugins", "test", "requests.json"]).current_dir(&folder);
            run_within(test.env("SERVICE_PLUGINS_DIR", paths::plugins()), BUILD_TIMEOUT).expect(0);
            // Those of older sources are of no use any more.
            let slot = format!("{}-", self.slot());
            for old in disk::files(&paths::cache("languages"))
                .iter()
                .filter(|old| old.starts_with(&slot))
            {
                let _ = fs::remove_file(paths::cache("languages").join(old));
            }
            let draft = kept.with_extension(format!("draft-{}", std::process::id()));
            fs::copy(made, &draft)
                .and_then(|_| fs::rename(&draft, &kept))
                .expect("the component can be kept");
        }
        kept
    }
}

/// The template's plugin with more routes: `GET …/x/SLOT/remarks` lists twenty rows of a second migration, `GET …/x/SLOT/rows` the
/// same by a handler that has the rows, `GET …/x/SLOT/fail` raises an exception in a function called `careless`,
/// and `GET …/x/SLOT/setting` answers what it is set to. Where the language has them, `GET …/x/SLOT/fetch` asks other hosts, and
/// the job `tidy` greets `tidy` in the project `none`.
pub fn with_more(language: Language) -> PathBuf {
    language.component(|folder| {
        rewrite(&folder.join(language.source()), |source| more(language, &source));
        for world in ["wit/world.wit", "quickjs/world.wit"].map(|world| folder.join(world)) {
            if world.is_file() {
                rewrite(&world, |world| powers(language, &world));
            }
        }
        if language == Language::StarlingMonkey {
            rewrite(&folder.join("starlingmonkey.js"), |entry| {
                entry.replace("{ handler }", "{ handler, jobs }")
            });
        }
        rewrite(&folder.join("requests.json"), |requests| steps(language, &requests));
    })
}

fn rewrite(file: &Path, change: impl FnOnce(String) -> String) {
    let text = fs::read_to_string(file).expect("the template has this file");
    fs::write(file, change(text)).expect("it can be changed");
}

/// The template's world with more imports and exports.
fn powers(language: Language, world: &str) -> String {
    let with = |world: &str, imports: &str| world.replacen("\n  export", &format!("{imports}\n\n  export"), 1);
    let world = with(world, "  import galley:config/config@1.0.0;");
    match language.has_contract_1() {
        false => world,
        true => with(&world, "  import galley:outbound/outbound@1.1.0;")
            .replace("}\n", "  export galley:plugin/jobs@1.1.0;\n}\n"),
    }
}

/// The template's requests, and some for settings and jobs.
fn steps(language: Language, requests: &str) -> String {
    let mut script: serde_json::Value = serde_json::from_str(requests).expect("the template's requests are JSON");
    let get = |name: &str| format!("GET /api/v1/x/{}/{name}", language.slot());
    let mut more = vec![
        json!({ "request": get("setting"), "expect": { "json": { "days": 7, "hasSecret": false } } }),
        json!({ "config": { "settings": { "days": 3 }, "secrets": { "token": "t0ken" } } }),
        json!({ "request": get("setting"), "expect": { "json": { "days": 3, "hasSecret": true } } }),
    ];
    if language.has_contract_1() {
        more.extend([
            json!({ "job": "tidy" }),
            json!({ "request": get("tidied"), "expect": { "json": { "times": 1 } } }),
            json!({ "job": "tidy", "expect": { "status": 409, "json": { "error": "once is enough" } } }),
        ]);
    }
    let steps = script["steps"].as_array_mut().expect("they have steps");
    steps.extend(more);
    script.to_string()
}

/// The source of the template's plugin with those routes.
pub fn more(language: Language, source: &str) -> String {
    let path = |name: &str| format!("/api/v1/x/{}/{name}", language.slot());
    let (list, rows, fail) = (path("remarks"), path("rows"), path("fail"));
    let (setting, fetch, tidied) = (path("setting"), path("fetch"), path("tidied"));
    match language {
        Language::Python => format!(
            r#"{source}

plugin.migration(2, """{REMARKS}""")


@plugin.route("GET", "{list}", guard={{"kind": "public"}})
def remarks(request: Request) -> Response:
    return listing("remarks", "{COLUMNS}", "FROM remarks WHERE id > ?1 ORDER BY created", 0)


@plugin.route("GET", "{rows}", guard={{"kind": "public"}})
def rows(request: Request) -> dict:
    found = query("SELECT {COLUMNS} FROM remarks WHERE id > ?1 ORDER BY created", 0)
    names = ("id", "author", "text", "created", "page")
    return {{"remarks": [dict(zip(names, row)) for row in found]}}


def careless(known: dict) -> str:
    return known["nobody"]


@plugin.route("GET", "{setting}", guard={{"kind": "public"}})
def settings(request: Request) -> dict:
    return {{"days": setting("days"), "hasSecret": has_secret("token")}}


@plugin.route("GET", "{fetch}", guard={{"kind": "public"}})
def ask(request: Request) -> dict:
    open_host = "open.example.test"
    one = fetch(Outgoing(open_host, "/v1", headers=[("x-test", "yes")]))
    all = fetch_all(Outgoing(open_host, "/missing"), Outgoing("other.example.test", "/"))
    try:
        fetch(Outgoing("other.example.test", "/"))
    except Problem as problem:
        return {{"one": one.json(), "all": [all[0].status, all[1].code], "refused": problem.code}}


@plugin.job("tidy", every="1d")
def tidy() -> None:
    [[(times,)]] = batch((GREETED, "none", "tidy"))
    if times > 1:
        raise Refused(409, "once is enough")


@plugin.route("GET", "{tidied}", guard={{"kind": "public"}})
def tidied(request: Request) -> dict:
    return {{"times": query("SELECT times FROM greetings WHERE name = 'tidy'")[0][0]}}


Jobs = plugin.export_jobs()


@plugin.route("GET", "{fail}", guard={{"kind": "public"}})
def fail(request: Request) -> str:
    print("It will fail.")
    return careless({{}})
"#
        )
        .replace(
            "from galley import Plugin, Refused, Request, batch\n",
            "from galley import Plugin, Problem, Refused, Request, Response, batch, listing, query\n\
             from galley_config import has_secret, setting\n\
             from galley_outbound import Outgoing, fetch, fetch_all\n",
        )
        .replacen(
            "\"0.1.0\")",
            "\"0.1.0\", hosts=[\"open.example.test\"], settings=[{\"key\": \"days\", \"type\": \"number\", \"default\": 7}, \
             {\"key\": \"token\", \"type\": \"secret\"}])",
            1,
        ),
        Language::StarlingMonkey | Language::QuickJs => {
            let has_more = language.has_contract_1();
            let only_then = |text: &'static str| if has_more { text } else { "" };
            let more = match has_more {
                false => String::new(),
                true => format!(
                    "'GET {fetch}': {{ guard: {{ kind: 'public' }}, handle: ask }},\n    \
                     'GET {tidied}': {{ guard: {{ kind: 'public' }}, handle: tidied }},\n    "
                ),
            };
            let routes = format!(
                "      handle: greet,\n    }},\n    'GET {list}': {{ guard: {{ kind: 'public' }}, handle: remarks }},\n    \
                 'GET {rows}': {{ guard: {{ kind: 'public' }}, handle: rows }},\n    \
                 'GET {setting}': {{ guard: {{ kind: 'public' }}, handle: settings }},\n    \
                 {more}\
                 'GET {fail}': {{ guard: {{ kind: 'public' }}, handle: () => careless({{}}) }},\n"
            );
            let source = source
                .replace("      handle: greet,\n    },\n", &routes)
                .replace(
                    "import { Refused, batch, plugin } from './galley-sdk/sdk/js/galley.js';\n",
                    &format!(
                        "import {{ hasSecret, setting }} from './galley-sdk/sdk/js/config.js';\n\
                         import {{ Problem, Refused, batch, listing, plugin, query, runs }} from './galley-sdk/sdk/js/galley.js';\n{}",
                        only_then("import { fetch, fetchAll } from './galley-sdk/sdk/js/outbound.js';\n")
                    ),
                )
                .replace(
                    "version: '0.1.0', migrations }",
                    &format!("version: '0.1.0', migrations: [...migrations, REMARKS], settings: SETTINGS{} }}",
                        only_then(", hosts: [OPEN], jobs: [{ name: 'tidy', every: '1d' }]")),
                )
                .replace(
                    "const GREETED",
                    &format!(
                        "const REMARKS = `{REMARKS}`;\nconst OPEN = 'open.example.test';\n\
                         const SETTINGS = [{{ key: 'days', type: 'number', default: 7 }}, {{ key: 'token', type: 'secret' }}];\n\
                         const GREETED"
                    ),
                );
            format!(
                r#"{source}
function remarks() {{
  return listing('remarks', '{COLUMNS}', 'FROM remarks WHERE id > ?1 ORDER BY created', 0);
}}

function rows() {{
  const found = query('SELECT {COLUMNS} FROM remarks WHERE id > ?1 ORDER BY created', 0);
  return {{ remarks: found.map(([id, author, text, created, page]) => ({{ id, author, text, created, page }})) }};
}}

function settings() {{
  return {{ days: setting('days'), hasSecret: hasSecret('token') }};
}}

function careless(known) {{
  return known.nobody.name;
}}
{}"#,
                only_then(POWERS_IN_JAVASCRIPT)
            )
        }
    }
}

/// Names what a component is made of: the plugin's own files, the SDK of its language and the contract.
fn digest(folder: &Path) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    for name in disk::files(folder) {
        let sdk = name.strip_prefix("galley-sdk/");
        let is_part = sdk.is_none_or(|name| {
            ["sdk/js/", "sdk/python/", "wit/"]
                .iter()
                .any(|part| name.starts_with(part))
        });
        // A link to a folder is none of them.
        if let Some(bytes) = fs::read(folder.join(&name)).ok().filter(|_| is_part) {
            hash.update(format!("{name} {} ", bytes.len()));
            hash.update(bytes);
        }
    }
    data_encoding::HEXLOWER.encode(&hash.finalize()[..8])
}
