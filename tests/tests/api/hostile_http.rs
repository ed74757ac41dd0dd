//! Requests that are no honest HTTP: a clear 4xx or a closed connection, never a 5xx, and nothing is lost.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use galley_tests::http::{connect, raw};
use galley_tests::prelude::*;

/// What a server may say to nonsense.
#[track_caller]
fn refused(answer: &str, sent: &[u8]) {
    let shown = String::from_utf8_lossy(&sent[..sent.len().min(200)]).into_owned();
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 4") || answer.starts_with("HTTP/1.0 4"),
        "`{shown}` got\n{answer}"
    );
}

fn shop() -> (Server, String) {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    comment(&server.user("ed"), &shop, "First");
    upload(&server.user("ed"), &shop, &Bundle::sample("Shop"));
    (server, shop)
}

/// Nothing was lost, and everything works.
#[track_caller]
fn unharmed(server: &Server, shop: &str) {
    healthy(server);
    assert_eq!(bodies(&server.user("ed"), shop), ["First"]);
    assert!(server.user("ed").get("/p/shop/").expect(200).text().contains("Shop"));
}

#[test]
fn what_is_no_request_is_refused() {
    let (server, shop) = shop();
    let long_line = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(1 << 20));
    let nonsense: [&[u8]; 14] = [
        b"\r\n\r\n\r\n",
        b"hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\nhost: x\r\n\r\n",
        b"GET / HTTP/1.1 x\r\n\r\n",
        b"G\0T / HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"GET / HTTP/1.1\r\n: empty\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost : x\r\n\r\n",
        b"GET / HTTP/1.1\r\nx: a\0b\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        long_line.as_bytes(),
    ];
    for sent in nonsense {
        refused(&raw(server.address(), sent, Duration::from_secs(2)), sent);
    }
    unharmed(&server, &shop);
}

#[test]
fn odd_targets_are_answered_without_a_5xx() {
    let (server, shop) = shop();
    let targets = [
        "*",
        "//",
        "///",
        "/%",
        "/%zz",
        "/%00",
        "/%ff",
        "/api/v1/projects/%",
        "/api/v1/projects/%ff",
        "/api/v1/projects/%00",
        "/api/v1/projects/..%2f..%2fhealth",
        "/api/v1/../../etc/passwd",
        "/api/v1/projects/%2e%2e/health",
        "/api/v1//projects",
        "/api/v1/projects//comments",
        "/api/v1/projects/a;b=c",
        "/api/v1/projects?%ff=%",
        "/api/v1/health?%",
        "http://evil.example/api/v1/health",
        "/p/%",
        "/p/%2f",
        "/p/%00/",
        "/p/@/",
        "/p/shop/@",
        "/p/shop/@/",
        "/p/shop/@%2e%2e/",
        "/API/V1/HEALTH",
        "/api/v1/health/",
        "/api/v1/health%20",
        "/?",
        "/p",
        "/p/",
    ];
    for target in targets {
        for method in ["GET", "POST", "OPTIONS", "TRACE", "PROPFIND"] {
            let sent = format!(
                "{method} {target} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
                server.address()
            );
            let answer = raw(server.address(), sent.as_bytes(), Duration::from_secs(10));
            assert!(!answer.starts_with("HTTP/1.1 5"), "{method} {target}: {answer}");
            assert!(
                answer.is_empty() || answer.starts_with("HTTP/1.1 "),
                "{method} {target}: {answer}"
            );
            if target.starts_with("/api/v1/projects/%") && method == "GET" && answer.starts_with("HTTP/1.1 4") {
                assert!(answer.contains("{\"error\":"), "{target}: {answer}");
            }
        }
    }
    unharmed(&server, &shop);
}

#[test]
fn oversized_heads_are_refused() {
    let (server, shop) = shop();
    let one = format!(
        "GET /api/v1/health HTTP/1.1\r\nhost: x\r\nx-long: {}\r\n\r\n",
        "a".repeat(2 << 20)
    );
    let many: String = (0..20_000).map(|number| format!("x-{number}: a\r\n")).collect();
    let many = format!("GET /api/v1/health HTTP/1.1\r\nhost: x\r\n{many}\r\n");
    let cookie = format!(
        "GET /api/v1/me HTTP/1.1\r\nhost: x\r\ncookie: {}\r\n\r\n",
        "a=b; ".repeat(200_000)
    );
    for sent in [one, many, cookie] {
        refused(
            &raw(server.address(), sent.as_bytes(), Duration::from_secs(10)),
            sent.as_bytes(),
        );
    }
    unharmed(&server, &shop);
}

#[test]
fn chunks_that_are_none_are_refused() {
    let (server, shop) = shop();
    let ed = server.user("ed");
    let bodies: [&[u8]; 9] = [
        b"zz\r\n{}\r\n0\r\n\r\n",
        b"-1\r\n{}\r\n0\r\n\r\n",
        b"FFFFFFFFFFFFFFFFFF\r\n{}\r\n",
        b"2\r\n{}garbage\r\n0\r\n\r\n",
        b"\r\n\r\n",
        b"2;a=\r\n{}\r\n-0\r\n\r\n",
        b"0x2\r\n{}\r\n0\r\n\r\n",
        b"2 2\r\n{}\r\n0\r\n\r\n",
        b"5\r\n{}\r\n",
    ];
    let json_route = comments(&shop);
    let archive_route = format!("/api/v1/projects/{shop}/deployments");
    for path in [&json_route, &archive_route] {
        for body in bodies {
            let request = ed.request("POST", path).header("transfer-encoding", "chunked");
            let sent = [request.head().as_bytes(), body].concat();
            let mut stream = connect(server.address(), None).unwrap();
            stream.write_all(&sent).unwrap();
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let mut answer = String::new();
            let _ = stream.read_to_string(&mut answer);
            refused(&answer, &sent);
        }
    }
    unharmed(&server, &shop);
}

