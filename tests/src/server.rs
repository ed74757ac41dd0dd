//! A running `galley serve` with a data folder of its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use tempfile::TempDir;

use crate::accounts::{self, Core, Person};
use crate::balancer::Balancer;
use crate::client::{Client, Credential};
use crate::cluster::Cluster;
use crate::poll::{WAIT_TIMEOUT, within};
use crate::process::Process;
use crate::{company, namespace, nodes, paths, stand_in, template};

/// The admin bearer of test servers.
pub const ADMIN_TOKEN: &str = "an-admin-token-for-tests";

/// Where servers listen.
const ANY_PORT: &str = "127.0.0.1:0";

/// How long a server may take to boot: the first one compiles its plugins, beside other tests.
const BOOT_TIMEOUT: Duration = Duration::from_secs(90);

/// How long a server may take to end after SIGTERM.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(30);

/// A server to be.
#[derive(Debug, Clone)]
pub struct Build {
    environment: BTreeMap<String, OsString>,
    settings: Vec<(&'static str, bool)>,
    fresh: bool,
    alone: bool,
    one_node: bool,
    data: Option<std::path::PathBuf>,
    hosts: Option<std::path::PathBuf>,
}

/// A boot that failed.
#[derive(Debug)]
pub struct Failed {
    /// The exit code; `None` when it neither ended nor served.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Build {
    /// Sets a variable of the server's environment, which is otherwise empty apart from what the harness needs.
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Build {
        self.environment.insert(name.into(), value.into());
        self
    }

    /// Takes a variable out again.
    pub fn without(mut self, name: &str) -> Build {
        self.environment.remove(name);
        self
    }

    /// Starts on an empty data folder, without the accounts of [`accounts::PEOPLE`].
    pub fn fresh(mut self) -> Build {
        self.fresh = true;
        self
    }

    /// Starts without [`company`], whatever the environment says.
    pub fn alone(mut self) -> Build {
        self.alone = true;
        self
    }

    /// Starts as one server, whatever the environment says.
    pub fn one_node(mut self) -> Build {
        self.one_node = true;
        self
    }

    /// Whether it can be a cluster: its data are those of a template, or none.
    fn can_be_cluster(&self) -> bool {
        nodes::are_wanted() && !self.one_node && self.data.is_none()
    }

    /// Whether [`company`] can be there: it needs its own data and plugins.
    pub(crate) fn takes_company(&self) -> bool {
        let plugins = paths::plugins();
        let has_own = self.environment.get("SERVICE_PLUGINS_DIR") != Some(&plugins.into());
        !(self.alone || self.fresh || has_own || self.data.is_some())
    }

    /// Starts on a copy of this data folder instead of the one with the accounts of [`accounts::PEOPLE`].
    pub fn on(mut self, data: impl Into<std::path::PathBuf>) -> Build {
        self.data = Some(data.into());
        self
    }

    /// Lets the server, and nobody else, find names in this file as in /etc/hosts.
    pub fn hosts(mut self, file: impl Into<std::path::PathBuf>) -> Build {
        self.hosts = Some(file.into());
        self
    }

    /// The instance setting `allowPublicLinks`.
    pub fn public_links(mut self, on: bool) -> Build {
        self.settings.push(("allowPublicLinks", on));
        self
    }

    /// The instance setting `allowAnonymousComments`.
    pub fn anonymous_comments(mut self, on: bool) -> Build {
        self.settings.push(("allowAnonymousComments", on));
        self
    }

    /// Starts it.
    ///
    /// # Panics
    /// When it does not boot.
    #[track_caller]
    pub fn start(self) -> Server {
        match self.try_start() {
            Ok(server) => server,
            Err(failed) => panic!("the server did not boot (code {:?}):\n{}", failed.code, failed.stderr),
        }
    }

    /// Starts it, or says how it failed.
    pub fn try_start(mut self) -> Result<Server, Failed> {
        if self.can_be_cluster() {
            return self.start_cluster();
        }
        let has_company = company::has_it(&self);
        let data = folder();
        if has_company {
            self.environment
                .insert("SERVICE_PLUGINS_DIR".into(), company::plugins().into());
            company::copy_to(data.path());
        } else if let Some(folder) = &self.data {
            crate::disk::copy(folder, data.path());
        } else if self.fresh {
            // It stays empty; who has a cluster for its data finds what it would compile.
            if self.environment.contains_key("SERVICE_DATABASE_URL") {
                nodes::share_compiled(data.path());
            }
        } else if stand_in::is_wanted() {
            stand_in::copy_to(data.path());
        } else {
            template::copy_to(data.path());
        }
        let mut server = Server {
            build: self,
            nodes: vec![Node::on(data)],
            cluster: None,
        };
        server.boot()?;
        if has_company {
            company::misbehave(server.address());
        }
        server.change_settings();
        Ok(server)
    }

