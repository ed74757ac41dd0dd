//! What stamping costs over HTTP, as the dev server asks for it: on a kept connection, for modules seen for the first time and
//! again, each in a request of its own and together as the shim asks while Vite discovers them.

use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use galley_harness::http::read_head;
use galley_harness::table::Row;
use galley_harness::usage::processor_time;
use serde_json::Value;

use super::{milliseconds, percentile};
use crate::apps::{App, VITE_REACT_8};
use crate::stamping::{answers, body, body_of_tags, tags};
use crate::{Editor, oracle, paths};

/// Bytes of source in each kind of modules: processor time is counted in hundredths of a second, and the Editor keeps 64 MB.
const BYTES: usize = 6 << 20;
/// The goals are set for modules of 11.5 KB. The interface's own are smaller: several of them, until there are so many bytes, make
/// one of that size.
const LARGE: usize = 10_000;
/// What the shim asks for in one request, in bytes of source and in modules.
const MAX_TOGETHER: usize = 256 << 10;
const MAX_MODULES: usize = 256;
/// How long the dev server may take to start.
const REST: Duration = Duration::from_secs(3);
/// How often modules that were seen before are asked for.
const TIMES_AGAIN: u32 = 10;

type Module = (String, String);

pub fn measure() -> Vec<Row> {
    let app = VITE_REACT_8.make();
    let own = oracle::files(&paths::checkout().join("editor/ui/src"), &[".tsx"]);
    let own = own
        .iter()
        .map(|file| std::fs::read_to_string(file).expect("own files can be read"));
    let small: Vec<String> = own.collect();
    let large = joined(&small);
    std::fs::create_dir(app.path().join("src/bench")).expect("own folders can be made");
    let mut rows = Vec::new();
    for texts in [&small, &large] {
        let [alone, together] = ["alone", "together"].map(|name| modules(&app, texts, name));
        let editor = Editor::on(app.path()).start();
        let Some(token) = token(editor.id()) else {
            let why = "the dev server's environment cannot be read on this system";
            return vec![Row::skipped("Editor: stamping over HTTP", "≥ 55 MB", why)];
        };
        let mut connection = Connection::open(editor.address, token).expect("the Editor listens");
        // What is loaded once is not counted, and the dev server shall be up.
        connection.stamp(&alone[..1]);
        std::thread::sleep(REST);
        rows.extend(rows_of(&editor, &mut connection, &alone, &together));
    }
    rows
}

/// The rows of one kind of modules.
fn rows_of(editor: &Editor, connection: &mut Connection, alone: &[Module], together: &[Module]) -> Vec<Row> {
    let bytes: usize = alone.iter().map(|(_, code)| code.len()).sum();
    let size = bytes / alone.len();
    let is_large = size * 2 > LARGE;
    let batches: Vec<&[Module]> = batches(together);
    let speed = |turns: u32, work: &mut dyn FnMut()| {
        let before = processor_time(editor.id());
        (0..turns).for_each(|_| work());
        f64::from(turns) * bytes as f64 / 1e6 / (processor_time(editor.id()) - before)
    };
    let (mut times, mut times_again) = (Vec::new(), Vec::new());
    let mut ask_alone = |times: &mut Vec<Duration>| {
        for module in alone {
            let started = Instant::now();
            connection.stamp(std::slice::from_ref(module));
            times.push(started.elapsed());
        }
    };
    let first_alone = speed(1, &mut || ask_alone(&mut times));
    let again_alone = speed(TIMES_AGAIN, &mut || ask_alone(&mut times_again));
    let mut names = Vec::new();
    let first_together = speed(1, &mut || {
        names = batches.iter().map(|batch| connection.stamp(batch)).collect();
    });
    let again_together = speed(TIMES_AGAIN, &mut || {
        batches.iter().for_each(|batch| drop(connection.stamp(batch)));
    });
    let by_tag = speed(TIMES_AGAIN * 5, &mut || {
        for (batch, tags) in batches.iter().zip(&names) {
            connection.hold(batch, tags);
        }
    });
    let (half, most) = (percentile(&mut times, 0.5), percentile(&mut times, 0.95));
    let goal = |goal, reached| if is_large { (goal, Some(reached)) } else { ("–", None) };
    let row = |what: &str, (goal, reached): (&'static str, Option<bool>), result: f64, detail: String| Row {
        what: format!(
            "Editor: {what}, {:.1} KB each, source per second of processor time",
            size as f64 / 1e3
        ),
        goal,
        result: format!("{result:.0} MB"),
        detail,
        reached,
    };
    let a_request = format!("{} a request", together.len().div_ceil(batches.len()));
    vec![
        row(
            "modules stamped over HTTP",
            goal("≥ 55 MB", first_together >= 55.0),
            first_together,
            format!("{a_request}, as the shim asks; {first_alone:.0} MB one by one; one connection"),
        ),
        row(
            "modules seen before, asked for by the name of their answer",
            goal("≥ 500 MB", by_tag >= 500.0),
            by_tag,
            format!("{a_request}, as the shim asks"),
        ),
        row(
            "modules seen before, with their text and the whole answer",
            goal("≥ 500 MB", again_together >= 500.0),
            again_together,
            format!("{a_request}, as a new dev server asks; {again_alone:.0} MB one by one"),
        ),
        Row {
            what: format!(
                "Editor: a module of {:.1} KB to the stamp endpoint and back",
                size as f64 / 1e3
            ),
            goal: "p50 ≤ 0.35 ms, p95 ≤ 5 ms",
            result: format!("p50 {}, p95 {}", milliseconds(half), milliseconds(most)),
            detail: format!("seen before: p50 {}", milliseconds(percentile(&mut times_again, 0.5))),
            reached: Some(half <= Duration::from_micros(350) && most <= Duration::from_millis(5)),
        },
    ]
}

