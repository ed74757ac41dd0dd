//! 5,000 open comment streams: how soon a write rings all of them, and what one costs.

use std::time::{Duration, Instant};

use galley_tests::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc;

use crate::{Row, p99};

const STREAMS: usize = 5_000;
/// Each client address may hold 20 streams.
const PER_ADDRESS: usize = 20;
const WRITES: usize = 5;

pub fn measure() -> Vec<Row> {
    let server = Server::build().public_links(true).start();
    let project = project_with(&server.user("ed"), "streams", "public-link");
    let before = server.resident();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (rung, after) = runtime.block_on(async {
        let (heard, mut hears) = mpsc::unbounded_channel();
        let mut opened = Vec::new();
        for n in 0..STREAMS {
            opened.push(open(server.address(), &project, n).await);
        }
        for stream in opened {
            let heard = heard.clone();
            tokio::spawn(listen(stream, heard));
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        let after = server.resident();
        let mut rung = Vec::new();
        for n in 0..WRITES {
            let (ed, project) = (server.user("ed"), project.clone());
            let answered = tokio::task::spawn_blocking(move || {
                comment(&ed, &project, &format!("Write {n}"));
                Instant::now()
            });
            let mut times = Vec::new();
            while times.len() < STREAMS {
                let at: Instant = tokio::time::timeout(Duration::from_secs(30), hears.recv())
                    .await
                    .unwrap()
                    .unwrap();
                times.push(at);
            }
            let answered = answered.await.unwrap();
            rung.extend(
                times
                    .into_iter()
                    .map(|at| at.saturating_duration_since(answered).as_secs_f64() * 1000.0),
            );
        }
        (rung, after)
    });
    let time = p99(rung);
    let each = (after.saturating_sub(before)) as f64 / STREAMS as f64 / 1024.0;
    vec![Row {
        what: "5,000 open comment streams: a write rings all of them; memory of one".into(),
        goal: "p99 ≤ 50 ms, ≤ 20 KB",
        measured: format!("p99 {time:.0} ms after the write's answer, {each:.1} KB"),
        reached: time <= 50.0 && each <= 20.0,
    }]
}

async fn open(server: std::net::SocketAddr, project: &str, number: usize) -> TcpStream {
    let client = number / PER_ADDRESS;
    let address = [127, 1, (client / 250) as u8, (client % 250 + 1) as u8];
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((address, 0).into()).unwrap();
    let mut stream = socket.connect(server).await.unwrap();
    let request = format!("GET {}/stream HTTP/1.1\r\nhost: x\r\n\r\n", comments(project));
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut seen = Vec::new();
    while !seen.windows(9).any(|window| window == b"connected") {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).await.unwrap();
        seen.extend_from_slice(&bytes[..count]);
        assert!(
            count > 0 && seen.starts_with(b"HTTP/1.1 200"),
            "{}",
            String::from_utf8_lossy(&seen)
        );
    }
    stream
}

async fn listen(mut stream: TcpStream, heard: mpsc::UnboundedSender<Instant>) {
    let mut bytes = [0; 512];
    while let Ok(count) = stream.read(&mut bytes).await {
        if count == 0 {
            return;
        }
        if bytes[..count].windows(7).any(|window| window == b"changed") {
            let _ = heard.send(Instant::now());
        }
    }
}
