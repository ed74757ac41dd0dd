//! The spans, and what is noted on them.

use std::sync::atomic::{AtomicBool, Ordering};

use http::{HeaderMap, Method};
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry_http::{HeaderExtractor, HeaderInjector};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing::field::Empty;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The target of the spans that are made here.
pub const TARGET: &str = "galley::trace";
/// Where the spans of host calls are made: the code that is generated from `wit/`.
pub const HOST_CALLS: &str = "galley_host::capabilities::contract";

/// What the span of a request is called until it is sent.
pub const REQUEST: &str = "request";
/// Attributes of that span.
pub const METHOD: &str = "http.request.method";
/// The path as it was declared.
pub const ROUTE: &str = "http.route";
/// The status.
pub const STATUS: &str = "http.response.status_code";

/// Whether traces are made.
pub static ON: AtomicBool = AtomicBool::new(false);

/// Whether traces are made.
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// The span of a request. It goes on with the trace that the client's `traceparent` names.
pub fn request(id: &str, method: &Method, headers: &HeaderMap) -> Span {
    if !is_on() {
        return Span::none();
    }
    let span = tracing::trace_span!(
        target: TARGET,
        REQUEST,
        otel.kind = "server",
        http.request.method = method.as_str(),
        http.route = Empty,
        http.response.status_code = Empty,
        galley.request_id = id,
        galley.slot = Empty,
    );
    let parent = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
    // It can only fail for a span that nobody collects.
    let _ = span.set_parent(parent);
    span
}

/// Notes on a request's span what came of it. `route` is the path as it was declared.
pub fn answered(span: &Span, route: Option<&str>, slot: Option<&str>, status: u16) {
    if span.is_disabled() {
        return;
    }
    let route = route.unwrap_or("none");
    span.record(ROUTE, route);
    span.record(STATUS, status);
    if let Some(slot) = slot {
        span.record("galley.slot", slot);
    }
}

/// The span of a plugin's call, below the present one.
pub fn guest(slot: &str, version: &str) -> Span {
    match is_on() {
        false => Span::none(),
        true => tracing::trace_span!(
            target: TARGET,
            "guest",
            otel.name = format!("guest {slot}"),
            galley.slot = slot,
            galley.version = version,
        ),
    }
}

/// Notes on the present host call how many rows and bytes it gave the plugin.
pub fn rows(rows: usize, bytes: usize) {
    if is_on() {
        let span = Span::current();
        span.set_attribute("galley.rows", number(rows));
        span.set_attribute("galley.bytes", number(bytes));
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Adds `traceparent` to a request to the outside, so that its receiver can go on with the trace.
pub fn inject(headers: &mut HeaderMap) {
    if is_on() {
        let context = Span::current().context();
        TraceContextPropagator::new().inject_context(&context, &mut HeaderInjector(headers));
    }
}
