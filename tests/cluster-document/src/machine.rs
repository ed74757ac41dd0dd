//! A machine: namespaces with a system of their own above that of this machine, ended by the id of their first process.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use galley_harness::usage::children;

use crate::network;
use crate::stand_ins::{self, is_running};

/// What a machine changes of its system lies in these folders.
const CHANGED: [&str; 4] = ["etc", "var", "opt", "srv"];

/// How often it is looked whether a process ended.
const POLL: Duration = Duration::from_millis(5);

/// How many lines of a log are shown.
const SHOWN_LINES: usize = 20;

/// What all machines are made of.
#[derive(Debug)]
pub struct Parts {
    /// Holds everything of all machines.
    pub folder: PathBuf,
    /// The folder that the build leaves, `~/galley` on every machine.
    pub galley: PathBuf,
    /// Packages of PyPI: machines reach nobody but each other.
    pub packages: PathBuf,
}

/// All machines.
#[derive(Debug)]
pub struct Machines {
    /// Those of the cluster.
    pub nodes: Vec<Machine>,
    /// Those beside it.
    pub others: Vec<Machine>,
}

impl Machines {
    /// The machine of this name.
    pub fn named(&self, name: &str) -> Result<&Machine> {
        let machine = self.all().find(|machine| machine.name == name);
        machine.with_context(|| format!("there is no machine `{name}`"))
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Machine> {
        self.nodes.iter().chain(&self.others)
    }
}

/// A machine. Dropped, it is killed.
#[derive(Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Its address.
    pub address: Ipv4Addr,
    folder: PathBuf,
    home: PathBuf,
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
            let [upper, work] = layers(&folder, changed).map(|path| path.display().to_string());
            script.push(format!(
                "mount -t overlay overlay -o 'lowerdir=/{changed},upperdir={upper},workdir={work}' /{changed}"
            ));
        }
        let homes = parts.folder.join("homes");
        let home = homes.join(address.to_string());
        // The folder that this program lies in may be below /tmp: that comes last.
        let temporary = folder.join("tmp");
        script.push("mount -t tmpfs -o mode=0755 tmpfs /run".to_owned());
        script.push("mkdir -p /srv/packages /srv/homes".to_owned());
        for (from, to) in [
            (&parts.packages, "/srv/packages"),
            (&homes, "/srv/homes"),
            (&parts.galley, &*format!("/srv/homes/{address}/galley")),
            (&parts.folder.join("bin"), "/usr/local/sbin"),
            (&temporary, "/tmp"),
        ] {
            script.push(format!("mount --bind '{}' {to}", from.display()));
        }
        script.push("echo up".to_owned());
        script.push("while :; do sleep 1000 & wait $!; done".to_owned());
        let machine = Machine {
            name: name.to_owned(),
            address,
            folder,
            home,
            script: script.join("\n"),
            first: None,
        };
        machine.lay_out()?;
        Ok(machine)
    }

    /// Makes its folders.
    fn lay_out(&self) -> Result<()> {
        for changed in CHANGED {
            for layer in layers(&self.folder, changed) {
                fs::create_dir_all(layer)?;
            }
        }
        fs::create_dir_all(self.home.join("galley"))?;
        let temporary = self.folder.join("tmp");
        fs::create_dir_all(&temporary)?;
        fs::set_permissions(&temporary, fs::Permissions::from_mode(0o1777))?;
        Ok(())
    }

    /// Makes it another one of the same name and address, with nothing on its disks. It is off.
    pub fn forget(&mut self) -> Result<()> {
        ensure!(self.first.is_none(), "the machine {} is on", self.name);
        fs::remove_dir_all(&self.folder)?;
        fs::remove_dir_all(&self.home)?;
        self.lay_out()
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
        let id = children(outer.id()).pop().context("it has one child")?;
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
    pub fn cut(&mut self) -> Result<()> {
        // First, so that nobody is told of connections that end.
        network::cut(&self.name)?;
        self.kill();
        Ok(())
    }

    fn kill(&mut self) {
        if let Some(First { mut outer, id }) = self.first.take() {
            // Its child is killed with it, and with that one all others of its namespace, before it counts as ended.
            let _ = outer.kill();
            let _ = outer.wait();
            while is_running(id) {
                std::thread::sleep(POLL);
            }
        }
    }

    /// What a service complained of at last.
    pub fn last_lines(&self, service: &str) -> String {
        let log = fs::read_to_string(self.folder.join(format!("var/upper/log/{service}.log"))).unwrap_or_default();
        let lines: Vec<&str> = log.lines().filter(|line| !line.contains(" INFO ")).collect();
        lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
    }
}

/// What a machine changes of a folder of its system, and what the kernel needs for that.
fn layers(folder: &Path, changed: &str) -> [PathBuf; 2] {
    ["upper", "work"].map(|part| folder.join(changed).join(part))
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.kill();
    }
}
