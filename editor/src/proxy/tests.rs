//! The proxy before a dev server that does everything dev servers do.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use bytes::Bytes;
use futures_util::StreamExt;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};

use super::inject::OWN_FOLDER;
use super::*;

const INTERFACE: &str = "http://127.0.0.1:4400";

struct Room {
    proxy: Proxy,
    upstream: watch::Sender<Upstream>,
    client: reqwest::Client,
    _bridge: tempfile::NamedTempFile,
}

impl Room {
    /// A proxy before `router`.
    async fn before(router: Router) -> Room {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Room::with(Some(origin), false).await
    }

    async fn with(origin: Option<String>, starting: bool) -> Room {
        let bridge = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(bridge.path(), "bridge()").expect("own files can be written");
        let upstream = watch::Sender::new(Upstream {
            origin,
            base: "/".to_owned(),
            starting,
            words: "Vite ended by itself.".to_owned(),
            log: vec!["Error: <broken>".to_owned()],
        });
        let options = Options {
            upstream: upstream.subscribe(),
            bridge: bridge.path().to_owned(),
            reading: "reading()".to_owned(),
            interface: INTERFACE.to_owned(),
            nonce: "n0nce".to_owned(),
        };
        Room {
            proxy: serve(options).await.expect("a free port"),
            upstream,
            client: client().expect("a client"),
            _bridge: bridge,
        }
    }

    fn dev(&self) -> String {
        self.upstream.borrow().origin.clone().expect("it listens")
    }

    fn get(&self, path: &str) -> reqwest::RequestBuilder {
        self.client.get(format!("{}{path}", self.proxy.origin()))
    }
}

fn header<'a>(answer: &'a reqwest::Response, name: &str) -> &'a str {
    answer
        .headers()
        .get(name)
        .map_or("", |value| value.to_str().expect("text"))
}

/// Answers as the dev server's page: with everything that would keep the bridge out.
async fn page() -> Response {
    (
        [
            ("content-type", "text/html; charset=utf-8"),
            ("etag", "\"1\""),
            ("x-frame-options", "DENY"),
            ("content-security-policy", "script-src 'self'"),
        ],
        "<!doctype html><html><head><title>Shop</title></head></html>",
    )
        .into_response()
}

#[tokio::test]
async fn a_document_carries_the_bridge_and_may_be_framed_by_the_interface_alone() {
    let room = Room::before(Router::new().fallback(page)).await;
    let answer = room
        .get("/")
        .header("sec-fetch-dest", "iframe")
        .send()
        .await
        .expect("an answer");
    assert_eq!(header(&answer, "cache-control"), "no-store");
    assert_eq!(header(&answer, "etag"), "");
    assert_eq!(header(&answer, "x-frame-options"), "");
    let script = format!("{}{OWN_FOLDER}", room.proxy.origin());
    let policies = answer.headers().get_all("content-security-policy").iter();
    let policies: Vec<_> = policies.map(|policy| policy.to_str().expect("text")).collect();
    let wanted = [
        format!("script-src 'self' {script}"),
        format!("frame-ancestors 'self' {INTERFACE}"),
    ];
    assert_eq!(policies, wanted);
    assert_eq!(
        answer.text().await.expect("a page"),
        format!(
            "<!doctype html><html><head><script src=\"{BRIDGE_PATH}\" data-parent-origin=\"{INTERFACE}\" data-nonce=\"n0nce\"></script><title>Shop</title></head></html>"
        )
    );
    let bridge = room.get(BRIDGE_PATH).send().await.expect("the bridge");
    assert_eq!(header(&bridge, "cache-control"), "no-store");
    assert_eq!(bridge.text().await.expect("text"), "bridge()");
    let reading = room.get(READING_PATH).send().await.expect("the module");
    assert_eq!(header(&reading, "content-type"), "text/javascript; charset=utf-8");
    assert_eq!(reading.text().await.expect("text"), "reading()");
}

#[tokio::test]
async fn html_that_is_data_comes_as_it_is() {
    let room = Room::before(Router::new().fallback(page)).await;
    let answer = room
        .get("/part")
        .header("sec-fetch-dest", "empty")
        .send()
        .await
        .expect("an answer");
    assert_eq!(header(&answer, "etag"), "\"1\"");
    assert_eq!(header(&answer, "x-frame-options"), "DENY");
    assert!(!answer.text().await.expect("a page").contains(BRIDGE_PATH));
}

