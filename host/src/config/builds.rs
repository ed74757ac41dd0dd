//! The variables of builds.

use std::time::Duration;

use super::error::ConfigError;
use super::source::Source;

/// Bounds of builds, and what they may reach.
#[derive(Debug, Clone)]
pub struct BuildConfig {
    /// SERVICE_BUILD_TIMEOUT_SECONDS, 900: how long a build may take, from 1.
    pub timeout: Duration,
    /// SERVICE_BUILD_CONCURRENCY, 1: builds that run at the same time on this server. With 0 it builds nothing, and leaves builds to
    /// the other servers of its cluster.
    pub concurrency: u32,
    /// SERVICE_BUILD_USER, unset: the user that the commands of builds run as, by name or number. Needs a server that runs
    /// as root; unset, they run as the server's user.
    pub user: Option<String>,
    /// SERVICE_BUILD_PORTS, none: TCP ports of other machines that builds may connect to, besides 22, 80, 443 and those of
    /// the code host. Comma-separated.
    pub ports: Vec<u16>,
    /// SERVICE_BUILD_REQUIRE_CONFINEMENT, 0: with 1, builds fail where the kernel cannot confine them as a whole.
    pub require_confinement: bool,
    /// SERVICE_BUILD_MEMORY_MB, 4096: the memory of all processes of a build together, in MiB, from 1.
    pub memory_mb: u64,
    /// SERVICE_BUILD_DISK_MB, 4096: the size of a build's folder, in MiB, from 1.
    pub disk_mb: u64,
    /// SERVICE_DISK_RESERVE_MB, 1024: free space that stays for the databases, in MiB, from 1. With less than that, no build
    /// starts, one that runs is stopped, and uploads are refused.
    pub reserve_mb: u64,
}

impl BuildConfig {
    pub(super) fn parse(source: &mut Source) -> Result<Self, ConfigError> {
        Ok(Self {
            timeout: Duration::from_secs(source.number("SERVICE_BUILD_TIMEOUT_SECONDS")?),
            concurrency: source.parse("SERVICE_BUILD_CONCURRENCY", "a whole number")?,
            user: source.take("SERVICE_BUILD_USER").map(|user| user.trim().to_owned()),
            ports: ports(source.take("SERVICE_BUILD_PORTS"))?,
            require_confinement: require(&source.value("SERVICE_BUILD_REQUIRE_CONFINEMENT"))?,
            memory_mb: source.number("SERVICE_BUILD_MEMORY_MB")?,
            disk_mb: source.number("SERVICE_BUILD_DISK_MB")?,
            reserve_mb: source.number("SERVICE_DISK_RESERVE_MB")?,
        })
    }
}

fn ports(text: Option<String>) -> Result<Vec<u16>, ConfigError> {
    let text = text.unwrap_or_default();
    let listed = text.split(',').map(str::trim).filter(|port| !port.is_empty());
    listed
        .map(|port| {
            let number: Option<u16> = port.parse().ok().filter(|port| *port > 0);
            number.ok_or_else(|| {
                ConfigError(format!(
                    "SERVICE_BUILD_PORTS contains `{port}`, which is not a port from 1 to 65535: it looks like 8080, 4873"
                ))
            })
        })
        .collect()
}

fn require(text: &str) -> Result<bool, ConfigError> {
    match text.trim() {
        "0" => Ok(false),
        "1" => Ok(true),
        other => Err(ConfigError(format!(
            "SERVICE_BUILD_REQUIRE_CONFINEMENT is `{other}`: it is `1` or `0`"
        ))),
    }
}
