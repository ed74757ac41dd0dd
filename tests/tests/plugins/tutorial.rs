//! The tutorial of `sdk/README.md`, read from the document: its commands are run in their order, its files written, its changes
//! made, and what it shows is what comes out. One server serves from the first request to the last.
//!
//! A fence says what its block is:
//!
//! | fence | the test |
//! |---|---|
//! | `sh` | runs it in the folder and with the variables that the blocks before left, and demands that it succeeds |
//! | `sh fails` | demands that it fails |
//! | `sh eventually` | repeats it until it shows what the document says |
//! | `sh server` | starts it beside the others, and lets it run |
//! | `text` | demands these lines of the commands before it, in this order; `…` stands for any text |
//! | `rust file=…`, `sql file=…` | writes the file |
//! | `diff file=…` | replaces the lines with `-` in the file by those with `+`; the others must be there |

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use galley_harness::ports::free_port;
use galley_tests::cli::{Ended, run_within};
use galley_tests::paths;
use galley_tests::process::Process;

/// The first build compiles what the SDK is made of, SQLite among it.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(20 * 60);
/// How long the server may take to boot, and an event to arrive.
const EVENTUALLY_TIMEOUT: Duration = Duration::from_secs(90);
/// The address of the document's server.
const ADDRESS: &str = "127.0.0.1:8080";

/// A fenced block.
#[derive(Debug)]
struct Block {
    /// The line of its fence.
    line: usize,
    /// The words behind the fence.
    words: Vec<String>,
    text: String,
}

/// The blocks of the section `title`.
fn blocks(document: &str, title: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut inside = false;
    for (number, line) in document.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, None) if line.starts_with("## ") => inside = line == title,
            (None, Some(words)) if inside => {
                open = Some(Block {
                    line: number + 1,
                    words: words.split_whitespace().map(str::to_owned).collect(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.text += &format!("{line}\n"),
            _ => {}
        }
    }
    blocks
}

/// Whether `…` in the pattern can stand for what the line has there.
fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<_> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The first of the expected lines that is not in the output behind those before.
fn missing<'e>(expected: &'e str, output: &str) -> Option<&'e str> {
    let mut lines = output.lines().map(str::trim);
    let expected = expected
        .lines()
        .map(str::trim)
        .filter(|line| !matches!(*line, "" | "…"));
    expected
        .into_iter()
        .find(|pattern| !lines.any(|line| fits(pattern, line)))
}

/// The reader of the tutorial.
struct Reader {
    work: tempfile::TempDir,
    address: String,
    server: Option<Process>,
}

impl Reader {
    fn new() -> Reader {
        let work = tempfile::tempdir().unwrap();
        fs::write(work.path().join(".cwd"), work.path().to_str().unwrap()).unwrap();
        Reader {
            work,
            address: format!("127.0.0.1:{}", free_port()),
            server: None,
        }
    }

    fn state(&self, name: &str) -> PathBuf {
        self.work.path().join(name)
    }

    /// The folder that the commands are in.
    fn folder(&self) -> PathBuf {
        PathBuf::from(fs::read_to_string(self.state(".cwd")).unwrap().trim_end())
    }

    fn text(&self, text: &str) -> String {
        text.replace(ADDRESS, &self.address)
    }