#[tokio::test]
async fn an_answer_arrives_piece_by_piece() {
    let (sender, receiver) = mpsc::channel::<Result<Bytes, std::io::Error>>(4);
    let receiver = Arc::new(tokio::sync::Mutex::new(Some(receiver)));
    let stream = any(move || async move {
        let receiver = receiver.lock().await.take().expect("asked once");
        let body = Body::from_stream(tokio_stream::wrappers::ReceiverStream::new(receiver));
        ([("content-type", "text/event-stream")], body).into_response()
    });
    let room = Room::before(Router::new().fallback(stream)).await;
    sender
        .send(Ok(Bytes::from_static(b"data: 1\n\n")))
        .await
        .expect("it is read");
    let answer = room.get("/events").send().await.expect("an answer");
    let mut pieces = answer.bytes_stream();
    assert_eq!(pieces.next().await.expect("a piece").expect("whole"), "data: 1\n\n");
    sender
        .send(Ok(Bytes::from_static(b"data: 2\n\n")))
        .await
        .expect("it is read");
    assert_eq!(pieces.next().await.expect("a piece").expect("whole"), "data: 2\n\n");
}

#[tokio::test]
async fn a_request_that_is_given_up_is_given_up_at_the_dev_server_too() {
    struct Gone(Arc<AtomicBool>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let gone = Arc::new(AtomicBool::new(false));
    let kept = Arc::clone(&gone);
    let slow = any(move || async move {
        let _gone = Gone(kept);
        tokio::time::sleep(Duration::from_secs(60)).await;
    });
    let room = Room::before(Router::new().fallback(slow)).await;
    let given_up = room.get("/slow").timeout(Duration::from_millis(200)).send().await;
    assert!(given_up.is_err());
    let noticed = async {
        while !gone.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), noticed)
        .await
        .expect("the dev server notices");
}

#[tokio::test]
async fn large_bodies_go_through_with_their_length() {
    const SIZE: usize = 40 << 20;
    let count = any(|request: Request| async move {
        let length = request.headers().get("content-length").cloned();
        let mut body = request.into_body().into_data_stream();
        let mut read = 0;
        while let Some(piece) = body.next().await {
            read += piece.expect("whole").len();
        }
        format!("{read} {length:?}")
    });
    let room = Room::before(Router::new().fallback(count)).await;
    let asking = room.client.post(room.proxy.origin()).body(vec![7; SIZE]);
    let answer = asking.send().await.expect("an answer").text().await.expect("text");
    assert_eq!(answer, format!("{SIZE} Some(\"{SIZE}\")"));
}

#[tokio::test]
async fn sockets_are_copied_raw_and_the_dev_server_hears_its_own_origin() {
    let echo = any(|mut request: Request| async move {
        let origin = request.headers().get("origin").cloned().expect("an origin");
        let upgrade = hyper::upgrade::on(&mut request);
        tokio::spawn(async move {
            let mut socket = TokioIo::new(upgrade.await.expect("an upgrade"));
            let mut bytes = [0; 4];
            while socket.read_exact(&mut bytes).await.is_ok() {
                socket.write_all(&bytes).await.expect("somebody reads");
            }
        });
        let mut answer = StatusCode::SWITCHING_PROTOCOLS.into_response();
        answer
            .headers_mut()
            .insert("connection", HeaderValue::from_static("Upgrade"));
        answer
            .headers_mut()
            .insert("upgrade", HeaderValue::from_static("websocket"));
        answer.headers_mut().insert("x-origin", origin);
        answer
    });
    let room = Room::before(Router::new().fallback(echo)).await;
    let address = room.proxy.origin().trim_start_matches("http://").to_owned();
    let mut socket = TcpStream::connect(&address).await.expect("a connection");
    let request = format!(
        "GET /hmr HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).await.expect("it is read");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(socket.read_u8().await.expect("a head"));
    }
    let head = String::from_utf8(head).expect("text");
    assert!(head.starts_with("HTTP/1.1 101"), "{head}");
    assert!(head.contains(&format!("x-origin: {}\r\n", room.dev())), "{head}");
    for bytes in [*b"\x00\xff\x01a", *b"ping"] {
        socket.write_all(&bytes).await.expect("it is read");
        let mut back = [0; 4];
        socket.read_exact(&mut back).await.expect("an echo");
        assert_eq!(back, bytes);
    }
}

