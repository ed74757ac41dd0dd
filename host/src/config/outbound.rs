//! The variables of requests to hosts that plugins declare.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use super::error::ConfigError;
use super::source::Source;

/// What plugins may reach of the operator's own network.
#[derive(Debug, Clone, Default)]
pub struct OutboundConfig {
    /// SERVICE_OUTBOUND_HOSTS, none: hosts of the own network by name, each with its address.
    pub hosts: BTreeMap<String, SocketAddr>,
    /// SERVICE_OUTBOUND_CA, none: a PEM file with the certificates of the own network's authorities.
    pub certificates: Option<PathBuf>,
}

impl OutboundConfig {
    pub(super) fn parse(source: &mut Source) -> Result<Self, ConfigError> {
        let certificates = source.path("SERVICE_OUTBOUND_CA");
        if let Some(path) = &certificates {
            check_certificates(path).map_err(|reason| {
                ConfigError(format!(
                    "SERVICE_OUTBOUND_CA is {}, {reason}: it is a PEM file with certificates",
                    path.display()
                ))
            })?;
        }
        Ok(Self {
            hosts: hosts(source.take("SERVICE_OUTBOUND_HOSTS"))?,
            certificates,
        })
    }
}

/// Looks for certificates in a file; `Err` is what is wrong with it.
fn check_certificates(path: &Path) -> Result<(), String> {
    if !path.is_file() {
        return Err("where no file is".to_owned());
    }
    let pem = std::fs::read(path).map_err(|error| format!("which cannot be read ({error})"))?;
    match reqwest::Certificate::from_pem_bundle(&pem) {
        Ok(found) if !found.is_empty() => Ok(()),
        Ok(_) | Err(_) => Err("which holds no certificate that can be read".to_owned()),
    }
}

/// `name=address` or `name=address:port`, comma-separated.
fn hosts(text: Option<String>) -> Result<BTreeMap<String, SocketAddr>, ConfigError> {
    let text = text.unwrap_or_default();
    let listed = text.split(',').map(str::trim).filter(|host| !host.is_empty());
    listed
        .map(|host| {
            let parsed = host.split_once('=').and_then(|(name, address)| {
                let with_port = address.trim().parse().ok();
                let alone = || address.trim().parse().ok().map(|ip: IpAddr| SocketAddr::new(ip, 443));
                Some((name.trim().to_ascii_lowercase(), with_port.or_else(alone)?))
            });
            parsed.filter(|(name, _)| !name.is_empty()).ok_or_else(|| {
                ConfigError(format!(
                    "SERVICE_OUTBOUND_HOSTS contains `{host}`, which is not a name and its address: it looks like \
                     api.intranet.example=10.0.0.7, wiki.intranet.example=10.0.0.8:8443"
                ))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_an_address() {
        let hosts = |text: &str| hosts(Some(text.to_owned()));
        let found = hosts("api.example=10.0.0.7, wiki.example=[fd00::8]:8443").unwrap();
        assert_eq!(found["api.example"], "10.0.0.7:443".parse().unwrap());
        assert_eq!(found["wiki.example"], "[fd00::8]:8443".parse().unwrap());
        for text in [
            "api.example",
            "=10.0.0.7",
            "api.example=",
            "api.example=other.example",
            "a=10.0.0.7:x",
        ] {
            assert!(hosts(text).unwrap_err().0.contains(text), "{text}");
        }
    }
}
