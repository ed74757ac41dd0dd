//! How many connections one peer may hold open, and what the log says when there are too many.
//!
//! A peer is an IPv4 address or an IPv6 network of 64 bits. Exempt are the trusted proxies, and 127.0.0.1 and ::1: a
//! proxy on this machine connects from there, and carries everybody's requests.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ipnet::IpNet;
use parking_lot::Mutex;

use super::rate::network;
use crate::config::Config;

/// A warning that is due for each connection is logged once in this time.
const WARNING_INTERVAL: Duration = Duration::from_secs(60);

/// The open connections of each peer. Shared by all listeners of a server.
pub struct Connections {
    max_per_peer: u32,
    exempt: Vec<IpNet>,
    open: Mutex<HashMap<IpAddr, u32>>,
    refusals: Warning,
    failures: Warning,
}

/// One open connection; dropped, it is not counted any more.
pub struct Connection {
    connections: Arc<Connections>,
    /// `None` for an exempt peer.
    peer: Option<IpAddr>,
}

impl Connections {
    /// No connections yet.
    pub fn new(config: &Config) -> Self {
        let own = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()].map(|address: IpAddr| address.into());
        Self {
            max_per_peer: config.max_connections_per_peer,
            exempt: config.trusted_proxies.iter().copied().chain(own).collect(),
            open: Mutex::default(),
            refusals: Warning::default(),
            failures: Warning::default(),
        }
    }

    /// Counts a connection; `None` when its peer holds as many as it may, and the connection is to be closed.
    pub fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Connection> {
        let peer = peer.to_canonical();
        let counted = !self.exempt.iter().any(|network| network.contains(&peer));
        let peer = counted.then(|| network(peer));
        if let Some(peer) = peer {
            let mut open = self.open.lock();
            let count = open.entry(peer).or_default();
            if *count >= self.max_per_peer {
                drop(open);
                self.refuse(peer);
                return None;
            }
            *count += 1;
        }
        Some(Connection {
            connections: self.clone(),
            peer,
        })
    }

    fn refuse(&self, peer: IpAddr) {
        if self.refusals.is_due(Instant::now()) {
            tracing::warn!(
                %peer,
                "{peer} holds {} connections (SERVICE_MAX_CONNECTIONS_PER_PEER): its further ones are closed; a proxy \
                 belongs into SERVICE_TRUSTED_PROXIES; this is said once a minute",
                self.max_per_peer
            );
        }
    }

    /// Says that a connection could not be accepted: most likely the process is out of descriptors.
    pub fn accept_failed(&self, error: &io::Error) {
        if self.failures.is_due(Instant::now()) {
            tracing::warn!("connections cannot be accepted: {error}; this is said once a minute");
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let Some(peer) = self.peer else { return };
        let mut open = self.connections.open.lock();
        if let Some(count) = open.get_mut(&peer) {
            *count -= 1;
            if *count == 0 {
                open.remove(&peer);
            }
        }
    }
}

/// When a warning was given last.
#[derive(Default)]
struct Warning(Mutex<Option<Instant>>);

impl Warning {
    fn is_due(&self, now: Instant) -> bool {
        let mut last = self.0.lock();
        let due = last.is_none_or(|last| now.duration_since(last) >= WARNING_INTERVAL);
        if due {
            *last = Some(now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(max: &str) -> Arc<Connections> {
        let variables = [
            ("SERVICE_MAX_CONNECTIONS_PER_PEER".into(), max.into()),
            ("SERVICE_TRUSTED_PROXIES".into(), "10.0.0.0/8".into()),
        ];
        Arc::new(Connections::new(&Config::parse(variables, "/x".into()).unwrap()))
    }

    fn held(connections: &Arc<Connections>, peers: &[&str]) -> Vec<Option<Connection>> {
        let peers = peers.iter().map(|peer| peer.parse().unwrap());
        peers.map(|peer| connections.admit(peer)).collect()
    }

    #[test]
    fn a_peer_has_its_bound_and_closing_makes_room() {
        let connections = connections("2");
        let mut held = held(&connections, &["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"]);
        let admitted: Vec<_> = held.iter().map(Option::is_some).collect();
        assert_eq!(admitted, [true, true, false, true]);
        held.remove(0);
        assert!(connections.admit("192.0.2.1".parse().unwrap()).is_some());
        drop(held);
        assert!(connections.open.lock().is_empty());
    }

    #[test]
    fn an_ipv6_network_is_one_peer_and_a_mapped_address_is_its_ipv4_address() {
        let connections = connections("1");
        let peers = [
            "2001:db8::1",
            "2001:db8::2",
            "2001:db8:0:1::1",
            "::ffff:192.0.2.1",
            "192.0.2.1",
        ];
        let admitted: Vec<_> = held(&connections, &peers).iter().map(Option::is_some).collect();
        assert_eq!(admitted, [true, false, true, true, false]);
    }

    #[test]
    fn proxies_are_not_counted() {
        let connections = connections("1");
        for peer in ["10.1.2.3", "127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            let held = held(&connections, &[peer; 3]);
            assert!(held.iter().all(Option::is_some), "{peer}");
        }
        assert!(held(&connections, &["127.0.0.2"; 2])[1].is_none());
    }

    #[test]
    fn a_warning_is_given_once_a_minute() {
        let (warning, start) = (Warning::default(), Instant::now());
        let due = [0, 1, 59, 60, 61].map(|seconds| warning.is_due(start + Duration::from_secs(seconds)));
        assert_eq!(due, [true, false, false, true, false]);
    }
}