    fn start_cluster(mut self) -> Result<Server, Failed> {
        let cluster = nodes::cluster(self.fresh);
        // Who chose an address calls the server there.
        let listen = self.environment.insert("SERVICE_LISTEN".to_owned(), ANY_PORT.into());
        let listen = listen.and_then(|listen| listen.to_str()?.parse().ok());
        let balancer = Balancer::start(listen.expect("tests choose an address with a port"));
        let variables = cluster.variables();
        self.environment
            .extend(variables.map(|(name, value)| (name.to_owned(), value)));
        // One server takes it from its own address.
        let public = format!("http://{}", balancer.address());
        self.environment
            .entry("SERVICE_PUBLIC_URL".to_owned())
            .or_insert(public.into());
        let folders: Vec<_> = (0..nodes::NODES).map(|_| folder()).collect();
        folders.iter().for_each(|folder| nodes::share_compiled(folder.path()));
        let mut server = Server {
            build: self,
            nodes: folders.into_iter().map(Node::on).collect(),
            cluster: Some(Clustered { cluster, balancer }),
        };
        server.boot()?;
        server.change_settings();
        Ok(server)
    }
}

fn folder() -> TempDir {
    let folder = tempfile::Builder::new().prefix("galley-test-").tempdir();
    folder.expect("a temporary folder")
}

/// A server: one process, or the nodes of a cluster behind a balancer ([`nodes`]).
#[derive(Debug)]
pub struct Server {
    build: Build,
    /// At least one. They end before what they have in common.
    nodes: Vec<Node>,
    cluster: Option<Clustered>,
}

/// One process with its data folder.
#[derive(Debug)]
struct Node {
    data: TempDir,
    process: Option<Process>,
    address: Option<SocketAddr>,
}

/// What the nodes of a server have in common.
#[derive(Debug)]
struct Clustered {
    cluster: Cluster,
    balancer: Balancer,
}

impl Node {
    fn on(data: TempDir) -> Node {
        Node {
            data,
            process: None,
            address: None,
        }
    }

    fn process(&self) -> &Process {
        self.process.as_ref().expect("the server was started")
    }

    fn has_ended(&mut self) -> bool {
        self.process.as_mut().is_none_or(|process| process.ended().is_some())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.nodes.clear();
        if let Some(Clustered { cluster, .. }) = &self.cluster
            && !std::thread::panicking()
        {
            cluster.delete();
        }
    }
}

impl Server {
    /// A server with the accounts of [`accounts::PEOPLE`] and the admin bearer.
    #[track_caller]
    pub fn start() -> Server {
        Server::build().start()
    }

