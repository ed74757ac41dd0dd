//! What holds the commands of builds on this machine, found out at boot by running one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use nix::unistd::{Uid, User, geteuid};

use super::sandbox::{
    Isolation, Network, OLDEST_LANDLOCK, SIGNAL_LANDLOCK, TCP_LANDLOCK, Upstream, is_usable_proxy, landlock_version,
    prepare_groups,
};
use crate::config::{BuildConfig, Config, NetworkProxies, Secret};

/// What is wrong with a proxy that builds cannot go through.
const UNUSABLE_PROXY: &str = "is not a proxy that builds can go through (it looks like http://proxy.example.org:3128, or begins with https://, socks5:// or socks5h://)";

/// Ports of other machines that are always open to builds: ssh, http and https.
const PORTS: [u16; 3] = [22, 80, 443];

/// How the commands of builds are held.
#[derive(Debug)]
pub struct Confinement {
    /// Why nothing is built, if so.
    pub refusal: Option<String>,
    /// The user and group that commands run as, unless they are the server's.
    pub user: Option<(u32, u32)>,
    /// The line that names the proxies of the operator's network, if there are some.
    pub upstream: Option<Secret>,
    isolation: Isolation,
    /// Why there are no namespaces.
    without_namespaces: Option<String>,
    /// Whether SERVICE_BUILD_USER is no user that commands can run as.
    has_no_user: bool,
    /// What commands can do that they should not.
    gaps: Vec<&'static str>,
    is_root: bool,
    ports: Vec<u16>,
    /// The control group that those of steps are made in.
    group: Option<PathBuf>,
    limits: [(&'static str, u64); 4],
    /// Variables that name a proxy that builds cannot go through.
    unusable_proxies: Vec<&'static str>,
}

impl Confinement {
    /// Runs a command in the sandbox to see what the kernel allows.
    pub fn find(config: &Config) -> Self {
        let user = build_user(&config.builds);
        let (user, no_user) = match user {
            Ok(user) => (user, None),
            Err(error) => (None, Some(format!("Nothing is built: {error:#} (SERVICE_BUILD_USER)"))),
        };
        let mut found = Self::judge(probe(&config.data_dir, user), landlock_version(), user, &config.builds);
        found.is_root = geteuid().is_root();
        found.ports = ports(config);
        found.group = prepare_groups();
        if let Some(proxies) = &config.network_proxies {
            found.go_through(proxies);
        }
        found.has_no_user = no_user.is_some();
        found.refusal = no_user.or(found.refusal);
        found
    }

    /// What follows from the outcome of the probe and from the version of Landlock.
    fn judge(probed: anyhow::Result<()>, landlock: u32, user: Option<(u32, u32)>, config: &BuildConfig) -> Self {
        let without_namespaces = probed.err().map(|error| format!("{error:#}"));
        let isolation = match without_namespaces {
            None => Isolation::Namespaces,
            Some(_) => Isolation::Rules,
        };
        let gaps = match isolation {
            Isolation::Namespaces => Vec::new(),
            Isolation::Rules => gaps(landlock),
        };
        let mut refusal = None;
        if config.require_confinement && !gaps.is_empty() {
            refusal = Some(format!(
                "Nothing is built: SERVICE_BUILD_REQUIRE_CONFINEMENT is set, and on this server, commands of builds can {}",
                gaps.join(", ")
            ));
        } else if isolation == Isolation::Rules && user.is_some() {
            // The data folder is the server's alone, and without a mount namespace the build's folder is reached through it.
            refusal =
                Some("Nothing is built: SERVICE_BUILD_USER needs namespaces, which this kernel refuses".to_owned());
        }
        Self {
            refusal,
            user,
            isolation,
            without_namespaces,
            has_no_user: false,
            gaps,
            is_root: false,
            ports: Vec::new(),
            group: None,
            upstream: None,
            unusable_proxies: Vec::new(),
            limits: [
                ("--memory", config.memory_mb),
                ("--disk", config.disk_mb),
                ("--reserve", config.reserve_mb),
                ("--cpu", cpu_seconds(config.timeout)),
            ],
        }
    }

    /// Takes over the proxies of the operator's network that builds can go through.
    fn go_through(&mut self, proxies: &NetworkProxies) {
        let (usable, unusable) = proxies
            .each()
            .partition::<Vec<_>, _>(|(_, proxy)| is_usable_proxy(proxy.expose()));
        self.unusable_proxies = unusable.into_iter().map(|(name, _)| name).collect();
        let value = |wanted: &str| {
            let named = usable.iter().find(|(name, _)| *name == wanted);
            named.map_or_else(String::new, |(_, proxy)| proxy.expose().to_owned())
        };
        let upstream = Upstream {
            http: value("HTTP_PROXY"),
            https: value("HTTPS_PROXY"),
            no_proxy: proxies.no_proxy.clone(),
            certificates: proxies.certificates.clone(),
        };
        if !usable.is_empty() {
            self.upstream = Some(Secret::new(format!("{}\n", serde_json::json!(upstream))));
        }
    }

    /// Says in the server's log what holds and what does not.
    pub fn report(&self) {
        if let Some(refusal) = &self.refusal {
            tracing::error!("{refusal}");
        }
        // How builds would be held says nothing then, and asks for the user that was set.
        if self.has_no_user {
            return;
        }
        match &self.without_namespaces {
            None => tracing::info!("builds run in namespaces of their own"),
            Some(why) => tracing::info!("builds run without namespaces, held by Landlock and seccomp: {why}"),
        }
        if self.group.is_some() {
            tracing::info!("control groups bound the memory and the processes of builds");
        }
        if self.upstream.is_some() {
            tracing::info!("builds reach other machines through the proxies of HTTP_PROXY and HTTPS_PROXY");
        }
        for name in &self.unusable_proxies {
            tracing::warn!("{name} {UNUSABLE_PROXY}: builds connect directly, where they can");
        }
        for gap in &self.gaps {
            tracing::warn!("commands of builds can {gap}: build only repositories you trust");
        }
        if self.is_root && self.user.is_none() {
            tracing::warn!(
                "the server runs as root, and so do the commands of builds: run it as a user of its own, or set SERVICE_BUILD_USER"
            );
        }
    }

    /// The same for the log of a build.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let gap = |gap| format!("Note: this server does not confine builds as a whole: their commands can {gap}");
        let proxy = |name| format!("Note: {name} of this server {UNUSABLE_PROXY}: this build connects directly");
        self.gaps.iter().map(gap).chain(self.unusable_proxies.iter().map(proxy))
    }

    /// The arguments of `galley build-step` that are the same for every step of a build.
    pub fn arguments(&self, folder: &Path, hidden: &[PathBuf]) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["--isolation".into(), self.isolation.argument().into()];
        let mut add = |name: &str, value: OsString| arguments.extend([name.into(), value]);
        add("--folder", folder.into());
        for path in hidden {
            add("--hide", path.into());
        }
        for port in &self.ports {
            add("--port", port.to_string().into());
        }
        if let Some((user, group)) = self.user {
            add("--uid", user.to_string().into());
            add("--gid", group.to_string().into());
        }
        if let Some(group) = &self.group {
            add("--group", group.into());
        }
        for (name, most) in self.limits {
            add(name, most.to_string().into());
        }
        arguments
    }
}

