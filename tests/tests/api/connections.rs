//! How many connections a peer may hold, and a server that is out of descriptors.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::Command;
use std::time::Duration;

use galley_tests::http::connect;
use galley_tests::prelude::*;

/// The bound of the specification's owner: connections of one peer.
const MAX_PER_PEER: usize = 256;
/// 127.0.0.1 is exempt, for a proxy on the same machine; the rest of the network is not.
const PEER: [u8; 4] = [127, 0, 0, 2];

/// A connection from this address that was answered once and stays open; `None` when the server closed it.
fn open(server: &Server, from: [u8; 4]) -> Option<TcpStream> {
    let mut stream = connect(server.address(), Some(Ipv4Addr::from(from))).ok()?;
    stream
        .write_all(b"GET /api/v1/health HTTP/1.1\r\nhost: x\r\n\r\n")
        .ok()?;
    let mut answer = [0; 1024];
    let read = stream.read(&mut answer).ok()?;
    answer[..read].starts_with(b"HTTP/1.1 200").then_some(stream)
}

fn lines(server: &Server, with: &str) -> usize {
    server.log().lines().filter(|line| line.contains(with)).count()
}

#[test]
fn a_peer_holds_256_connections_and_no_more() {
    let server = Server::start();
    let mut held: Vec<TcpStream> = (0..MAX_PER_PEER)
        .map(|number| open(&server, PEER).unwrap_or_else(|| panic!("connection {number} was closed")))
        .collect();
    for _ in 0..20 {
        assert!(open(&server, PEER).is_none(), "one more than {MAX_PER_PEER}");
    }
    assert!(open(&server, [127, 0, 0, 3]).is_some(), "another peer is served");
    healthy(&server);
    held.pop();
    eventually("a closed connection makes room", || open(&server, PEER));
    assert_eq!(
        lines(&server, "SERVICE_MAX_CONNECTIONS_PER_PEER"),
        1,
        "{}",
        server.log()
    );
}

#[test]
fn proxies_hold_as_many_as_they_need() {
    let server = Server::build()
        .env("SERVICE_TRUSTED_PROXIES", "127.0.0.2")
        .env("SERVICE_MAX_CONNECTIONS_PER_PEER", "3")
        .start();
    for exempt in [PEER, [127, 0, 0, 1]] {
        let held: Vec<Option<TcpStream>> = (0..20).map(|_| open(&server, exempt)).collect();
        assert!(held.iter().all(Option::is_some), "{exempt:?}");
    }
    let held: Vec<Option<TcpStream>> = (0..5).map(|_| open(&server, [127, 0, 0, 3])).collect();
    assert_eq!(held.iter().flatten().count(), 3, "the variable is the bound");
}

#[test]
fn out_of_descriptors_is_one_line_a_minute() {
    let server = Server::start();
    healthy(&server);
    let used = std::fs::read_dir(format!("/proc/{}/fd", server.id())).unwrap().count();
    let bound = format!("--nofile={}", used + 30);
    let lowered = Command::new("prlimit")
        .args(["--pid", &server.id().to_string(), &bound])
        .status();
    assert!(
        lowered.is_ok_and(|status| status.success()),
        "prlimit comes with util-linux"
    );
    let connections: Vec<TcpStream> = (0..100)
        .map(|_| connect(server.address(), None).expect("it waits in the queue of the kernel"))
        .collect();
    eventually("a line that says why", || {
        (lines(&server, "connections cannot be accepted") > 0).then_some(())
    });
    // Unbounded, it was twenty lines a second.
    std::thread::sleep(Duration::from_secs(2));
    drop(connections);
    eventually("the server accepts again", || {
        server.anonymous().request("GET", "/api/v1/health").try_send().ok()
    });
    assert_eq!(lines(&server, "connections cannot be accepted"), 1, "{}", server.log());
}
