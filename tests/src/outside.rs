//! A server on the "internet": HTTPS with a certificate of an authority of its own. What it answers depends on the path.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use galley_harness::accept::accept;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

use crate::server::Build;

/// How long an answer of `/slow` takes.
pub const SLOW: Duration = Duration::from_millis(500);
/// The bytes of `/large`.
pub const LARGE: usize = 5 << 20;

/// A request it got: its first line and its headers, as they came.
pub type Asked = String;

/// The server, until the test ends.
#[derive(Debug)]
pub struct Outside {
    address: SocketAddr,
    folder: TempDir,
    asked: Arc<Mutex<Vec<Asked>>>,
    names: Vec<String>,
}

impl Outside {
    /// A server that answers for these names.
    pub fn start(names: &[&str]) -> Outside {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = certified(&names, &folder.path().join("ca.pem"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let all = asked.clone();
        let address = accept(move |stream| {
            if let Ok(connection) = ServerConnection::new(config.clone()) {
                answer(StreamOwned::new(connection, stream), &all);
            }
        });
        Outside {
            address,
            folder,
            asked,
            names,
        }
    }

    /// A server of Galley that may reach it.
    pub fn reachable_by(&self, build: Build) -> Build {
        let hosts: Vec<String> = self
            .names
            .iter()
            .map(|name| format!("{name}={}", self.address))
            .collect();
        build
            .env("SERVICE_OUTBOUND_HOSTS", hosts.join(", "))
            .env("SERVICE_OUTBOUND_CA", self.authority())
    }

    /// The file with the certificate of its authority.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The requests since the last call of this function.
    pub fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().expect("nobody panicked"))
    }
}

/// Makes an authority, whose certificate goes into `file`, and a certificate for these names.
pub(crate) fn certified(names: &[String], file: &std::path::Path) -> Arc<ServerConfig> {
    let mut authority = CertificateParams::new(Vec::new()).expect("no names");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().expect("a key");
    let certificate = authority.self_signed(&authority_key).expect("a certificate");
    std::fs::write(file, certificate.pem()).expect("the folder is writable");
    let issuer = Issuer::new(authority, authority_key);
    let key = KeyPair::generate().expect("a key");
    let params = CertificateParams::new(names.to_vec()).expect("names of hosts");
    let certificate = params.signed_by(&key, &issuer).expect("a certificate");
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the usual versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .expect("key and certificate fit");
    Arc::new(config)
}

fn answer(mut stream: StreamOwned<ServerConnection, TcpStream>, asked: &Mutex<Vec<Asked>>) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    asked.lock().expect("nobody panicked").push(head.clone());
    let (status, headers, body) = match path.as_str() {
        "/echo" => ("200 OK", String::new(), head.into_bytes()),
        "/large" => ("200 OK", String::new(), vec![b'x'; LARGE]),
        "/three" => ("200 OK", String::new(), vec![b'x'; 3 << 20]),
        "/slow" => {
            std::thread::sleep(SLOW);
            ("200 OK", String::new(), b"slow".to_vec())
        }
        "/cookies" => (
            "200 OK",
            "Set-Cookie: a=b\r\nX-Seen: yes\r\n".to_owned(),
            b"{}".to_vec(),
        ),
        "/missing" => ("404 Not Found", String::new(), b"nothing".to_vec()),
        path => match path.strip_prefix("/to/") {
            Some(target) => ("302 Found", format!("Location: {target}\r\n"), Vec::new()),
            None => ("200 OK", String::new(), b"{\"ok\":true}".to_vec()),
        },
    };
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&body);
    let _ = stream.flush();
    stream.conn.send_close_notify();
    let _ = stream.flush();
}
