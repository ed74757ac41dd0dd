//! Three PostgreSQL under Patroni and etcd, as three machines have them: each on a loopback address of its own, in a folder of its
//! own. What is acknowledged is on two of them. `cargo xtask setup` installs etcd and Patroni.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::daemon::Daemon;
use crate::disk;
use crate::http::Request;
use crate::paths;
use crate::poll::within;
use crate::ports::free_ports;
use crate::postgres_programs::{debians, other_user};
use crate::usage::children;

/// How many machines there are.
pub const MACHINES: usize = 3;

/// The Python of Debian: PostgreSQL's user may read it, wherever another one lies.
const PYTHON: &str = "/usr/bin/python3";

/// How long the databases may take until one leads and the others follow, beside other tests.
const READY_TIMEOUT: Duration = Duration::from_secs(180);

/// How long Patroni may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// The machines. Dropped, they end, and their files are deleted.
#[derive(Debug)]
pub struct Patroni {
    folder: TempDir,
    machines: Vec<Machine>,
}

#[derive(Debug)]
struct Machine {
    name: &'static str,
    address: IpAddr,
    ports: Ports,
    running: Mutex<Option<Running>>,
}

#[derive(Debug, Clone, Copy)]
struct Ports {
    postgres: u16,
    patroni: u16,
    etcd: u16,
    peers: u16,
}

/// What runs on a machine; PostgreSQL is Patroni's child.
#[derive(Debug)]
struct Running {
    etcd: Daemon,
    patroni: Daemon,
}

impl Patroni {
    /// Fresh ones: one leads, the others follow it, and there is the role `galley` with the database `galley`.
    ///
    /// # Panics
    /// When something is not installed, or does not start.
    pub fn start() -> Patroni {
        Patroni::start_with(300)
    }

    /// The same with this many connections to each.
    ///
    /// # Panics
    /// When something is not installed, or does not start.
    pub fn start_with(connections: u32) -> Patroni {
        let ports: [u16; 4 * MACHINES] = free_ports();
        let machines = ["a", "b", "c"].into_iter().zip(ports.chunks(4)).zip(11..);
        let machines = machines.map(|((name, ports), last)| Machine {
            name,
            address: Ipv4Addr::new(127, 0, 0, last).into(),
            ports: Ports {
                postgres: ports[0],
                patroni: ports[1],
                etcd: ports[2],
                peers: ports[3],
            },
            running: Mutex::new(None),
        });
        let patroni = Patroni {
            folder: tempfile::tempdir().expect("a temporary folder"),
            machines: machines.collect(),
        };
        // The tests' own folders are not everybody's.
        disk::copy(&packages(), &patroni.folder.path().join("packages"));
        patroni.give_away(patroni.folder.path());
        for at in 0..MACHINES {
            patroni.prepare(at, connections);
            patroni.resume(at);
        }
        patroni.wait_until_whole();
        patroni.ask("postgres", "postgres", "CREATE ROLE galley LOGIN CREATEDB CREATEROLE");
        patroni.ask("postgres", "postgres", "CREATE DATABASE galley OWNER galley");
        patroni
    }

    /// The address of the role's database, whoever leads.
    pub fn url(&self) -> String {
        self.url_at(&self.addresses())
    }

    /// The same for somebody who reaches the databases at these places, in the order of [`addresses`](Self::addresses).
    pub fn url_at(&self, places: &[SocketAddr]) -> String {
        url_of(places, "galley", "galley")
    }

