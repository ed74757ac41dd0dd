//! Thousands of open comment streams, and a write that rings them all.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::Row;
use super::load::quantile;
use crate::prelude::*;

const STREAMS: usize = 5_000;
/// What one client may hold.
pub(super) const MAX_PER_CLIENT: usize = 20;
const RINGS: usize = 20;
const STREAM_TIMEOUT: Duration = Duration::from_secs(30);

pub(super) fn measure() -> Result<Vec<Row>> {
    let server = Server::build().public_links(true).start();
    let shop = project_with(&server.user("ed"), "shop", "public-link");
    let target = format!("{}/stream", comments(&shop));
    let writer = server.user("ed");
    comment(&writer, &shop, "The first");
    let before = server.resident();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut hears = open_all(&[server.address()], STREAMS, 0, &target).await?;
        // Each says `connected` first.
        wait(&mut hears, Instant::now()).await?;
        let each = server.resident().saturating_sub(before) as f64 / STREAMS as f64;

        let mut times = Vec::new();
        for ring in 0..RINGS {
            let (writer, shop) = (writer.clone(), shop.clone());
            let written = tokio::task::spawn_blocking(move || {
                let started = Instant::now();
                comment(&writer, &shop, &format!("Ring {ring}"));
                started
            });
            // From when the request was sent: writing is part of what a colleague waits for.
            let heard = collect(&mut hears, STREAMS).await?;
            let started = written.await?;
            times.extend(
                heard
                    .iter()
                    .map(|at| at.saturating_duration_since(started).as_secs_f64() * 1e3),
            );
        }
        let (half, high) = (quantile(&mut times, 0.5), quantile(&mut times, 0.99));
        Ok(vec![Row {
            what: format!("{STREAMS} open comment streams: a write rings all of them"),
            goal: "p99 ≤ 50 ms, ≤ 20 KB each",
            result: format!("p99 {high:.0} ms, {:.1} KB each", each / 1024.0),
            detail: format!("p50 {half:.0} ms over {RINGS} writes, the reading of all streams included"),
            reached: Some(high <= 50.0 && each <= 20.0 * 1024.0),
        }])
    })
}

/// Opens so many streams, at each server in turn, of clients from this number on. Tells of each moment at which one was heard.
pub(super) async fn open_all(
    servers: &[SocketAddr],
    streams: usize,
    first_client: usize,
    target: &str,
) -> Result<UnboundedReceiver<Instant>> {
    let (heard, hears) = unbounded_channel();
    for (number, server) in servers.iter().cycle().take(streams).enumerate() {
        let stream = open(*server, first_client + number / MAX_PER_CLIENT, target).await;
        let stream = stream.with_context(|| format!("stream {number} (is `ulimit -n` high enough?)"))?;
        tokio::spawn(listen(stream, heard.clone()));
    }
    Ok(hears)
}

/// Opens one stream from the loopback address of a client.
async fn open(server: SocketAddr, client: usize, target: &str) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    let [_, _, high, low] = u32::try_from(client + 1)?.to_be_bytes();
    socket.bind(SocketAddr::from((Ipv4Addr::new(127, 1, high, low), 0)))?;
    let mut stream = socket.connect(server).await?;
    stream.set_nodelay(true)?;
    let request = format!("GET {target} HTTP/1.1\r\nhost: {server}\r\naccept: text/event-stream\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    Ok(stream)
}

/// Tells when `connected` and each `changed` arrived.
async fn listen(mut stream: TcpStream, heard: UnboundedSender<Instant>) {
    let mut buffer = vec![0; 2048];
    let mut kept = String::new();
    while let Ok(read) = stream.read(&mut buffer).await {
        if read == 0 {
            return;
        }
        kept.push_str(&String::from_utf8_lossy(&buffer[..read]));
        while let Some(end) = kept.find("\"}") {
            let _ = heard.send(Instant::now());
            kept.drain(..end + 2);
        }
    }
}

/// Waits until each of so many streams was heard once.
pub(super) async fn collect(hears: &mut UnboundedReceiver<Instant>, streams: usize) -> Result<Vec<Instant>> {
    let mut times = Vec::with_capacity(streams);
    while times.len() < streams {
        let next = tokio::time::timeout(STREAM_TIMEOUT, hears.recv()).await;
        times.push(
            next.with_context(|| format!("only {} of {streams} were rung", times.len()))?
                .context("all ended")?,
        );
    }
    Ok(times)
}

async fn wait(hears: &mut UnboundedReceiver<Instant>, since: Instant) -> Result<()> {
    let times = collect(hears, STREAMS).await?;
    ensure!(
        times.len() == STREAMS && since.elapsed() < STREAM_TIMEOUT,
        "the streams were opened too slowly"
    );
    Ok(())
}