#[test]
fn lengths_that_contradict_are_refused() {
    let (server, shop) = shop();
    let heads = [
        "content-length: 5\r\ncontent-length: 6\r\n",
        "content-length: -1\r\n",
        "content-length: 5x\r\n",
        "content-length: +5\r\n",
        "content-length: 99999999999999999999999\r\n",
        "content-length: 5, 6\r\n",
        "transfer-encoding: gzip\r\n",
        "transfer-encoding: chunked, gzip\r\n",
    ];
    for head in heads {
        let sent =
            format!("POST /api/v1/projects/resolve HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{head}\r\n{{}}   ");
        refused(
            &raw(server.address(), sent.as_bytes(), Duration::from_secs(2)),
            sent.as_bytes(),
        );
    }
    unharmed(&server, &shop);
}

#[test]
fn a_request_cannot_be_smuggled_behind_another() {
    let (server, shop) = shop();
    let hidden = format!(
        "DELETE /api/v1/projects/{shop} HTTP/1.1\r\nhost: x\r\n{}\r\n\r\n",
        "connection: close"
    );
    let sent = format!(
        "POST /api/v1/projects/resolve HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{hidden}",
        5 + hidden.len(),
    );
    let answer = raw(server.address(), sent.as_bytes(), Duration::from_secs(3));
    assert!(
        answer.matches("HTTP/1.1 ").count() <= 2 && !answer.starts_with("HTTP/1.1 2"),
        "{answer}"
    );
    unharmed(&server, &shop);
}

#[test]
fn a_bodys_bytes_are_never_the_next_request() {
    let (server, shop) = shop();
    // Each of these is answered before its body was read; what follows the body must be understood as a request.
    let first = "POST /api/v1/no-such-path HTTP/1.1\r\nhost: x\r\ncontent-length: 46\r\n\r\nGET /api/v1/projects HTTP/1.1\r\nhost: smuggled\r\n\r\n";
    let second = "GET /api/v1/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let answer = raw(
        server.address(),
        format!("{first}{second}").as_bytes(),
        Duration::from_secs(5),
    );
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
    assert!(
        !answer.contains("\"projects\""),
        "the body was taken for a request: {answer}"
    );
    unharmed(&server, &shop);
}

#[test]
fn slow_clients_hold_nobody_up() {
    let (server, shop) = shop();
    let ed = server.user("ed");
    let upload = ed
        .request("POST", &format!("/api/v1/projects/{shop}/deployments"))
        .header("content-length", "100000");
    let json = ed.request("POST", &comments(&shop)).header("content-length", "1000");
    let starts = [
        upload.head() + "\x1f",
        json.head() + "{",
        "GET /api/v1/health HTTP/1.1\r\nhost: x\r\nx-slow:".into(),
    ];
    let mut slow: Vec<TcpStream> = Vec::new();
    for number in 0..150 {
        let mut stream = connect(server.address(), None).unwrap();
        stream.write_all(starts[number % starts.len()].as_bytes()).unwrap();
        slow.push(stream);
    }
    for _ in 0..20 {
        for stream in &mut slow {
            let _ = stream.write_all(b" ");
        }
        let started = Instant::now();
        healthy(&server);
        comment(&ed, &shop, "Quick");
        let took = started.elapsed();
        assert!(took < Duration::from_secs(1), "others waited {took:?}");
    }
    drop(slow);
    assert_eq!(bodies(&ed, &shop).len(), 21);
}

#[test]
fn a_head_that_never_ends_is_given_up() {
    let server = Server::start();
    let mut stream = connect(server.address(), None).unwrap();
    stream.write_all(b"GET /api/v1/health HTTP/1.1\r\nhost: x\r\n").unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(90))).unwrap();
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .expect("the server closes the connection by itself");
    refused(&answer, b"a head without an end");
}

#[test]
fn duplicate_headers_are_answered() {
    let server = Server::start();
    let request = |headers: &str| {
        let sent = format!(
            "GET /api/v1/me HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{headers}\r\n",
            server.address()
        );
        raw(server.address(), sent.as_bytes(), Duration::from_secs(10))
    };
    let cookie = server.user("ed").secret().to_owned();
    let other = server.user("ada").secret().to_owned();
    for headers in [
        "host: evil.example\r\n".to_owned(),
        "accept-encoding: br\r\naccept-encoding: gzip\r\n".to_owned(),
        "sec-fetch-dest: empty\r\nsec-fetch-dest: document\r\n".to_owned(),
        format!("cookie: {cookie}\r\ncookie: {other}\r\n"),
        "range: bytes=0-\r\nrange: bytes=1-\r\n".to_owned(),
    ] {
        let answer = request(&headers);
        assert!(
            answer.starts_with("HTTP/1.1 2") || answer.starts_with("HTTP/1.1 4"),
            "{headers}: {answer}"
        );
    }
    let document = request("sec-fetch-dest: empty\r\nsec-fetch-dest: document\r\n");
    assert!(
        document.starts_with("HTTP/1.1 403"),
        "a second value must not hide a document fetch: {document}"
    );
}
