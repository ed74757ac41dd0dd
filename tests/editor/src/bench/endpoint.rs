//! What stamping costs over HTTP, as the dev server asks for it: on a kept connection, for modules seen for the first time and
//! again.

use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use galley_harness::http::read_head;
use galley_harness::table::Row;
use galley_harness::usage::processor_time;
use serde_json::Value;

use super::{milliseconds, percentile};
use crate::apps::VITE_REACT_8;
use crate::stamping::{answers, body};
use crate::{Editor, oracle, paths};

/// Copies of the interface's modules: processor time is counted in hundredths of a second.
const COPIES: usize = 40;

pub fn measure() -> Vec<Row> {
    let app = VITE_REACT_8.make();
    let files = oracle::files(&paths::checkout().join("editor/ui/src"), &[".tsx"]);
    std::fs::create_dir(app.path().join("src/bench")).expect("own folders can be made");
    let mut modules = Vec::new();
    for (number, file) in files.iter().cycle().take(files.len() * COPIES).enumerate() {
        let (path, code) = (
            format!("src/bench/{number}.tsx"),
            std::fs::read_to_string(file).expect("own files can be read"),
        );
        app.write(&path, &code);
        modules.push((path, code));
    }
    let editor = Editor::on(app.path()).start();
    let what = "Editor: stamping over HTTP, source per second of processor time";
    let Some(token) = token(editor.id()) else {
        return vec![Row::skipped(
            what,
            "≥ 55 MB",
            "the dev server's environment cannot be read on this system",
        )];
    };
    let mut connection = Connection::open(editor.address, token).expect("the Editor listens");
    // What is loaded once is not counted.
    connection.stamp(&modules[0]);
    let bytes: usize = modules.iter().map(|(_, code)| code.len()).sum();
    let mut round = || {
        let before = processor_time(editor.id());
        let times: Vec<Duration> = modules
            .iter()
            .map(|module| {
                let started = Instant::now();
                connection.stamp(module);
                started.elapsed()
            })
            .collect();
        (times, bytes as f64 / 1e6 / (processor_time(editor.id()) - before))
    };
    let (mut times, first) = round();
    let (mut times_again, again) = round();
    let (half, most) = (percentile(&mut times, 0.5), percentile(&mut times, 0.95));
    let detail = format!(
        "{} modules of {:.1} KB, one connection",
        modules.len(),
        bytes as f64 / 1e3 / modules.len() as f64
    );
    vec![
        Row {
            what: what.into(),
            goal: "≥ 55 MB",
            result: format!("{first:.0} MB"),
            detail: detail.clone(),
            reached: Some(first >= 55.0),
        },
        Row {
            what: "Editor: the same for modules seen before".into(),
            goal: "≥ 500 MB",
            result: format!("{again:.0} MB"),
            detail: format!("p50 {}", milliseconds(percentile(&mut times_again, 0.5))),
            reached: Some(again >= 500.0),
        },
        Row {
            what: "Editor: a module to the stamp endpoint and back".into(),
            goal: "p50 ≤ 0.35 ms, p95 ≤ 5 ms",
            result: format!("p50 {}, p95 {}", milliseconds(half), milliseconds(most)),
            detail,
            reached: Some(half <= Duration::from_micros(350) && most <= Duration::from_millis(5)),
        },
    ]
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

    fn stamp(&mut self, (path, code): &(String, String)) {
        let body = body([(&**path, &**code)]);
        let mut request = format!(
            "POST /__stamp HTTP/1.1\r\nhost: {}\r\nx-galley-token: {}\r\ncontent-length: {}\r\n\r\n",
            self.stream.get_ref().peer_addr().expect("it is connected"),
            self.token,
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(&body);
        self.stream.get_mut().write_all(&request).expect("the Editor reads");
        let head = read_head(&mut self.stream).expect("the Editor answers");
        let length = head.header("content-length").and_then(|length| length.parse().ok());
        let mut answer = vec![0; length.expect("the answer has a length")];
        self.stream.read_exact(&mut answer).expect("the answer is whole");
        assert!(answers(&answer)[0].reason.is_empty(), "{path} is stamped");
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
