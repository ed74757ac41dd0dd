//! The environment of a build's commands: a list of what they get. Nothing of the server's own reaches them but its PATH.

use std::ffi::OsString;

use super::folder::BuildFolder;

/// PATH when the server has none.
const DEFAULT_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// What every command gets. Git asks nobody and reads no configuration but the repository's.
pub fn common(folder: &BuildFolder) -> Vec<(String, OsString)> {
    let path = std::env::var_os("PATH").filter(|path| !path.is_empty());
    vec![
        ("PATH".to_owned(), path.unwrap_or_else(|| DEFAULT_PATH.into())),
        ("HOME".to_owned(), folder.home().into()),
        ("TMPDIR".to_owned(), folder.temporary().into()),
        ("CI".to_owned(), "true".into()),
        ("GIT_TERMINAL_PROMPT".to_owned(), "0".into()),
        ("GIT_CONFIG_NOSYSTEM".to_owned(), "1".into()),
        ("GIT_CONFIG_GLOBAL".to_owned(), "/dev/null".into()),
    ]
}

/// What the build command gets on top. Installing with it would leave out the tools that build.
pub fn building(folder: &BuildFolder) -> Vec<(String, OsString)> {
    let mut environment = common(folder);
    environment.push(("NODE_ENV".to_owned(), "production".into()));
    environment
}

/// What git gets on top while it clones: settings that no repository can change, handed over where neither the process
/// list nor the disk shows them.
pub fn cloning(folder: &BuildFolder, settings: &[(String, String)]) -> Vec<(String, OsString)> {
    let mut environment = common(folder);
    environment.push(("GIT_CONFIG_COUNT".to_owned(), settings.len().to_string().into()));
    for (at, (key, value)) in settings.iter().enumerate() {
        environment.push((format!("GIT_CONFIG_KEY_{at}"), key.into()));
        environment.push((format!("GIT_CONFIG_VALUE_{at}"), value.into()));
    }
    environment
}
