//! The environment of a build's commands: a fixed list of variables. Of the server's own environment, only PATH is passed
//! on.

use std::ffi::OsString;

use super::folder::BuildFolder;

/// Where dependencies are, besides the code host.
const WELL_KNOWN_HOSTS: [&str; 3] = ["https://github.com", "https://gitlab.com", "https://bitbucket.org"];

/// What git runs in the place of ssh.
const NO_SSH: &str = "sh -c 'echo \"Builds of this server have no ssh key, so git cannot use ssh: name the repository by \
https instead (in package.json: git+https://HOST/OWNER/NAME.git)\" >&2; exit 1' ssh";

/// PATH when the server has none.
const DEFAULT_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The variables of every command. Git prompts nobody, and reads no configuration but the repository's.
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

/// The variables of the install command. Beside [`common`], they make git use https for dependencies that are named by
/// ssh: a build has no ssh key. `code_host` is the base address of the code host.
pub fn installing(folder: &BuildFolder, code_host: &str) -> Vec<(String, OsString)> {
    let mut environment = with_settings(folder, &https_for_ssh(code_host));
    environment.push(("GIT_SSH_COMMAND".to_owned(), NO_SSH.into()));
    environment.push(("GIT_SSH_VARIANT".to_owned(), "ssh".into()));
    environment
}

/// The variables of the build command: NODE_ENV beside those of installing. With NODE_ENV, installing would leave out the
/// tools that build.
pub fn building(folder: &BuildFolder, code_host: &str) -> Vec<(String, OsString)> {
    let mut environment = installing(folder, code_host);
    environment.push(("NODE_ENV".to_owned(), "production".into()));
    environment
}

/// Git's settings for hosts whose repositories can be named by ssh and by https alike.
fn https_for_ssh(code_host: &str) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    for base in std::iter::once(code_host).chain(WELL_KNOWN_HOSTS) {
        let Ok(url) = url::Url::parse(base) else { continue };
        let Some(host) = url.host_str() else { continue };
        for named in [
            format!("ssh://git@{host}/"),
            format!("git@{host}:"),
            format!("git://{host}/"),
        ] {
            settings.push((format!("url.{base}/.insteadOf"), named));
        }
    }
    settings
}

/// [`common`] with settings of git that no repository can change. The environment is the one place where neither the
/// process list nor the disk shows them.
pub fn with_settings(folder: &BuildFolder, settings: &[(String, String)]) -> Vec<(String, OsString)> {
    let mut environment = common(folder);
    environment.push(("GIT_CONFIG_COUNT".to_owned(), settings.len().to_string().into()));
    for (at, (key, value)) in settings.iter().enumerate() {
        environment.push((format!("GIT_CONFIG_KEY_{at}"), key.into()));
        environment.push((format!("GIT_CONFIG_VALUE_{at}"), value.into()));
    }
    environment
}
