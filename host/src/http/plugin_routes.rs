//! The routes of plugins: from a matched request to the plugin, and from its answer to the response.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::RequestExt;
use axum::Router;
use axum::extract::{RawPathParams, Request};
use axum::handler::Handler;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use http::{HeaderMap, StatusCode, header};
use http_body::Body as _;
use tokio::sync::watch;
use tracing::Instrument;

use super::access;
use super::body::{self, Received};
use super::error::{ApiError, RETRY_AFTER};
use super::guard;
use super::plugin_answer;
use super::rate::{Rate, network};
use super::request::{ClientAddr, RequestId};
use super::signature::Signature;
use super::stream::{self, StreamLimits};
use crate::capabilities::counters::count;
use crate::capabilities::objects::Request as GuestRequest;
use crate::capabilities::trouble::Obstacle;
use crate::capabilities::{Call, Services};
use crate::core::{Precision, Project};
use crate::identity::{self, Caller};
use crate::plugins::manifest::{GuardKind, Method, Route};
use crate::plugins::plugin::{Answer, CallError, Plugin, seconds};
use crate::plugins::registry::{Registry, SlotStatus};

/// When a slot that does not serve may be asked again, in seconds: it may have waited for the database of a cluster.
const RETRY_SLOT_AFTER: u64 = 10;

/// The parts of the server that every plugin route uses.
#[derive(Clone)]
pub struct RouteContext {
    /// The host's services.
    pub services: Arc<Services>,
    /// Bounds the open streams of each client.
    pub stream_limits: Arc<StreamLimits>,
    /// Turns true when the server stops.
    pub stop: watch::Receiver<bool>,
}

struct Target {
    plugin: Arc<Plugin>,
    index: usize,
    context: RouteContext,
    rate: Option<Rate>,
    route: access::Route,
}

/// Handlers by path and method. The first one of a route stays: axum panics at a second one.
#[derive(Default)]
struct Routes(BTreeMap<(String, Method), MethodRouter>);

impl Routes {
    fn add<T: 'static>(&mut self, route: &Route, handler: impl Handler<T, ()>) {
        let place = self.0.entry((axum_path(route), route.method));
        place.or_insert_with(|| on(filter(route.method), handler));
    }

    fn into_router(self) -> Router {
        let routes = self.0.into_iter();
        routes.fold(Router::new(), |router, ((path, _), handler)| {
            router.route(&path, handler)
        })
    }
}

/// The routes of all slots. The routes of a slot whose plugin failed to load answer 503.
pub fn router(registry: &Registry, context: &RouteContext) -> Router {
    let mut routes = Routes::default();
    for slot in &registry.slots {
        match &slot.status {
            SlotStatus::Ready(plugin) => {
                for (index, route) in plugin.manifest.routes.iter().enumerate() {
                    let target = Arc::new(Target {
                        plugin: plugin.clone(),
                        index,
                        context: context.clone(),
                        route: access::Route {
                            path: route.path.as_str().into(),
                            slot: Some(slot.entry.slot.as_str().into()),
                        },
                        rate: route.rate.map(|rule| {
                            let name = format!("{} {}", route.method, route.path);
                            Rate::per_minute(&context.services.core, &name, rule.per_minute, Precision::Near)
                        }),
                    });
                    let handler = move |request: Request| answer(target.clone(), request);
                    routes.add(route, handler);
                }
            }
            SlotStatus::Failed { manifest, told } => {
                for route in manifest.iter().flat_map(|manifest| &manifest.routes) {
                    let (slot, told) = (slot.entry.slot.clone(), told.clone());
                    let handler = move || async move { unavailable(&slot, told.as_deref()) };
                    routes.add(route, handler);
                }
            }
        }
    }
    routes.into_router()
}

/// A route's path with its parameters named by their place, so that plugins may call them differently.
fn axum_path(route: &Route) -> String {
    let mut place = 0;
    let parts = route.path.split('/').map(|part| {
        if !part.starts_with('{') {
            return part.to_owned();
        }
        place += 1;
        format!("{{p{place}}}")
    });
    parts.collect::<Vec<_>>().join("/")
}

fn filter(method: Method) -> MethodFilter {
    match method {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Put => MethodFilter::PUT,
        Method::Patch => MethodFilter::PATCH,
        Method::Delete => MethodFilter::DELETE,
    }
}

fn unavailable(slot: &str, told: Option<&str>) -> Response {
    let message = match told {
        Some(reason) => format!("The plugin `{slot}` is not available: {reason}"),
        None => format!("The plugin `{slot}` is not available; the server's log says why"),
    };
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
        .with_header(header::RETRY_AFTER, RETRY_SLOT_AFTER.into())
        .into_response()
}

async fn answer(target: Arc<Target>, request: Request) -> Response {
    let route = target.route.clone();
    let mut response = match dispatch(target, request).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    };
    response.extensions_mut().insert(route);
    response
}

