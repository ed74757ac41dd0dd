//! The configuration: the environment, read once at boot. A server that started has a configuration that parsed.

mod builds;
mod cluster;
mod error;
mod groups;
mod objects;
mod origin;
mod outbound;
pub mod pause;
mod proxies;
mod secret;
mod source;
mod variables;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use ipnet::IpNet;
use tracing::level_filters::LevelFilter;

pub use builds::BuildConfig;
pub use cluster::{ClusterConfig, ClusterKey, default_node_name};
pub use error::ConfigError;
pub use groups::{CodeHost, RepoApp, SignIn, Smtp, SmtpTls};
pub use objects::ObjectsConfig;
pub use origin::host_of;
pub use outbound::OutboundConfig;
pub use proxies::NetworkProxies;
pub use secret::Secret;
pub use variables::page;

use origin::base_url;
use source::Source;

/// Everything an operator can set. `config/variables.rs` has the default, unit and bounds of each.
#[derive(Debug, Clone)]
pub struct Config {
    /// SERVICE_LISTEN, 127.0.0.1:4310.
    pub listen: SocketAddr,
    /// SERVICE_PUBLIC_URL without a trailing slash; http:// and the listen address when unset.
    pub public_url: String,
    /// Whether SERVICE_PUBLIC_URL was set; otherwise it follows the port that is bound.
    pub public_url_set: bool,
    /// SERVICE_SERVE_DOMAIN: prototypes at `<slug>.<domain>`, host with optional port.
    pub serve_domain: Option<String>,
    /// SERVICE_DATA_DIR, ./galley-data.
    pub data_dir: PathBuf,
    /// SERVICE_PLUGINS_DIR, plugins/ beside the program.
    pub plugins_dir: PathBuf,
    /// Whether SERVICE_PLUGINS_DIR was set. If it was not, the folder may be missing.
    pub plugins_dir_set: bool,
    /// SERVICE_DASHBOARD_DIR, dashboard/ beside the program.
    pub dashboard_dir: PathBuf,
    /// Whether SERVICE_DASHBOARD_DIR was set. If it was not, the pages may be missing.
    pub dashboard_dir_set: bool,
    /// SERVICE_BRIDGE_BUNDLE, dist/bridge-bundle.js beside the program.
    pub bridge_bundle: PathBuf,
    /// SERVICE_ADMIN_TOKEN.
    pub admin_token: Option<Secret>,
    /// The group "sign-in".
    pub sign_in: Option<SignIn>,
    /// The group "repositories".
    pub repo_app: Option<RepoApp>,
    /// Where the code host is.
    pub code_host: CodeHost,
    /// SERVICE_REPO_APP_WEBHOOK_SECRET; an empty one counts as unset.
    pub webhook_secret: Option<Secret>,
    /// The group "SMTP".
    pub smtp: Option<Smtp>,
    /// SERVICE_UNSUBSCRIBE_SECRET.
    pub unsubscribe_secret: Option<Secret>,
    /// SERVICE_ALLOWED_EMAIL_DOMAINS, lower-case; empty when it parses to nothing.
    pub allowed_email_domains: Vec<String>,
    /// SERVICE_TRUSTED_PROXIES.
    pub trusted_proxies: Vec<IpNet>,
    /// SERVICE_MAX_CONNECTIONS_PER_PEER, 256, from 1: open connections of one IPv4 address or IPv6 network of 64 bits.
    /// Trusted proxies, 127.0.0.1 and ::1 are exempt.
    pub max_connections_per_peer: u32,
    /// Bounds of builds, and what they may reach.
    pub builds: BuildConfig,
    /// What plugins may reach of the operator's own network.
    pub outbound: OutboundConfig,
    /// The group "objects": an object store for what does not change; the data folder when unset.
    pub objects: Option<ObjectsConfig>,
    /// The group "cluster": a database that several servers share; files of the data folder when unset.
    pub cluster: Option<ClusterConfig>,
    /// HTTP_PROXY, HTTPS_PROXY, NO_PROXY: how the code host is asked, and how builds reach other machines.
    pub network_proxies: Option<NetworkProxies>,
    /// SERVICE_METRICS_LISTEN: the address of the metrics for Prometheus; none when unset.
    pub metrics_listen: Option<SocketAddr>,
    /// SERVICE_OTLP_ENDPOINT: the address of a collector for traces, without a trailing slash; none when unset.
    pub otlp_endpoint: Option<String>,
    /// SERVICE_OTLP_TRACES_PER_SECOND: the most traces that begin in a second.
    pub otlp_traces_per_second: u32,
    /// SERVICE_LOG, a filter such as `info` or `galley_host=debug`.
    pub log: String,
    /// SERVICE_LOG_FORMAT=json.
    pub log_json: bool,
    /// One line for each variable that was set without effect.
    pub warnings: Vec<String>,
}

