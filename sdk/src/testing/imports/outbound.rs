//! `galley:outbound`.

use galley_manifest::may_send_header;

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
    let is_own = |name: &str| !may_send_header(name) || rule.header() == Some(name);
    let mut names = request.headers.iter().map(|(name, _)| name.to_ascii_lowercase());
    if rule.is_host() && names.any(|name| is_own(&name)) {
        return problem("bad-request", "A header cannot be sent");
    }
    if !rule.is_host() && group != "codehost-caller" && !matches!(caller.kind.as_str(), "admin" | "system") {
        return problem("denied", "This credential is for the admin bearer and the host");
    }
    if !request.path.starts_with('/') || !request.path.bytes().all(|byte| byte.is_ascii_graphic()) {
        return problem("bad-request", "The path is not valid");
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
    let is_too_much = requests.len() > 16;
    let answer = |request| match is_too_much {
        true => problem("bad-request", "At most 16 requests are sent together"),
        false => fetch(request),
    };
    requests.iter().map(answer).collect()
}
