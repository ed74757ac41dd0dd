//! The log: lines on standard error. And the spans, where a collector is configured.

use std::io::stderr;

use anyhow::Context;
use tracing::Level;
use tracing_subscriber::filter::{FilterExt, LevelFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

use crate::config::Config;
use crate::telemetry::{self, HOST_CALLS, Traces};

/// The target of lines that every filter lets through, because nobody can use the server without them.
pub const ALWAYS: &str = "always";

/// Starts the log of a command; `least` is the level for libraries that the filter does not name.
pub fn start(config: &Config, least: Level) -> anyhow::Result<()> {
    tracing_subscriber::registry().with(lines(config, least)?).init();
    Ok(())
}

/// Starts the log of a server, and its traces where a collector is configured. They are sent for as long as the answer lives.
/// Not within the runtime.
pub fn start_server(config: &Config) -> anyhow::Result<Option<Traces>> {
    let Some(endpoint) = &config.otlp_endpoint else {
        start(config, Level::INFO)?;
        return Ok(None);
    };
    let lines = lines(config, Level::INFO)?;
    let (traces, spans) = telemetry::layer(endpoint, config.otlp_traces_per_second)?;
    tracing_subscriber::registry().with(lines).with(spans).init();
    Ok(Some(traces))
}

/// Lines on standard error, with the configured filter.
fn lines(config: &Config, least: Level) -> anyhow::Result<Box<dyn Layer<Registry> + Send + Sync>> {
    let filter = if least == Level::INFO {
        config.log.clone()
    } else {
        least.to_string()
    };
    let filter: EnvFilter = EnvFilter::builder()
        .parse(&filter)
        .with_context(|| format!("SERVICE_LOG is `{}`, which is not a filter such as `info`", config.log))?;
    // The generated code of host calls tells its arguments at the lowest level, and secrets can be among them.
    let harmless = filter_fn(|facts| !facts.target().starts_with(HOST_CALLS)).with_max_level_hint(LevelFilter::TRACE);
    let always = filter_fn(|facts| facts.target() == ALWAYS).with_max_level_hint(LevelFilter::INFO);
    let filter = filter.and(harmless).or(always);
    let lines = fmt::layer().with_writer(stderr);
    Ok(if config.log_json {
        lines.json().flatten_event(true).with_filter(filter).boxed()
    } else {
        lines.with_target(false).with_ansi(false).with_filter(filter).boxed()
    })
}
