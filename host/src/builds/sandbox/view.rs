//! What a step sees of the system: the programs and what they need to run, nothing of anybody's data.

use std::path::{Path, PathBuf};

/// What the programs of a system need to read. Missing ones are passed over. `/proc` is not among them: a namespace has
/// its own.
const SYSTEM: [&str; 12] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    // Not /nix as a whole: the socket of its daemon is below.
    "/nix/store",
    "/nix/var/nix/profiles",
    // How many processors there are, and how much memory.
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
];

/// What programs need of the system's configuration. The rest of `/etc` holds the secrets of services.
const CONFIGURATION: [&str; 22] = [
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/cert.pem",
    // Where other systems keep the certificates of authorities.
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust",
    "/etc/ca-certificates",
    "/etc/crypto-policies",
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/os-release",
    // Which program a name such as `awk` stands for.
    "/etc/alternatives",
    "/etc/mime.types",
];

/// The devices a program may use.
pub const DEVICES: [&str; 6] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
];

/// A place a step may read: where it really is, and the path programs know it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The path without links.
    pub real: PathBuf,
    /// The path as it stands in a list or in PATH.
    pub known: PathBuf,
}

/// Everything a step may read, without what is hidden.
pub fn readable(hidden: &[PathBuf]) -> Vec<Place> {
    let hidden: Vec<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut places = Vec::new();
    let listed = SYSTEM.iter().chain(&CONFIGURATION).map(PathBuf::from);
    for known in listed.chain(program_folders()) {
        let Ok(real) = known.canonicalize() else { continue };
        let mut parts = Vec::new();
        grant(&real, &hidden, &mut parts);
        if parts == [real.clone()] {
            places.push(Place { real, known });
        } else {
            places.extend(parts.into_iter().map(|part| Place {
                real: part.clone(),
                known: part,
            }));
        }
    }
    places
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
