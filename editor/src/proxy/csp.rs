//! A page's own security headers, opened for exactly two things: the interface may show the page in a frame, and the
//! bridge's scripts may run. Everything else stays as the prototype's authors wanted it.

use axum::http::header::{self, HeaderMap, HeaderValue};

/// Adjusts the headers of a page. `script` is the folder of the bridge's scripts. Returns whether the tag has to carry `nonce`.
pub fn adjust(headers: &mut HeaderMap, interface: &str, script: &str, nonce: &str) -> bool {
    let mut needs_nonce = false;
    let framed = headers.remove(header::X_FRAME_OPTIONS).is_some();
    for name in [
        header::CONTENT_SECURITY_POLICY,
        header::CONTENT_SECURITY_POLICY_REPORT_ONLY,
    ] {
        // A header may hold several policies, each of which has to agree.
        let policies: Vec<String> = headers
            .get_all(&name)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(|policy| {
                let mut policy = Policy::parse(policy);
                policy.allow_frame(interface);
                needs_nonce |= policy.allow_script(script, nonce);
                policy.to_string()
            })
            .collect();
        headers.remove(&name);
        for policy in policies {
            if let Ok(value) = HeaderValue::try_from(policy) {
                headers.append(&name, value);
            }
        }
    }
    // The old header cannot name the interface; the new one says the same with the interface in it.
    if framed && let Ok(value) = HeaderValue::try_from(format!("frame-ancestors 'self' {interface}")) {
        headers.append(header::CONTENT_SECURITY_POLICY, value);
    }
    needs_nonce
}

/// Directives in their order: name and values.
struct Policy {
    directives: Vec<(String, Vec<String>)>,
}

impl Policy {
    fn parse(text: &str) -> Policy {
        let directives = text
            .split(';')
            .filter_map(|directive| {
                let mut words = directive.split_ascii_whitespace().map(str::to_owned);
                Some((words.next()?.to_ascii_lowercase(), words.collect()))
            })
            .collect();
        Policy { directives }
    }

    /// The first directive of a name: browsers ignore those that follow.
    fn values(&mut self, name: &str) -> Option<&mut Vec<String>> {
        let found = self.directives.iter_mut().find(|(own, _)| own == name)?;
        Some(&mut found.1)
    }

    fn allow_frame(&mut self, interface: &str) {
        if let Some(values) = self.values("frame-ancestors") {
            add(values, interface);
        }
    }

    fn allow_script(&mut self, script: &str, nonce: &str) -> bool {
        let directive = ["script-src-elem", "script-src"]
            .into_iter()
            .find(|name| self.directives.iter().any(|(own, _)| own == name));
        if directive.is_none() {
            let Some(inherited) = self.values("default-src").map(|values| values.clone()) else {
                // Nothing is said about scripts.
                return false;
            };
            self.directives.push(("script-src".to_owned(), inherited));
        }
        let Some(values) = self.values(directive.unwrap_or("script-src")) else {
            return false;
        };
        // Under 'strict-dynamic' addresses count for nothing. Otherwise an address is better: a nonce would switch
        // 'unsafe-inline' off.
        let dynamic = values
            .iter()
            .any(|value| value.eq_ignore_ascii_case("'strict-dynamic'"));
        if dynamic {
            add(values, &format!("'nonce-{nonce}'"));
        } else {
            add(values, script);
        }
        dynamic
    }
}

impl std::fmt::Display for Policy {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, (name, values)) in self.directives.iter().enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            write!(formatter, "{separator}{name}")?;
            values.iter().try_for_each(|value| write!(formatter, " {value}"))?;
        }
        Ok(())
    }
}

/// Adds a source; 'none' means nothing beside others.
fn add(values: &mut Vec<String>, value: &str) {
    values.retain(|own| !own.eq_ignore_ascii_case("'none'"));
    values.push(value.to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERFACE: &str = "http://127.0.0.1:4400";
    const SCRIPT: &str = "http://127.0.0.1:4401/__galley/";

    fn adjusted(policy: &'static str) -> (String, bool) {
        let mut headers = HeaderMap::new();
        headers.append(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
        let nonce = adjust(&mut headers, INTERFACE, SCRIPT, "abc");
        let policies = headers.get_all(header::CONTENT_SECURITY_POLICY).iter();
        let policies: Vec<_> = policies.map(|value| value.to_str().expect("text")).collect();
        (policies.join(" | "), nonce)
    }

    #[test]
    fn a_page_that_forbids_frames_allows_the_interface_only() {
        assert_eq!(
            adjusted("frame-ancestors 'none'").0,
            format!("frame-ancestors {INTERFACE}")
        );
        let mut headers = HeaderMap::new();
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        adjust(&mut headers, INTERFACE, SCRIPT, "abc");
        assert!(headers.get(header::X_FRAME_OPTIONS).is_none());
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().expect("text");
        assert_eq!(policy, format!("frame-ancestors 'self' {INTERFACE}"));
    }

    #[test]
    fn the_bridge_is_allowed_where_scripts_are_spoken_of() {
        let (policy, nonce) = adjusted("default-src 'none'; img-src *");
        assert_eq!(policy, format!("default-src 'none'; img-src *; script-src {SCRIPT}"));
        assert!(!nonce);
        let (policy, _) = adjusted("script-src 'self' 'unsafe-inline'; script-src-elem 'self'");
        assert_eq!(
            policy,
            format!("script-src 'self' 'unsafe-inline'; script-src-elem 'self' {SCRIPT}")
        );
    }

    #[test]
    fn a_strict_policy_gets_a_nonce() {
        let (policy, nonce) = adjusted("script-src 'nonce-x' 'strict-dynamic'");
        assert_eq!(policy, "script-src 'nonce-x' 'strict-dynamic' 'nonce-abc'");
        assert!(nonce);
    }

    #[test]
    fn each_policy_of_a_header_is_adjusted() {
        let (policy, _) = adjusted("script-src 'self', frame-ancestors 'self'");
        assert_eq!(
            policy,
            format!("script-src 'self' {SCRIPT} | frame-ancestors 'self' {INTERFACE}")
        );
    }

    #[test]
    fn what_says_nothing_stays_as_it_is() {
        assert_eq!(adjusted("upgrade-insecure-requests").0, "upgrade-insecure-requests");
    }
}
