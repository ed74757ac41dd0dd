//! Files of a prototype ÷ nginx.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Row;
use super::load::{Load, cost, versus};
use crate::http::Request;
use crate::prelude::*;
use crate::process::Process;
use crate::server::free_port;

pub(super) fn measure() -> Result<Vec<Row>> {
    let files = [
        ("10 KB", "small.bin", noise(10 << 10), 1.3, "≥ 1.3"),
        ("1 MB", "large.bin", noise(1 << 20), 1.0, "≥ 1.0"),
    ];
    let server = Server::build().public_links(true).start();
    let shop = project_with(&server.user("ed"), "shop", "public-link");
    let bundle = files.iter().fold(Bundle::page("x"), |bundle, (_, name, bytes, ..)| {
        bundle.file(name, bytes.clone())
    });
    upload(&server.user("ed"), &shop, &bundle);

    let folder = tempfile::tempdir()?;
    for (_, name, bytes, ..) in &files {
        fs::write(folder.path().join(name), bytes)?;
    }
    let port = free_port();
    let mut nginx = nginx(folder.path(), port)?;
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], port));
    eventually("nginx serves", || {
        Request::new(address, "GET", "/small.bin")
            .try_send()
            .ok()
            .filter(|a| a.status == 200)
    });

    let mut rows = Vec::new();
    for (size, name, bytes, bound, goal) in &files {
        let (ours, theirs) = (
            format!("{}/p/shop/{name}", server.url()),
            format!("http://{address}/{name}"),
        );
        ensure!(
            server.anonymous().get(&format!("/p/shop/{name}")).expect(200).body == *bytes,
            "the file differs"
        );
        let mut loads = (Load::of(ours), Load::of(theirs));
        loads.0.connections = 16;
        loads.1.connections = 16;
        let (a, b) = versus(&loads.0, &loads.1)?;
        rows.push(Row {
            what: format!("a served prototype file of {size}, warm ÷ nginx on the same file"),
            goal,
            result: format!("{:.2}", a / b),
            detail: format!("{a:.0}/s ÷ {b:.0}/s"),
            reached: Some(a / b >= *bound),
        });
        let (a, b) = (cost(&loads.0, server.id())?, cost(&loads.1, nginx.id())?);
        rows.push(Row {
            what: format!("processor time of nginx for that file of {size} ÷ the server's"),
            goal,
            result: format!("{:.2}", b / a),
            detail: format!("{b:.1} µs ÷ {a:.1} µs a request"),
            reached: Some(b / a >= *bound),
        });
    }
    // Its workers end with it only when it may say so.
    nginx.signal("TERM");
    nginx.wait(std::time::Duration::from_secs(10));
    Ok(rows)
}

/// nginx in the foreground, with everything it writes below `folder`.
fn nginx(folder: &std::path::Path, port: u16) -> Result<Process> {
    let place = folder.display();
    let config = format!(
        "daemon off; master_process on; worker_processes 2; pid {place}/nginx.pid; error_log {place}/error.log;\n\
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
fn noise(length: usize) -> Vec<u8> {
    let mut state = 88_172_645_463_325_252u64;
    let step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    std::iter::repeat_with(step).take(length).collect()
}
