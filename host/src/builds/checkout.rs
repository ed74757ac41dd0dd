//! Getting a repository's files: one commit, without its history, and nothing left of the credential.

use std::ffi::OsString;
use std::fs;
use std::io;

use data_encoding::BASE64;

use super::environment;
use super::folder::BuildFolder;
use super::request::{Source, is_commit};
use super::sandbox::Network;
use super::step::{Bounds, Step, StepError};
use super::transcript::Transcript;
use crate::config::Secret;

/// Where a repository is cloned from.
pub struct Remote<'a> {
    /// The code host's base address, which the token is for.
    pub host: &'a str,
    /// The repository's address; no credential in it.
    pub url: &'a str,
    /// What opens it.
    pub token: &'a Secret,
}

/// Fetches the commit into the build's folder, and gives its hash. `.git` is gone when this returns.
///
/// A source that is built only while it is the newest gets the newest commit of its branch, whichever that is: the
/// caller compares.
pub async fn check_out(
    bounds: &Bounds,
    folder: &BuildFolder,
    source: &Source,
    from: &Remote<'_>,
    log: &mut Transcript,
) -> Result<String, StepError> {
    let authorization = Secret::new(BASE64.encode(format!("x-access-token:{}", from.token.expose()).as_bytes()));
    log.hide(from.token);
    log.hide(&authorization);
    let wanted = match &source.commit {
        Some(commit) if !source.only_newest => commit.clone(),
        _ => format!("refs/heads/{}", source.branch),
    };
    let settings = settings(from.host, &authorization);
    let steps: [&[&str]; 3] = [
        &["init", "--quiet", "--template=", "."],
        &[
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--no-recurse-submodules",
            from.url,
            &wanted,
        ],
        &["checkout", "--quiet", "--detach", "FETCH_HEAD"],
    ];
    for arguments in steps {
        let git = std::iter::once("git").chain(arguments.iter().copied());
        let step = Step {
            command: git.map(OsString::from).collect(),
            directory: folder.source(),
            environment: environment::cloning(folder, &settings),
            // Only git runs here, nothing that the repository brings.
            network: Network::Open,
        };
        bounds.run(step, log).await?;
    }
    let git = folder.source().join(".git");
    let commit = fs::read_to_string(git.join("HEAD"))?.trim().to_owned();
    if !is_commit(&commit) {
        return Err(io::Error::other("git says no commit").into());
    }
    fs::remove_dir_all(git)?;
    Ok(commit)
}

/// Git's settings while it clones. The credential is for this host only. Redirects are not followed: git keeps the header
/// of an address for its whole process, and would send it wherever the first answer leads.
fn settings(host: &str, authorization: &Secret) -> Vec<(String, String)> {
    let header = format!("Authorization: Basic {}", authorization.expose());
    [
        ("core.hooksPath".to_owned(), "/dev/null".to_owned()),
        ("protocol.file.allow".to_owned(), "never".to_owned()),
        ("protocol.ext.allow".to_owned(), "never".to_owned()),
        ("protocol.ssh.allow".to_owned(), "never".to_owned()),
        ("http.followRedirects".to_owned(), "false".to_owned()),
        ("credential.helper".to_owned(), String::new()),
        ("advice.detachedHead".to_owned(), "false".to_owned()),
        (format!("http.{host}/.extraHeader"), header),
    ]
    .into()
}