#[tokio::test]
async fn an_upgrade_that_a_page_elsewhere_asks_for_is_refused() {
    let (heard, mut hears) = mpsc::channel(16);
    let told = any(move |request: Request| {
        let heard = heard.clone();
        async move {
            let named = request.headers().contains_key("upgrade");
            heard.send(named).await.expect("somebody listens");
            StatusCode::NO_CONTENT
        }
    });
    let room = Room::before(Router::new().fallback(told)).await;
    let own = room.proxy.origin().to_owned();
    let local = own.replace("127.0.0.1", "localhost");
    let ask = |origins: Vec<String>| {
        let mut asking = room
            .get("/hmr")
            .header("connection", "Upgrade")
            .header("upgrade", "websocket");
        for origin in origins {
            asking = asking.header("origin", origin);
        }
        asking.send()
    };
    for foreign in [
        "http://evil.test",
        "null",
        INTERFACE,
        &format!("{own}0"),
        &own.replace("http", "https"),
    ] {
        let answer = ask(vec![foreign.to_owned()]).await.expect("an answer");
        assert_eq!(answer.status(), 403, "{foreign}");
        let answer = ask(vec![own.clone(), foreign.to_owned()]).await.expect("an answer");
        assert_eq!(answer.status(), 403, "{own} and {foreign}");
    }
    assert!(hears.try_recv().is_err(), "nothing of it reaches the dev server");
    for own in [vec![own], vec![local], vec![]] {
        ask(own).await.expect("an answer");
        assert_eq!(hears.recv().await, Some(true));
    }
}

#[tokio::test]
async fn cookies_of_galley_never_reach_the_dev_server() {
    let echo = any(|request: Request| async move {
        let sent = request
            .headers()
            .get("cookie")
            .map_or("none", |sent| sent.to_str().expect("text"));
        let body = sent.to_owned();
        ([("set-cookie", "galley_session=theirs; Path=/")], body).into_response()
    });
    let room = Room::before(Router::new().fallback(echo)).await;
    let asking = room.get("/data").header("cookie", "theme=dark; galley_session=secret");
    let answer = asking.send().await.expect("an answer");
    assert!(!answer.headers().contains_key("set-cookie"));
    assert_eq!(answer.text().await.expect("text"), "theme=dark");
}

#[tokio::test]
async fn redirects_and_cookies_hold_for_this_origin() {
    let login = any(|request: Request| async move {
        let host = request.headers()["host"].to_str().expect("text").to_owned();
        let location = format!("http://{host}/login?next=%2F");
        let cookie = "session=1; Domain=127.0.0.1; Path=/";
        (
            StatusCode::FOUND,
            [("location", location.as_str()), ("set-cookie", cookie)],
        )
            .into_response()
    });
    let room = Room::before(Router::new().fallback(login)).await;
    let answer = room.get("/").send().await.expect("an answer");
    assert_eq!(answer.status(), 302);
    assert_eq!(
        header(&answer, "location"),
        format!("{}/login?next=%2F", room.proxy.origin())
    );
    assert_eq!(header(&answer, "set-cookie"), "session=1; Path=/");
}

#[tokio::test]
async fn a_page_that_comes_compressed_all_the_same_gets_the_bridge() {
    // `<html><head></head></html>`
    const PAGE: [u8; 37] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 179, 201, 40, 201, 205, 177, 179, 201, 72, 77, 76, 177, 179, 209, 135, 81, 32,
        49, 0, 64, 228, 58, 113, 26, 0, 0, 0,
    ];
    let compressed = || async {
        let headers = [("content-type", "text/html"), ("content-encoding", "gzip")];
        (headers, PAGE.to_vec()).into_response()
    };
    let room = Room::before(Router::new().fallback(compressed)).await;
    let answer = room.get("/").send().await.expect("an answer");
    let text = answer.text().await.expect("a page");
    assert!(
        text.starts_with("<html><head><script src=") && text.ends_with("</script></head></html>"),
        "{text}"
    );
}

