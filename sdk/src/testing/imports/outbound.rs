//! `galley:outbound`.

use crate::error::Problem;
use crate::outbound::{Request, Response};
use crate::testing::{problem, world};

pub(crate) fn fetch(request: &Request) -> Result<Response, Problem> {
    let (caller, hosts, outside) = world::with(|world| {
        world.fetched.push(request.clone());
        (
            world.caller.described.clone(),
            world.hosts.clone(),
            world.outside.clone(),
        )
    });
    let group = request.credential.split(':').next().unwrap_or_default();
    if !hosts.contains(&group) {
        return problem("denied", "The manifest does not name this credential");
    }
    if group != "codehost-caller" && !matches!(caller.kind.as_str(), "admin" | "system") {
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
