//! A collector of traces: it accepts what a server sends by OTLP over HTTP.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use prost::Message;

/// A span as it arrived.
#[derive(Debug, Clone)]
pub struct Span {
    /// Its name.
    pub name: String,
    /// Hex digits of its trace.
    pub trace: String,
    /// Hex digits of its own.
    pub id: String,
    /// Hex digits of the span it lies in; empty for none.
    pub parent: String,
    /// Names and values.
    pub attributes: Vec<(String, String)>,
    /// The number of its events.
    pub events: usize,
}

impl Span {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The collector. It runs until the test ends.
#[derive(Debug)]
pub struct Collector {
    address: String,
    received: Arc<Mutex<(Vec<Span>, Vec<u8>)>>,
}

impl Collector {
    /// Starts one on a free port.
    pub fn start() -> Collector {
        let received = Arc::new(Mutex::new((Vec::new(), Vec::new())));
        let sink = received.clone();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async move {
                let accept = move |headers: HeaderMap, body: Bytes| async move { accept(&sink, &headers, &body) };
                let router = Router::new().route("/v1/traces", post(accept));
                listener.set_nonblocking(true).expect("a listener can wait");
                let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
                axum::serve(listener, router).await.expect("it serves");
            });
        });
        Collector { address, received }
    }

    /// What SERVICE_OTLP_ENDPOINT is set to.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What arrived so far.
    pub fn spans(&self) -> Vec<Span> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// The bytes that arrived so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

fn accept(sink: &Mutex<(Vec<Span>, Vec<u8>)>, headers: &HeaderMap, body: &Bytes) -> StatusCode {
    let kind = headers.get("content-type").and_then(|kind| kind.to_str().ok());
    let Ok(request) = ExportTraceServiceRequest::decode(body.clone()) else {
        return StatusCode::BAD_REQUEST;
    };
    if kind != Some("application/x-protobuf") {
        return StatusCode::UNSUPPORTED_MEDIA_TYPE;
    }
    let hex = |bytes: &[u8]| data_encoding::HEXLOWER.encode(bytes);
    let resources = request.resource_spans.into_iter();
    let spans = resources
        .flat_map(|resource| resource.scope_spans)
        .flat_map(|scope| scope.spans);
    let spans = spans.map(|span| Span {
        trace: hex(&span.trace_id),
        id: hex(&span.span_id),
        parent: hex(&span.parent_span_id),
        events: span.events.len(),
        attributes: span
            .attributes
            .into_iter()
            .map(|attribute| {
                let value = attribute.value.and_then(|value| value.value);
                let text = match value {
                    Some(Value::StringValue(text)) => text,
                    Some(Value::IntValue(number)) => number.to_string(),
                    other => format!("{other:?}"),
                };
                (attribute.key, text)
            })
            .collect(),
        name: span.name,
    });
    let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
    sink.0.extend(spans);
    sink.1.extend_from_slice(body);
    StatusCode::OK
}
