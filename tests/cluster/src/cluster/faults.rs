//! What happens to a cluster, and how it is put right again.

use std::fmt::{self, Display};

use super::{Cluster, State};

/// How many kinds of faults there are.
pub const KINDS: usize = 4;

/// Something that breaks a part of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A server is killed.
    NodeKilled(usize),
    /// The machine of the database that takes writes is killed.
    LeaderKilled,
    /// A server hears nothing from the database, and no connection ends.
    Partition(usize),
    /// A server's connections to the database end, and it gets no new ones.
    ConnectionsCut(usize),
}

impl Fault {
    /// A fault of this kind, of [`KINDS`]; `node` where it is a server's.
    pub fn of_kind(kind: usize, node: usize) -> Fault {
        match kind {
            0 => Fault::NodeKilled(node),
            1 => Fault::LeaderKilled,
            2 => Fault::Partition(node),
            _ => Fault::ConnectionsCut(node),
        }
    }

    /// What kind of fault it is, in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Fault::NodeKilled(_) => "server killed",
            Fault::LeaderKilled => "database's leader killed",
            Fault::Partition(_) => "partition",
            Fault::ConnectionsCut(_) => "connections cut",
        }
    }

    /// Breaks it.
    pub fn strike(self, cluster: &Cluster) {
        match self {
            Fault::NodeKilled(node) => cluster.nodes[node].kill(),
            Fault::LeaderKilled => cluster.database.kill_leader(),
            Fault::Partition(node) => cluster.set_wires(node, State::Silent),
            Fault::ConnectionsCut(node) => cluster.set_wires(node, State::Cut),
        }
    }

    /// Puts it right. All else goes on by itself.
    pub fn mend(self, cluster: &Cluster) {
        match self {
            Fault::NodeKilled(node) => cluster.nodes[node].start(),
            Fault::LeaderKilled => cluster.database.resume(),
            Fault::Partition(node) | Fault::ConnectionsCut(node) => cluster.set_wires(node, State::Whole),
        }
    }
}

impl Cluster {
    fn set_wires(&self, node: usize, state: State) {
        self.wires[node].iter().for_each(|wire| wire.set(state));
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::LeaderKilled => f.write_str(self.name()),
            Fault::NodeKilled(node) | Fault::Partition(node) | Fault::ConnectionsCut(node) => {
                write!(f, "{} at node {}", self.name(), node + 1)
            }
        }
    }
}