/// Modules with these texts, over and over, in files of the prototype.
fn modules(app: &App, texts: &[String], name: &str) -> Vec<Module> {
    let mut modules = Vec::new();
    let mut bytes = 0;
    for (number, code) in texts.iter().cycle().enumerate() {
        if bytes >= BYTES {
            break;
        }
        let path = format!("src/bench/{name}-{}-{number}.tsx", texts.len());
        app.write(&path, code);
        modules.push((path, code.clone()));
        bytes += code.len();
    }
    modules
}

/// Texts one behind the other, until each is large enough.
fn joined(texts: &[String]) -> Vec<String> {
    let mut all = vec![String::new()];
    for text in texts {
        let last = all.last_mut().expect("there is one");
        last.push_str(text);
        if last.len() >= LARGE {
            all.push(String::new());
        }
    }
    all.retain(|text| text.len() >= LARGE);
    all
}

fn batches(modules: &[Module]) -> Vec<&[Module]> {
    let mut batches = Vec::new();
    let mut rest = modules;
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = rest.iter().take(MAX_MODULES).take_while(|(_, code)| {
            let fits = bytes <= MAX_TOGETHER;
            bytes += code.len();
            fits
        });
        let (batch, behind) = rest.split_at(fits.count());
        batches.push(batch);
        rest = behind;
    }
    batches
}

/// A connection that is kept, as the shim's agent keeps it.
struct Connection {
    stream: BufReader<TcpStream>,
    token: String,
}

impl Connection {
    fn open(address: SocketAddr, token: String) -> io::Result<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let stream = BufReader::with_capacity(1 << 20, stream);
        Ok(Connection { stream, token })
    }

    /// Has modules stamped; the names of the answers.
    fn stamp(&mut self, modules: &[Module]) -> Vec<String> {
        let answer = self.ask(&body(modules.iter().map(|(path, code)| (&**path, &**code))));
        for (answer, (path, _)) in answers(&answer).iter().zip(modules) {
            assert!(answer.reason.is_empty(), "{path} is stamped");
        }
        tags(&answer)
    }

    /// Asks whether answers that were given before still hold.
    fn hold(&mut self, modules: &[Module], tags: &[String]) {
        let named = modules.iter().zip(tags).map(|((path, _), tag)| (&**path, &**tag));
        let answer = self.ask(&body_of_tags(named));
        let lines: Vec<&[u8]> = answer.split_inclusive(|byte| *byte == b'\n').collect();
        assert_eq!(lines.len(), modules.len());
        assert!(
            lines.iter().all(|line| *line == b"{\"ok\":true,\"same\":true}\n"),
            "they hold"
        );
    }

    fn ask(&mut self, body: &[u8]) -> Vec<u8> {
        let mut request = format!(
            "POST /__stamp HTTP/1.1\r\nhost: {}\r\nx-galley-token: {}\r\ncontent-length: {}\r\n\r\n",
            self.stream.get_ref().peer_addr().expect("it is connected"),
            self.token,
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.stream.get_mut().write_all(&request).expect("the Editor reads");
        let head = read_head(&mut self.stream).expect("the Editor answers");
        let length = head.header("content-length").and_then(|length| length.parse().ok());
        let mut answer = vec![0; length.expect("the answer has a length")];
        self.stream.read_exact(&mut answer).expect("the answer is whole");
        answer
    }
}

/// The run's secret, from the file beside the program that runs the dev server.
fn token(editor: u32) -> Option<String> {
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let status = std::fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        if !status.lines().any(|line| line == format!("PPid:\t{editor}")) {
            continue;
        }
        let command = std::fs::read(entry.path().join("cmdline")).ok()?;
        let found = command.split(|byte| *byte == 0).find_map(|argument| {
            let program = Path::new(std::str::from_utf8(argument).ok()?);
            let settings = std::fs::read(program.parent()?.join("settings.json")).ok()?;
            let settings: Value = serde_json::from_slice(&settings).ok()?;
            Some(settings["token"].as_str()?.to_owned())
        });
        if found.is_some() {
            return found;
        }
    }
    None
}
