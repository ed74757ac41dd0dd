//! `galley check-config`: prints the parsed configuration without starting anything.

use std::fmt::Write;

use serde_json::{Value, json};

use super::output::{print, print_json};
use crate::config::{Config, Secret};

/// Prints what was understood.
pub fn run(config: &Config, as_json: bool) -> anyhow::Result<()> {
    let understood = describe(config);
    if as_json {
        return print_json(&understood);
    }
    let mut text = String::new();
    for (name, value) in understood.as_object().into_iter().flatten() {
        match value {
            Value::Array(items) if name == "warnings" => {
                for warning in items.iter().filter_map(Value::as_str) {
                    writeln!(text, "warning: {warning}")?;
                }
            }
            Value::String(value) => writeln!(text, "{name:<22} {value}")?,
            other => writeln!(text, "{name:<22} {other}")?,
        }
    }
    print(&text)
}

fn set(secret: &Option<Secret>) -> &'static str {
    if secret.is_some() { "set" } else { "unset" }
}

/// The variables that name proxies. Their values may hold credentials.
fn proxies(config: &Config) -> String {
    let names = config.network_proxies.iter().flat_map(|proxies| proxies.each());
    let names: Vec<_> = names.map(|(name, _)| name).collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

fn node_name(config: &Config) -> &str {
    let named = config.cluster.as_ref().map(|cluster| cluster.node_name.as_deref());
    match named {
        None => "off",
        Some(name) => name.unwrap_or("unset (the machine's name and the port)"),
    }
}

fn describe(config: &Config) -> Value {
    let group = |set: bool| if set { "configured" } else { "off" };
    json!({
        "listen": config.listen.to_string(),
        "publicUrl": config.public_url,
        "serveDomain": config.serve_domain.as_deref().unwrap_or("unset (prototypes at /p/SLUG/)"),
        "dataDir": config.data_dir,
        "pluginsDir": config.plugins_dir,
        "dashboardDir": config.dashboard_dir,
        "bridgeBundle": config.bridge_bundle,
        "adminToken": set(&config.admin_token),
        "signIn": group(config.sign_in.is_some()),
        "repositories": group(config.repo_app.is_some()),
        "codeHost": config.code_host.url,
        "webhookSecret": set(&config.webhook_secret),
        "smtp": group(config.smtp.is_some()),
        "unsubscribeSecret": set(&config.unsubscribe_secret),
        "allowedEmailDomains": config.allowed_email_domains,
        "trustedProxies": config.trusted_proxies.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "maxConnectionsPerPeer": config.max_connections_per_peer,
        "buildTimeoutSeconds": config.builds.timeout.as_secs(),
        "buildConcurrency": config.builds.concurrency,
        "buildUser": config.builds.user,
        "buildPorts": config.builds.ports,
        "buildRequireConfinement": config.builds.require_confinement,
        "buildMemoryMb": config.builds.memory_mb,
        "buildDiskMb": config.builds.disk_mb,
        "diskReserveMb": config.builds.reserve_mb,
        "objects": config.objects.as_ref().map_or("off", |objects| &*objects.url),
        "database": config.cluster.as_ref().map_or("off".to_owned(), |cluster| cluster.database.shown()),
        "nodeName": node_name(config),
        "networkProxies": proxies(config),
        "metricsListen": config.metrics_listen.map_or("off".to_owned(), |address| address.to_string()),
        "otlpEndpoint": config.otlp_endpoint.as_deref().unwrap_or("off"),
        "otlpTracesPerSecond": config.otlp_traces_per_second,
        "log": config.log,
        "warnings": config.warnings,
    })
}