/// The caller as the route's guard lets them pass, and the project of the path.
async fn admit(target: &Target, caller: Caller, params: &[String]) -> Result<(Caller, Option<Arc<Project>>), ApiError> {
    let plugin = &target.plugin;
    let route = &plugin.manifest.routes[target.index];
    let caller = match route.only_reads() {
        true => caller.into_reader(),
        false => caller,
    };
    // A guard may ask the plugin's data, which only the plugin that serves knows.
    let pass = plugin.pass(false).await;
    let asked = match &pass.instead {
        None => plugin,
        Some(serving) => same_route(serving, route).map(|_| serving)?,
    };
    let project = guard::pass(&target.context.services.core, asked, route, &caller, params).await?;
    Ok((caller, project))
}

async fn dispatch(target: Arc<Target>, mut request: Request) -> Result<Response, ApiError> {
    let services = &target.context.services;
    let plugin = &target.plugin;
    let route = &plugin.manifest.routes[target.index];
    if let Some(wait) = plugin.breaker.refuses(Instant::now()) {
        count(&plugin.state.counters.refused);
        return Err(tripped(&plugin.state.name, wait));
    }
    let params = parameters(&mut request).await?;
    let is_signed = route.guard.kind == GuardKind::Signature;
    let headers = request.headers();
    // On a signed route the signature alone authenticates.
    let caller = match is_signed {
        true => Caller::Anonymous,
        false => identity::authenticate_api(&services.core, &services.config, headers).await?,
    };
    let (caller, project) = admit(&target, caller, &params).await?;
    let address = request.extensions().get::<ClientAddr>().copied();
    limit(&target, route, &caller, address).await?;
    let permit = match &route.stream {
        Some(bounds) => {
            let limits = &target.context.stream_limits;
            let permit = limits
                .take(&route.path, &client(&caller, address), bounds.max_per_client)
                .await;
            Some(permit.ok_or_else(|| {
                ApiError::new(StatusCode::TOO_MANY_REQUESTS, bounds.message.clone())
                    .with_header(header::RETRY_AFTER, bounds.retry_after.into())
            })?)
        }
        None => None,
    };
    let (parts, body) = request.into_parts();
    let signature = match is_signed.then(|| Signature::claimed(&services.config, &route.guard, &parts.headers)) {
        None => None,
        Some(Ok(signature)) => Some(signature),
        Some(Err(refused)) => {
            body::drain(body).await;
            return Err(refused);
        }
    };
    let has_body = !body.is_end_stream();
    let Received { bytes, upload } = body::receive(&services.sites, &route.body, &parts.headers, body).await?;
    if let Some(signature) = &signature {
        signature.check(&bytes)?;
    }
    // A body takes its sender's time, and rights end meanwhile.
    let (caller, project) = match (has_body, is_signed) {
        (false, _) => (caller, project),
        (true, true) => admit(&target, caller, &params).await?,
        (true, false) => {
            let caller = identity::authenticate_again(&services.core, &services.config, &parts.headers).await?;
            admit(&target, caller, &params).await?
        }
    };
    let pass = plugin.pass(!parts.method.is_safe()).await;
    let (plugin, index) = match &pass.instead {
        None => (plugin.clone(), target.index),
        Some(serving) => (serving.clone(), same_route(serving, route)?),
    };
    let id = parts
        .extensions
        .get::<RequestId>()
        .map(|id| id.0.clone())
        .unwrap_or_default();
    let method = match parts.method {
        http::Method::HEAD => http::Method::GET,
        ref method => method.clone(),
    };
    let guest = GuestRequest {
        route: index as u32,
        method,
        uri: parts.uri,
        params,
        project: project.map(|project| project.id.clone()),
        body: bytes,
        upload,
    };
    let last_event_id = last_event_id(&parts.headers);
    let limits = &plugin.state.limits();
    let call = if is_signed {
        Call::signed(id.clone(), parts.headers, limits)
    } else {
        Call::request(id.clone(), caller, parts.headers, limits)
    };
    let trouble = call.trouble.clone();
    let answered = if parts.method.is_safe() {
        plugin.handle(call, guest).await
    } else {
        // A write is completed even when the client has left.
        let plugin = plugin.clone();
        let work = async move {
            let _pass = pass;
            plugin.handle(call, guest).await
        };
        tokio::spawn(work.in_current_span())
            .await
            .unwrap_or_else(|error| Err(CallError::Trap(error.to_string())))
    };
    let obstacle = match parts.method.is_safe() {
        true => trouble.worst(),
        false => trouble.worst_of_change(),
    };
    let answer = answered.map_err(|error| match (failed(&plugin, route, &id, &error), obstacle) {
        (refused, None | Some(Obstacle::Busy)) => refused,
        (_, Some(obstacle)) => ApiError::of_obstacle(obstacle),
    })?;
    let Answer { response, tail } = answer;
    let public_url = &services.config.public_url;
    let response = plugin_answer::convert(public_url, response.status, response.headers, response.body)
        .map_err(|reason| failed(&plugin, route, &id, &CallError::Trap(reason)))?;
    let response = explained(response, obstacle)?;
    Ok(match tail {
        Some(tail) => {
            let stop = target.context.stop.clone();
            stream::respond(response, plugin.state.clone(), tail, last_event_id, permit, stop)
        }
        None => response,
    })
}