impl Config {
    /// Reads the process's environment.
    pub fn from_env() -> Result<Self, ConfigError> {
        let program = std::env::current_exe().ok();
        let beside = program
            .as_deref()
            .and_then(|program| program.parent())
            .unwrap_or(std::path::Path::new("."));
        Self::parse(std::env::vars_os(), beside.to_owned())
    }

    /// Parses variables; `beside` is the program's folder.
    pub fn parse(
        variables: impl IntoIterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
        beside: PathBuf,
    ) -> Result<Self, ConfigError> {
        let mut source = Source::new(variables)?;
        let mut config = Self::read(&mut source, &beside)?;
        config.warnings = source.unknown();
        config
            .warnings
            .extend(config.cluster.iter().flat_map(ClusterConfig::warnings));
        if config.plugins_dir_set && !config.plugins_dir.is_dir() {
            config.warnings.push(format!(
                "SERVICE_PLUGINS_DIR is `{}`, where no folder is: without its plugins, the server has only the features that were \
                 installed",
                config.plugins_dir.display()
            ));
        }
        if config.dashboard_dir_set && !config.dashboard_dir.join("manifest.json").is_file() {
            config.warnings.push(format!(
                "SERVICE_DASHBOARD_DIR is `{}`, where no pages are: it is a folder with a manifest.json",
                config.dashboard_dir.display()
            ));
        }
        Ok(config)
    }

