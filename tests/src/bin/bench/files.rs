//! A served prototype's file, and the same file from nginx.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};

use galley_tests::prelude::*;
use galley_tests::server::free_port;

use crate::Row;
use crate::wrk::{Side, versus};

const SIZES: [(&str, &str, usize); 2] = [("10 KB", "small.bin", 10 << 10), ("1 MB", "large.bin", 1 << 20)];

pub fn measure() -> Vec<Row> {
    let server = Server::build().public_links(true).start();
    let project = project_with(&server.user("ed"), "files", "public-link");
    let content = |size: usize| -> Vec<u8> { (0..size).map(|n| (n * 31 % 251) as u8).collect() };
    let bundle = SIZES.iter().fold(Bundle::page("x"), |bundle, (_, name, size)| {
        bundle.file(name, content(*size))
    });
    upload(&server.user("ed"), &project, &bundle);
    let folder = tempfile::tempdir().unwrap();
    for (_, name, size) in SIZES {
        fs::write(folder.path().join(name), content(size)).unwrap();
    }
    let nginx = Nginx::start(folder.path());
    SIZES
        .iter()
        .map(|(size, name, _)| {
            let ours = Side {
                url: format!("{}/p/files/{name}", server.url()),
                headers: &[],
            };
            let theirs = Side {
                url: format!("http://127.0.0.1:{}/{name}", nginx.port),
                headers: &[],
            };
            let (our, their) = versus(&ours, &theirs, 5);
            let ratio = our / their;
            Row {
                what: format!("a served prototype file of {size}, warm ÷ nginx on the same file"),
                goal: "≥ 1.0",
                measured: format!("{ratio:.2} ({our:.0} ÷ {their:.0} requests/s)"),
                reached: ratio >= 1.0,
            }
        })
        .collect()
}

struct Nginx {
    process: Child,
    port: u16,
}

impl Nginx {
    fn start(root: &Path) -> Nginx {
        let port = free_port();
        let folder = root.display();
        let config = format!(
            "daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/error.log;
             events {{ worker_connections 1024; }}
             http {{
               access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 1000000;
               open_file_cache max=1000 inactive=60s; etag on; types {{ }} default_type application/octet-stream;
               client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
               uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
               server {{ listen 127.0.0.1:{port}; root {folder}; }}
             }}"
        );
        // nginx's workers give up root; they must still reach the files.
        fs::set_permissions(root, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let path = root.join("nginx.conf");
        fs::write(&path, config).unwrap();
        let process = Command::new("nginx").arg("-c").arg(&path).spawn();
        let nginx = Nginx {
            process: process.expect("nginx runs: `cargo xtask setup` installs it"),
            port,
        };
        eventually("nginx listens", || {
            std::net::TcpStream::connect(("127.0.0.1", port)).ok()
        });
        nginx
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGTERM, so that the workers end with their master.
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
    }
}
