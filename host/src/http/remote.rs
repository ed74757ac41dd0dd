//! Remotes of repositories, compared whatever their spelling.

/// A remote without the parts in which spellings of the same repository differ: scheme, user, port, `.git`, slashes, case.
/// `None` when the text is not a remote.
pub fn normalise(remote: &str) -> Option<String> {
    let remote = remote.trim();
    if remote.is_empty() || remote.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let (host, path) = match remote.split_once("://") {
        Some((scheme, rest)) if ["http", "https", "ssh", "git"].contains(&scheme.to_lowercase().as_str()) => {
            rest.split_once('/')?
        }
        Some(_) => return None,
        // git@host:owner/name
        None => remote.split_once(':')?,
    };
    let host = host.rsplit('@').next()?.split(':').next()?.to_lowercase();
    let path = path.split(['?', '#']).next()?.trim_matches('/').to_lowercase();
    let path = path.strip_suffix(".git").unwrap_or(&path).trim_matches('/');
    if host.is_empty() || path.is_empty() {
        None
    } else {
        Some(format!("{host}/{path}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_remote_are_one() {
        for spelling in [
            "https://Host.org/Ana/Shop.git",
            "https://host.org/ana/shop/",
            "http://user:secret@host.org:8443/ana/shop",
            "ssh://git@host.org/ana/shop.git",
            "git@host.org:ana/shop.git",
            "git@HOST.org:/ana/shop",
        ] {
            assert_eq!(normalise(spelling).as_deref(), Some("host.org/ana/shop"), "{spelling}");
        }
        for nonsense in [
            "",
            "shop",
            "file:///etc/passwd",
            "https://host.org/",
            "a b:c",
            "https:///x/y",
        ] {
            assert_eq!(normalise(nonsense), None, "{nonsense}");
        }
    }
}