    /// A server with changes.
    pub fn build() -> Build {
        let mut environment: BTreeMap<String, OsString> = ["PATH", "HOME", "TMPDIR"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), std::env::var_os(name)?)))
            .collect();
        environment.insert("SERVICE_LISTEN".into(), ANY_PORT.into());
        environment.insert("SERVICE_ADMIN_TOKEN".into(), ADMIN_TOKEN.into());
        environment.insert("SERVICE_PLUGINS_DIR".into(), paths::plugins().into());
        environment.insert("SERVICE_BRIDGE_BUNDLE".into(), paths::bridge().into());
        Build {
            environment,
            settings: Vec::new(),
            fresh: false,
            alone: false,
            one_node: false,
            data: None,
            hosts: None,
        }
    }

    /// The instance settings that the test asked for.
    fn change_settings(&self) {
        let settings = self.build.settings.iter();
        let settings: serde_json::Map<_, _> = settings.map(|(key, on)| ((*key).to_owned(), (*on).into())).collect();
        if !settings.is_empty() {
            let admin = self.admin();
            admin.patch("/api/v1/instance/settings", settings.into()).expect(200);
        }
    }

    fn boot(&mut self) -> Result<(), Failed> {
        for at in 0..self.nodes.len() {
            self.boot_node(at)?;
        }
        if let Some(clustered) = &self.cluster {
            let addresses = self.nodes.iter().filter_map(|node| node.address);
            clustered.balancer.set_servers(addresses.collect());
        }
        Ok(())
    }

    fn boot_node(&mut self, at: usize) -> Result<(), Failed> {
        let mut process = Process::start(&mut self.serve(at));
        let address = within(BOOT_TIMEOUT, || {
            if process.ended().is_some() {
                return Some(None);
            }
            let stdout = process.stdout();
            let line = stdout.strip_suffix('\n')?.lines().next()?;
            Some(
                line.strip_prefix("galley listening on http://")
                    .and_then(|address| address.parse().ok()),
            )
        });
        match address.flatten() {
            Some(address) => {
                let node = &mut self.nodes[at];
                node.address = Some(address);
                node.process = Some(process);
                Ok(())
            }
            None => {
                let status = process.wait(Duration::from_secs(1));
                let code = status.and_then(|status| status.code());
                Err(Failed {
                    code,
                    stdout: process.stdout(),
                    stderr: process.stderr(),
                })
            }
        }
    }

    /// The command that serves.
    fn serve(&self, node: usize) -> Command {
        let mut serve = self.command_of(node);
        serve.arg("serve");
        match &self.build.hosts {
            Some(file) => namespace::with_hosts(file, &serve),
            None => serve,
        }
    }

    /// The program with this server's environment and data folder, for a subcommand.
    pub fn command(&self) -> Command {
        self.command_of(0)
    }

    fn command_of(&self, node: usize) -> Command {
        let data = self.nodes[node].data.path();
        let mut command = Command::new(paths::galley());
        command
            .env_clear()
            .envs(&self.build.environment)
            .env("SERVICE_DATA_DIR", data);
        command.current_dir(data);
        command
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        match &self.cluster {
            Some(clustered) => clustered.balancer.address(),
            None => self.nodes[0].address.expect("the server runs"),
        }
    }

    /// The database of accounts and projects.
    pub fn core(&self) -> Core {
        match &self.cluster {
            Some(clustered) => Core::shared(clustered.cluster.url()),
            None => Core::open(self.data_dir()),
        }
    }

    /// Its base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// The data folder.
    pub fn data_dir(&self) -> &Path {
        self.nodes[0].data.path()
    }

    /// The data folders of all its processes.
    pub fn data_dirs(&self) -> impl Iterator<Item = &Path> {
        self.nodes.iter().map(|node| node.data.path())
    }

    /// What its processes have in common, when they are a cluster.
    pub(crate) fn cluster(&self) -> Option<&Cluster> {
        self.cluster.as_ref().map(|clustered| &clustered.cluster)
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.nodes[0].process().id()
    }

    /// The ids of all its processes.
    pub fn ids(&self) -> Vec<u32> {
        self.nodes.iter().map(|node| node.process().id()).collect()
    }

    /// What it wrote to standard error since its last start.
    pub fn log(&self) -> String {
        self.nodes.iter().map(|node| node.process().stderr()).collect()
    }

    /// The same, once all the words are in it: lines of an answer may be written after it.
    #[track_caller]
    pub fn logs(&self, words: &[&str]) -> String {
        let said = || Some(self.log()).filter(|log| words.iter().all(|word| log.contains(word)));
        within(WAIT_TIMEOUT, said).unwrap_or_else(|| panic!("the log never has {words:?}:\n{}", self.log()))
    }

    /// What it wrote to standard output since its last start.
    pub fn stdout(&self) -> String {
        self.nodes[0].process().stdout()
    }

    /// Whether it has not ended.
    pub fn runs(&mut self) -> bool {
        self.nodes.iter_mut().any(|node| !node.has_ended())
    }

    /// Resident memory in bytes, from the kernel.
    pub fn resident(&self) -> u64 {
        resident(self.id())
    }

    /// Ends it with SIGTERM. Its output stays readable.
    #[track_caller]
    pub fn stop(&mut self) -> ExitStatus {
        self.end_with("TERM")
    }

    /// Sends it a signal.
    #[track_caller]
    pub fn signal(&mut self, signal: &str) {
        for node in &mut self.nodes {
            node.process.as_mut().expect("the server was started").signal(signal);
        }
    }

    /// Ends it with a signal that it answers by draining.
    #[track_caller]
    pub fn end_with(&mut self, signal: &str) -> ExitStatus {
        self.signal(signal);
        let mut ended = None;
        for node in &mut self.nodes {
            let process = node.process.as_mut().expect("the server was started");
            let status = process.wait(DRAIN_TIMEOUT);
            let status = status.unwrap_or_else(|| panic!("still running {DRAIN_TIMEOUT:?} after {signal}"));
            // The one that did not end well is told of.
            ended = ended.filter(|before: &ExitStatus| !before.success()).or(Some(status));
        }
        ended.expect("there is a node")
    }

    /// Ends it with SIGKILL: it can do nothing more.
    pub fn kill(&mut self) {
        for process in self.nodes.iter_mut().filter_map(|node| node.process.as_mut()) {
            process.kill();
        }
    }

    /// Starts it again on the same data, at another port. Callers have to be taken anew.
    #[track_caller]
    pub fn again(&mut self) {
        assert!(!self.runs(), "the server still runs");
        if let Err(failed) = self.boot() {
            panic!(
                "the server did not boot again (code {:?}):\n{}",
                failed.code, failed.stderr
            );
        }
    }

    /// Sets a variable for the next start.
    pub fn set_env(&mut self, name: &str, value: impl Into<OsString>) {
        self.build.environment.insert(name.into(), value.into());
    }

    /// Stops it, lets `edit` change what cannot be changed over HTTP, and starts it again.
    #[track_caller]
    pub fn edit(&mut self, edit: impl FnOnce(&Core)) {
        self.stop();
        edit(&self.core());
        self.again();
    }

    /// A caller without a credential at each of its processes.
    pub fn at_each(&self) -> impl Iterator<Item = Client> {
        let addresses = self.nodes.iter().map(|node| node.address.expect("the server runs"));
        addresses.map(|address| Client::new(address, Credential::None))
    }

    /// A caller without a credential.
    pub fn anonymous(&self) -> Client {
        Client::new(self.address(), Credential::None)
    }

    /// The admin bearer.
    pub fn admin(&self) -> Client {
        self.bearer(ADMIN_TOKEN)
    }

    /// A caller with any bearer.
    pub fn bearer(&self, token: &str) -> Client {
        Client::new(self.address(), Credential::Bearer(token.into()))
    }

    /// The browser session of one of [`accounts::PEOPLE`], by name.
    #[track_caller]
    pub fn user(&self, name: &str) -> Client {
        let cookie = format!("galley_session={}", accounts::session_of(Person::named(name)));
        Client::new(self.address(), Credential::Cookie(cookie))
    }

    /// A new personal access token of one of [`accounts::PEOPLE`].
    #[track_caller]
    pub fn token(&self, name: &str, scopes: &[&str]) -> Client {
        let body = serde_json::json!({ "name": "for a test", "scopes": scopes });
        let minted = self.user(name).post("/api/v1/tokens", body).expect(201).json();
        self.bearer(minted["token"].as_str().expect("the answer holds the token"))
    }

    /// The address of the one-time link in the log of a server without accounts: path and query.
    pub fn local_link(&self) -> Option<String> {
        let log = self.log();
        let start = log.find("/api/v1/auth/local?token=")?;
        let end = log[start..]
            .find(|c: char| c.is_whitespace() || "\"'`<>)".contains(c))
            .unwrap_or(log.len() - start);
        Some(log[start..start + end].to_owned())
    }

    /// Signs in through the one-time link in the log and makes the first account, as a person with a browser would.
    #[track_caller]
    pub fn local_operator(&self) -> Client {
        let link = crate::poll::eventually("a one-time link in the log", || self.local_link());
        let answer = self
            .anonymous()
            .submit(&link, "email=ana%40example.com&displayName=Ana");
        assert!(
            matches!(answer.status, 200..=399),
            "the form was refused: {}{}",
            answer.head,
            answer.text()
        );
        self.signed_in_by(&answer)
    }

    /// The browser that got this answer to a sign-in.
    #[track_caller]
    pub fn signed_in_by(&self, answer: &crate::http::Response) -> Client {
        Client::new(self.address(), Credential::Cookie(session_cookie(answer)))
    }
}

/// `name=value` of the session cookie that an answer sets.
///
/// # Panics
/// When it sets none.
#[track_caller]
pub fn session_cookie(answer: &crate::http::Response) -> String {
    let cookies = answer.all("set-cookie");
    let session = cookies.iter().find(|cookie| cookie.contains("galley_session="));
    let session = session.unwrap_or_else(|| panic!("{}: no session cookie in {cookies:?}", answer.request));
    session.split(';').next().unwrap_or_default().trim().to_owned()
}

/// Resident memory of a process in bytes; 0 when it is gone.
pub fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse::<u64>().ok())
        .unwrap_or(0)
        * 1024
}
