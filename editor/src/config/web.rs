//! `webFetch` and `webSearch`: what chat may ask of the web. Nothing, unless it is allowed.

use super::Problem;
use super::key::Key;

/// What chat may ask of the web.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Web {
    /// Hosts that may be fetched from, in lower case. None means that fetching is denied outright.
    pub allowed_hosts: Vec<String>,
    /// Whether searching is allowed.
    pub search: bool,
}

pub(super) fn parse(top: &Key<'_>) -> Result<Web, Problem> {
    let hosts = top.object("webFetch")?.get("allowedHosts");
    let mut allowed_hosts = Vec::new();
    for key in hosts.elements()?.unwrap_or_default() {
        let host = key.required_text()?;
        if !is_bare_host(host) {
            return Err(key.problem(format!(
                "must be a bare hostname as \"docs.example.com\", without a scheme, port, path or `*`, but is {host:?}"
            )));
        }
        allowed_hosts.push(host.to_ascii_lowercase());
    }
    Ok(Web {
        allowed_hosts,
        search: top.object("webSearch")?.get("enabled").boolean()?.unwrap_or(false),
    })
}

fn is_bare_host(host: &str) -> bool {
    host.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(file: Value) -> Result<Web, Problem> {
        parse(&Key::top(&file).unwrap())
    }

    #[test]
    fn both_are_denied_by_default() {
        assert_eq!(read(json!({})), Ok(Web::default()));
        assert_eq!(read(json!({ "webFetch": {}, "webSearch": {} })), Ok(Web::default()));
        let web =
            read(json!({ "webFetch": { "allowedHosts": ["Docs.Example.com"] }, "webSearch": { "enabled": true } }));
        let expected = Web {
            allowed_hosts: vec!["docs.example.com".into()],
            search: true,
        };
        assert_eq!(web, Ok(expected));
    }

    #[test]
    fn only_bare_hostnames_are_taken() {
        for host in [
            "*.example.com",
            "https://example.com",
            "example.com/x",
            "example.com:80",
            "a b",
            "",
            "[::1]",
        ] {
            let problem = read(json!({ "webFetch": { "allowedHosts": ["ok.example", host] } })).unwrap_err();
            assert_eq!(problem.key, "webFetch.allowedHosts[1]", "{host}");
        }
        assert_eq!(read(json!({ "webFetch": true })).unwrap_err().key, "webFetch");
        assert_eq!(
            read(json!({ "webSearch": { "enabled": 1 } })).unwrap_err().key,
            "webSearch.enabled"
        );
    }
}