    /// Where the databases of the machines listen.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.machines
            .iter()
            .map(|machine| machine.at(machine.ports.postgres))
            .collect()
    }

    /// Runs a statement at the leader, as the role in its database, and gives what it answers, or why it failed: as it does as
    /// long as nobody leads.
    pub fn psql(&self, sql: &str) -> Result<String, String> {
        self.try_ask("galley", "galley", sql)
    }

    /// Which machine's database leads, as far as the machines know.
    pub fn leader(&self) -> Option<usize> {
        let members = self.members()?;
        let leads = |machine: &Machine| {
            let is_it = |member: &&Value| member["name"] == machine.name;
            members
                .iter()
                .find(is_it)
                .is_some_and(|member| member["role"] == "leader")
        };
        self.machines.iter().position(leads)
    }

    /// Kills all of a machine at once: etcd, Patroni and PostgreSQL.
    ///
    /// # Panics
    /// When it is off.
    pub fn kill(&self, at: usize) {
        self.end(at, "KILL");
    }

    /// Ends a machine, PostgreSQL by a signal.
    fn end(&self, at: usize, signal: &str) {
        let Running { etcd, patroni } = self.running(at).take().expect("the machine runs");
        // First, as it would start the database again.
        patroni.stop("KILL");
        let file = std::fs::read_to_string(self.data(at).join("postmaster.pid")).unwrap_or_default();
        if let Some(id) = file.lines().next() {
            end_all(id, signal);
        }
        etcd.stop("KILL");
    }

    /// Whether a machine runs, as far as it was not killed.
    pub fn is_on(&self, at: usize) -> bool {
        self.running(at).is_some()
    }

    /// Starts a machine that was killed.
    ///
    /// # Panics
    /// When it does not start.
    pub fn resume(&self, at: usize) {
        let running = Running {
            etcd: Daemon::start("etcd", &mut self.etcd(at)),
            patroni: Daemon::start("Patroni", &mut self.patroni(at)),
        };
        *self.running(at) = Some(running);
    }

    /// Lets the database of a machine lead.
    ///
    /// # Panics
    /// When it does not come to that.
    pub fn switch_over(&self, to: usize) {
        let switched = self.try_switch_over(to);
        assert_eq!(switched, Ok(()));
    }

    /// The same, or why it does not come to that: as long as another one took over by itself, or nobody leads.
    pub fn try_switch_over(&self, to: usize) -> Result<(), String> {
        let leader = self.leader().ok_or("nobody leads")?;
        let (from, to) = (&self.machines[leader], &self.machines[to]);
        let wish = json!({ "leader": from.name, "candidate": to.name });
        let request = Request::new(from.at(from.ports.patroni), "POST", "/switchover").json(&wish);
        let answer = request.try_send().map_err(|error| error.to_string())?;
        match answer.status {
            200 => Ok(()),
            _ => Err(answer.text()),
        }
    }

    /// Waits until one database leads, and all others follow it.
    ///
    /// # Panics
    /// When it does not come to that.
    pub fn wait_until_whole(&self) {
        let whole = || {
            let members = self.members()?;
            let follows = |member: &&Value| member["role"] == "quorum_standby" && member["state"] == "streaming";
            (members.iter().filter(follows).count() + 1 == MACHINES && self.leader().is_some()).then_some(())
        };
        let is_whole = within(READY_TIMEOUT, whole);
        assert!(is_whole.is_some(), "the databases are not whole: {:?}", self.members());
    }

    fn members(&self) -> Option<Vec<Value>> {
        let answers = self.machines.iter().filter_map(|machine| {
            let request = Request::new(machine.at(machine.ports.patroni), "GET", "/cluster");
            request.within(ANSWER_TIMEOUT).try_send().ok()
        });
        let answer = answers.into_iter().find(|answer| answer.status == 200)?;
        serde_json::from_str::<Value>(&answer.text()).ok()?["members"]
            .as_array()
            .cloned()
    }

    #[track_caller]
    fn ask(&self, role: &str, database: &str, sql: &str) -> String {
        let answer = self.try_ask(role, database, sql);
        answer.unwrap_or_else(|said| panic!("{sql}: {said}"))
    }

    fn try_ask(&self, role: &str, database: &str, sql: &str) -> Result<String, String> {
        let ran = Command::new(debians().join("psql"))
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--dbname"])
            .arg(url_of(&self.addresses(), role, database))
            .args(["--command", sql])
            .env("PGCONNECT_TIMEOUT", "10")
            .output()
            .expect("psql can be started");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        match ran.status.success() {
            true => Ok(text(&ran.stdout)),
            false => Err(text(&ran.stderr)),
        }
    }

    fn prepare(&self, at: usize, connections: u32) {
        let machine = &self.machines[at];
        let folder = self.folder.path().join(machine.name);
        std::fs::create_dir(&folder).expect("a folder can be made");
        self.give_away(&folder);
        let listen = |port| machine.at(port).to_string();
        let role = |name: &str| json!({ "username": name, "password": "a-password-of-tests" });
        let settings = json!({
            "scope": "galley",
            "name": machine.name,
            "restapi": { "listen": listen(machine.ports.patroni), "connect_address": listen(machine.ports.patroni) },
            "etcd3": { "hosts": self.machines.iter().map(|other| other.at(other.ports.etcd).to_string()).collect::<Vec<_>>() },
            "bootstrap": {
                // The least time that Patroni takes for a leader's lease.
                "dcs": {
                    "ttl": 20,
                    "loop_wait": 5,
                    "retry_timeout": 5,
                    "synchronous_mode": "quorum",
                    "synchronous_mode_strict": true,
                    "synchronous_node_count": 1,
                    "postgresql": { "use_pg_rewind": true, "parameters": { "max_connections": connections } },
                },
                "initdb": [{ "encoding": "UTF8" }, { "locale": "C" }, "data-checksums"],
            },
            "postgresql": {
                "listen": listen(machine.ports.postgres),
                "connect_address": listen(machine.ports.postgres),
                "data_dir": self.data(at),
                "bin_dir": debians(),
                "pgpass": folder.join("pgpass"),
                "authentication": { "superuser": role("postgres"), "replication": role("replicator") },
                "parameters": { "unix_socket_directories": "" },
                "pg_hba": ["host replication all 127.0.0.0/8 trust", "host all all 127.0.0.0/8 trust"],
            },
        });
        // What is JSON is YAML.
        std::fs::write(folder.join("patroni.yml"), settings.to_string()).expect("a file can be written");
    }

    fn etcd(&self, at: usize) -> Command {
        let machine = &self.machines[at];
        let [peers, clients] =
            [machine.ports.peers, machine.ports.etcd].map(|port| format!("http://{}", machine.at(port)));
        let all = self
            .machines
            .iter()
            .map(|other| format!("{}=http://{}", other.name, other.at(other.ports.peers)));
        let mut etcd = self.program("/usr/bin/etcd", at);
        etcd.args(["--name", machine.name, "--data-dir", "etcd", "--initial-cluster"])
            .arg(all.collect::<Vec<_>>().join(","))
            .args(["--listen-peer-urls", &peers, "--initial-advertise-peer-urls", &peers])
            .args(["--listen-client-urls", &clients, "--advertise-client-urls", &clients]);
        etcd
    }

    fn patroni(&self, at: usize) -> Command {
        let mut patroni = self.program(PYTHON, at);
        patroni
            .args(["-m", "patroni", "patroni.yml"])
            .env("PYTHONPATH", self.folder.path().join("packages"));
        patroni
    }

    /// A program of a machine, as the user that PostgreSQL takes.
    fn program(&self, name: &str, at: usize) -> Command {
        let folder = self.folder.path().join(self.machines[at].name);
        let mut command = Command::new(name);
        // PostgreSQL's library looks for certificates in the home.
        command.current_dir(&folder).env("HOME", &folder).env("LC_ALL", "C");
        if let Some((user, group)) = other_user() {
            command.uid(user).gid(group);
        }
        command
    }

    fn data(&self, at: usize) -> PathBuf {
        self.folder.path().join(self.machines[at].name).join("data")
    }

    fn give_away(&self, folder: &Path) {
        if let Some((user, group)) = other_user() {
            chown(folder, Some(user), Some(group)).expect("root may give a folder away");
        }
    }

    fn running(&self, at: usize) -> std::sync::MutexGuard<'_, Option<Running>> {
        self.machines[at].running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Machine {
    fn at(&self, port: u16) -> SocketAddr {
        SocketAddr::new(self.address, port)
    }
}

