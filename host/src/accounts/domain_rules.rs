//! Email domains whose people are admitted when they sign in.

use serde_json::json;

use super::{Actor, Role, audit};
use crate::core::{Core, CoreError};
use crate::storage::engine::Rows;

/// The domain of email addresses: lower-case, at least two labels of letters, digits and inner hyphens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain(String);

impl Domain {
    /// `None` for a text that is not a domain, or has capitals: two spellings of a domain must not have two rules.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = |label: &str| {
            (1..=63).contains(&label.len())
                && label
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let good = text.len() <= 253 && text.contains('.') && text.split('.').all(plain);
        good.then(|| Self(text.to_owned()))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Remembers that the configured domains were considered once.
const COPIED: &str = "domainRulesCopied";

impl Core {
    /// Copies the configured domains as rules for viewers: once in the instance's life, and only when there is no rule
    /// at that moment.
    pub async fn copy_domains_once(&self, domains: Vec<String>) -> Result<(), CoreError> {
        self.database
            .write(move |rows| {
                let first = rows.execute(
                    "INSERT INTO settings (key, value) VALUES (?1, 'true') ON CONFLICT DO NOTHING",
                    [COPIED],
                )?;
                let any: bool = rows.fetch_one("SELECT EXISTS (SELECT 1 FROM domain_rules)", (), |row| row.get(0))?;
                if first == 1 && !any {
                    for domain in &domains {
                        let sql = "INSERT INTO domain_rules (domain, role) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
                        if rows.execute(sql, (domain, Role::Viewer))? == 1 {
                            let details = json!({ "from": null, "to": Role::Viewer.as_str() });
                            audit::record(rows, &Actor::System, "domain-rule-set", domain, details)?;
                        }
                    }
                }
                Ok(())
            })
            .await
    }

    /// The rules, by domain.
    pub async fn domain_rules(&self) -> Result<Vec<(String, Role)>, CoreError> {
        let sql = "SELECT domain, role FROM domain_rules ORDER BY domain";
        self.database
            .read(|rows| Ok(rows.fetch_all(sql, (), |row| Ok((row.get(0)?, row.get(1)?)))?))
            .await
    }

    /// Sets the rule of a domain; whether it is a new one.
    pub async fn put_domain_rule(&self, actor: &Actor, domain: Domain, role: Role) -> Result<bool, CoreError> {
        let actor = actor.clone();
        self.database
            .write(move |rows| {
                let before = rule(rows, &domain.0)?;
                if before == Some(role) {
                    return Ok(false);
                }
                let details = json!({ "from": before.map(Role::as_str), "to": role.as_str() });
                audit::record(rows, &actor, "domain-rule-set", &domain.0, details)?;
                let sql = "INSERT INTO domain_rules (domain, role) VALUES (?1, ?2)
                           ON CONFLICT (domain) DO UPDATE SET role = excluded.role";
                rows.execute(sql, (&domain.0, role))?;
                Ok(before.is_none())
            })
            .await
    }

    /// Removes the rule of a domain. [`CoreError::NotFound`] when it has none.
    pub async fn remove_domain_rule(&self, actor: &Actor, domain: Domain) -> Result<(), CoreError> {
        let actor = actor.clone();
        self.database
            .write(move |rows| {
                let role = rule(rows, &domain.0)?.ok_or(CoreError::NotFound)?;
                let details = json!({ "role": role.as_str() });
                audit::record(rows, &actor, "domain-rule-removed", &domain.0, details)?;
                rows.execute("DELETE FROM domain_rules WHERE domain = ?1", [&domain.0])?;
                Ok(())
            })
            .await
    }
}

/// The role that the rule for an address's domain gives. Subdomains have rules of their own.
pub(super) fn role_for(rows: &mut Rows<'_>, email: &str) -> Result<Option<Role>, CoreError> {
    match email.rsplit_once('@') {
        Some((_, domain)) => rule(rows, domain),
        None => Ok(None),
    }
}

fn rule(rows: &mut Rows<'_>, domain: &str) -> Result<Option<Role>, CoreError> {
    let sql = "SELECT role FROM domain_rules WHERE domain = ?1";
    Ok(rows.fetch_optional(sql, [domain], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_lower_case_and_has_a_dot() {
        for good in [
            "example.com",
            "a.b",
            "mail.example.co.uk",
            "xn--mnchen-3ya.de",
            "1-2.example",
        ] {
            assert_eq!(Domain::parse(good).map(|domain| domain.0), Some(good.to_owned()));
        }
        let (label, name) = (format!("{}.com", "x".repeat(64)), "a.".repeat(127));
        for bad in [
            "",
            ".",
            "com",
            "Example.com",
            "ann@example.com",
            "@example.com",
            "example.com.",
            ".com",
            "a..b",
            "-a.b",
            "a-.b",
            "a b.c",
            "a/b.c",
            "m\u{fc}nchen.de",
            "a.b\n",
            &label,
            &name,
        ] {
            assert_eq!(Domain::parse(bad), None, "{bad:?}");
        }
    }
}