    /// A shell that goes on where the one before ended.
    fn shell(&self, commands: &str) -> Command {
        let script = format!(
            "set -eu -o pipefail\nexec 2>&1\nif [ -e \"$STATE/.env\" ]; then . \"$STATE/.env\"; fi\ncd \"$(cat \"$STATE/.cwd\")\"\n\
             {}\nexport -p > \"$STATE/.env\"\npwd > \"$STATE/.cwd\"\n",
            self.text(commands)
        );
        let mut path = paths::galley().parent().unwrap().as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut shell = Command::new("bash");
        shell
            .args(["-c", &script])
            .env("PATH", path)
            .env("STATE", self.work.path())
            .env("CARGO_TERM_COLOR", "never")
            .env("SERVICE_PLUGINS_DIR", paths::plugins())
            .env("SERVICE_BRIDGE_BUNDLE", paths::bridge());
        for name in std::env::vars().map(|(name, _)| name) {
            // Of the test's own package.
            if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") || name == "CARGO_TARGET_DIR" {
                shell.env_remove(name);
            }
        }
        shell
    }

    fn run(&self, block: &Block) -> Ended {
        let ended = run_within(&mut self.shell(&block.text), COMMAND_TIMEOUT);
        let folder = self.folder();
        // What is compiled is kept between runs.
        if folder.join("Cargo.toml").is_file() && !folder.join("target").exists() {
            std::os::unix::fs::symlink(paths::cache("authored"), folder.join("target")).unwrap();
        }
        let fails = block.words.iter().any(|word| word == "fails");
        assert_eq!(
            ended.code != 0,
            fails,
            "sdk/README.md:{}: it ended with {}:\n{}{}",
            block.line,
            ended.code,
            block.text,
            ended.stdout
        );
        ended
    }

    /// Starts the server and waits until it serves.
    fn serve(&mut self, block: &Block) {
        let commands = block.text.replace("galley serve", "exec galley serve");
        assert!(self.server.is_none(), "sdk/README.md:{}: a second server", block.line);
        let mut server = Process::start(&mut self.shell(&commands));
        let end = Instant::now() + EVENTUALLY_TIMEOUT;
        while !server.stdout().contains("galley listening on http://") {
            let ended = server.wait(Duration::from_millis(100));
            assert!(
                ended.is_none() && Instant::now() < end,
                "the server does not serve:\n{}",
                server.stdout()
            );
        }
        self.server = Some(server);
    }

    /// Runs the commands and compares what they show.
    fn check(&self, block: &Block, expected: Option<&Block>) {
        let end = Instant::now() + EVENTUALLY_TIMEOUT;
        let repeat = block.words.iter().any(|word| word == "eventually");
        loop {
            let output = self.run(block).stdout;
            let Some(expected) = expected else { return };
            let text = self.text(&expected.text);
            let Some(missing) = missing(&text, &output) else { return };
            assert!(
                repeat && Instant::now() < end,
                "sdk/README.md:{}: `{missing}` is not what is shown:\n{output}",
                expected.line
            );
            std::thread::sleep(Duration::from_millis(300));
        }
    }
}

/// The lines with `-` are replaced by those with `+`.
fn change(file: &Path, block: &Block) {
    let side = |other: char| -> String {
        let lines = block.text.lines().filter(|line| !line.starts_with(other));
        lines
            .map(|line| format!("{}\n", line.get(1..).unwrap_or_default()))
            .collect()
    };
    let text = fs::read_to_string(file).unwrap();
    let (before, after) = (side('+'), side('-'));
    let found = text.matches(&before).count();
    assert_eq!(
        found,
        1,
        "sdk/README.md:{}: it fits {found} places of {}",
        block.line,
        file.display()
    );
    fs::write(file, text.replacen(&before, &after, 1)).unwrap();
}

#[test]
fn the_tutorial_leads_to_a_plugin_that_serves_is_updated_rolled_back_and_removed() {
    let document = fs::read_to_string(paths::checkout().join("sdk/README.md")).unwrap();
    let blocks = blocks(&document, "## Tutorial: a checklist");
    assert!(blocks.len() > 20, "the tutorial has {} blocks", blocks.len());
    let mut reader = Reader::new();
    let mut blocks = blocks.iter().peekable();
    while let Some(block) = blocks.next() {
        let file = block.words.iter().find_map(|word| word.strip_prefix("file="));
        match (block.words.first().map(String::as_str), file) {
            (Some("sh"), None) if block.words.iter().any(|word| word == "server") => reader.serve(block),
            (Some("sh"), None) => {
                let expected = blocks.next_if(|next| next.words == ["text"]);
                reader.check(block, expected);
            }
            (Some("diff"), Some(file)) => change(&reader.folder().join(file), block),
            (Some(_), Some(file)) => {
                let file = reader.folder().join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, &block.text).unwrap();
            }
            _ => panic!(
                "sdk/README.md:{}: the test does not know what {:?} is",
                block.line, block.words
            ),
        }
    }
    let mut server = reader.server.take().expect("the tutorial starts a server");
    assert!(
        server.wait(Duration::ZERO).is_none(),
        "the server ended:\n{}",
        server.stdout()
    );
    assert!(!server.stdout().contains("panicked"), "{}", server.stdout());
}

#[test]
fn what_the_document_shows_is_compared_line_by_line() {
    assert!(fits("a … c", "a b c") && fits("…", "x") && fits("a", "a") && fits("a…", "ab"));
    assert!(!fits("a … c", "a b d") && !fits("a", "ab") && !fits("b…", "ab"));
    assert_eq!(missing("one\n…\nthree\n", "one\ntwo\nthree\n"), None);
    assert_eq!(missing("three\none\n", "one\ntwo\nthree\n"), Some("one"));
}
