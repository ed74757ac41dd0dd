//! `galley:outbound`.

use galley_manifest::{OutboundRequest, check_together};

use crate::error::Problem;
use crate::outbound::{Request, Response};
use crate::testing::{problem, world};

pub(crate) fn fetch(request: &Request) -> Result<Response, Problem> {
    let (caller, hosts, secrets, outside) = world::with(|world| {
        world.fetched.push(request.clone());
        (
            world.caller.described.clone(),
            world.hosts.clone(),
            world.secrets.clone(),
            world.outside.clone(),
        )
    });
    let group = request.credential.split(':').next().unwrap_or_default();
    let Some(rule) = hosts.iter().find(|host| host.name() == group) else {
        return problem("denied", "The manifest does not name this credential or host");
    };
    if rule.secret().is_some_and(|secret| !secrets.contains(secret)) {
        return problem(
            "unconfigured",
            "The secret of this host is not set: `TestHost::configure_secret` sets it",
        );
    }
    let parts = OutboundRequest {
        method: &request.method,
        path: &request.path,
        headers: &request.headers,
        body: request.body.len(),
    };
    parts.check(rule).or_else(|message| problem("bad-request", message))?;
    if !rule.is_host() && group != "codehost-caller" && !matches!(caller.kind.as_str(), "admin" | "system") {
        return problem("denied", "This credential is for the admin bearer and the host");
    }
    if !request.path.starts_with('/') {
        return problem("bad-request", "a path begins with `/` and stays below the base address");
    }
    let Some(outside) = outside else {
        return problem("unconfigured", "There is no outside");
    };
    if group == "codehost-caller" && caller.user_id.is_none() {
        return problem("not-linked", "This caller has no account");
    }
    outside(request)
}

pub(crate) fn fetch_all(requests: &[Request]) -> Vec<Result<Response, Problem>> {
    let bytes = requests.iter().map(|request| request.body.len()).sum();
    let together = check_together(requests.len(), bytes);
    let answer = |request| match &together {
        Err(message) => problem("bad-request", message),
        Ok(()) => fetch(request),
    };
    requests.iter().map(answer).collect()
}
