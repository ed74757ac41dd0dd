//! A machine: namespaces with a system of their own above that of this machine, ended by the id of their first process.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::network;
use crate::stand_ins;

/// What a machine changes of its system lies in these folders.
const CHANGED: [&str; 4] = ["etc", "var", "opt", "srv"];

/// How many lines of a log are shown.
const SHOWN_LINES: usize = 20;

/// What all machines are made of.
#[derive(Debug)]
pub struct Parts {
    /// Holds everything of all machines.
    pub folder: PathBuf,
    /// The folder that an operator copies to /opt/galley.
    pub galley: PathBuf,
    /// Packages of PyPI: machines reach nobody but each other.
    pub packages: PathBuf,
}

/// A machine. Dropped, it is killed.
#[derive(Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Its address.
    pub address: Ipv4Addr,
    folder: PathBuf,
    script: String,
    first: Option<First>,
}

/// The first process of a machine, with the one that waits for it.
#[derive(Debug)]
struct First {
    outer: Child,
    id: u32,
}

impl Machine {
    /// One that is switched off.
    pub fn new(parts: &Parts, name: &str, address: Ipv4Addr) -> Result<Machine> {
        let folder = parts.folder.join(name);
        let mut script = vec![
            "set -e".to_owned(),
            "mount --make-rprivate /".to_owned(),
            "mount -t proc proc /proc".to_owned(),
            format!("hostname {name}"),
        ];
        for changed in CHANGED {
            let [upper, work] = ["upper", "work"].map(|part| folder.join(changed).join(part));
            fs::create_dir_all(&upper)?;
            fs::create_dir_all(&work)?;
            let [upper, work] = [upper, work].map(|path| path.display().to_string());
            script.push(format!(
                "mount -t overlay overlay -o 'lowerdir=/{changed},upperdir={upper},workdir={work}' /{changed}"
            ));
        }
        let homes = parts.folder.join("homes");
        fs::create_dir_all(homes.join(address.to_string()))?;
        // The folder that this program lies in may be below /tmp: that comes last.
        let temporary = folder.join("tmp");
        fs::create_dir_all(&temporary)?;
        fs::set_permissions(&temporary, fs::Permissions::from_mode(0o1777))?;
        script.push("mount -t tmpfs -o mode=0755 tmpfs /run".to_owned());
        script.push("mkdir -p /opt/galley /srv/packages /srv/homes".to_owned());
        for (from, to) in [
            (parts.galley.as_path(), "/opt/galley"),
            (&parts.packages, "/srv/packages"),
            (&homes, "/srv/homes"),
            (&parts.folder.join("bin"), "/usr/local/sbin"),
            (&temporary, "/tmp"),
        ] {
            script.push(format!("mount --bind '{}' {to}", from.display()));
        }
        script.push("echo up".to_owned());
        script.push("while :; do sleep 1000 & wait $!; done".to_owned());
        Ok(Machine {
            name: name.to_owned(),
            address,
            folder,
            script: script.join("\n"),
            first: None,
        })
    }

    /// Switches it on. What was enabled starts.
    pub fn start(&mut self) -> Result<()> {
        let mut outer = Command::new("unshare")
            .args([
                "--net",
                "--mount",
                "--uts",
                "--ipc",
                "--pid",
                "--fork",
                "--kill-child",
                "--",
                "bash",
                "-c",
            ])
            .arg(&self.script)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start `unshare`")?;
        let mut said = String::new();
        let stdout = outer.stdout.take().context("it is piped")?;
        BufReader::new(stdout).read_line(&mut said)?;
        ensure!(said == "up\n", "the machine {} does not start", self.name);
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", outer.id()))?;
        let id = children.trim().parse().context("it has one child")?;
        self.first = Some(First { outer, id });
        network::join(&self.name, id, self.address)?;
        self.run(&format!("{} boot", stand_ins::SYSTEMCTL))
    }

    /// Runs commands as a person does who is signed in as root, and fails when one of them fails.
    pub fn run(&self, commands: &str) -> Result<()> {
        let status = self.shell(&format!("set -e\n{commands}"))?.status()?;
        ensure!(
            status.success(),
            "commands on {} failed ({status}):\n{commands}",
            self.name
        );
        Ok(())
    }

    /// Runs commands and gives what they print.
    pub fn read(&self, commands: &str) -> Result<String> {
        let output = self.shell(commands)?.stderr(Stdio::inherit()).output()?;
        ensure!(output.status.success(), "commands on {} failed:\n{commands}", self.name);
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn shell(&self, commands: &str) -> Result<Command> {
        let Some(First { id, .. }) = &self.first else {
            bail!("the machine {} is off", self.name);
        };
        let home = format!("/srv/homes/{}", self.address);
        let mut shell = Command::new("nsenter");
        shell
            .args([
                "--target",
                &id.to_string(),
                "--net",
                "--mount",
                "--uts",
                "--ipc",
                "--pid",
            ])
            .args(["--", "bash", "-c", &format!("cd\n{commands}")])
            .env_clear()
            .env("HOME", home)
            .env("PATH", "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin")
            .env("LC_ALL", "C.UTF-8")
            .env("PIP_NO_INDEX", "1")
            .env("PIP_FIND_LINKS", "/srv/packages")
            .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
            .stdin(Stdio::null());
        Ok(shell)
    }

    /// Cuts its power: its network is gone, and all its processes are killed at once.
    pub fn cut(&mut self) -> Result<Instant> {
        // First, so that nobody is told of connections that end.
        network::cut(&self.name)?;
        let at = Instant::now();
        self.kill();
        Ok(at)
    }

    fn kill(&mut self) {
        if let Some(First { mut outer, id }) = self.first.take() {
            // All others of its namespace are killed with the first process, before that one is gone.
            let _ = Command::new("kill").args(["-s", "KILL", &id.to_string()]).status();
            let _ = outer.wait();
        }
    }

    /// What a service complained of at last.
    pub fn last_lines(&self, service: &str) -> String {
        let log = fs::read_to_string(self.folder.join(format!("var/upper/log/{service}.log"))).unwrap_or_default();
        let lines: Vec<&str> = log.lines().filter(|line| !line.contains(" INFO ")).collect();
        lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.kill();
    }
}
