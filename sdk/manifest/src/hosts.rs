//! Where a plugin may send requests: credentials of the server, and hosts.

use serde::{Deserialize, Serialize};

use crate::error::ManifestError;
use crate::settings::{Setting, SettingKind};

/// The most credentials and hosts of a plugin.
const MAX_HOSTS: usize = 32;
/// The longest name of a host and of a label in it, in bytes (RFC 1035).
const MAX_HOST_BYTES: usize = 253;
const MAX_LABEL_BYTES: usize = 63;
/// Credentials of the server begin with this.
const CODE_HOST: &str = "codehost-";
/// Headers that no plugin sets: they say who asks, for whom, and how the message is sent.
const RESERVED_HEADERS: [&str; 17] = [
    "accept-encoding",
    "connection",
    "content-length",
    "cookie",
    "cookie2",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "origin",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
    "x-real-ip",
];

/// A credential or a host of the manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum HostRule<S> {
    /// A credential of the server, by the part of its name before the colon, or a host that is asked without a secret.
    Named(S),
    /// A host that is asked with a secret.
    WithSecret {
        /// Its name, such as `api.example.com`.
        host: S,
        /// The key of the secret in `settings`.
        secret: S,
        /// The header that carries the secret as it is. Without it, it is `authorization` with `Bearer` before the secret.
        #[serde(default = "none", skip_serializing_if = "Option::is_none")]
        header: Option<S>,
    },
}

fn none<T>() -> Option<T> {
    None
}

impl<S: AsRef<str>> HostRule<S> {
    /// The credential or the host.
    pub fn name(&self) -> &str {
        match self {
            HostRule::Named(name) => name.as_ref(),
            HostRule::WithSecret { host, .. } => host.as_ref(),
        }
    }

    /// The key of the secret that goes with requests.
    pub fn secret(&self) -> Option<&str> {
        match self {
            HostRule::Named(_) => None,
            HostRule::WithSecret { secret, .. } => Some(secret.as_ref()),
        }
    }

    /// The header that carries the secret as it is.
    pub fn header(&self) -> Option<&str> {
        match self {
            HostRule::WithSecret { header, .. } => header.as_ref().map(AsRef::as_ref),
            HostRule::Named(_) => None,
        }
    }

    /// Whether it is a host, and no credential of the server.
    pub fn is_host(&self) -> bool {
        !self.name().starts_with(CODE_HOST)
    }

    /// What an operator approves: the name, and the secret that is sent there.
    pub fn approval(&self) -> String {
        match self.secret() {
            Some(secret) => format!("{} with {secret}", self.name()),
            None => self.name().to_owned(),
        }
    }

    fn check(&self, settings: &[Setting<S>]) -> Result<(), ManifestError> {
        let name = self.name();
        if self.is_host()
            && let Err(why) = check_host(name)
        {
            return Err(ManifestError::new(format!("the host `{}` {why}", name.escape_debug())));
        }
        let Some(secret) = self.secret() else { return Ok(()) };
        if !self.is_host() {
            return Err(ManifestError::new(format!("the credential `{name}` takes no secret")));
        }
        let is_secret = |setting: &Setting<S>| setting.key.as_ref() == secret && setting.kind == SettingKind::Secret;
        if !settings.iter().any(is_secret) {
            return Err(ManifestError::new(format!(
                "the host `{name}` wants the secret `{}`, which `settings` does not declare",
                secret.escape_debug()
            )));
        }
        if let Some(header) = self.header()
            && (header != header.to_ascii_lowercase() || !may_carry_secret(header))
        {
            return Err(ManifestError::new(format!(
                "the secret for `{name}` cannot go in the header `{}`",
                header.escape_debug()
            )));
        }
        Ok(())
    }
}

/// Whether a header's name, in small letters, is one that a plugin may set on a request to a host.
pub fn may_send_header(name: &str) -> bool {
    name != "authorization" && may_carry_secret(name)
}

fn may_carry_secret(name: &str) -> bool {
    let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !name.is_empty()
        && name.len() <= MAX_LABEL_BYTES
        && name.bytes().all(is_token)
        && !RESERVED_HEADERS.contains(&name)
        && !["proxy-", "sec-", "x-forwarded-"]
            .iter()
            .any(|start| name.starts_with(start))
}