    fn read(source: &mut Source, beside: &Path) -> Result<Self, ConfigError> {
        let listen: SocketAddr = source.parse("SERVICE_LISTEN", "an address and port such as 127.0.0.1:4310")?;
        let public_url = source
            .take("SERVICE_PUBLIC_URL")
            .map(|url| base_url("SERVICE_PUBLIC_URL", &url))
            .transpose()?;
        if let Some(profile) = source.take("SERVICE_PROFILE").filter(|profile| profile != "selfhost") {
            return Err(ConfigError(format!(
                "SERVICE_PROFILE is `{profile}`, and the only valid value is `selfhost`: change it or leave it unset"
            )));
        }
        let plugins_dir = source.path("SERVICE_PLUGINS_DIR");
        let dashboard_dir = source.path("SERVICE_DASHBOARD_DIR");
        let objects = ObjectsConfig::parse(source)?;
        Ok(Self {
            listen,
            public_url_set: public_url.is_some(),
            public_url: public_url.unwrap_or_else(|| format!("http://{listen}")),
            serve_domain: source
                .take("SERVICE_SERVE_DOMAIN")
                .map(|domain| serve_domain(&domain))
                .transpose()?,
            data_dir: source.value("SERVICE_DATA_DIR").into(),
            plugins_dir_set: plugins_dir.is_some(),
            plugins_dir: plugins_dir.unwrap_or_else(|| beside.join("plugins")),
            dashboard_dir_set: dashboard_dir.is_some(),
            dashboard_dir: dashboard_dir.unwrap_or_else(|| beside.join("dashboard")),
            bridge_bundle: source
                .path("SERVICE_BRIDGE_BUNDLE")
                .unwrap_or_else(|| beside.join("dist").join("bridge-bundle.js")),
            admin_token: source.take("SERVICE_ADMIN_TOKEN").map(admin_token).transpose()?,
            sign_in: SignIn::parse(source)?,
            repo_app: RepoApp::parse(source)?,
            code_host: CodeHost::parse(source)?,
            webhook_secret: source.take("SERVICE_REPO_APP_WEBHOOK_SECRET").map(Secret::new),
            smtp: Smtp::parse(source)?,
            unsubscribe_secret: source.take("SERVICE_UNSUBSCRIBE_SECRET").map(Secret::new),
            allowed_email_domains: domains(source.take("SERVICE_ALLOWED_EMAIL_DOMAINS"))?,
            trusted_proxies: proxies(source.take("SERVICE_TRUSTED_PROXIES"))?,
            max_connections_per_peer: source.number("SERVICE_MAX_CONNECTIONS_PER_PEER")?,
            builds: BuildConfig::parse(source)?,
            outbound: OutboundConfig::parse(source)?,
            cluster: ClusterConfig::parse(source, objects.as_ref())?,
            objects,
            network_proxies: NetworkProxies::parse(source),
            metrics_listen: source
                .take("SERVICE_METRICS_LISTEN")
                .map(|address| metrics_listen(&address))
                .transpose()?,
            otlp_endpoint: source
                .take("SERVICE_OTLP_ENDPOINT")
                .map(|url| otlp_endpoint(&url))
                .transpose()?,
            otlp_traces_per_second: source.number("SERVICE_OTLP_TRACES_PER_SECOND")?,
            log: log_filter(source.value("SERVICE_LOG"))?,
            log_json: match source.value("SERVICE_LOG_FORMAT").as_str() {
                "text" => false,
                "json" => true,
                other => {
                    return Err(ConfigError(format!(
                        "SERVICE_LOG_FORMAT is `{other}`: it is `text` or `json`"
                    )));
                }
            },
            warnings: Vec::new(),
        })
    }

    /// Whether cookies carry `Secure`.
    pub fn secure_cookies(&self) -> bool {
        self.public_url.starts_with("https://")
    }

    /// Where a project's prototype is served, with a slash at the end.
    pub fn project_url(&self, slug: &str) -> String {
        match &self.serve_domain {
            Some(domain) => {
                let scheme = if self.secure_cookies() { "https" } else { "http" };
                format!("{scheme}://{slug}.{domain}/")
            }
            None => format!("{}/p/{slug}/", self.public_url),
        }
    }

    /// The origins of all prototypes as a policy of browsers names them; `None` where they are on the server's own.
    pub fn prototype_origins(&self) -> Option<String> {
        let domain = self.serve_domain.as_ref()?;
        let scheme = if self.secure_cookies() { "https" } else { "http" };
        Some(format!("{scheme}://*.{domain}"))
    }

    /// Where a browser that is signed in, or a frame, starts to look at a project's prototype: where prototypes have origins of
    /// their own, the session's rights are handed over there first.
    pub fn open_url(&self, slug: &str) -> String {
        format!("{}/open/{slug}", self.public_url)
    }

    /// Tells the configuration the port that was bound, for a public URL that was not set.
    pub fn bound_to(&mut self, address: SocketAddr) {
        self.listen = address;
        if !self.public_url_set {
            self.public_url = format!("http://{address}");
        }
    }
}

fn serve_domain(text: &str) -> Result<String, ConfigError> {
    let bad = || {
        ConfigError(format!(
            "SERVICE_SERVE_DOMAIN is `{text}`, which is not a host with an optional port: it looks like prototypes.example.org"
        ))
    };
    let url = url::Url::parse(&format!("http://{text}/")).map_err(|_| bad())?;
    // The parser also takes what no name of a host holds, such as `*`.
    let is_plain = |host: &&str| host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b));
    let host = url
        .host_str()
        .filter(is_plain)
        .filter(|_| matches!(url.host(), Some(url::Host::Domain(_))))
        .ok_or_else(bad)?;
    let plain = match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    };
    // What the parser changed or dropped (a path, a user, port 80) was not a plain host.
    let same = plain == text.to_lowercase() || format!("{plain}:80") == text.to_lowercase();
    if same { Ok(plain) } else { Err(bad()) }
}

