//! Files of a prototype ÷ nginx.

use std::fs;
use std::net::SocketAddr;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Row;
use super::load::{Load, Measured, OneCore, in_turns};
use crate::http::Request;
use crate::prelude::*;
use crate::process::Process;
use galley_harness::ports::free_port;

/// One file, and what is asked of it.
struct Sample {
    size: &'static str,
    name: &'static str,
    bytes: Vec<u8>,
    bound: f64,
    goal: &'static str,
}

/// Both servers with the same files.
struct Sides {
    server: Server,
    nginx: Process,
    address: SocketAddr,
    folder: tempfile::TempDir,
}

pub(super) fn measure() -> Result<Vec<Row>> {
    let sample = |size, name, bytes, bound, goal| Sample {
        size,
        name,
        bytes,
        bound,
        goal,
    };
    let small = sample("10 KB", "small.bin", noise(10 << 10), 1.3, "≥ 1.3");
    let large = sample("1 MB", "large.bin", noise(1 << 20), 1.0, "≥ 1.0");
    let mut rows = Vec::new();
    if let Some(_one) = OneCore::begin()? {
        let sides = Sides::start(&[&small], 1)?;
        rows.extend(sides.compare(&small, Some(OneCore::LOAD))?);
        sides.end();
    }
    let sides = Sides::start(&[&small, &large], 2)?;
    for file in [&small, &large] {
        rows.extend(sides.compare(file, None)?);
    }
    sides.end();
    Ok(rows)
}

impl Sides {
    fn start(files: &[&Sample], workers: u32) -> Result<Self> {
        let server = Server::build().public_links(true).start();
        let shop = project_with(&server.user("ed"), "shop", "public-link");
        let bundle = files.iter().fold(Bundle::page("x"), |bundle, file| {
            bundle.file(file.name, file.bytes.clone())
        });
        upload(&server.user("ed"), &shop, &bundle);

        let folder = tempfile::tempdir()?;
        for file in files {
            fs::write(folder.path().join(file.name), &file.bytes)?;
        }
        let port = free_port();
        let nginx = nginx(folder.path(), port, workers)?;
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        eventually("nginx serves", || {
            Request::new(address, "GET", "/small.bin")
                .try_send()
                .ok()
                .filter(|a| a.status == 200)
        });
        Ok(Self {
            server,
            nginx,
            address,
            folder,
        })
    }

    /// Requests a second and processor time. With `core`, the servers have one core and the load that one.
    fn compare(&self, file: &Sample, core: Option<usize>) -> Result<Vec<Row>> {
        let Sample { size, name, goal, .. } = file;
        let same = self.server.anonymous().get(&format!("/p/shop/{name}")).expect(200).body == file.bytes;
        ensure!(same, "the file differs");
        let load = |url| Load {
            connections: 16,
            core,
            ..Load::of(url)
        };
        let ours = load(format!("{}/p/shop/{name}", self.server.url()));
        let theirs = load(format!("http://{}/{name}", self.address));
        let (ours, theirs) = ((&ours, self.server.id()), (&theirs, self.nginx.id()));
        let cores = core.map_or("", |_| ", each on one core and the load on another");
        let compared = |what: String, ratio: f64, detail, goal| Row {
            what: what + cores,
            goal,
            result: format!("{ratio:.2}"),
            detail,
            reached: (!goal.is_empty()).then_some(ratio >= file.bound),
        };
        let rates = |what, a: Measured, b: Measured, goal| {
            compared(
                what,
                a.rate / b.rate,
                format!("{:.0}/s ÷ {:.0}/s", a.rate, b.rate),
                goal,
            )
        };
        let costs = |what, a: Measured, b: Measured, goal| {
            let detail = format!("{:.1} µs ÷ {:.1} µs a request", b.cost, a.cost);
            compared(what, b.cost / a.cost, detail, goal)
        };
        let both = |a, b| {
            [
                rates(
                    format!("a served prototype file of {size}, warm ÷ nginx on the same file"),
                    a,
                    b,
                    goal,
                ),
                costs(
                    format!("processor time of nginx for that file of {size} ÷ the server's"),
                    a,
                    b,
                    goal,
                ),
            ]
        };
        let Some(_) = core else {
            let [ours, theirs] = in_turns([ours, theirs])?;
            return Ok(both(ours, theirs).into());
        };
        // Whoever serves has to receive and to send. What is left when that is all shows how much a server can reach here.
        let (bare, address) = super::peer_of(&["bare".as_ref(), self.folder.path().join(name).as_os_str()])?;
        let least = load(address);
        let [ours, theirs, least] = in_turns([ours, theirs, (&least, bare.id())])?;
        let mut rows = Vec::from(both(ours, theirs));
        rows.push(rates(
            format!("a loop that only receives and sends {size} ÷ nginx"),
            least,
            theirs,
            "",
        ));
        rows.push(costs(
            format!("processor time of nginx ÷ that loop's, {size}"),
            least,
            theirs,
            "",
        ));
        Ok(rows)
    }

    fn end(mut self) {
        // Its workers end with it only when it may say so.
        self.nginx.signal("TERM");
        self.nginx.wait(std::time::Duration::from_secs(10));
    }
}

/// nginx in the foreground, with everything it writes below `folder`.
fn nginx(folder: &std::path::Path, port: u16, workers: u32) -> Result<Process> {
    let place = folder.display();
    let config = format!(
        "daemon off; master_process on; worker_processes {workers}; pid {place}/nginx.pid; error_log {place}/error.log;\n\
         events {{ worker_connections 1024; }}\n\
         http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; types {{ }}\n\
         default_type application/octet-stream; open_file_cache max=100; client_body_temp_path {place}/body;\n\
         proxy_temp_path {place}/proxy; fastcgi_temp_path {place}/fastcgi; uwsgi_temp_path {place}/uwsgi;\n\
         scgi_temp_path {place}/scgi; server {{ listen 127.0.0.1:{port}; root {place}; }} }}\n"
    );
    // Its workers run as another user when it is started by root.
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let file = folder.join("nginx.conf");
    fs::write(&file, config)?;
    let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"];
    let program = program.into_iter().find(|path| fs::exists(path).unwrap_or(false));
    let program = program.context("nginx is needed: `cargo xtask setup` installs it")?;
    Ok(Process::start(
        Command::new(program).arg("-c").arg(&file).arg("-p").arg(folder),
    ))
}

/// Bytes that do not compress.
pub(super) fn noise(length: usize) -> Vec<u8> {
    let mut state = 88_172_645_463_325_252u64;
    let step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    std::iter::repeat_with(step).take(length).collect()
}
