//! Domain rules: the routes `…/instance/domain-rules`.

use galley_sdk::administration::domain_rules::{self, Rule};
use galley_sdk::prelude::*;
use serde::{Deserialize, Serialize};

use crate::role::Role;

/// A rule in the API's format.
#[derive(Debug, Serialize)]
pub struct Record {
    domain: String,
    role: String,
}

/// The answer of the list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct List {
    domain_rules: Vec<Record>,
}

impl From<Rule> for Record {
    fn from(rule: Rule) -> Record {
        Record {
            domain: rule.domain,
            role: rule.role,
        }
    }
}

/// GET `…/domain-rules`: `{ "domainRules": […] }`, by domain.
pub fn list() -> Result<Json<List>> {
    let domain_rules = domain_rules::all()?.into_iter().map(Record::from).collect();
    Ok(Json(List { domain_rules }))
}

/// The body of a rule.
#[derive(Debug, Deserialize)]
pub struct Change {
    role: Role,
}

/// PUT `…/domain-rules/{domain}`: 201 with a new rule, 200 with a changed one.
pub fn put(Path(domain): Path<String>, Json(change): Json<Change>) -> Result<(Status, Json<Record>)> {
    let rule = Rule {
        domain,
        role: change.role.as_str().to_owned(),
    };
    let status = match domain_rules::put(&rule).map_err(refused)? {
        true => Status::CREATED,
        false => Status::OK,
    };
    Ok((status, Json(rule.into())))
}

/// DELETE `…/domain-rules/{domain}`: 204.
pub fn remove(Path(domain): Path<String>) -> Result<NoContent> {
    domain_rules::remove(&domain).map_err(refused)?;
    Ok(NoContent)
}

fn refused(problem: Problem) -> Error {
    match problem.code.as_str() {
        "not-found" => Error::not_found("Domain rule not found"),
        "bad-domain" => Error::bad_request("`domain` must be lower-case, hold a `.` and no `@`, such as example.com"),
        _ => problem.into(),
    }
}