fn metrics_listen(address: &str) -> Result<SocketAddr, ConfigError> {
    address.trim().parse().map_err(|_| {
        ConfigError(format!(
            "SERVICE_METRICS_LISTEN is `{address}`, which is not an address and port such as 127.0.0.1:9464"
        ))
    })
}

fn otlp_endpoint(text: &str) -> Result<String, ConfigError> {
    let url = url::Url::parse(text.trim()).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.host().is_some());
    match url {
        Some(url) if url.username().is_empty() && url.password().is_none() && url.query().is_none() => {
            Ok(text.trim().trim_end_matches('/').to_owned())
        }
        // What was written may hold a password.
        Some(_) => Err(ConfigError(
            "SERVICE_OTLP_ENDPOINT has a user, a password or a query: credentials belong into OTEL_EXPORTER_OTLP_HEADERS".into(),
        )),
        None => Err(ConfigError(format!(
            "SERVICE_OTLP_ENDPOINT is `{text}`, which is not an address such as http://127.0.0.1:4318"
        ))),
    }
}

/// Targets of the log that are named without a level, which means all levels.
const LOG_TARGETS: [&str; 2] = ["galley_host", "access"];

/// A filter of the log. A word that is no level names a target, so that a misspelt level would silence everything else.
fn log_filter(text: String) -> Result<String, ConfigError> {
    let is_known = |part: &str| {
        let target = part.split("::").next().unwrap_or_default();
        part.parse::<LevelFilter>().is_ok() || part.contains(['=', '[']) || LOG_TARGETS.contains(&target)
    };
    match text.split(',').map(str::trim).find(|part| !is_known(part)) {
        None => Ok(text),
        Some(part) => Err(ConfigError(format!(
            "SERVICE_LOG is `{text}`, and `{part}` is neither a level (off, error, warn, info, debug, trace) nor a target of this \
             server (galley_host, access): other targets have their level behind them, such as hyper=debug"
        ))),
    }
}

fn admin_token(token: String) -> Result<Secret, ConfigError> {
    if token.chars().count() < 16 {
        return Err(ConfigError(
            "SERVICE_ADMIN_TOKEN is shorter than 16 characters: make it longer".to_owned(),
        ));
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(ConfigError(
            "SERVICE_ADMIN_TOKEN holds a character that no header can carry: use visible ASCII without spaces"
                .to_owned(),
        ));
    }
    if token.starts_with("tok_") {
        return Err(ConfigError(
            "SERVICE_ADMIN_TOKEN starts with `tok_`, which marks personal access tokens: choose another".to_owned(),
        ));
    }
    Ok(Secret::new(token))
}

fn parts(text: Option<String>) -> Vec<String> {
    let text = text.unwrap_or_default();
    text.split(',')
        .map(|part| part.trim().to_ascii_lowercase())
        .filter(|part| !part.is_empty())
        .collect()
}

fn domains(text: Option<String>) -> Result<Vec<String>, ConfigError> {
    let domains = parts(text);
    match domains
        .iter()
        .find(|domain| domain.contains('@') || !domain.contains('.'))
    {
        Some(bad) => Err(ConfigError(format!(
            "SERVICE_ALLOWED_EMAIL_DOMAINS holds `{bad}`, which is not a domain such as example.org"
        ))),
        None => Ok(domains),
    }
}

fn proxies(text: Option<String>) -> Result<Vec<IpNet>, ConfigError> {
    let network = |part: String| {
        let address = part.parse::<std::net::IpAddr>().map(IpNet::from);
        part.parse::<IpNet>().or(address).map_err(|_| {
            ConfigError(format!(
                "SERVICE_TRUSTED_PROXIES holds `{part}`, which is not a network such as 10.0.0.0/8"
            ))
        })
    };
    parts(text).into_iter().map(network).collect()
}

#[cfg(test)]
mod tests;
