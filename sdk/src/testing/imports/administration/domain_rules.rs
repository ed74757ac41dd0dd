//! `galley:administration/domain-rules`.

use serde_json::json;

use super::{administer, check_role, not_found, record};
use crate::administration::domain_rules::Rule;
use crate::error::Problem;
use crate::testing::problem;

pub(crate) fn all() -> Result<Vec<Rule>, Problem> {
    administer(|world| {
        let mut rules = world.administration.rules.clone();
        rules.sort_by(|a, b| a.domain.cmp(&b.domain));
        Ok(rules)
    })
}

pub(crate) fn put(rule: &Rule) -> Result<bool, Problem> {
    check_role(&rule.role)?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-');
    if !rule.domain.contains('.') || !rule.domain.chars().all(plain) {
        return problem("bad-domain", "This is no domain.");
    }
    administer(|world| {
        record(world, "domain-rule-set", &rule.domain, json!({ "to": rule.role }));
        let rules = &mut world.administration.rules;
        let before = rules.len();
        rules.retain(|other| other.domain != rule.domain);
        let new = rules.len() == before;
        rules.push(rule.clone());
        Ok(new)
    })
}

pub(crate) fn remove(domain: &str) -> Result<(), Problem> {
    administer(|world| {
        let rules = &mut world.administration.rules;
        let before = rules.len();
        rules.retain(|rule| rule.domain != domain);
        if rules.len() == before {
            return not_found();
        }
        record(world, "domain-rule-removed", domain, json!({}));
        Ok(())
    })
}
