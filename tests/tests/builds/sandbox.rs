//! Hostile commands in the sandbox of builds, both ways it is made: with namespaces, and with rules alone where a kernel
//! refuses namespaces. The victim is a running server and other services of this machine.

use std::fs::File;
use std::io::Read;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use galley_tests::prelude::*;

/// A user that owns nothing, as a server's own user should be.
const NOBODY: u32 = 65_534;

/// Connects to a port, an address first; or to a unix socket.
pub const CONNECT: &str = r#"node -e '
const [address, port] = process.argv.slice(1);
const socket = port ? require("net").connect(+port, address) : require("net").connect(address.replace("@", "\0"));
socket.on("connect", () => process.exit(0));
socket.on("error", () => process.exit(1));
setTimeout(() => process.exit(1), 5000);'"#;

/// Asks the proxy of the step for a tunnel to a host and port.
pub const TUNNEL: &str = r#"node -e '
const socket = require("net").connect(+new URL(process.env.http_proxy).port, "127.0.0.1");
socket.write(`CONNECT ${process.argv[1]} HTTP/1.1\r\n\r\n`);
socket.on("data", (data) => process.exit(String(data).includes(" 200 ") ? 0 : 1));
socket.on("error", () => process.exit(1));
setTimeout(() => process.exit(1), 5000);'"#;

fn is_root() -> bool {
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

/// The number of setxattr(2), for perl, which every machine with git has.
const SETXATTR: u32 = if cfg!(target_arch = "x86_64") { 188 } else { 5 };

/// What holds of processes and files before and after: nothing may change.
#[derive(Debug, PartialEq)]
struct State {
    /// The limits and the priority of each process.
    processes: Vec<(String, String)>,
    folder: (u32, i64, u32),
    database: (u32, i64, u32),
}

fn state(server: &Server, victim: u32) -> State {
    let process = |process: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        let nice = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(16).unwrap();
        let limits = std::fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
        (limits, nice.to_owned())
    };
    let of = |path: &Path| {
        let found = std::fs::metadata(path).unwrap();
        (found.mode(), found.mtime().min(946_684_800), found.uid())
    };
    State {
        processes: vec![process(server.id()), process(victim)],
        folder: of(server.data_dir()),
        database: of(&server.data_dir().join("core.db")),
    }
}

/// Runs the attempts in a sandbox and gives what it wrote.
fn in_sandbox(isolation: &str, folder: &Path, hidden: &Path, ports: &[u16], script: &str) -> String {
    let ports = ports.iter().flat_map(|port| ["--port".to_owned(), port.to_string()]);
    in_sandbox_with(isolation, folder, hidden, &ports.collect::<Vec<_>>(), script)
}

