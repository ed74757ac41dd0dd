//! What happens to a cluster, and how it is put right again.

use std::fmt::{self, Display};

use super::{Cluster, State};

/// How often a server is killed in a round with a database that has standbys.
const KILLS_OF_NODES: usize = 5;

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
    /// Another machine of the database takes writes, in good order.
    SwitchedOver,
}

impl Fault {
    /// What happens in a round, in any order: each kind once. A database with standbys is away for seconds after each fault of its own, and
    /// servers are killed more often.
    pub fn round(has_standbys: bool, mut node: impl FnMut() -> usize) -> Vec<Fault> {
        let mut round = vec![
            Fault::NodeKilled(node()),
            Fault::LeaderKilled,
            Fault::Partition(node()),
            Fault::ConnectionsCut(node()),
        ];
        if has_standbys {
            round.push(Fault::SwitchedOver);
            round.extend((1..KILLS_OF_NODES).map(|_| Fault::NodeKilled(node())));
        }
        round
    }

    /// What kind of fault it is, in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Fault::NodeKilled(_) => "server killed",
            Fault::LeaderKilled => "database's leader killed",
            Fault::Partition(_) => "partition",
            Fault::ConnectionsCut(_) => "connections cut",
            Fault::SwitchedOver => "switchover",
        }
    }

    /// Breaks it.
    pub fn strike(self, cluster: &Cluster) {
        match self {
            Fault::NodeKilled(node) => cluster.nodes[node].kill(),
            Fault::LeaderKilled => cluster.database.kill_leader(),
            Fault::Partition(node) => cluster.set_wires(node, State::Silent),
            Fault::ConnectionsCut(node) => cluster.set_wires(node, State::Cut),
            Fault::SwitchedOver => cluster.database.switch_over(),
        }
    }

    /// Puts it right. All else goes on by itself.
    pub fn mend(self, cluster: &Cluster) {
        match self {
            Fault::NodeKilled(node) => cluster.nodes[node].start(),
            Fault::LeaderKilled | Fault::SwitchedOver => cluster.database.resume(),
            Fault::Partition(node) | Fault::ConnectionsCut(node) => cluster.set_wires(node, State::Whole),
        }
    }
}

impl Cluster {
    /// Whether its database goes on by itself when the machine that takes writes is killed.
    pub fn has_standbys(&self) -> bool {
        self.database.has_standbys()
    }

    fn set_wires(&self, node: usize, state: State) {
        self.wires[node].iter().for_each(|wire| wire.set(state));
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::LeaderKilled | Fault::SwitchedOver => f.write_str(self.name()),
            Fault::NodeKilled(node) | Fault::Partition(node) | Fault::ConnectionsCut(node) => {
                write!(f, "{} at node {}", self.name(), node + 1)
            }
        }
    }
}
