//! What a build's commands may touch: the system's programs to read, their own folder to write, nothing else.
//!
//! Landlock lists what is allowed, so the server's data folder and its keys are out of reach without being named; they
//! are named all the same, for the case that they lie inside of what is allowed (`/opt/galley/data`). It also keeps the
//! commands from signalling and inspecting processes that are not their own, the server first of all. Capabilities would
//! lead around some of this (`perf` may read any environment), so that a server run as root gives them up for its builds.

use std::path::{Path, PathBuf};

use anyhow::Context;
use caps::CapSet;
use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What the programs of a system need to read. Missing ones are passed over.
const SYSTEM: [&str; 14] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc",
    "/opt",
    "/nix",
    "/proc",
    "/sys",
    // Where the addresses of name servers stand on many systems; /etc/resolv.conf links there.
    "/run/systemd/resolve",
    "/run/resolvconf",
    "/run/NetworkManager",
];

/// The devices a program may use.
const DEVICES: [&str; 6] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
];

/// The newest rules this program knows; an older kernel enforces those it has.
const NEWEST: ABI = ABI::V7;

/// The largest file, in bytes.
const MAX_FILE: u64 = 4 << 30;
/// Processes and threads of the server's user, all together.
const MAX_PROCESSES: u64 = 4_096;
/// Open files of one process.
const MAX_OPEN: u64 = 16_384;

/// Whether the kernel can confine at all.
pub fn is_supported() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Confines this thread and every process it starts from now on. On a kernel without Landlock nothing happens.
pub fn confine(folder: &Path, hidden: &[PathBuf]) -> anyhow::Result<()> {
    let hidden: Vec<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut readable = Vec::new();
    for root in SYSTEM.iter().map(PathBuf::from).chain(program_folders()) {
        if let Ok(root) = root.canonicalize() {
            grant(&root, &hidden, &mut readable);
        }
    }
    // This program itself, which packs the output.
    readable.push("/proc/self/exe".into());
    Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(readable, AccessFs::from_read(NEWEST)))?
        .add_rules(path_beneath_rules(DEVICES, AccessFs::from_all(NEWEST)))?
        .add_rules(path_beneath_rules([folder], AccessFs::from_all(NEWEST)))?
        .restrict_self()
        .context("the build's commands cannot be confined")?;
    give_up_capabilities().context("the build's commands cannot be kept from the rights of root")
}

/// Gives up every capability of this thread, for good: no program it starts gets one back.
fn give_up_capabilities() -> anyhow::Result<()> {
    // Only root may change this one; for everybody else it means nothing.
    let _ = caps::clear(None, CapSet::Bounding);
    for set in [
        CapSet::Ambient,
        CapSet::Inheritable,
        CapSet::Effective,
        CapSet::Permitted,
    ] {
        caps::clear(None, set)?;
    }
    Ok(())
}

/// The folders of PATH, and the libraries beside them, where package managers keep what their programs load.
fn program_folders() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = Vec::new();
    for folder in std::env::split_paths(&path).filter(|folder| folder.is_absolute()) {
        if folder.ends_with("bin")
            && let Some(beside) = folder.parent()
        {
            folders.push(beside.join("lib"));
        }
        folders.push(folder);
    }
    folders
}

/// Allows `root`, or what is in it beside the hidden paths. Paths are canonical.
fn grant(root: &Path, hidden: &[PathBuf], allowed: &mut Vec<PathBuf>) {
    if hidden.iter().any(|hidden| root.starts_with(hidden)) {
        return;
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(root)) {
        allowed.push(root.to_owned());
        return;
    }
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        // A link could lead to what is hidden. Where it leads is allowed by itself, or not.
        if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
            grant(&entry.path(), hidden, allowed);
        }
    }
}

/// Bounds what one build can use up. What cannot be set stays as it is: the build's time is bounded anyway.
pub fn limit() {
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::Fsize, MAX_FILE),
        (Resource::Nproc, MAX_PROCESSES),
        (Resource::Nofile, MAX_OPEN),
    ] {
        // `None` is unlimited.
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX).min(most);
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        let _ = setrlimit(resource, limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(root: &Path, hidden: &[PathBuf]) -> Vec<PathBuf> {
        let mut allowed = Vec::new();
        grant(root, hidden, &mut allowed);
        allowed.sort();
        allowed
    }

    #[test]
    fn what_is_hidden_is_cut_out_of_what_is_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for path in ["opt/galley/data/keys", "opt/galley/plugins", "opt/node"] {
            std::fs::create_dir_all(root.join(path)).unwrap();
        }
        std::fs::write(root.join("opt/galley/key.pem"), "").unwrap();
        std::os::unix::fs::symlink(root.join("opt/galley/data"), root.join("opt/way-round")).unwrap();
        let opt = root.join("opt");
        let hidden = [opt.join("galley/data"), opt.join("galley/key.pem")];
        assert_eq!(granted(&opt, &hidden), [opt.join("galley/plugins"), opt.join("node")]);
        assert_eq!(granted(&opt.join("galley/data/keys"), &hidden), [] as [PathBuf; 0]);
        assert_eq!(granted(&opt, &[]), [opt]);
    }
}