/// The same with any arguments.
fn in_sandbox_with(isolation: &str, folder: &Path, hidden: &Path, arguments: &[String], script: &str) -> String {
    std::fs::write(folder.join("attempts.sh"), script).unwrap();
    let mut command = Command::new(galley_tests::paths::galley());
    command.args(["build-step", "--isolation", isolation, "--network", "proxied"]);
    command
        .arg("--folder")
        .arg(folder)
        .arg("--hide")
        .arg(hidden)
        .args(arguments);
    command.args(["--", "sh", "attempts.sh"]).current_dir(folder);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    if is_root() {
        // What root may do is refused to the server's usual user anyway.
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = folder.join("output");
    let writer = File::create(&output).unwrap();
    command.stdin(Stdio::piped());
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    let leash = child.stdin.take();
    let ended = child.wait().unwrap();
    drop(leash);
    let mut text = String::new();
    File::open(output).unwrap().read_to_string(&mut text).unwrap();
    assert!(ended.success(), "{ended}:\n{text}");
    text
}

fn attempts(all: &[(&str, String)]) -> String {
    let line = |(name, command): &(&str, String)| {
        format!("if ( {command} ) >/dev/null 2>&1; then echo \"{name}: yes\"; else echo \"{name}: no\"; fi\n")
    };
    all.iter().map(line).collect()
}

/// A folder that this test's sandbox may use, whoever runs it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::Builder::new().prefix("galley-step-").tempdir().unwrap();
    if is_root() {
        chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    folder
}

#[track_caller]
fn nothing_outside_is_reached(isolation: &str) {
    let metrics = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let server = Server::build()
        .env("SERVICE_METRICS_LISTEN", metrics.to_string())
        .start();
    let (place, outside) = (folder(), folder());
    if is_root() {
        // The same user as the commands, which is what makes the attempts dangerous.
        for path in [server.data_dir().to_owned(), server.data_dir().join("core.db")] {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let newer = TcpListener::bind("[::1]:0").ok();
    let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let socket = outside.path().join("service.sock");
    let _service = UnixListener::bind(&socket).unwrap();
    std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o777)).unwrap();
    let name = format!("galley-test-{}-{isolation}", std::process::id());
    let abstract_name = SocketAddr::from_abstract_name(&name).unwrap();
    let _abstract_service = UnixListener::bind_addr(&abstract_name).unwrap();
    let mut victim = Command::new("sleep");
    if is_root() {
        victim.uid(NOBODY).gid(NOBODY);
    }
    let mut victim = victim.arg("600").spawn().unwrap();

    let process = server.id();
    let data = server.data_dir().canonicalize().unwrap();
    let data = data.display();
    let (api, other, datagram) = (
        server.address().port(),
        other.local_addr().unwrap().port(),
        datagrams.local_addr().unwrap().port(),
    );
    let v6 = newer.as_ref().map_or(9, |newer| newer.local_addr().unwrap().port());
    let tried = [
        ("limit the server", format!("prlimit --pid {process} --nofile=30:30")),
        (
            "limit another process",
            format!("prlimit --pid {} --cpu=1", victim.id()),
        ),
        ("slow the server down", format!("renice -n 19 -p {process}")),
        ("slow another process down", format!("renice -n 19 -p {}", victim.id())),
        ("take its disk", format!("ionice -c 3 -p {process}")),
        ("take its processors", format!("taskset -p 1 {process}")),
        ("signal the server", format!("kill -0 {process}")),
        ("end the server", format!("kill -9 {process}")),
        ("end another process", format!("kill -9 {}", victim.id())),
        (
            "read its environment",
            format!("cat /proc/{process}/environ | grep -q SERVICE"),
        ),
        ("read its memory", format!("head -c 1 /proc/{process}/mem")),
        ("look through its root", format!("ls /proc/{process}/root/")),
        ("list the data folder", format!("ls {data}")),
        ("read the database", format!("cat {data}/core.db")),
        ("empty the database", format!("truncate -s 0 {data}/core.db")),
        ("own the data folder", format!("chown $(id -u) {data} {data}/core.db")),
        (
            "mark the data folder",
            format!("perl -e 'exit(syscall({SETXATTR}, $ARGV[0], \"user.x\", \"1\", 1, 0) == 0 ? 0 : 1)' {data}"),
        ),
        ("read passwords", "cat /etc/shadow".to_owned()),
        (
            "read the rest of /etc",
            "cat /etc/fstab || cat /etc/hostname || cat /etc/machine-id || cat /etc/login.defs || ls /etc/systemd"
                .to_owned(),
        ),
        ("read keys of certificates", "ls /etc/ssl/private".to_owned()),
        ("connect to the API", format!("{CONNECT} 127.0.0.1 {api}")),
        (
            "connect to the metrics",
            format!("{CONNECT} 127.0.0.1 {}", metrics.port()),
        ),
        ("connect to a service", format!("{CONNECT} 127.0.0.1 {other}")),
        ("connect over IPv6", format!("{CONNECT} ::1 {v6}")),
        ("connect to a socket", format!("{CONNECT} {}", socket.display())),
        ("connect to an abstract socket", format!("{CONNECT} @{name}")),
        ("tunnel to the API", format!("{TUNNEL} 127.0.0.1:{api}")),
        ("tunnel by name", format!("{TUNNEL} localhost:{api}")),
        ("tunnel to any address", format!("{TUNNEL} 0.0.0.0:{other}")),
        ("tunnel to the whole network", format!("{TUNNEL} 127.99.0.1:{other}")),
        ("tunnel over IPv6", format!("{TUNNEL} [::1]:{v6}")),
        (
            "tunnel to a mapped address",
            format!("{TUNNEL} [::ffff:127.0.0.1]:{other}"),
        ),
        (
            "tunnel to the machine's name",
            format!("{TUNNEL} $(cat /proc/sys/kernel/hostname):{other}"),
        ),
        ("tunnel to the cloud", format!("{TUNNEL} 169.254.169.254:80")),
        ("tunnel to a closed port", format!("{TUNNEL} 203.0.113.9:8765")),
        ("make namespaces", "unshare --user true".to_owned()),
    ];
    // The answer says yes, and nothing happened: told apart by what is there afterwards.
    let pretended = [
        ("open the data folder", format!("chmod 777 {data} {data}/core.db")),
        (
            "date the database",
            format!("touch -d 1999-01-01 {data}/core.db {data}"),
        ),
        ("slow its user down", "renice -n 19 -u $(id -u)".to_owned()),
        (
            "send a datagram",
            format!(
                "node -e 'require(\"dgram\").createSocket(\"udp4\").send(\"x\", {datagram}, \"127.0.0.1\", () => process.exit())'"
            ),
        ),
    ];
    let allowed = [
        ("write", "echo x > file && mkdir folder && mv file folder/".to_owned()),
        ("start programs", "git --version && node --version".to_owned()),
        ("signal its own", "sleep 60 & kill $!".to_owned()),
        ("use devices", "head -c 1 /dev/urandom > /dev/null".to_owned()),
    ];
    let before = state(&server, victim.id());
    let all: Vec<_> = tried.iter().chain(&pretended).chain(&allowed).cloned().collect();
    let ports = [80, 443, api, metrics.port(), other, v6];
    let said = in_sandbox(isolation, place.path(), server.data_dir(), &ports, &attempts(&all));
    for (name, _) in &tried {
        assert!(said.contains(&format!("{name}: no\n")), "{name}:\n{said}");
    }
    for (name, _) in &allowed {
        assert!(said.contains(&format!("{name}: yes\n")), "{name}:\n{said}");
    }
    assert_eq!(before, state(&server, victim.id()));
    assert!(datagrams.recv(&mut [0; 8]).is_err(), "a datagram came through");
    assert!(victim.try_wait().unwrap().is_none(), "another process was ended");
    victim.kill().unwrap();
    victim.wait().unwrap();
    server.anonymous().get("/api/v1/health").expect(200);
}

#[test]
fn in_namespaces_nothing_outside_has_a_name() {
    nothing_outside_is_reached("namespaces");
}

#[test]
fn without_namespaces_rules_refuse_what_has_a_name() {
    nothing_outside_is_reached("rules");
}

/// What git fetches with: one server is open, although it is on this machine, and nothing else is.
#[track_caller]
fn one_server_is_all_that_is_reached(isolation: &str) {
    let place = folder();
    let (server, other) = (
        TcpListener::bind("127.0.0.1:0").unwrap(),
        TcpListener::bind("127.0.0.1:0").unwrap(),
    );
    let (port, other) = (server.local_addr().unwrap().port(), other.local_addr().unwrap().port());
    let script = attempts(&[
        ("the server", format!("{TUNNEL} 127.0.0.1:{port}")),
        ("another port", format!("{TUNNEL} 127.0.0.1:{other}")),
        ("another name", format!("{TUNNEL} localhost:{port}")),
        ("another machine", format!("{TUNNEL} 203.0.113.9:443")),
        ("without the proxy", format!("{CONNECT} 127.0.0.1 {port}")),
        ("variables", "env | grep -qi ^no_proxy".to_owned()),
    ]);
    let only = [
        "--only".to_owned(),
        format!("127.0.0.1:{port}"),
        "--port".to_owned(),
        "443".to_owned(),
    ];
    let said = in_sandbox_with(isolation, place.path(), Path::new("/nonexistent"), &only, &script);
    assert!(said.contains("the server: yes\n"), "{said}");
    assert_eq!(said.matches(": no\n").count(), 5, "{said}");
}

#[test]
fn in_namespaces_git_reaches_the_code_host_only() {
    one_server_is_all_that_is_reached("namespaces");
}

#[test]
fn without_namespaces_git_reaches_the_code_host_only() {
    one_server_is_all_that_is_reached("rules");
}

#[test]
fn a_process_that_uses_up_its_processor_time_is_ended() {
    let place = folder();
    let script = "timeout 60 sh -c 'while :; do :; done'; echo ended with $?; ulimit -t";
    for isolation in ["namespaces", "rules"] {
        let cpu = ["--cpu".to_owned(), "1".to_owned()];
        let said = in_sandbox_with(isolation, place.path(), Path::new("/nonexistent"), &cpu, script);
        assert!(
            said.contains("ended with 137\n") && said.ends_with("\n1\n"),
            "{isolation}: {said}"
        );
    }
}

#[test]
fn in_namespaces_a_build_talks_to_itself() {
    let place = folder();
    let own = r#"node -e '
const server = require("net").createServer((client) => client.end("x"));
server.listen(process.argv[1] === "tcp" ? { port: 0, host: "127.0.0.1" } : "own.sock", () => {
  const where = server.address();
  const client = require("net").connect(where.port ? where.port : where, "127.0.0.1");
  client.on("data", () => process.exit(0));
  client.on("error", () => process.exit(1));
});'"#;
    let script = attempts(&[
        ("tcp", format!("{own} tcp")),
        ("unix", format!("{own} unix")),
        (
            "modes",
            "echo '#!/bin/sh' > tool && chmod 750 tool && ./tool && touch -d 2001-01-01 tool".to_owned(),
        ),
        ("shared memory", "echo x > /dev/shm/x".to_owned()),
    ]);
    let said = in_sandbox("namespaces", place.path(), Path::new("/nonexistent"), &[], &script);
    assert!(!said.contains(": no"), "{said}");
    let mode = std::fs::metadata(place.path().join("tool")).unwrap().mode();
    assert_eq!(mode & 0o777, 0o750);
}
