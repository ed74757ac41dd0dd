//! Publishing: what a push would do, in full, and doing just that.

use std::time::Duration;

use serde::Serialize;

use super::{Git, GitError};

/// A push goes over the network and may run hooks.
const PUSH_TIMEOUT: Duration = Duration::from_secs(300);
/// The commits that are listed at most.
const LISTED: &str = "--max-count=200";

/// What a push would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Publish {
    /// The remote's name.
    pub remote: Option<String>,
    /// Where it is, without a password.
    pub url: Option<String>,
    /// The branch there.
    pub branch: Option<String>,
    /// Whether the remote has no such branch yet, as far as is known here.
    pub new_branch: bool,
    /// What would go there, the newest first.
    pub commits: Vec<Waiting>,
    /// Why it cannot be done, in words.
    pub blocked: Option<String>,
}

/// A commit that is not published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Waiting {
    /// Its short name.
    pub id: String,
    /// Its first line.
    pub subject: String,
}

impl Git {
    /// What a push would do now. Nothing is fetched: it tells what is known here.
    ///
    /// # Errors
    /// With git's words.
    pub fn publish_plan(&self) -> Result<Publish, GitError> {
        let nothing = |why: &str| Publish {
            remote: None,
            url: None,
            branch: None,
            new_branch: false,
            commits: Vec::new(),
            blocked: Some(why.to_owned()),
        };
        let Some(branch) = self.branch()? else {
            return Ok(nothing("HEAD is detached: make a branch first, then publish it"));
        };
        if self
            .command(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
            .text()
            .is_err()
        {
            return Ok(nothing("Nothing was committed yet: commit first, then publish"));
        }
        let Some(remote) = self.push_remote(&branch)? else {
            return Ok(nothing(
                "The repository has no remote: add one with git remote add origin <address>",
            ));
        };
        let there = self.name_there(&branch, &remote);
        let url = self.command(["remote", "get-url", "--push", "--", &remote]).text().ok();
        let tracking = format!("refs/remotes/{remote}/{there}");
        let known = self
            .command(["rev-parse", "--verify", "--quiet", &tracking])
            .text()
            .is_ok();
        let range = if known {
            [format!("{tracking}..HEAD"), String::new()]
        } else {
            ["HEAD".to_owned(), format!("--remotes={remote}")]
        };
        let mut args = vec!["log", LISTED, "--format=%h%x00%s", &range[0]];
        if !known {
            args.extend(["--not", &range[1]]);
        }
        let listed = self.command(args).text()?;
        let commits: Vec<Waiting> = listed.lines().filter_map(waiting).collect();
        let missing = match known {
            true => self
                .command(["rev-list", "--count", &format!("HEAD..{tracking}")])
                .text()?,
            false => "0".to_owned(),
        };
        let blocked = if missing != "0" {
            Some(format!(
                "{remote}/{there} has {missing} commits that are not here: bring them in with git pull first"
            ))
        } else if known && commits.is_empty() {
            Some(format!("{remote}/{there} has everything already"))
        } else {
            None
        };
        Ok(Publish {
            url: url.map(|url| without_password(&url)),
            remote: Some(remote),
            branch: Some(there),
            new_branch: !known,
            commits,
            blocked,
        })
    }

    /// Pushes the current branch as the plan says, never by force.
    ///
    /// # Errors
    /// With git's words, or the reason why it is blocked.
    pub fn publish(&self) -> Result<String, GitError> {
        let plan = self.publish_plan()?;
        let (remote, there) = match plan {
            Publish {
                blocked: None,
                remote: Some(remote),
                branch: Some(branch),
                ..
            } => (remote, branch),
            blocked => return Err(GitError::Declined(blocked.blocked.unwrap_or_default())),
        };
        let here = self.branch()?.unwrap_or_default();
        let what = format!("refs/heads/{here}:refs/heads/{there}");
        let upstream = self
            .command(["config", "--get", &format!("branch.{here}.merge")])
            .text();
        let mut args = vec!["push", "--porcelain"];
        if upstream.is_err() {
            args.push("--set-upstream");
        }
        args.extend(["--", &remote, &what]);
        let mut push = self
            .command(args)
            .acting()
            .env("GIT_LITERAL_PATHSPECS", "0")
            .timeout(PUSH_TIMEOUT);
        // A question of ssh would go to the terminal the Editor was started in, where nobody looks.
        let own_ssh = std::env::var_os("GIT_SSH_COMMAND").is_some() || std::env::var_os("GIT_SSH").is_some();
        if !own_ssh && self.command(["config", "--get", "core.sshCommand"]).text().is_err() {
            push = push.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
        }
        push.words()
    }

    /// Where git would push this branch.
    fn push_remote(&self, branch: &str) -> Result<Option<String>, GitError> {
        let remotes = self.command(["remote"]).text()?;
        let remotes: Vec<&str> = remotes.lines().collect();
        for key in [
            format!("branch.{branch}.pushRemote"),
            "remote.pushDefault".to_owned(),
            format!("branch.{branch}.remote"),
        ] {
            if let Ok(remote) = self.command(["config", "--get", &key]).text()
                && remotes.contains(&remote.as_str())
            {
                return Ok(Some(remote));
            }
        }
        let usual = remotes.iter().find(|remote| **remote == "origin");
        let only = remotes.first().filter(|_| remotes.len() == 1);
        Ok(usual.or(only).map(|remote| (*remote).to_owned()))
    }

    /// The branch's name on the remote: that of its upstream when it is there, else its own.
    fn name_there(&self, branch: &str, remote: &str) -> String {
        let own = |key: &str| {
            self.command(["config", "--get", &format!("branch.{branch}.{key}")])
                .text()
                .ok()
        };
        let upstream = own("remote")
            .filter(|upstream| upstream == remote)
            .and_then(|_| own("merge"));
        let name = upstream.as_deref().and_then(|merge| merge.strip_prefix("refs/heads/"));
        name.unwrap_or(branch).to_owned()
    }
}

fn waiting(line: &str) -> Option<Waiting> {
    let (id, subject) = line.split_once('\0')?;
    Some(Waiting {
        id: id.to_owned(),
        subject: subject.to_owned(),
    })
}

/// An address may carry a password or a token, which is nobody's to see.
pub fn without_password(address: &str) -> String {
    match url::Url::parse(address) {
        Ok(mut url) if url.has_host() && (url.password().is_some() || url.scheme().starts_with("http")) => {
            let _ = url.set_password(None);
            if url.scheme().starts_with("http") {
                let _ = url.set_username("");
            }
            url.to_string()
        }
        _ => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (address, shown) in [
            ("https://me:secret@host.org/a.git", "https://host.org/a.git"),
            ("https://secret@host.org/a.git", "https://host.org/a.git"),
            ("git@host.org:a/b.git", "git@host.org:a/b.git"),
            ("ssh://git@host.org/a.git", "ssh://git@host.org/a.git"),
            ("/srv/git/a.git", "/srv/git/a.git"),
        ] {
            assert_eq!(without_password(address), shown);
        }
    }
}