#[tokio::test]
async fn the_local_api_is_not_here() {
    let room = Room::before(Router::new().route("/", any(page))).await;
    for path in [
        "/api/editor/state",
        "/__stamp",
        "/__galley/state",
        "/__galley/../api/editor/state",
    ] {
        let answer = room.client.post(format!("{}{path}", room.proxy.origin())).send().await;
        assert_eq!(answer.expect("an answer").status(), 404, "{path}");
    }
}

#[tokio::test]
async fn a_name_that_is_led_here_is_refused() {
    let room = Room::before(Router::new().fallback(page)).await;
    let answer = room
        .get("/")
        .header("host", "elsewhere.test")
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.status(), 403);
    let port = room.proxy.origin().rsplit_once(':').expect("a port").1;
    let answer = room
        .get("/")
        .header("host", format!("localhost:{port}"))
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn while_there_is_no_dev_server_a_page_says_so_in_words() {
    for (origin, starting, status) in [
        (None, true, 503),
        (None, false, 502),
        // A port that nothing listens on: it is the system's own.
        (Some("http://127.0.0.1:1".to_owned()), false, 502),
    ] {
        let room = Room::with(origin, starting).await;
        let answer = room
            .get("/")
            .header("sec-fetch-dest", "document")
            .send()
            .await
            .expect("an answer");
        assert_eq!(answer.status(), status);
        assert_eq!(header(&answer, "cache-control"), "no-store");
        let text = answer.text().await.expect("a page");
        assert!(
            text.contains("Vite ended by itself.") && text.contains("Error: &lt;broken&gt;"),
            "{text}"
        );
        let answer = room
            .get("/main.js")
            .header("sec-fetch-dest", "script")
            .send()
            .await
            .expect("an answer");
        assert_eq!(answer.status(), status);
        assert_eq!(header(&answer, "content-type"), "text/plain; charset=utf-8");
    }
}

#[tokio::test]
async fn the_root_leads_to_where_the_pages_are() {
    let room = Room::before(Router::new().fallback(page)).await;
    room.upstream
        .send_modify(|upstream| "/shop/".clone_into(&mut upstream.base));
    let answer = room.get("/").send().await.expect("an answer");
    assert_eq!((answer.status().as_u16(), header(&answer, "location")), (307, "/shop/"));
    let answer = room.get("/shop/").send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
}

/// A dev server that answers once on each connection and closes it when it is asked again, as one does that was busy for longer than it
/// keeps connections. Counts what it was asked.
async fn forgetful() -> (String, std::sync::Arc<std::sync::atomic::AtomicUsize>) {
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    let count = asked.clone();
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            let count = count.clone();
            tokio::spawn(async move {
                let mut request = [0; 4096];
                for answers in [true, false] {
                    if !matches!(connection.read(&mut request).await, Ok(1..)) {
                        return;
                    }
                    count.fetch_add(1, Ordering::SeqCst);
                    if answers {
                        let ok = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
                        let _ = connection.write_all(ok).await;
                    }
                }
            });
        }
    });
    (origin, asked)
}

#[tokio::test]
async fn what_is_only_read_is_asked_again_when_a_kept_connection_broke_off() {
    let (origin, asked) = forgetful().await;
    let room = Room::with(Some(origin), false).await;
    let module = |path: &str| room.get(path).header("sec-fetch-dest", "script").send();
    assert_eq!(
        module("/a.js").await.expect("an answer").text().await.expect("text"),
        "ok"
    );
    let answer = module("/b.js").await.expect("an answer");
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.text().await.expect("text"), "ok");
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    // Nobody knows whether a change was made before a connection broke off.
    let mut post = room.client.post(format!("{}/save", room.proxy.origin()));
    post = post.header("sec-fetch-dest", "empty").body("x");
    assert_eq!(module("/c.js").await.expect("an answer").status(), 200);
    let before = asked.load(Ordering::SeqCst);
    let status = post.send().await.expect("an answer").status();
    let times = asked.load(Ordering::SeqCst) - before;
    assert_eq!(times, 1, "it is asked once, and answers {status}");
}
