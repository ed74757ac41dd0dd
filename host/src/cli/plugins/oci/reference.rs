//! The address of an artifact in a registry: `oci://HOST/REPOSITORY:TAG` or `…@sha256:HEX`.

use std::fmt;
use std::net::IpAddr;

/// How an address begins.
pub const SCHEME: &str = "oci://";

/// The longest address, in bytes.
const MAX_LENGTH: usize = 1_000;
/// The longest tag, in bytes, by the specification of registries.
const MAX_TAG_LENGTH: usize = 128;

/// The address of an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The registry, with its port.
    pub host: String,
    /// Its part of the path, without slashes at the ends.
    pub repository: String,
    /// A tag, which may be another artifact tomorrow, or a digest.
    pub version: Version,
}

/// Which artifact of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Version {
    /// By a name.
    Tag(String),
    /// By the SHA-256 of its manifest: `sha256:` and 64 hex digits.
    Digest(String),
}

impl Reference {
    /// Reads an address. The error says what is wrong, and never repeats a part that may be a password.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let rest = text.strip_prefix(SCHEME).ok_or("it does not begin with oci://")?;
        if rest.len() > MAX_LENGTH {
            return Err("it is too long");
        }
        let (host, rest) = rest.split_once('/').ok_or("it names no repository")?;
        if host.contains('@') {
            return Err("a name or a password does not belong into it: `docker login` keeps them");
        }
        let (repository, version) = match rest.split_once('@') {
            // As others do: where both are given, the digest counts.
            Some((named, digest)) => {
                let repository = named.split_once(':').map_or(named, |(repository, _)| repository);
                (repository, Version::Digest(digest.to_ascii_lowercase()))
            }
            None => {
                let (repository, tag) = rest.split_once(':').unwrap_or((rest, "latest"));
                (repository, Version::Tag(tag.to_owned()))
            }
        };
        if !is_host(host) {
            return Err("its first part is not the name of a registry");
        }
        if repository.is_empty() || !repository.split('/').all(is_part) {
            return Err("the repository's name has parts of a-z, 0-9, `.`, `_` and `-`");
        }
        match &version {
            Version::Tag(tag) if !is_tag(tag) => Err("the tag has letters, digits, `.`, `_` and `-`, at most 128"),
            Version::Digest(digest) if !is_digest(digest) => Err("the digest is `sha256:` and 64 hex digits"),
            _ => Ok(Self {
                host: host.to_owned(),
                repository: repository.to_owned(),
                version,
            }),
        }
    }

    /// Whether the registry is this machine itself.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.host)
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            host,
            repository,
            version,
        } = self;
        write!(f, "{SCHEME}{host}/{repository}{version}")
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(tag) => write!(f, ":{tag}"),
            Self::Digest(digest) => write!(f, "@{digest}"),
        }
    }
}

/// Whether a host, with or without a port, is this machine itself.
pub fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Whether a text is a digest that can be checked here.
pub fn is_digest(text: &str) -> bool {
    text.strip_prefix("sha256:")
        .is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_host(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    text.bytes().all(is_plain) && url::Url::parse(&format!("https://{text}/")).is_ok()
}

fn is_part(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.bytes().all(|byte| is_plain(byte) || b"._-".contains(&byte))
        && text.bytes().next().is_some_and(is_plain)
        && text.bytes().last().is_some_and(is_plain)
}

fn is_tag(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.len() <= MAX_TAG_LENGTH
        && text.bytes().all(|byte| is_plain(byte) || b".-".contains(&byte))
        && text.bytes().next().is_some_and(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_host_repository_and_version() {
        let digest = format!("sha256:{}", "a".repeat(64));
        let read = |text: &str| Reference::parse(text).unwrap();
        let tagged = read("oci://store.example:5000/team/checklist:1.2.0");
        assert_eq!(
            (tagged.host.as_str(), tagged.repository.as_str(), tagged.version.clone()),
            ("store.example:5000", "team/checklist", Version::Tag("1.2.0".into()))
        );
        assert_eq!(tagged.to_string(), "oci://store.example:5000/team/checklist:1.2.0");
        assert_eq!(read("oci://r/x").version, Version::Tag("latest".into()));
        for text in [format!("oci://r/x@{digest}"), format!("oci://r/x:1@{digest}")] {
            assert_eq!(read(&text).to_string(), format!("oci://r/x@{digest}"));
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "https://r/x",
            "oci://r",
            "oci://r/",
            "oci:///x",
            "oci://r/x:",
            "oci://r/x:a b",
            "oci://r/../x",
            "oci://r//x",
            "oci://r/X",
            "oci://r/x?y",
            "oci://r/x@sha256:12",
            "oci://r/x@md5:00000000000000000000000000000000",
            "oci://r r/x",
            "oci://[::1/x",
        ] {
            assert!(Reference::parse(text).is_err(), "{text}");
        }
        let error = Reference::parse("oci://ann:secret@r/x").unwrap_err();
        assert!(error.contains("docker login"), "{error}");
    }

    #[test]
    fn this_machine_is_known() {
        for host in ["localhost", "localhost:5000", "127.0.0.1:1", "127.8.0.1", "[::1]:5000"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["localhost.example", "10.0.0.1", "127.0.0.1.example", "[::2]", "r"] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
