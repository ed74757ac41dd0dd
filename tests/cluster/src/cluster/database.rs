//! What a cluster needs of a database that fails, whether it is one machine or some with a leader.

use std::net::SocketAddr;
use std::time::Duration;

use galley_harness::patroni::{MACHINES, Patroni};
use galley_harness::poll::within;
use galley_harness::postgres::Postgres;

/// How long machines that are well may take until one of them leads, or another one.
const LEADER_TIMEOUT: Duration = Duration::from_secs(120);

/// The database of a cluster.
pub trait Database: Send + Sync {
    /// Where its machines listen.
    fn addresses(&self) -> Vec<SocketAddr>;

    /// Its address for a server that reaches the machines at these ends of wires, in the order of [`addresses`](Self::addresses).
    fn url_at(&self, ends: &[SocketAddr]) -> String;

    /// Kills the machine that takes writes, as a power failure does.
    fn kill_leader(&self);

    /// Starts what was killed, and returns when all machines are as they were.
    fn resume(&self);

    /// Whether another machine takes writes by itself when the one that did is killed.
    fn has_standbys(&self) -> bool {
        false
    }

    /// Lets another machine take writes, in good order. It has [standbys](Self::has_standbys).
    fn switch_over(&self) {}
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

/// Three machines: another one takes over, and what was acknowledged is on two of them.
impl Database for Patroni {
    fn addresses(&self) -> Vec<SocketAddr> {
        Patroni::addresses(self)
    }

    fn url_at(&self, ends: &[SocketAddr]) -> String {
        Patroni::url_at(self, ends)
    }

    fn kill_leader(&self) {
        let leader = within(LEADER_TIMEOUT, || self.leader());
        self.kill(leader.expect("a database of machines that are well leads"));
    }

    fn resume(&self) {
        let off = (0..MACHINES).filter(|at| !self.is_on(*at));
        off.for_each(|at| Patroni::resume(self, at));
        self.wait_until_whole();
    }

    fn has_standbys(&self) -> bool {
        true
    }

    fn switch_over(&self) {
        let mut said = Ok(());
        let switched = within(LEADER_TIMEOUT, || {
            let next = (self.leader()? + 1) % MACHINES;
            said = self.try_switch_over(next);
            said.is_ok().then_some(())
        });
        assert!(switched.is_some(), "no other database leads: {said:?}");
    }
}
