//! Plugins in other languages than Rust, made as their authors make them: `galley plugins new`, then the template's own command.
//!
//! A component is kept between runs, under a name that changes with what it is made of.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::cli::{run, run_within};
use crate::{disk, paths};

/// The table that [`with_more`] lists, as the guest `twenty` does in Rust.
const REMARKS: &str = include_str!("../guests/twenty/remarks.sql");
const COLUMNS: &str = "id, author, text, created, page";

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

    /// The template's plugin, for its own slot, with `change` made to its source.
    ///
    /// # Panics
    /// When it cannot be built.
    pub fn component(self, change: impl FnOnce(String) -> String) -> PathBuf {
        let work = tempfile::tempdir().expect("a temporary folder");
        let folder = work.path().join("plugin");
        let mut new = Command::new(paths::galley());
        new.args(["plugins", "new", self.slot(), "--language", self.option(), "--path"])
            .arg(&folder);
        run(&mut new).expect(0);
        let source = folder.join(self.source());
        let text = fs::read_to_string(&source).expect("the template has a source");
        fs::write(&source, change(text)).expect("it can be changed");

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
/// same by a handler that has the rows, and `GET …/x/SLOT/fail` raises an exception in a function called `careless`.
pub fn with_more(language: Language) -> PathBuf {
    language.component(|source| more(language, &source))
}

/// The source of the template's plugin with those routes.
pub fn more(language: Language, source: &str) -> String {
    let path = |name: &str| format!("/api/v1/x/{}/{name}", language.slot());
    let (list, rows, fail) = (path("remarks"), path("rows"), path("fail"));
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


@plugin.route("GET", "{fail}", guard={{"kind": "public"}})
def fail(request: Request) -> str:
    print("It will fail.")
    return careless({{}})
"#
        )
        .replace("Request, batch", "Request, Response, batch, listing, query"),
        Language::StarlingMonkey | Language::QuickJs => {
            let routes = format!(
                "      handle: greet,\n    }},\n    'GET {list}': {{ guard: {{ kind: 'public' }}, handle: remarks }},\n    \
                 'GET {rows}': {{ guard: {{ kind: 'public' }}, handle: rows }},\n    \
                 'GET {fail}': {{ guard: {{ kind: 'public' }}, handle: () => careless({{}}) }},\n"
            );
            let source = source
                .replace("      handle: greet,\n    },\n", &routes)
                .replace("batch, plugin }", "batch, listing, plugin, query }")
                .replace(
                    "version: '0.1.0', migrations }",
                    "version: '0.1.0', migrations: [...migrations, REMARKS] }",
                )
                .replace("const GREETED", &format!("const REMARKS = `{REMARKS}`;\nconst GREETED"));
            format!(
                r#"{source}
function remarks() {{
  return listing('remarks', '{COLUMNS}', 'FROM remarks WHERE id > ?1 ORDER BY created', 0);
}}

function rows() {{
  const found = query('SELECT {COLUMNS} FROM remarks WHERE id > ?1 ORDER BY created', 0);
  return {{ remarks: found.map(([id, author, text, created, page]) => ({{ id, author, text, created, page }})) }};
}}

function careless(known) {{
  return known.nobody.name;
}}
"#
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
