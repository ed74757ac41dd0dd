//! Servers of component documentation: the list of stories that a Storybook publishes.
//!
//! `index.json` (version 7 and later) or `stories.json` (version 6) names each story's place in the tree, `Forms/Button`; the
//! last part of it is the component. What is connected to is checked, not only what the address says: a name that leads into
//! a private network, at first, by a redirect or by another answer a moment later, is refused unless its host is allowed.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::StreamExt;
use http::header;
use reqwest::redirect;
use serde_json::Value;
use tokio::time::timeout;
use url::Url;

use crate::config::Storybook;
use crate::source::model::LibraryComponent;

const FETCH_TIMEOUT: Duration = Duration::from_secs(20);
const MAX_REDIRECTS: usize = 5;
const MAX_BODY: usize = 16 << 20;
/// More components of one server are not listed.
const MAX_COMPONENTS: usize = 1000;

/// The components that a server documents.
///
/// # Errors
/// In words.
pub(super) async fn read(book: &Storybook, allowed: &[String], is_vue: bool) -> Result<Vec<LibraryComponent>, String> {
    let mut refused = String::new();
    for (file, key) in [("index.json", "entries"), ("stories.json", "stories")] {
        let answer = timeout(FETCH_TIMEOUT, fetch(&beside(&book.url, file), allowed)).await;
        let answer = answer.unwrap_or_else(|_| Err(format!("it did not answer within {} s", FETCH_TIMEOUT.as_secs())));
        match answer.and_then(|text| names(&text, key)) {
            Ok(names) => return Ok(components(book, names, is_vue)),
            Err(why) if refused.is_empty() => refused = why,
            Err(_) => {}
        }
    }
    Err(refused)
}

/// A file of the server, whether its address ends with a slash or not.
fn beside(base: &Url, file: &str) -> Url {
    let mut url = base.clone();
    url.set_query(None);
    url.set_fragment(None);
    let path = url
        .path()
        .trim_end_matches("index.html")
        .trim_end_matches('/')
        .to_owned();
    url.set_path(&format!("{path}/{file}"));
    url
}

/// The names of components in a list of stories.
fn names(text: &str, key: &str) -> Result<BTreeSet<String>, String> {
    let list: Value = serde_json::from_str(text).map_err(|error| format!("its list of stories is no JSON: {error}"))?;
    let entries = list[key].as_object().ok_or("it publishes no list of stories")?;
    let titles = entries
        .values()
        .filter_map(|entry| entry["title"].as_str().or_else(|| entry["kind"].as_str()));
    let names = titles.filter_map(|title| {
        let last = title.rsplit('/').next()?;
        let name: String = last.chars().filter(|character| !character.is_whitespace()).collect();
        let is_name = name.starts_with(|first: char| first.is_ascii_uppercase())
            && name
                .chars()
                .all(|character| character.is_ascii_alphanumeric() || character == '_');
        is_name.then_some(name)
    });
    Ok(names.collect())
}

/// Without the module they are imported from they are known by name only, and cannot be used.
fn components(book: &Storybook, names: BTreeSet<String>, is_vue: bool) -> Vec<LibraryComponent> {
    let package = book.import_path.clone().unwrap_or_default();
    let components = names.into_iter().take(MAX_COMPONENTS).map(|name| LibraryComponent {
        export: name.clone(),
        name,
        package: package.clone(),
        props: Vec::new(),
        more: true,
        content: false,
        is_vue,
        hint: None,
    });
    components.collect()
}

async fn fetch(url: &Url, allowed: &[String]) -> Result<String, String> {
    let mut url = url.clone();
    for _ in 0..=MAX_REDIRECTS {
        let response = ask(&url, allowed).await?;
        let status = response.status();
        if status.is_redirection() {
            let next = response
                .headers()
                .get(header::LOCATION)
                .and_then(|next| next.to_str().ok());
            let next = next.ok_or_else(|| format!("{url} redirects to nowhere"))?;
            url = url
                .join(next)
                .map_err(|error| format!("{url} redirects to no address: {error}"))?;
            continue;
        }
        if !status.is_success() {
            return Err(format!("{url} answers {status}"));
        }
        let mut body = Vec::new();
        let mut chunks = response.bytes_stream();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|error| format!("{url} broke off: {}", error.without_url()))?;
            if body.len() + chunk.len() > MAX_BODY {
                return Err(format!("{url} is larger than {} MB", MAX_BODY >> 20));
            }
            body.extend_from_slice(&chunk);
        }
        return String::from_utf8(body).map_err(|_| format!("{url} is not UTF-8"));
    }
    Err(format!("it redirects more than {MAX_REDIRECTS} times"))
}

/// One request, to an address that was checked and to no other one.
async fn ask(url: &Url, allowed: &[String]) -> Result<reqwest::Response, String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("{url} is neither http nor https"));
    }
    let host = url.host_str().ok_or_else(|| format!("{url} has no host"))?;
    let port = url.port_or_known_default().unwrap_or(443);
    let named = host.trim_start_matches('[').trim_end_matches(']');
    let found = tokio::net::lookup_host((named, port)).await;
    let found: Vec<SocketAddr> = found
        .map_err(|error| format!("{host} cannot be found: {error}"))?
        .collect();
    let is_allowed = allowed.iter().any(|name| name == host);
    if let Some(private) = found
        .iter()
        .find(|address| !galley_net::is_public(address.ip()))
        .filter(|_| !is_allowed)
    {
        return Err(format!(
            "{host} leads to {}, which is this machine or a private network; name {host} in EDITOR_STORYBOOK_HOST_ALLOWLIST to allow it",
            private.ip()
        ));
    }
    // Another part of the program may have chosen already, and that is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(redirect::Policy::none())
        .resolve_to_addrs(host, &found)
        .build();
    let failed = |error: reqwest::Error| format!("{url} cannot be fetched: {}", error.without_url());
    client.map_err(failed)?.get(url.clone()).send().await.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_the_last_parts_of_titles() {
        let list = r#"{ "v": 5, "entries": {
            "a": { "type": "docs", "title": "Forms/Button", "name": "Docs" }, "b": { "title": "Forms/Button", "name": "Primary" },
            "c": { "title": "Layout/Data Table" }, "d": { "title": "Introduction/getting started" }, "e": { "title": 1 } } }"#;
        assert_eq!(
            names(list, "entries").unwrap(),
            BTreeSet::from(["Button".to_owned(), "DataTable".to_owned()])
        );
        let old = r#"{ "v": 3, "stories": { "a": { "kind": "Forms/Field" } } }"#;
        assert_eq!(names(old, "stories").unwrap(), BTreeSet::from(["Field".to_owned()]));
        assert!(names("<html>", "entries").is_err() && names("[]", "entries").is_err());
    }

    #[test]
    fn files_lie_beside_the_servers_page() {
        for base in [
            "https://ui.example.com/docs",
            "https://ui.example.com/docs/",
            "https://ui.example.com/docs/index.html?path=x#y",
        ] {
            assert_eq!(
                beside(&base.parse().unwrap(), "index.json").as_str(),
                "https://ui.example.com/docs/index.json"
            );
        }
        assert_eq!(
            beside(&"https://ui.example.com".parse().unwrap(), "index.json").as_str(),
            "https://ui.example.com/index.json"
        );
    }
}
