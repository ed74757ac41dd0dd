//! The figures for Prometheus of a server that was started with `SERVICE_METRICS_LISTEN`.

use std::net::SocketAddr;

use crate::http::Request;
use crate::server::Server;

/// Where the figures are, as the log says.
pub fn place(server: &Server) -> SocketAddr {
    let log = server.log();
    let rest = log
        .split_once("metrics for Prometheus at http://")
        .expect("a line in the log")
        .1;
    let address = rest.split('/').next().expect("an address");
    address.parse().expect("address and port")
}

/// All figures.
pub fn figures(place: SocketAddr) -> String {
    Request::new(place, "GET", "/metrics").send().expect(200).text()
}
