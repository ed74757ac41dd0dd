//! Sending spans: in batches, on a thread of their own, from a queue with a bound. A collector that cannot be reached costs the
//! spans and nothing else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use opentelemetry::trace::{Status, TracerProvider};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider, SpanData};
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

use super::sampling::PerSecond;
use super::spans::{HOST_CALLS, METHOD, ON, REQUEST, ROUTE, STATUS, TARGET};
use crate::web;

/// How long the collector may take to accept a batch.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the last spans may take when the server stops.
const LAST_EXPORT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a span waits for others.
const BATCH_PAUSE: Duration = Duration::from_secs(1);
/// The most spans that wait; what comes beyond is dropped.
const MAX_WAITING_SPANS: usize = 8_192;
/// The most spans in one request to the collector.
const MAX_BATCH: usize = 512;

/// What the generated code calls the span of a host call.
const GENERATED: &str = "wit-bindgen import";

/// Sends spans for as long as it lives, and what is left at its end.
pub struct Traces(SdkTracerProvider);

impl Drop for Traces {
    fn drop(&mut self) {
        ON.store(false, Ordering::Relaxed);
        // A collector that is gone is no reason not to stop.
        let _ = self.0.shutdown_with_timeout(LAST_EXPORT_TIMEOUT);
    }
}

/// What turns spans of this program into those of a trace, for the collector at `endpoint`. At most `per_second` requests are
/// traced. Not within the runtime.
pub fn layer<S>(endpoint: &str, per_second: u32) -> anyhow::Result<(Traces, impl Layer<S> + use<S>)>
where
    S: Subscriber + for<'s> LookupSpan<'s>,
{
    let http = web::blocking_client()
        .user_agent(web::AGENT)
        .timeout(EXPORT_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .context("no client for SERVICE_OTLP_ENDPOINT")?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(http)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
        .with_timeout(EXPORT_TIMEOUT)
        .build()
        .context("SERVICE_OTLP_ENDPOINT cannot be used")?;
    let batches = BatchConfigBuilder::default()
        .with_max_queue_size(MAX_WAITING_SPANS)
        .with_max_export_batch_size(MAX_BATCH)
        .with_scheduled_delay(BATCH_PAUSE)
        .build();
    let exporter = Named {
        exporter,
        is_failing: AtomicBool::new(false),
    };
    let processor = BatchSpanProcessor::builder(exporter).with_batch_config(batches).build();
    let resource = Resource::builder().with_service_name("galley");
    let provider = SdkTracerProvider::builder()
        .with_sampler(PerSecond::new(per_second))
        .with_span_processor(processor)
        .with_resource(resource.build())
        .build();
    let layer = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("galley"))
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_tracked_inactivity(false);
    // Events are not spans: those of the generated code hold arguments.
    let ours =
        filter_fn(|facts| facts.is_span() && (facts.target() == TARGET || facts.target().starts_with(HOST_CALLS)));
    ON.store(true, Ordering::Relaxed);
    Ok((Traces(provider), layer.with_filter(ours)))
}

/// Gives spans their names, which are not known when they begin, and says once when the collector does not take them.
#[derive(Debug)]
struct Named {
    exporter: SpanExporter,
    is_failing: AtomicBool,
}

impl opentelemetry_sdk::trace::SpanExporter for Named {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        batch.iter_mut().for_each(name);
        let sent = self.exporter.export(batch).await;
        let was_failing = self.is_failing.swap(sent.is_err(), Ordering::Relaxed);
        match &sent {
            Err(_) if !was_failing => {
                tracing::warn!(
                    "the collector at SERVICE_OTLP_ENDPOINT takes no traces: they are dropped until it does"
                );
            }
            Ok(()) if was_failing => tracing::info!("the collector at SERVICE_OTLP_ENDPOINT takes traces again"),
            _ => {}
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// `sql.query` for the function `query` of the interface `sql`, and `GET /api/v1/x/tea/{cup}` for a request.
fn name(span: &mut SpanData) {
    let attribute = |key: &str| {
        let found = span.attributes.iter().find(|attribute| attribute.key.as_str() == key);
        found.map(|attribute| attribute.value.as_str().into_owned())
    };
    let (parts, between) = match &*span.name {
        GENERATED => (attribute("module").zip(attribute("function")), '.'),
        REQUEST => (attribute(METHOD).zip(attribute(ROUTE)), ' '),
        _ => return,
    };
    let has_failed = attribute(STATUS).is_some_and(|status| status.starts_with('5'));
    if let Some((first, second)) = parts {
        span.name = format!("{first}{between}{second}").into();
    }
    if has_failed {
        span.status = Status::error("");
    }
}
