//! `galley:administration/domain-rules`.

use super::a::domain_rules::{Host, Rule};
use super::{administered, describe, role};
use crate::accounts::Domain;
use crate::capabilities::state::or_problem;
use crate::capabilities::{Problem, State, problem};
use crate::core::CoreError;

impl Host for State {
    async fn all(&mut self) -> wasmtime::Result<Result<Vec<Rule>, Problem>> {
        administered!(self, DomainRules);
        let rules = self.slot.services.core.domain_rules().await.map_err(describe);
        let rule = |(domain, role): (String, crate::accounts::Role)| Rule {
            domain,
            role: role.as_str().to_owned(),
        };
        Ok(rules.map(|rules| rules.into_iter().map(rule).collect()))
    }

    async fn put(&mut self, rule: Rule) -> wasmtime::Result<Result<bool, Problem>> {
        let actor = administered!(self, DomainRules);
        let role = or_problem!(role(&rule.role));
        let Some(domain) = Domain::parse(&rule.domain) else {
            let message = "A domain is lower-case, holds a `.` and no `@`, such as `example.com`.";
            return Ok(Err(problem("bad-domain", message)));
        };
        let put = self.slot.services.core.put_domain_rule(&actor, domain, role).await;
        Ok(put.map_err(describe))
    }

    async fn remove(&mut self, domain: String) -> wasmtime::Result<Result<(), Problem>> {
        let actor = administered!(self, DomainRules);
        let Some(domain) = Domain::parse(&domain) else {
            return Ok(Err(describe(CoreError::NotFound)));
        };
        let removed = self.slot.services.core.remove_domain_rule(&actor, domain).await;
        Ok(removed.map_err(describe))
    }
}
