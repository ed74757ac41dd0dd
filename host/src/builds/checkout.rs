//! Checks out one commit of a repository, without its history. No trace of the credential is left in the folder.

use std::ffi::OsString;
use std::fs;
use std::io;

use data_encoding::BASE64;
use galley_manifest::is_commit;

use super::environment;
use super::folder::BuildFolder;
use super::request::Source;
use super::step::{Bounds, Reach, Step, StepError};
use super::transcript::Transcript;
use crate::config::Secret;

/// Where a repository is cloned from.
pub struct Remote<'a> {
    /// The code host's base address, which the token is for.
    pub host: &'a str,
    /// The repository's address; no credential in it.
    pub url: &'a str,
    /// The token that opens it.
    pub token: &'a Secret,
}

/// Fetches the commit into the build's folder, and gives its hash. `.git` is gone when this returns.
///
/// For a source that is built only while it is the newest, this is the newest commit of its branch: the caller compares
/// it with the commit of the source.
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
    let init = ["init", "--quiet", "--template=", "."];
    let fetch = [
        "fetch",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        from.url,
        &wanted,
    ];
    let checkout = ["checkout", "--quiet", "--detach", "FETCH_HEAD"];
    let server = Reach::Only(server(from.url)?);
    let credential = credential(from.host, &authorization);
    // The network and the credential are there only while git talks to the code host, not while it writes files.
    let steps: [(&[&str], Reach, Option<_>); 3] = [
        (&init, Reach::Nothing, None),
        (&fetch, server, Some(credential)),
        (&checkout, Reach::Nothing, None),
    ];
    for (arguments, network, credential) in steps {
        let git = std::iter::once("git").chain(arguments.iter().copied());
        let settings: Vec<_> = settings().into_iter().chain(credential).collect();
        let step = Step {
            command: git.map(OsString::from).collect(),
            directory: folder.source(),
            environment: environment::with_settings(folder, &settings),
            network,
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

/// The server of an address, as `host:port`.
fn server(url: &str) -> io::Result<String> {
    let url = url::Url::parse(url).map_err(io::Error::other)?;
    match (url.host_str(), url.port_or_known_default()) {
        (Some(host), Some(port)) => Ok(format!("{host}:{port}")),
        _ => Err(io::Error::other("the repository's address has no host")),
    }
}

/// Git's settings while it clones: HTTP only, no programs, and nothing but the repository itself. Redirects are not
/// followed: git keeps the header of an address for its whole process, and would send it wherever the first answer
/// leads.
fn settings() -> Vec<(String, String)> {
    [
        ("core.hooksPath", "/dev/null"),
        ("core.fsmonitor", "false"),
        ("core.askPass", ""),
        ("credential.helper", ""),
        ("protocol.allow", "never"),
        ("protocol.http.allow", "always"),
        ("protocol.https.allow", "always"),
        ("http.followRedirects", "false"),
        ("transfer.bundleURI", "false"),
        ("submodule.recurse", "false"),
        // Files of Git LFS stay the pointers that they are in the repository.
        ("filter.lfs.process", ""),
        ("filter.lfs.smudge", ""),
        ("filter.lfs.required", "false"),
        ("advice.detachedHead", "false"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into()
}

/// The setting that sends the credential to the code host, and to no other.
fn credential(host: &str, authorization: &Secret) -> (String, String) {
    let header = format!("Authorization: Basic {}", authorization.expose());
    (format!("http.{host}/.extraHeader"), header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_of_an_address_has_a_port() {
        for (url, expected) in [
            ("https://code.example/a/b.git", "code.example:443"),
            ("http://127.0.0.1:3000/a/b.git", "127.0.0.1:3000"),
            ("http://[::1]/a/b.git", "[::1]:80"),
        ] {
            assert_eq!(server(url).unwrap(), expected);
        }
    }
}
