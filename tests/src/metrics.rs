//! The figures for Prometheus of a server that was started with `SERVICE_METRICS_LISTEN`.

use std::net::SocketAddr;

use crate::http::Request;
use crate::server::Server;

/// Where the figures are, as the log says.
pub fn place(server: &Server) -> SocketAddr {
    let log = server.log();
    let rest = log
        .split("metrics for Prometheus at http://")
        .nth(1)
        .expect("a line in the log");
    rest.split('/').next().unwrap().parse().unwrap()
}

/// All figures.
pub fn figures(place: SocketAddr) -> String {
    Request::new(place, "GET", "/metrics").send().expect(200).text()
}
