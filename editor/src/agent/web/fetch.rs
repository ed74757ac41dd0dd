//! Fetching one page: https only, from a host that is named, at an address that was looked at, through each redirect anew.

use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::time::Duration;

use futures_util::StreamExt;
use http::header;
use reqwest::redirect;
use tokio::time::timeout;
use url::{Host, Url};

use super::page;

/// How long a page may take, redirects included.
const FETCH_TIMEOUT: Duration = Duration::from_secs(20);
/// Redirects that are followed.
const MAX_REDIRECTS: usize = 5;
/// Bytes of a page that are read.
const MAX_BODY: usize = 2 << 20;
/// The longest address.
const MAX_URL: usize = 2_000;

/// Why a page is not fetched: a sentence for the model and the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(String);

type Resolved = Pin<Box<dyn Future<Output = std::io::Result<Vec<SocketAddr>>> + Send>>;

/// Fetches pages from the hosts it was given.
pub struct Fetcher {
    hosts: Vec<String>,
    resolve: fn(String, u16) -> Resolved,
    permits: fn(IpAddr) -> bool,
}

impl Fetcher {
    /// From these hosts, in lower case.
    #[must_use]
    pub fn new(hosts: Vec<String>) -> Fetcher {
        Fetcher {
            hosts,
            resolve: |host, port| {
                Box::pin(async move { Ok(tokio::net::lookup_host((host.as_str(), port)).await?.collect()) })
            },
            permits: galley_net::is_public,
        }
    }

    /// The text of a page.
    ///
    /// # Errors
    /// With why there is none.
    pub async fn fetch(&self, url: &str) -> Result<String, Refused> {
        if self.hosts.is_empty() {
            return Err(Refused(
                "Fetching from the web is denied: `webFetch.allowedHosts` in tool.config.json names no host".to_owned(),
            ));
        }
        match timeout(FETCH_TIMEOUT, self.follow(url)).await {
            Ok(result) => result,
            Err(_) => Err(Refused(format!(
                "{url} did not answer within {} seconds",
                FETCH_TIMEOUT.as_secs()
            ))),
        }
    }

    async fn follow(&self, url: &str) -> Result<String, Refused> {
        if url.len() > MAX_URL {
            return Err(Refused(format!("An address may have at most {MAX_URL} characters")));
        }
        let mut url = Url::parse(url).map_err(|error| Refused(format!("{url:?} is no address: {error}")))?;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.ask(&url).await?;
            let status = response.status();
            if !status.is_redirection() {
                return read(&url, response).await;
            }
            let next = response.headers().get(header::LOCATION);
            let next = next.and_then(|next| next.to_str().ok());
            let next = next.ok_or_else(|| Refused(format!("{url} redirects to nowhere ({status})")))?;
            url = url
                .join(next)
                .map_err(|error| Refused(format!("{url} redirects to no address: {error}")))?;
        }
        Err(Refused(format!("{url} redirects more than {MAX_REDIRECTS} times")))
    }

    /// One request to an address that was checked, and to no other one: the name is not asked for again.
    async fn ask(&self, url: &Url) -> Result<reqwest::Response, Refused> {
        let (host, port) = self.allowed(url)?;
        let found = (self.resolve)(host.clone(), port).await;
        let found = found.map_err(|error| Refused(format!("{host} cannot be found: {error}")))?;
        if found.is_empty() {
            return Err(Refused(format!("{host} cannot be found")));
        }
        if let Some(bad) = found.iter().find(|address| !(self.permits)(address.ip())) {
            return Err(Refused(format!(
                "{host} leads to {}, which is not in the public network",
                bad.ip()
            )));
        }
        let failed = |error: reqwest::Error| Refused(format!("{url} cannot be fetched: {}", error.without_url()));
        // Another part of the program may have chosen already, and that is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .https_only(true)
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(FETCH_TIMEOUT)
            .resolve_to_addrs(&host, &found);
        let client = client.build().map_err(failed)?;
        let request = client
            .get(url.clone())
            .header(header::ACCEPT, "text/html, text/*, application/json");
        request.send().await.map_err(failed)
    }

    fn allowed(&self, url: &Url) -> Result<(String, u16), Refused> {
        if url.scheme() != "https" {
            return Err(Refused(format!("{url} is not fetched: only https is")));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refused(
                "An address with a name or a password is not fetched".to_owned(),
            ));
        }
        let host = match url.host() {
            Some(Host::Domain(host)) => host.trim_end_matches('.').to_ascii_lowercase(),
            Some(host) => host.to_string(),
            None => return Err(Refused(format!("{url} has no host"))),
        };
        if !self.hosts.contains(&host) {
            let hosts = self.hosts.join(", ");
            return Err(Refused(format!(
                "{host} is not among the hosts that `webFetch.allowedHosts` in tool.config.json names ({hosts})"
            )));
        }
        let exact = url.host_str().unwrap_or_default().to_owned();
        Ok((exact, url.port_or_known_default().unwrap_or(443)))
    }
}

async fn read(url: &Url, response: reqwest::Response) -> Result<String, Refused> {
    let status = response.status();
    if !status.is_success() {
        return Err(Refused(format!("{url} answers {status}")));
    }
    let kind = response.headers().get(header::CONTENT_TYPE);
    let kind = kind
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or("text/plain")
        .to_ascii_lowercase();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_owned();
    let is_text = essence.starts_with("text/")
        || ["json", "xml", "javascript", "yaml"]
            .iter()
            .any(|word| essence.ends_with(word));
    if !is_text {
        return Err(Refused(format!("{url} is no text but {essence}")));
    }
    let mut body = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| Refused(format!("{url} broke off: {}", error.without_url())))?;
        body.extend_from_slice(&chunk);
        if body.len() > MAX_BODY {
            body.truncate(MAX_BODY);
            break;
        }
    }
    let text = String::from_utf8_lossy(&body);
    let text = if essence.ends_with("html") || essence.ends_with("xhtml+xml") {
        page::text(&text)
    } else {
        text.into_owned()
    };
    Ok(page::bounded(&format!("[{url}]\n"), &text))
}

#[cfg(test)]
mod tests;
