//! The log: lines on standard error.

use std::io::stderr;

use anyhow::Context;
use tracing::Level;
use tracing_subscriber::EnvFilter;

use crate::config::Config;

/// Starts the log with the configured filter; `least` is the level for libraries that the filter does not name.
pub fn start(config: &Config, least: Level) -> anyhow::Result<()> {
    let filter = if least == Level::INFO {
        config.log.clone()
    } else {
        least.to_string()
    };
    let filter: EnvFilter = EnvFilter::builder()
        .parse(&filter)
        .with_context(|| format!("SERVICE_LOG is `{}`, which is not a filter such as `info`", config.log))?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
    if config.log_json {
        lines.json().flatten_event(true).init();
    } else {
        lines.with_target(false).with_ansi(false).init();
    }
    Ok(())
}
