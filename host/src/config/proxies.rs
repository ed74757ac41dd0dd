//! The variables of proxies that programs have in common: how this machine reaches other networks.

use super::secret::Secret;
use super::source::Source;

/// The proxies of the operator's network. Addresses may hold credentials.
#[derive(Debug, Clone)]
pub struct NetworkProxies {
    /// HTTP_PROXY or ALL_PROXY, unset.
    pub http: Option<Secret>,
    /// HTTPS_PROXY or ALL_PROXY, unset.
    pub https: Option<Secret>,
    /// NO_PROXY, empty: hosts that are reached directly, comma-separated.
    pub no_proxy: String,
    /// SSL_CERT_FILE, empty: certificates of authorities that the proxies of https:// may be from.
    pub certificates: String,
}

impl NetworkProxies {
    /// `None` when no proxy is set.
    pub(super) fn parse(source: &Source) -> Option<Self> {
        let all = source.common("ALL_PROXY");
        let proxy = |name| source.common(name).or_else(|| all.clone()).map(Secret::new);
        let (http, https) = (proxy("HTTP_PROXY"), proxy("HTTPS_PROXY"));
        if http.is_none() && https.is_none() {
            return None;
        }
        Some(Self {
            http,
            https,
            no_proxy: source.common("NO_PROXY").unwrap_or_default(),
            certificates: source.common("SSL_CERT_FILE").unwrap_or_default(),
        })
    }

    /// The variables that are set, each with its value.
    pub fn each(&self) -> impl Iterator<Item = (&'static str, &Secret)> {
        let both = [("HTTP_PROXY", &self.http), ("HTTPS_PROXY", &self.https)];
        both.into_iter()
            .filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }
}