/// The processor time of one process: what all processors have within the time of a build. A process that outlives it has
/// escaped its end.
fn cpu_seconds(timeout: Duration) -> u64 {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    timeout.as_secs().saturating_mul(processors as u64)
}

/// What Landlock and seccomp do not hold without namespaces.
fn gaps(landlock: u32) -> Vec<&'static str> {
    if landlock < OLDEST_LANDLOCK {
        return vec!["read and change the files of the server's user, its data folder too, and reach its network"];
    }
    let mut gaps = Vec::new();
    if landlock < TCP_LANDLOCK {
        gaps.push("connect to the network services of this machine");
    }
    if landlock < SIGNAL_LANDLOCK {
        gaps.push("send signals to other processes of the server's user");
    }
    gaps
}

/// The open ports: the usual ones, those of the code host, and what the operator added.
fn ports(config: &Config) -> Vec<u16> {
    let of = |url: &str| url::Url::parse(url).ok().and_then(|url| url.port_or_known_default());
    let host = [&config.code_host.url, &config.code_host.api_url];
    let mut ports: Vec<u16> = PORTS
        .into_iter()
        .chain(host.into_iter().filter_map(|url| of(url)))
        .collect();
    ports.extend(&config.builds.ports);
    ports.sort_unstable();
    ports.dedup();
    ports
}

