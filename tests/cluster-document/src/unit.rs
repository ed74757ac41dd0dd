//! A unit of systemd, as far as starting its program needs it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

/// Where units are, the first first.
const FOLDERS: [&str; 2] = ["/etc/systemd/system", "/lib/systemd/system"];

/// How long systemd waits before it starts a service again, unless the unit says.
const RESTART_PAUSE: Duration = Duration::from_millis(100);

/// A service.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Whom it runs as.
    pub user: Option<String>,
    /// Its environment.
    pub environment: BTreeMap<String, String>,
    /// Its working folder.
    pub folder: Option<PathBuf>,
    /// Folders below /var/lib that are made and given to the user.
    pub state: Vec<String>,
    /// Who may look into those.
    pub state_mode: Option<String>,
    /// Folders below /run, likewise.
    pub runtime: Vec<String>,
    /// Where a program that goes to the background by itself says its id.
    pub forks_to: Option<PathBuf>,
    /// How long after a failure it is started again, where it is.
    pub restart_after: Option<Duration>,
}

impl Unit {
    /// The service of this name.
    pub fn load(name: &str, host: &str) -> Result<Unit> {
        let file = FOLDERS
            .iter()
            .map(|folder| Path::new(folder).join(format!("{name}.service")))
            .find(|path| path.is_file())
            .with_context(|| format!("there is no unit {name}.service"))?;
        Ok(Self::of(&fs::read_to_string(file)?, name, host))
    }

    /// The service that a unit's text describes.
    pub fn of(text: &str, name: &str, host: &str) -> Unit {
        Self::parse(text, name, host, |path| fs::read_to_string(path).ok())
    }

    fn parse(text: &str, name: &str, host: &str, read: impl Fn(&str) -> Option<String>) -> Unit {
        let mut unit = Unit::default();
        let mut command = String::new();
        let (mut forks, mut pid_file) = (false, None);
        let (mut restarts, mut pause) = (false, RESTART_PAUSE);
        let text = text.replace("\\\n", " ").replace("%p", name).replace("%H", host);
        for line in text.lines().map(str::trim) {
            let Some((key, value)) = line.split_once('=') else {
                continue;
            };
            match key {
                "ExecStart" => value.clone_into(&mut command),
                "User" => unit.user = Some(value.to_owned()),
                "WorkingDirectory" => unit.folder = Some(value.into()),
                "StateDirectory" => unit.state = words(value),
                "StateDirectoryMode" => unit.state_mode = Some(value.to_owned()),
                "RuntimeDirectory" => unit.runtime = words(value),
                "Type" => forks = value == "forking",
                "Restart" => restarts = value == "on-failure",
                "RestartSec" => pause = value.parse().map_or(pause, Duration::from_secs),
                "PIDFile" => pid_file = Some(value.into()),
                "Environment" => quoted(value).iter().for_each(|line| unit.set(line)),
                "EnvironmentFile" => {
                    let file = read(value.trim_start_matches('-')).unwrap_or_default();
                    file.lines().for_each(|line| unit.set(line));
                }
                _ => {}
            }
        }
        let expanded = |word: &str| match word.strip_prefix('$') {
            Some(variable) => words(unit.environment.get(variable).map_or("", String::as_str)),
            None => vec![word.to_owned()],
        };
        unit.command = quoted(&command).iter().flat_map(|word| expanded(word)).collect();
        unit.forks_to = pid_file.filter(|_| forks);
        unit.restart_after = restarts.then_some(pause);
        unit
    }

    fn set(&mut self, line: &str) {
        let line = line.trim();
        if let Some((name, value)) = line.split_once('=')
            && !line.starts_with('#')
        {
            self.environment
                .insert(name.to_owned(), value.trim_matches('"').to_owned());
        }
    }
}

/// The words of a line, of which some stand between quotes.
fn quoted(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, _) if letter.is_whitespace() => words.push(String::new()),
            _ => words.last_mut().into_iter().for_each(|word| word.push(letter)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_starting_needs_is_read() {
        let text = "[Service]\n# A comment=1\nUser=etcd\nStateDirectory=one\nEnvironment=ARGS=\nEnvironment=\"NAME=%H\" \"TWO=a b\"\n\
                    EnvironmentFile=-/etc/default/%p\nExecStart=/usr/bin/etcd --x \\\n  $ARGS\n";
        let files = |path: &str| (path == "/etc/default/etcd").then(|| "# ARGS=no\nARGS=\"--y 1\"\n".to_owned());
        let unit = Unit::parse(text, "etcd", "a", files);
        assert_eq!(unit.command, ["/usr/bin/etcd", "--x", "--y", "1"]);
        assert_eq!(unit.user.as_deref(), Some("etcd"));
        assert_eq!(unit.environment["NAME"], "a");
        assert_eq!(unit.environment["TWO"], "a b");
        assert_eq!(unit.state, ["one"]);
        assert_eq!((unit.forks_to, unit.restart_after), (None, None));
    }

    #[test]
    fn what_fails_is_started_again_where_the_unit_says_so() {
        let after = |text: &str| Unit::parse(text, "x", "a", |_| None).restart_after;
        assert_eq!(
            after("Restart=on-failure\nRestartSec=2\n"),
            Some(Duration::from_secs(2))
        );
        assert_eq!(after("Restart=on-failure\n"), Some(RESTART_PAUSE));
        assert_eq!(after("RestartSec=2\n"), None);
    }

    #[test]
    fn a_program_that_goes_to_the_background_says_its_id() {
        let text = "[Service]\nType=forking\nPIDFile=/run/x.pid\nExecStart=/usr/sbin/x -g 'daemon on; y on;'\n";
        let unit = Unit::parse(text, "x", "a", |_| None);
        assert_eq!(unit.command, ["/usr/sbin/x", "-g", "daemon on; y on;"]);
        assert_eq!(unit.forks_to.as_deref(), Some(Path::new("/run/x.pid")));
    }
}
