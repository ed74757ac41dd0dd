//! The root folder of a step: what it may read, mounted read-only at the usual paths, and the build's folder. Nothing
//! else exists, so that nothing else can be opened, and no file outside of the folder can be changed in any way.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::unistd::pivot_root;

use super::view::{DEVICES, Place, readable};

/// A folder that every system has: the new root is put together on top of it, where nobody sees it.
const BASE: &str = "/tmp";
/// The old root while the new one is made.
const OLD: &str = "/old";
/// The new root while it is made.
const NEW: &str = "/new";
/// What `/dev/shm` holds at most.
const SHARED_MEMORY: &str = "mode=1777,size=256m";

/// Replaces the root folder of this process, which has a mount and a PID namespace of its own. The working directory
/// stays the same path.
pub fn change(folder: &Path, hidden: &[PathBuf]) -> anyhow::Result<()> {
    let directory = std::env::current_dir().context("the working directory is gone")?;
    let places = readable(hidden);
    // Nothing that is mounted from now on is seen outside.
    attach(None, "/", None, MsFlags::MS_REC | MsFlags::MS_PRIVATE, None)?;
    let fresh = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    attach(Some("tmpfs"), BASE, Some("tmpfs"), fresh, Some("mode=755"))?;
    fs::create_dir(format!("{BASE}{OLD}"))?;
    fs::create_dir(format!("{BASE}{NEW}"))?;
    pivot_root(BASE, format!("{BASE}{OLD}").as_str()).context("the old root cannot be left")?;
    std::env::set_current_dir("/")?;
    attach(Some("tmpfs"), NEW, Some("tmpfs"), fresh, Some("mode=755"))?;

    for place in outermost(&places) {
        bind(&place.real, &place.real)?;
    }
    for place in &places {
        add_known_path(place)?;
    }
    bind(folder, folder)?;
    add_devices()?;
    let processes = below(NEW, Path::new("/proc"));
    fs::create_dir(&processes)?;
    attach(Some("proc"), &processes, Some("proc"), fresh | MsFlags::MS_NOEXEC, None)?;
    make_read_only(&below(NEW, folder))?;

    std::env::set_current_dir(NEW)?;
    pivot_root(".", ".").context("the new root cannot be entered")?;
    // The old root lies on top of the new one now.
    umount2(".", MntFlags::MNT_DETACH).context("the old root cannot be unmounted")?;
    std::env::set_current_dir("/")?;
    std::env::set_current_dir(&directory).context("the working directory is not in the new root")?;
    Ok(())
}

fn attach(
    source: Option<&str>,
    target: impl AsRef<Path>,
    kind: Option<&str>,
    flags: MsFlags,
    data: Option<&str>,
) -> anyhow::Result<()> {
    let target = target.as_ref();
    mount(source, target, kind, flags, data).with_context(|| format!("{} cannot be mounted", target.display()))
}

/// An absolute path below another root.
fn below(root: &str, path: &Path) -> PathBuf {
    let inner = path.strip_prefix("/").unwrap_or(path);
    Path::new(root).join(inner)
}

/// The places that are not within another one.
fn outermost(places: &[Place]) -> Vec<&Place> {
    let mut outer: Vec<&Place> = Vec::new();
    for place in places {
        let covered = |other: &Place| place.real != other.real && place.real.starts_with(&other.real);
        if !places.iter().any(covered) && !outer.iter().any(|other| other.real == place.real) {
            outer.push(place);
        }
    }
    outer
}

/// Mounts `source` of the old root at `target` of the new one.
fn bind(source: &Path, target: &Path) -> anyhow::Result<()> {
    let (source, target) = (below(OLD, source), below(NEW, target));
    let is_folder = fs::metadata(&source)
        .with_context(|| format!("{} is gone", source.display()))?
        .is_dir();
    if is_folder {
        fs::create_dir_all(&target)?;
    } else {
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&target, "")?;
    }
    mount(
        Some(&source),
        &target,
        None::<&str>,
        MsFlags::MS_BIND | MsFlags::MS_REC,
        None::<&str>,
    )
    .with_context(|| format!("{} cannot be mounted", target.display()))
}

