//! A unit of systemd, as far as starting its program needs it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Where units are, the first first.
const FOLDERS: [&str; 2] = ["/etc/systemd/system", "/lib/systemd/system"];

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
    /// Folders below /run, likewise.
    pub runtime: Vec<String>,
}

impl Unit {
    /// The service of this name.
    pub fn load(name: &str, host: &str) -> Result<Unit> {
        let file = FOLDERS
            .iter()
            .map(|folder| Path::new(folder).join(format!("{name}.service")))
            .find(|path| path.is_file())
            .with_context(|| format!("there is no unit {name}.service"))?;
        let text = fs::read_to_string(file)?;
        let read = |path: &str| fs::read_to_string(path).ok();
        Ok(Self::parse(&text, name, host, read))
    }

    fn parse(text: &str, name: &str, host: &str, read: impl Fn(&str) -> Option<String>) -> Unit {
        let mut unit = Unit::default();
        let mut command = String::new();
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
                "RuntimeDirectory" => unit.runtime = words(value),
                "Environment" => assignments(value).iter().for_each(|line| unit.set(line)),
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
        unit.command = command.split_whitespace().flat_map(expanded).collect();
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
fn assignments(text: &str) -> Vec<String> {
    let mut is_quoted = false;
    let words = text.split(|letter: char| {
        is_quoted ^= letter == '"';
        letter.is_whitespace() && !is_quoted
    });
    words.map(|word| word.replace('"', "")).collect()
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
    }
}