impl Drop for Patroni {
    fn drop(&mut self) {
        for at in 0..MACHINES {
            if self.running(at).is_some() {
                // Killed, it would leave its shared memory.
                self.end(at, "QUIT");
            }
        }
    }
}

fn url_of(places: &[SocketAddr], role: &str, database: &str) -> String {
    let hosts: Vec<_> = places.iter().map(ToString::to_string).collect();
    format!(
        "postgresql://{role}@{}/{database}?target_session_attrs=read-write",
        hosts.join(",")
    )
}

/// Ends PostgreSQL's first process and its children by a signal, and waits until none is left.
fn end_all(id: &str, signal: &str) {
    let below = children(id.parse().expect("a process has a number"));
    let all: Vec<String> = std::iter::once(id.to_owned())
        .chain(below.iter().map(ToString::to_string))
        .collect();
    let _ = Command::new("kill").args(["-s", signal]).args(&all).output();
    // Whoever is gone but not waited for has no command any more.
    let runs = |id: &&String| std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|command| !command.is_empty());
    let gone = || all.iter().find(runs).is_none().then_some(());
    within(READY_TIMEOUT, gone).expect("PostgreSQL ends");
}

/// The folder of Patroni and what it needs (`GALLEY_PATRONI`).
fn packages() -> PathBuf {
    let folder = paths::variable("GALLEY_PATRONI").unwrap_or_else(|| paths::target().join("galley/patroni"));
    assert!(
        folder.join("patroni").is_dir(),
        "{} is missing: `cargo xtask setup` installs it",
        folder.display()
    );
    folder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_go_on_after_the_leaders_machine_is_killed_and_after_a_switchover() {
        let patroni = Patroni::start();
        // What was run twice is there once.
        let run = |sql: &str| {
            let mut said = Ok(String::new());
            let ran = within(READY_TIMEOUT, || {
                said = patroni.psql(sql);
                said.is_ok().then_some(())
            });
            assert!(ran.is_some(), "{sql}: {said:?}");
        };
        let write = |number: u32| run(&format!("INSERT INTO numbers VALUES ({number}) ON CONFLICT DO NOTHING"));
        run("CREATE TABLE IF NOT EXISTS numbers (number int PRIMARY KEY)");
        write(1);
        let leader = patroni.leader().unwrap();
        patroni.kill(leader);
        write(2);
        let next = patroni.leader().unwrap();
        assert_ne!(next, leader);
        patroni.resume(leader);
        patroni.wait_until_whole();
        patroni.switch_over(leader);
        write(3);
        assert_eq!(patroni.leader(), Some(leader));
        assert_eq!(patroni.psql("SELECT count(*) FROM numbers").as_deref(), Ok("3"));
    }
}
