//! Starting other programs: a clean environment, one-line failures, a time limit where one is needed.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

/// A command without what `cargo run` added to the environment. Left in place, those variables would look like
/// a changed environment to build scripts that watch them, and everything above them would be compiled again.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, value) in std::env::vars_os() {
        let Some(text) = name.to_str() else { continue };
        if is_cargos_own(text) {
            command.env_remove(&name);
        } else if matches!(text, "LD_LIBRARY_PATH" | "DYLD_FALLBACK_LIBRARY_PATH") {
            match without_toolchain(&value) {
                Some(rest) => command.env(&name, rest),
                None => command.env_remove(&name),
            };
        }
    }
    command
}

/// The cargo that started this program, so that `cargo +toolchain xtask …` stays on its toolchain.
pub fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// What a person would type for `command`, for messages.
pub fn describe(command: &Command) -> String {
    let mut text = Path::new(command.get_program())
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}

/// Runs `command` with this program's own output, and fails when it fails.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    succeeded(command, status)
}

/// The same, and gives each line of its standard output to `seen` too, with the sign that ends it.
pub fn run_seen(command: &mut Command, mut seen: impl FnMut(&[u8])) -> Result<()> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(command, &error))?;
    let mut printed = BufReader::new(child.stdout.take().context("its output is not there")?);
    let mut line = Vec::new();
    while printed.read_until(b'\n', &mut line)? > 0 {
        std::io::stdout().write_all(&line)?;
        seen(&line);
        line.clear();
    }
    succeeded(command, child.wait()?)
}

/// Runs `command` and gives its standard output, trimmed. Its standard error is part of the error only.
pub fn read(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| cannot_start(command, &error))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", describe(command), last_line(&output));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs `command` silently and says whether it succeeded within `limit`; it is killed when it did not.
pub fn succeeds_within(command: &mut Command, limit: Duration) -> bool {
    let started = Instant::now();
    let Ok(mut child) = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
    else {
        return false;
    };
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if started.elapsed() < limit => std::thread::sleep(Duration::from_millis(50)),
            Ok(None) | Err(_) => {
                // It may have ended meanwhile: then there is nothing to kill, and nothing to report.
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

/// The path of a program on the search path, or in the folders for administrators that Debian leaves out of it.
pub fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/sbin", "/usr/local/sbin", "/sbin"].map(PathBuf::from))
        .map(|folder| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
        .find(|file| file.is_file())
}

/// Whether this process may install packages.
pub fn is_root() -> bool {
    cfg!(unix) && read(command("id").arg("-u")).is_ok_and(|id| id == "0")
}

/// Variables `cargo run` sets for the program it starts.
fn is_cargos_own(name: &str) -> bool {
    name.starts_with("CARGO_PKG_")
        || name.starts_with("CARGO_MANIFEST_")
        || matches!(
            name,
            "CARGO" | "CARGO_BIN_NAME" | "CARGO_CRATE_NAME" | "CARGO_PRIMARY_PACKAGE" | "OUT_DIR"
        )
}

/// A library path without the folders cargo and rustup put in front, or nothing when nothing else is in it. Debian's
/// compiler must not find the other toolchain's libraries there.
fn without_toolchain(value: &OsStr) -> Option<OsString> {
    let kept: Vec<PathBuf> = std::env::split_paths(value)
        .filter(|folder| {
            let text = folder.to_string_lossy();
            !(text.is_empty()
                || text.contains("/toolchains/")
                || text.contains("/rustlib/")
                || text.ends_with("/deps")
                || text.ends_with("/debug")
                || text.ends_with("/release"))
        })
        .collect();
    if kept.is_empty() {
        None
    } else {
        std::env::join_paths(kept).ok()
    }
}

fn cannot_start(command: &Command, error: &std::io::Error) -> anyhow::Error {
    let name = Path::new(command.get_program()).display();
    match (error.kind(), name.to_string().as_str()) {
        (ErrorKind::NotFound, "node" | "npm") => anyhow!("{name} is missing: install Node 20 or newer with npm"),
        (ErrorKind::NotFound, _) => anyhow!("{name} is missing: install it and make sure it is on the PATH"),
        _ => anyhow!("cannot start {name}: {error}"),
    }
}

fn succeeded(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("`{}` failed ({status})", describe(command));
    }
    Ok(())
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("it said nothing")
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_run_added_is_taken_away() {
        assert!(is_cargos_own("CARGO_PKG_NAME"));
        assert!(is_cargos_own("CARGO_MANIFEST_DIR"));
        assert!(!is_cargos_own("CARGO_HOME"));
        assert!(!is_cargos_own("CARGO_TARGET_DIR"));
    }

    #[test]
    fn library_paths_keep_what_the_user_set() {
        let path = |text: &str| OsString::from(text);
        assert_eq!(
            without_toolchain(&path("/x/target/debug/deps:/x/target/debug:/h/toolchains/stable/lib")),
            None
        );
        assert_eq!(
            without_toolchain(&path("/x/target/debug/deps:/opt/mine/lib")),
            Some(path("/opt/mine/lib"))
        );
    }

    #[test]
    fn a_missing_program_is_one_line() {
        let error = format!("{:#}", run(&mut command("surely-no-such-program")).unwrap_err());
        assert!(
            error.starts_with("surely-no-such-program is missing: install it"),
            "{error}"
        );
        assert!(!error.contains('\n'));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_printed_is_seen_to_its_end_and_a_failure_is_one() {
        let mut lines = Vec::new();
        let mut prints = command("sh");
        prints.args(["-c", r"printf 'one\n\377\nno end'; exit 3"]);
        let error = run_seen(&mut prints, |line| lines.push(line.to_vec())).unwrap_err();
        assert_eq!(lines, [b"one\n".to_vec(), b"\xff\n".to_vec(), b"no end".to_vec()]);
        assert!(format!("{error:#}").contains("exit status: 3"), "{error:#}");
    }

    #[cfg(unix)]
    #[test]
    fn a_time_limit_ends_what_hangs() {
        let started = Instant::now();
        assert!(!succeeds_within(command("sleep").arg("30"), Duration::from_millis(100)));
        assert!(started.elapsed() < Duration::from_secs(5));
        assert!(succeeds_within(&mut command("true"), Duration::from_secs(5)));
    }
}
