//! Metrics for Prometheus, on a listener of their own that is off by default: they reveal people's activity and are for the
//! operator.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{Method, header};
use metrics::{counter, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::{App, cluster_metrics, slot_metrics};

/// Upper bounds of the histogram's buckets, in seconds.
const BUCKETS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0,
];
/// How often measurements are sorted into the buckets.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Counts an answered request. Does nothing while metrics are off.
pub fn count(method: &Method, route: &str, slot: &str, status: u16, took: Duration) {
    if !LISTENING.load(std::sync::atomic::Ordering::Relaxed) {
        return;
    }
    let of = |text: &str| text.to_owned();
    let method = match *method {
        Method::GET | Method::HEAD | Method::POST | Method::PUT | Method::PATCH | Method::DELETE => method.as_str(),
        // Clients can invent methods, and each would be a time series.
        _ => "other",
    };
    counter!("galley_http_requests_total", "method" => of(method), "route" => of(route), "slot" => of(slot), "status" => status.to_string())
        .increment(1);
    histogram!("galley_http_request_duration_seconds", "route" => of(route), "slot" => of(slot))
        .record(took.as_secs_f64());
}

static LISTENING: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Metrics that are computed for each request of `/metrics`.
struct Source {
    handle: PrometheusHandle,
    app: Arc<App>,
    started: Instant,
}

/// Answers `GET /metrics` on `address` until `stop` turns true. Returns the bound address.
pub async fn serve(address: SocketAddr, app: Arc<App>, mut stop: watch::Receiver<bool>) -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind(address).await?;
    let bound = listener.local_addr()?;
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)?
        .install_recorder()?;
    LISTENING.store(true, std::sync::atomic::Ordering::Relaxed);
    let upkeep = handle.clone();
    let source = Arc::new(Source {
        handle,
        app,
        started: Instant::now(),
    });
    let router = Router::new().route("/metrics", get(render)).with_state(source);
    let mut until = stop.clone();
    tokio::spawn(async move {
        let ended = async move {
            let _ = until.wait_for(|stop| *stop).await;
        };
        if let Err(error) = axum::serve(listener, router).with_graceful_shutdown(ended).await {
            tracing::error!("the listener for metrics ended: {error}");
        }
    });
    tokio::spawn(async move {
        while tokio::time::timeout(UPKEEP_INTERVAL, stop.wait_for(|stop| *stop))
            .await
            .is_err()
        {
            upkeep.run_upkeep();
        }
    });
    Ok(bound)
}

async fn render(State(source): State<Arc<Source>>) -> Response {
    let Source { handle, app, started } = &*source;
    gauge!("galley_uptime_seconds").set(started.elapsed().as_secs_f64());
    if let Some(bytes) = resident() {
        gauge!("process_resident_memory_bytes").set(bytes as f64);
    }
    gauge!("galley_open_streams").set(f64::from(app.stream_limits.open()));
    match app.core.waiting().await {
        Ok(waiting) => {
            gauge!("galley_builds_waiting").set(waiting.builds);
            gauge!("galley_builds_running").set(waiting.running_builds);
            gauge!("galley_mails_waiting").set(waiting.mails);
            gauge!("galley_events_waiting").set(waiting.events);
        }
        Err(error) => tracing::warn!("what waits cannot be counted: {error}"),
    }
    let mut text = handle.render();
    text.push_str(&slot_metrics::render(app).await);
    text.push_str(&cluster_metrics::render(app).await);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// Resident memory of this process.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace()
        .next()?
        .parse::<u64>()
        .ok()
        .map(|kib| kib * 1024)
}
