//! A PostgreSQL of the tests' own, from the programs that the machine has: one for each process, in a temporary folder, reached
//! by a socket in there, and gone with the process however that ends.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;

/// Where Debian's packages put each version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// The user that packages of PostgreSQL make. It refuses to run as root.
const USER: &str = "postgres";

/// Makes a server in a new folder, writes the folder's name when it answers, and ends it when its own input ends: that of a
/// process ends with the process. Statements of tests need not survive anything.
const SCRIPT: &str = r#"
folder=$(mktemp -d "${TMPDIR:-/tmp}/galley-postgres-XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
"$1/initdb" --auth=trust --username=galley --encoding=UTF8 --locale=C --no-sync -D "$folder/data" >"$folder/log" 2>&1 ||
  { cat "$folder/log" >&2; exit 1; }
"$1/postgres" -D "$folder/data" -c listen_addresses= -c unix_socket_directories="$folder" -c fsync=off -c max_connections=300 \
  >>"$folder/log" 2>&1 &
server=$!
until "$1/pg_isready" --quiet --host="$folder"; do
  kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
  sleep 0.05
done
echo "$folder"
cat >/dev/null
kill -INT "$server"
wait "$server"
"#;

/// A server that runs as long as its input is open.
struct Server {
    address: String,
    _input: ChildStdin,
}

/// The address of the process's server; why there is none.
pub(super) fn shared() -> Result<&'static str, String> {
    static SERVER: OnceLock<Result<Server, String>> = OnceLock::new();
    match SERVER.get_or_init(start) {
        Ok(server) => Ok(&server.address),
        Err(reason) => Err(reason.clone()),
    }
}

fn start() -> Result<Server, String> {
    let programs = programs().ok_or("this machine has no PostgreSQL (Debian's package is `postgresql`)")?;
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT, "sh"]).arg(programs).env("LC_ALL", "C");
    // Its own group: Ctrl-C is for the tests, and the end of the tests for it.
    command.current_dir("/").process_group(0);
    if id("-u", None) == Some(0) {
        let (user, group) = (id("-u", Some(USER)), id("-g", Some(USER)));
        let (Some(user), Some(group)) = (user, group) else {
            return Err(format!(
                "PostgreSQL does not run as root, and there is no user `{USER}`"
            ));
        };
        command.uid(user).gid(group);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|error| format!("PostgreSQL cannot be started: {error}"))?;
    let folder = folder(&mut child)?;
    let input = child.stdin.take().ok_or("it has no input")?;
    Ok(Server {
        address: format!("postgresql://galley@/postgres?host={folder}"),
        _input: input,
    })
}

/// The folder of a server that answers.
fn folder(child: &mut Child) -> Result<String, String> {
    let mut line = String::new();
    if let Some(output) = child.stdout.take() {
        let _ = BufReader::new(output).read_line(&mut line);
    }
    let folder = line.trim();
    if !folder.is_empty() {
        return Ok(folder.to_owned());
    }
    let mut said = String::new();
    if let Some(mut errors) = child.stderr.take() {
        let _ = errors.read_to_string(&mut said);
    }
    Err(format!("PostgreSQL does not start: {}", said.trim()))
}

/// The folder of the programs: that of Debian's newest version, or the one in the search path.
fn programs() -> Option<PathBuf> {
    let version = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let versions = Path::new(DEBIAN).read_dir().into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|entry| entry.path()).collect();
    versions.sort_by_key(version);
    let debian = versions.into_iter().rev().map(|version| version.join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = debian.chain(std::env::split_paths(&path));
    folders.find(|folder| {
        ["initdb", "postgres", "pg_isready"]
            .iter()
            .all(|program| folder.join(program).is_file())
    })
}

/// A number of a user: of the one who runs this, or of another.
fn id(option: &str, user: Option<&str>) -> Option<u32> {
    let asked = Command::new("id").arg(option).args(user).output().ok()?;
    String::from_utf8(asked.stdout).ok()?.trim().parse().ok()
}