/// The answer of a plugin, or the host's in the place of one that says that something failed which the host knows better.
fn explained(mut response: Response, obstacle: Option<Obstacle>) -> Result<Response, ApiError> {
    match obstacle {
        Some(obstacle) if response.status().is_server_error() && obstacle != Obstacle::Busy => {
            Err(ApiError::of_obstacle(obstacle))
        }
        Some(Obstacle::Busy) if response.status() == StatusCode::SERVICE_UNAVAILABLE => {
            response.headers_mut().entry(header::RETRY_AFTER).or_insert(RETRY_AFTER);
            Ok(response)
        }
        _ => Ok(response),
    }
}

/// The route of the plugin that replaced another one while a request came in. The request was checked by the other one's rules.
fn same_route(plugin: &Plugin, asked: &Route) -> Result<usize, ApiError> {
    let is_same = |route: &Route| {
        (route.method, &route.path) == (asked.method, &asked.path)
            && (&route.guard, &route.body) == (&asked.guard, &asked.body)
    };
    plugin.manifest.routes.iter().position(is_same).ok_or_else(|| {
        let slot = &plugin.state.name;
        ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("The plugin `{slot}` was replaced meanwhile, try again"),
        )
        .with_header(header::RETRY_AFTER, 1.into())
    })
}

/// Applies the route's rate limit.
async fn limit(target: &Target, route: &Route, caller: &Caller, address: Option<ClientAddr>) -> Result<(), ApiError> {
    let (Some(rate), Some(rule)) = (&target.rate, route.rate) else {
        return Ok(());
    };
    let counted = !rule.anonymous_only || matches!(caller, Caller::Anonymous);
    match address {
        Some(client) if counted => rate.take(client.0).await,
        _ => Ok(()),
    }
}

async fn parameters(request: &mut Request) -> Result<Vec<String>, ApiError> {
    let raw = request.extract_parts::<RawPathParams>().await;
    let raw = raw.map_err(|_| ApiError::bad_request("The path holds a part that is not percent-encoded UTF-8"))?;
    Ok(raw.iter().map(|(_, value)| value.to_owned()).collect())
}

/// The client that a stream counts for: the account, so that people behind one address do not share a bound. For a caller
/// without an account it is the address, or its network.
fn client(caller: &Caller, address: Option<ClientAddr>) -> String {
    match (caller.account(), address) {
        (Some(account), _) => account.id.clone(),
        (None, Some(address)) => network(address.0).to_string(),
        (None, None) => String::new(),
    }
}

fn last_event_id(headers: &HeaderMap) -> Option<u64> {
    headers.get("last-event-id")?.to_str().ok()?.trim().parse().ok()
}

/// The answer while a slot gets no calls. The log said once why.
fn tripped(slot: &str, wait: Duration) -> ApiError {
    let wait = seconds(wait);
    let message = format!("The plugin `{slot}` is not available, as most of its calls failed: try again in {wait} s");
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message).with_header(header::RETRY_AFTER, wait.into())
}

fn failed(plugin: &Plugin, route: &Route, id: &str, error: &CallError) -> ApiError {
    let slot = &plugin.state.name;
    if let CallError::Tripped(wait) = error {
        return tripped(slot, *wait);
    }
    // The reason first, where it happened last.
    let text = error.to_string();
    let (reason, place) = text.split_once(" | ").unwrap_or((&text, ""));
    let place = if place.is_empty() {
        String::new()
    } else {
        format!(" | {place}")
    };
    tracing::error!(slot, request = id, "{reason} ({} {}){place}", route.method, route.path);
    match error {
        CallError::Trap(_) => ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("The plugin `{slot}` failed (id {id})"),
        ),
        CallError::OutOfTime(_) => ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("The plugin `{slot}` took too long (id {id})"),
        ),
        CallError::Tripped(wait) => tripped(slot, *wait),
        CallError::Busy => ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("The plugin `{slot}` is busy, try again soon"),
        )
        .with_header(header::RETRY_AFTER, 1.into()),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn the_first_of_two_equal_routes_stays() {
        let manifest = br#"{ "slot": "notes", "version": "1", "routes": [
            { "method": "GET", "path": "/api/v1/x/notes/{a}", "guard": { "kind": "public" } },
            { "method": "POST", "path": "/api/v1/x/notes/{b}", "guard": { "kind": "public" } }
        ] }"#;
        let manifest = crate::plugins::manifest::parse(manifest).unwrap();
        let mut routes = Routes::default();
        for status in [StatusCode::OK, StatusCode::IM_A_TEAPOT] {
            for route in &manifest.routes {
                routes.add(route, on(filter(route.method), move || async move { status }));
            }
        }
        let router = routes.into_router();
        for (method, expected) in [
            ("GET", StatusCode::OK),
            ("POST", StatusCode::OK),
            ("PUT", StatusCode::METHOD_NOT_ALLOWED),
        ] {
            let request = Request::builder().method(method).uri("/api/v1/x/notes/1");
            let answer = router
                .clone()
                .oneshot(request.body(Body::empty()).unwrap())
                .await
                .unwrap();
            assert_eq!(answer.status(), expected, "{method}");
        }
    }
}