/// Makes a place reachable by the path programs know, where links lead to it.
fn add_known_path(place: &Place) -> anyhow::Result<()> {
    let known = below(NEW, &place.known);
    if place.known == place.real || known.symlink_metadata().is_ok() {
        return Ok(());
    }
    // On the way to it, a link of what is mounted already: it leads there as it does outside.
    let mut existing = known.as_path();
    while let Some(parent) = existing.parent() {
        existing = parent;
        match existing.symlink_metadata() {
            Ok(found) if found.is_symlink() => return Ok(()),
            Ok(_) => break,
            Err(_) => {}
        }
    }
    if let Some(parent) = known.parent() {
        fs::create_dir_all(parent)?;
    }
    symlink(&place.real, &known)?;
    Ok(())
}

fn add_devices() -> anyhow::Result<()> {
    for device in DEVICES {
        // There may be none of this name; a terminal there never is.
        if device != "/dev/tty" && below(OLD, Path::new(device)).exists() {
            bind(Path::new(device), Path::new(device))?;
        }
    }
    let folder = below(NEW, Path::new("/dev"));
    for (name, target) in [("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")] {
        symlink(format!("/proc/self/fd{target}"), folder.join(name))?;
    }
    let shared = folder.join("shm");
    fs::create_dir(&shared)?;
    let fresh = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    attach(Some("tmpfs"), &shared, Some("tmpfs"), fresh, Some(SHARED_MEMORY))
}

/// Makes every mount of the new root read-only but the build's folder and shared memory. Flags that a mount has cannot
/// be taken from it in a user namespace, and are asked for again.
fn make_read_only(folder: &Path) -> anyhow::Result<()> {
    let mounts = fs::read(below(NEW, Path::new("/proc/self/mountinfo")))?;
    let devices = below(NEW, Path::new("/dev"));
    for line in mounts.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let mut fields = line.split(|byte| *byte == b' ').skip(4);
        let (Some(path), Some(options)) = (fields.next(), fields.next()) else {
            bail!("the list of mounts cannot be read");
        };
        let path = unescape(path);
        if !path.starts_with(NEW) {
            continue;
        }
        let mut flags = MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_NOSUID | kept(options);
        let is_device = path.starts_with(&devices);
        flags.set(MsFlags::MS_NODEV, !is_device || flags.contains(MsFlags::MS_NODEV));
        let is_writable = path.starts_with(folder) || path.starts_with(devices.join("shm"));
        flags.set(MsFlags::MS_RDONLY, !is_writable || flags.contains(MsFlags::MS_RDONLY));
        attach(None, &path, None, flags, None)?;
    }
    Ok(())
}

/// The options of a mount that a remount has to name.
fn kept(options: &[u8]) -> MsFlags {
    let mut flags = MsFlags::empty();
    for option in options.split(|byte| *byte == b',') {
        flags |= match option {
            b"ro" => MsFlags::MS_RDONLY,
            b"nodev" => MsFlags::MS_NODEV,
            b"noexec" => MsFlags::MS_NOEXEC,
            b"noatime" => MsFlags::MS_NOATIME,
            b"nodiratime" => MsFlags::MS_NODIRATIME,
            b"relatime" => MsFlags::MS_RELATIME,
            _ => MsFlags::empty(),
        };
    }
    flags
}

/// A path of proc(5), which writes spaces and the like as `\040`.
fn unescape(text: &[u8]) -> PathBuf {
    let mut path = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let octal = text
            .get(at + 1..at + 4)
            .filter(|_| *byte == b'\\')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        path.push(octal.unwrap_or(*byte));
        at += if octal.is_some() { 4 } else { 1 };
    }
    OsString::from_vec(path).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_within_another_is_mounted_with_it() {
        let place = |path: &str| Place {
            real: path.into(),
            known: path.into(),
        };
        let places = ["/usr/bin", "/usr", "/opt/node/bin", "/usr"].map(place);
        let outer: Vec<_> = outermost(&places).into_iter().map(|place| place.real.clone()).collect();
        assert_eq!(outer, [Path::new("/usr"), Path::new("/opt/node/bin")]);
    }

    #[test]
    fn paths_of_the_list_of_mounts_are_unescaped() {
        assert_eq!(unescape(br"/new/a\040b\134c"), Path::new(r"/new/a b\c"));
    }
}
