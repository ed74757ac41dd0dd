//! The listening socket: accepting connections, bounding them, and draining them at the end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;

use super::connections::Connections;
use super::head_timer::HeadTimer;
use super::{App, middleware};

/// How long a client may take to send a request's head, and how long a connection may be idle. A bit longer than the
/// minute of most proxies: a request is lost when the server closes a connection just as the proxy uses it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(65);
/// The largest head of a request; also what an idle connection costs at least, so it is small.
const MAX_HEAD_BYTES: usize = 16 << 10;
/// How long requests that are under way may go on when the server stops.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// A pause after a failed accept: the process is out of descriptors and needs a moment.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Bytes the kernel takes of an answer before the server has to wait. A large file is then written in few, large
/// pieces: 1.1 times nginx's requests per second for 1 MB instead of 0.8. It bounds a distant client to twice this for
/// each round trip.
const SEND_BUFFER: u32 = 256 << 10;
/// Connections that may wait to be accepted.
const BACKLOG: u32 = 4096;

/// Opens the listening socket.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `stop` turns true, then lets what is under way end.
pub async fn serve(listener: TcpListener, app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let graceful = GracefulShutdown::new();
    let connections = Arc::new(Connections::new(&app.config));
    let mut http = hyper::server::conn::http1::Builder::new();
    http.header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES)
        .half_close(false);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let (socket, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                connections.accept_failed(&error);
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Some(counted) = connections.admit(peer.ip()) else {
            continue;
        };
        let _ = socket.set_nodelay(true);
        let app = app.clone();
        let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let app = app.clone();
            async move { Ok::<_, std::convert::Infallible>(middleware::answer(app, peer, request).await) }
        });
        let connection = http
            .clone()
            .timer(HeadTimer::new())
            .serve_connection(TokioIo::new(socket), service);
        let connection = graceful.watch(connection);
        // The client caused the error: it left, or did not send HTTP. hyper has answered where it could.
        tokio::spawn(async move {
            let _ = connection.await;
            drop(counted);
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN_TIMEOUT, graceful.shutdown()).await.is_err() {
        tracing::warn!(
            "some requests did not end within {} s of the stop and are cut off",
            DRAIN_TIMEOUT.as_secs()
        );
    }
}
