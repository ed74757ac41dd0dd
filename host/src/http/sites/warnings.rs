//! What an operator should know about where prototypes are served.

use std::net::IpAddr;

use super::domain::without_port;
use crate::config::{Config, host_of};

/// One line each, for the log at boot.
pub fn warnings(config: &Config) -> Vec<String> {
    let Some(domain) = &config.serve_domain else {
        return vec![
            if says_what_for(config) {
                "prototypes are served on the origin of the API: the scripts of a prototype read other prototypes, and act in \
                 the review that shows it; set SERVICE_SERVE_DOMAIN to give each prototype an origin of its own"
            } else {
                "prototypes are served on the origin of the API, over http, where browsers do not say what a request is for: the \
                 scripts of a prototype act with the session of its reader; use https, or set SERVICE_SERVE_DOMAIN to give each \
                 prototype an origin of its own"
            }
            .to_owned(),
        ];
    };
    let own = host_of(&config.public_url);
    match (site(domain), site(own)) {
        (Some(theirs), Some(ours)) if theirs == ours => vec![format!(
            "SERVICE_SERVE_DOMAIN and SERVICE_PUBLIC_URL are both under {ours}: prototypes can set cookies for that \
             domain and count as the same site; use another registered domain for prototypes"
        )],
        _ => Vec::new(),
    }
}

/// Whether browsers send `Sec-Fetch-*`, by which a page's key is demanded: over https, and to this machine.
fn says_what_for(config: &Config) -> bool {
    let host = without_port(host_of(&config.public_url));
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    config.secure_cookies()
        || host == "localhost"
        || host.ends_with(".localhost")
        || address.is_ok_and(|address| address.is_loopback())
}

/// The registrable domain of a host; `None` for an address or a name such as `localhost`.
fn site(host: &str) -> Option<String> {
    let host = without_port(host).trim_matches(['[', ']']).to_ascii_lowercase();
    if host.parse::<IpAddr>().is_ok() {
        return None;
    }
    psl::domain_str(&host).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(public: &str, domain: Option<&str>) -> Vec<String> {
        let mut variables = vec![("SERVICE_PUBLIC_URL".into(), public.into())];
        variables.extend(domain.map(|domain| ("SERVICE_SERVE_DOMAIN".into(), domain.into())));
        warnings(&Config::parse(variables, "/x".into()).unwrap())
    }

    #[test]
    fn shared_origins_and_sites_are_named() {
        for local in [
            "https://review.example.org",
            "http://localhost:4310",
            "http://127.0.0.1:4310",
            "http://[::1]:4310",
        ] {
            let line = &lines(local, None)[0];
            assert!(
                line.contains("SERVICE_SERVE_DOMAIN") && !line.contains("over http"),
                "{line}"
            );
        }
        assert!(lines("http://review.example.org", None)[0].contains("use https"));
        assert!(lines("https://review.example.org", Some("proto.example.org:8443"))[0].contains("under example.org"));
        assert!(lines("https://review.acme.co.uk", Some("other.co.uk")).is_empty());
        assert!(lines("https://review.acme.co.uk", Some("p.acme.co.uk"))[0].contains("acme.co.uk"));
        assert!(lines("https://a.example.org", Some("example.net")).is_empty());
        assert!(lines("http://127.0.0.1:4310", Some("localhost:4310")).is_empty());
    }
}
