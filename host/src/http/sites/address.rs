//! Addresses of prototypes: `/p/<slug>/…`, and the version that a path may begin with.

use crate::storage::id::ID_LENGTH;

/// The prefix of all prototypes.
pub(super) const ROOT: &str = "/p/";

/// A parsed address below [`ROOT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Address<'a> {
    pub slug: &'a str,
    /// `/p/<slug>/`.
    pub live_prefix: &'a str,
    /// The path after the prefix; `None` when there is no slash after the slug.
    pub rest: Option<&'a str>,
}

impl<'a> Address<'a> {
    /// Parses a path. `None` when it does not begin with [`ROOT`].
    pub fn parse(path: &'a str) -> Option<Self> {
        let below = path.strip_prefix(ROOT)?;
        Some(match below.find('/') {
            Some(slash) => {
                let prefix = ROOT.len() + slash + 1;
                Self {
                    slug: &below[..slash],
                    live_prefix: &path[..prefix],
                    rest: Some(&path[prefix..]),
                }
            }
            None => Self {
                slug: below,
                live_prefix: path,
                rest: None,
            },
        })
    }
}

/// The version a path below a site begins with (`@<version>/…`), and what follows it: `None` without a slash.
pub(super) fn pinned(rest: &str) -> Option<(&str, Option<&str>)> {
    let named = rest.strip_prefix('@')?;
    let (version, rest) = named
        .split_once('/')
        .map_or((named, None), |(version, rest)| (version, Some(rest)));
    // Folders may begin with `@` too; only what looks like an id of this server is one.
    is_id(version).then_some((version, rest))
}

/// Begins the name of a version's own host, `d-<version>.<domain>`.
const PINNED: &str = "d-";

/// The version that a host's name or the last part of `/open/…` is of.
pub(super) fn pinned_label(label: &str) -> Option<&str> {
    label.strip_prefix(PINNED).filter(|version| is_id(version))
}

/// The name of a version's own host.
pub(super) fn label_of(version: &str) -> String {
    format!("{PINNED}{version}")
}

fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        assert_eq!(Address::parse("/q/x"), None);
        let address = Address::parse("/p/shop/a/b").unwrap();
        assert_eq!(
            (address.slug, address.live_prefix, address.rest),
            ("shop", "/p/shop/", Some("a/b"))
        );
        let address = Address::parse("/p/shop").unwrap();
        assert_eq!((address.slug, address.rest), ("shop", None));
        assert_eq!(Address::parse("/p/").unwrap().slug, "");
        let id = "01hzzzzzzzzzzzzzzzzzzzzzzz";
        assert_eq!(pinned(&format!("@{id}/a/b")), Some((id, Some("a/b"))));
        assert_eq!(pinned(&format!("@{id}")), Some((id, None)));
        assert_eq!(pinned("@scope/a"), None);
        assert_eq!(pinned("a"), None);
        assert_eq!(pinned_label(&label_of(id)), Some(id));
        for other in [id, "d-", "d-shop", &format!("d-{id}0"), &format!("D-{id}")] {
            assert_eq!(pinned_label(other), None, "{other}");
        }
    }
}