/// Why a text is no name of a host that can be asked; it goes on from the name.
fn check_host(name: &str) -> Result<(), &'static str> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= MAX_LABEL_BYTES
            && label.bytes().all(plain)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if name.contains("://") || name.contains('/') {
        return Err("is an address: leave out scheme and path, a host is asked by HTTPS");
    }
    if name.parse::<std::net::IpAddr>().is_ok() || name.starts_with('[') {
        return Err("is an IP address: name the host");
    }
    if name.contains(':') {
        return Err("has a port: hosts are asked on port 443");
    }
    if name == "localhost" || name.ends_with(".localhost") {
        return Err("is the server itself");
    }
    // A last label that is a number makes an IPv4 address of the whole, in one of its notations.
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_name = last.starts_with(|c: char| c.is_ascii_lowercase());
    if name.len() > MAX_HOST_BYTES || !name.contains('.') || !is_name || !name.split('.').all(is_label) {
        return Err("is no name of a host, such as `api.example.com`, in small letters");
    }
    Ok(())
}

/// Checks each, and that no name is there twice.
pub(crate) fn check<S: AsRef<str>>(hosts: &[HostRule<S>], settings: &[Setting<S>]) -> Result<(), ManifestError> {
    if hosts.len() > MAX_HOSTS {
        return Err(ManifestError::new(format!(
            "it has {} hosts, at most {MAX_HOSTS} are possible",
            hosts.len()
        )));
    }
    for (index, host) in hosts.iter().enumerate() {
        host.check(settings)?;
        if hosts[..index].iter().any(|other| other.name() == host.name()) {
            return Err(ManifestError::new(format!("the host `{}` is there twice", host.name())));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> Setting<&'static str> {
        Setting {
            key: "token",
            kind: SettingKind::Secret,
            words: "",
            default: None,
        }
    }

    fn refused(host: &'static str) -> String {
        let checked = check(&[HostRule::Named(host)], &[]);
        checked.map_err(|error| error.to_string()).err().unwrap_or_default()
    }

    #[test]
    fn a_host_is_a_name_and_nothing_else() {
        for fine in [
            "api.example.com",
            "a.b-c.example",
            "xn--bcher-kva.example",
            "codehost-app",
        ] {
            assert_eq!(refused(fine), "", "{fine}");
        }
        for (host, part) in [
            ("api.example.com:8443", "has a port"),
            ("https://api.example.com", "leave out scheme"),
            ("api.example.com/v1", "leave out scheme"),
            ("192.0.2.7", "is an IP address"),
            ("::1", "is an IP address"),
            ("[::1]", "is an IP address"),
            ("127.1", "is no name"),
            ("0x7f.0x1", "is no name"),
            ("localhost", "the server itself"),
            ("a.localhost", "the server itself"),
            ("intranet", "is no name"),
            ("Api.example.com", "is no name"),
            ("api..com", "is no name"),
            ("api.example.com.", "is no name"),
            ("-a.example", "is no name"),
            ("*.example.com", "is no name"),
            ("a@b.example", "is no name"),
            ("a b.example", "is no name"),
            ("", "is no name"),
        ] {
            assert!(refused(host).contains(part), "{host}: {}", refused(host));
        }
    }

    #[test]
    fn a_secret_is_declared_and_has_a_header() {
        let with = |secret, header| HostRule::WithSecret {
            host: "api.example.com",
            secret,
            header,
        };
        let check = |host| check(&[host], &[secret()]).map_err(|error| error.to_string());
        assert_eq!(check(with("token", None)), Ok(()));
        assert_eq!(check(with("token", Some("x-api-key"))), Ok(()));
        assert!(check(with("other", None)).unwrap_err().contains("`other`"));
        for header in [
            "host",
            "cookie",
            "X-Api-Key",
            "a b",
            "",
            "proxy-authorization",
            "x-forwarded-for",
        ] {
            assert!(check(with("token", Some(header))).is_err(), "{header}");
        }
        assert_eq!(with("token", None).approval(), "api.example.com with token");
        assert_eq!(HostRule::Named("api.example.com").approval(), "api.example.com");
    }

    #[test]
    fn both_forms_are_read() {
        let text = r#"["codehost-app", {"host":"api.example.com","secret":"token"}]"#;
        let read: Vec<HostRule<String>> = serde_json::from_str(text).unwrap();
        assert_eq!((read[0].name(), read[1].secret()), ("codehost-app", Some("token")));
        assert!(!read[0].is_host() && read[1].is_host());
    }
}
