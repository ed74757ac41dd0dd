//! A project's `repoUrl`: the address of a git repository that pages may show as a link. It holds no credential, because
//! everybody who may read the project sees it.

use url::Url;

use super::remote::normalise;

/// Longest address, in bytes.
const MAX_REPO_URL: usize = 2_000;

/// What is said of an address that is refused.
pub const RULE: &str = "`repoUrl` must be the address of a git repository: https://host/owner/name, http://…, ssh://…, git://… or \
                        git@host:owner/name";

/// The address as it is stored and shown; `None` when it is not one of a git repository.
///
/// A web address and one of `git:` lose user and password. An address of `ssh:` keeps the user, which says where to log
/// in, and loses the password. Queries and fragments, which may hold tokens too, are dropped.
pub fn clean(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > MAX_REPO_URL || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let cleaned = if text.contains("://") {
        clean_url(text)?
    } else if is_scp_like(text) {
        text.to_owned()
    } else {
        return None;
    };
    // What `resolve` cannot compare is no repository's address: one without a host or a path, for example.
    normalise(&cleaned).map(|_| cleaned)
}

fn clean_url(text: &str) -> Option<String> {
    // A parser of web addresses takes the first part of the path for the host that is missing.
    if text.contains(":///") {
        return None;
    }
    let mut url = Url::parse(text).ok()?;
    let keeps_user = match url.scheme() {
        "https" | "http" | "git" => false,
        "ssh" => true,
        _ => return None,
    };
    url.host_str().filter(|host| !host.is_empty())?;
    url.set_password(None).ok()?;
    if !keeps_user {
        url.set_username("").ok()?;
    }
    url.set_query(None);
    url.set_fragment(None);
    Some(url.into())
}

/// `user@host:path`. The user is required: without it `javascript:x` would be an address.
fn is_scp_like(text: &str) -> bool {
    let Some((login, path)) = text.split_once(':') else {
        return false;
    };
    let Some((user, host)) = login.split_once('@') else {
        return false;
    };
    let is_name = |part: &str, others: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
        part.starts_with(|c: char| c.is_ascii_alphanumeric()) && part.chars().all(plain)
    };
    is_name(user, "-_.") && is_name(host, "-.") && !path.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_repositories_are_kept() {
        for address in [
            "https://host.org/ana/shop",
            "https://host.org:8443/ana/shop.git",
            "http://host.org/ana/shop",
            "ssh://git@host.org/ana/shop.git",
            "ssh://git@host.org:2222/ana/shop",
            "git://host.org/ana/shop",
            "git@host.org:ana/shop.git",
            "ana@localhost:shop",
        ] {
            assert_eq!(clean(address).as_deref(), Some(address));
        }
    }

    #[test]
    fn credentials_are_dropped() {
        for (address, kept) in [
            ("https://ana:secret@host.org/ana/shop", "https://host.org/ana/shop"),
            ("https://ghp_secret@host.org/ana/shop", "https://host.org/ana/shop"),
            ("http://:secret@host.org/ana/shop", "http://host.org/ana/shop"),
            ("ssh://git:secret@host.org/ana/shop", "ssh://git@host.org/ana/shop"),
            ("git://ana:secret@host.org/ana/shop", "git://host.org/ana/shop"),
            (
                "https://host.org/ana/shop?token=secret#secret",
                "https://host.org/ana/shop",
            ),
        ] {
            assert_eq!(clean(address).as_deref(), Some(kept), "{address}");
        }
    }

    #[test]
    fn what_is_no_address_of_a_repository_is_refused() {
        for address in [
            "",
            "a:b",
            "host.org:ana/shop",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "javascript://host.org/%0aalert(1)",
            "javascript:a@b:c",
            "data:text/html,x",
            "data:x@y:z",
            "vbscript:x(1)",
            "file:///etc/passwd",
            "ext::sh -c x",
            "https:///ana/shop",
            "https://host.org",
            "https://host.org/",
            "@host:x",
            "-oProxyCommand=x@host:y",
            "git@-oProxyCommand=x:y",
            "git@host:",
            "git:secret@host.org:ana/shop",
            "https://host.org/a b",
            "java\nscript:alert(1)",
        ] {
            assert_eq!(clean(address), None, "{address:?}");
        }
    }
}
