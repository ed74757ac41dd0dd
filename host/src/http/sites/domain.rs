//! The hosts of prototypes: `<slug>.<domain>`.

use crate::config::{Config, host_of};

/// The hosts of prototypes.
pub(super) struct Domain {
    /// `.<domain>`, lower-case, without the port.
    suffix: String,
    /// The server's own host, which may be below the same domain.
    main: String,
}

impl Domain {
    pub fn new(config: &Config) -> Option<Self> {
        let suffix = format!(
            ".{}",
            without_port(config.serve_domain.as_deref()?).to_ascii_lowercase()
        );
        let main = without_port(host_of(&config.public_url));
        Some(Self {
            suffix,
            main: main.to_ascii_lowercase(),
        })
    }

    /// The slug in a `Host`; `None` for any other host.
    pub fn slug(&self, host: &str) -> Option<String> {
        let host = without_port(host).trim_end_matches('.').to_ascii_lowercase();
        let slug = host.strip_suffix(&self.suffix)?;
        (!slug.is_empty() && host != self.main).then(|| slug.to_owned())
    }
}

/// A host without its port.
pub(super) fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_apart() {
        let domain = Domain {
            suffix: ".example.org".into(),
            main: "review.example.org".into(),
        };
        assert_eq!(domain.slug("shop.example.org").as_deref(), Some("shop"));
        assert_eq!(domain.slug("SHOP.Example.org.:8080").as_deref(), Some("shop"));
        assert_eq!(domain.slug("SHOP.Example.org:8080").as_deref(), Some("shop"));
        assert_eq!(domain.slug("shop.example.org.").as_deref(), Some("shop"));
        for host in [
            "example.org",
            "review.example.org:443",
            "shopexample.org",
            ".example.org",
            "shop.example.org.evil",
            "",
        ] {
            assert_eq!(domain.slug(host), None, "{host}");
        }
    }
}