/// The user that commands run as, unless it is the server's.
fn build_user(config: &BuildConfig) -> anyhow::Result<Option<(u32, u32)>> {
    let Some(name) = &config.user else { return Ok(None) };
    let unknown = || format!("the user `{name}` is not known");
    let user = match name.parse() {
        Ok(number) => User::from_uid(Uid::from_raw(number)),
        Err(_) => User::from_name(name),
    };
    let user = user.with_context(unknown)?.with_context(unknown)?;
    if user.uid == geteuid() {
        return Ok(None);
    }
    if !geteuid().is_root() {
        bail!("builds cannot run as the user `{name}`: the server does not run as root");
    }
    Ok(Some((user.uid.as_raw(), user.gid.as_raw())))
}

/// Runs `true` in namespaces. An error says what the kernel refuses.
fn probe(data_dir: &Path, user: Option<(u32, u32)>) -> anyhow::Result<()> {
    let folder = tempfile::tempdir_in(data_dir)?;
    if let Some((user, group)) = user {
        std::os::unix::fs::chown(folder.path(), Some(user), Some(group))?;
    }
    let path = folder.path().canonicalize()?;
    let mut command = Command::new("/proc/self/exe");
    command.args([
        "build-step",
        "--isolation",
        "namespaces",
        "--network",
        Network::Proxied.argument(),
    ]);
    command.arg("--folder").arg(&path).arg("--hide").arg(data_dir);
    if let Some((user, group)) = user {
        command.args(["--uid", &user.to_string(), "--gid", &group.to_string()]);
    }
    command.args(["--", "true"]).current_dir(&path);
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path);
    // Held open: its end ends the step.
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let stdin = child.stdin.take();
    let ended = child.wait_with_output()?;
    drop(stdin);
    if !ended.status.success() {
        bail!("{}", String::from_utf8_lossy(&ended.stderr).trim());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(require: &str) -> BuildConfig {
        let variables = [("SERVICE_BUILD_REQUIRE_CONFINEMENT".into(), require.into())];
        Config::parse(variables, "/opt/galley".into()).unwrap().builds
    }

    #[test]
    fn half_a_confinement_is_named_and_refused_where_a_whole_one_is_required() {
        let refused = || Err(anyhow::anyhow!("no namespaces"));
        for (landlock, gap) in [
            (0, Some("its data folder")),
            (2, Some("its data folder")),
            (3, Some("network services")),
            (5, Some("send signals")),
            (6, None),
        ] {
            let found = Confinement::judge(refused(), landlock, None, &config("0"));
            let notes: String = found.notes().collect();
            assert_eq!(gap.is_none(), notes.is_empty(), "{landlock}: {notes}");
            assert!(notes.contains(gap.unwrap_or_default()), "{landlock}: {notes}");
            assert_eq!(found.refusal, None);
            let required = Confinement::judge(refused(), landlock, None, &config("1"));
            let refusal = required.refusal.unwrap_or_default();
            assert!(refusal.contains(gap.unwrap_or_default()), "{landlock}: {refusal}");
            assert_eq!(gap.is_none(), refusal.is_empty(), "{landlock}: {refusal}");
        }
        let whole = Confinement::judge(Ok(()), 0, Some((7, 7)), &config("1"));
        assert_eq!((whole.notes().count(), whole.refusal), (0, None));
        let user = Confinement::judge(refused(), 6, Some((7, 7)), &config("0"));
        assert!(user.refusal.unwrap_or_default().contains("SERVICE_BUILD_USER"));
    }

    #[test]
    fn proxies_that_cannot_be_gone_through_are_named_without_their_credentials() {
        let proxied = |proxy: &str| {
            let variables = [("HTTPS_PROXY".into(), proxy.into())];
            let config = Config::parse(variables, "/opt/galley".into()).unwrap();
            let mut found = Confinement::judge(Ok(()), 6, None, &config.builds);
            found.go_through(&config.network_proxies.unwrap());
            found
        };
        let through = proxied("http://user:secret@proxy.test:3128");
        assert_eq!((through.upstream.is_some(), through.notes().count()), (true, 0));
        let none = proxied("socks4://user:secret@proxy.test:1080");
        let notes: String = none.notes().collect();
        assert!(none.upstream.is_none() && notes.contains("HTTPS_PROXY"), "{notes}");
        assert!(!notes.contains("secret"), "{notes}");
    }
}
