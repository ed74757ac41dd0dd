//! What a cluster needs of a database that fails, whether it is one machine or some with a leader.

use std::net::SocketAddr;

use galley_harness::postgres::Postgres;

/// The database of a cluster.
pub trait Database: Send + Sync {
    /// Where its machines listen.
    fn addresses(&self) -> Vec<SocketAddr>;

    /// Its address for a server that reaches the machines at these ends of wires, in the order of [`addresses`](Self::addresses).
    fn url_at(&self, ends: &[SocketAddr]) -> String;

    /// Kills the machine that takes writes, as a power failure does.
    fn kill_leader(&self);

    /// Starts what was killed. It returns when the machine runs; a cluster of machines may still choose its leader.
    fn resume(&self);
}

/// One machine: nobody takes over while it is away.
impl Database for Postgres {
    fn addresses(&self) -> Vec<SocketAddr> {
        vec![self.address()]
    }

    fn url_at(&self, ends: &[SocketAddr]) -> String {
        Postgres::url_at(self, ends[0])
    }

    fn kill_leader(&self) {
        self.kill();
    }

    fn resume(&self) {
        Postgres::resume(self);
    }
}
