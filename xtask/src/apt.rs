//! Installing Debian packages, without starting the services some of them bring.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use galley_build::process::{command, is_root, run, which};

/// Debian's hook that is asked before a package starts a service; exit code 101 means "do not".
const POLICY: &str = "/usr/sbin/policy-rc.d";

/// Whether packages can be installed from here: `apt-get` exists and this is root.
pub fn is_possible() -> bool {
    which("apt-get").is_some() && is_root()
}

/// Installs `packages` without anything they only recommend, and removes nothing.
pub fn install(packages: &[&str]) -> Result<()> {
    if !is_possible() {
        bail!("{}", by_hand(packages));
    }
    eprintln!("xtask: apt-get install {}", packages.join(" "));
    let quiet = NoServices::begin(Path::new(POLICY))?;
    apt_get(&["update", "-qq"]).context("the package lists could not be fetched")?;
    let mut args = vec!["install", "-qq", "--yes", "--no-remove", "--no-install-recommends"];
    args.extend(packages);
    apt_get(&args).with_context(|| by_hand(packages))?;
    quiet.end()
}

/// The line for whoever has to install `packages`.
pub fn by_hand(packages: &[&str]) -> String {
    let list = packages.join(" ");
    match which("apt-get") {
        Some(_) => format!("install these as root: `apt-get install --no-install-recommends {list}`"),
        None => format!("install these with your system's package manager (Debian's names): {list}"),
    }
}

fn apt_get(args: &[&str]) -> Result<()> {
    let mut apt = command("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive")
        .args(["-o", "DPkg::Lock::Timeout=300"])
        .args(args);
    // The server's standard output is its own; whatever is said here goes to standard error.
    apt.stdout(std::io::stderr()).stdin(std::process::Stdio::null());
    run(&mut apt)
}

/// While this exists, installing a package starts no service: nginx would take port 80 otherwise. A hook that was
/// there before stays as it is: then it is the administrator's own decision.
struct NoServices {
    written: Option<PathBuf>,
}

impl NoServices {
    fn begin(hook: &Path) -> Result<Self> {
        if hook.exists() {
            return Ok(Self { written: None });
        }
        std::fs::write(hook, "#!/bin/sh\nexit 101\n").with_context(|| format!("cannot write {}", hook.display()))?;
        let this = Self {
            written: Some(hook.to_owned()),
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755))?;
        }
        Ok(this)
    }

    fn end(mut self) -> Result<()> {
        match self.written.take() {
            Some(hook) => std::fs::remove_file(&hook).with_context(|| format!("cannot remove {}", hook.display())),
            None => Ok(()),
        }
    }
}

impl Drop for NoServices {
    fn drop(&mut self) {
        if let Some(hook) = self.written.take() {
            // Only reached when an installation failed: that error is the one to report.
            let _ = std::fs::remove_file(hook);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_hook_exists_during_an_installation_only() {
        let folder = tempfile::tempdir().unwrap();
        let hook = folder.path().join("policy-rc.d");
        let quiet = NoServices::begin(&hook).unwrap();
        assert_eq!(hook.metadata().unwrap().permissions().mode() & 0o777, 0o755);
        quiet.end().unwrap();
        assert!(!hook.exists());
        drop(NoServices::begin(&hook).unwrap());
        assert!(!hook.exists(), "a failed installation takes it away too");
    }

    #[test]
    fn an_administrators_hook_stays() {
        let folder = tempfile::tempdir().unwrap();
        let hook = folder.path().join("policy-rc.d");
        std::fs::write(&hook, "mine").unwrap();
        NoServices::begin(&hook).unwrap().end().unwrap();
        assert_eq!(std::fs::read_to_string(&hook).unwrap(), "mine");
    }
}
