//! Where an artifact comes from: a file, an address, or a registry.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use super::fetched::Fetched;
use super::oci;
use super::redirects::redirects;
use crate::plugins::artifacts::MAX_ARTIFACT_BYTES;
use crate::plugins::operations::{Kind, Refused, check_announced};
use crate::plugins::origin::{HAS_CREDENTIALS, has_credentials};
use crate::plugins::signature::MAX_SIGNATURE_BYTES;
use crate::web;

/// How long a download may take as a whole.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(300);

/// Reads a file or downloads from an address. `announced` is the hash that somebody was told; `plain_http` allows a connection
/// that others can read and change.
pub fn fetch(from: &str, announced: Option<&str>, plain_http: bool) -> Result<Fetched, Refused> {
    let fetched = match from.split_once("://") {
        _ if has_credentials(from) => return Err(Refused::new(Kind::Invalid, HAS_CREDENTIALS)),
        Some(_) if from.starts_with(oci::SCHEME) => oci::fetch(from, plain_http)?,
        Some(("http", _)) if !plain_http && !is_here(from) => {
            let message = format!(
                "{from}: others on the network can change what arrives over `http://`; use https://, or allow it with --plain-http"
            );
            return Err(Refused::new(Kind::Failed, message));
        }
        Some(("https" | "http", _)) => download(from)?,
        Some((scheme, _)) => {
            let message =
                format!("{from}: `{scheme}://` is no place this program knows; use a file, https:// or oci://");
            return Err(Refused::new(Kind::Failed, message));
        }
        None => read_file(from)?,
    };
    check_announced(from, announced, &fetched.wasm)?;
    Ok(fetched)
}

/// Reads the signature at a place; `plain_http` is that of [`fetch`].
pub fn signature(place: &str, plain_http: bool) -> Result<String, Refused> {
    let fetched = fetch(place, None, plain_http)?;
    let text = String::from_utf8(fetched.wasm).ok();
    text.filter(|text| text.len() <= MAX_SIGNATURE_BYTES)
        .ok_or_else(|| Refused::new(Kind::BadFile, format!("{place} is not a signature of minisign")))
}

/// The signature beside an artifact, where there is one. Whether one is needed is not decided here.
pub fn signature_beside(from: &str, plain_http: bool) -> Option<String> {
    let is_in_registry = from.starts_with(oci::SCHEME);
    let found = (!is_in_registry).then(|| signature(&format!("{from}.minisig"), plain_http).ok());
    found.flatten()
}

/// Whether an address is this machine itself.
fn is_here(from: &str) -> bool {
    let url = url::Url::parse(from).ok();
    url.is_some_and(|url| url.host_str().is_some_and(oci::is_loopback))
}

fn read_file(from: &str) -> Result<Fetched, Refused> {
    let unreadable = |error: std::io::Error| Refused::new(Kind::Failed, format!("{from} cannot be read: {error}"));
    let path = Path::new(from);
    let wasm = bounded(std::fs::File::open(path).map_err(unreadable)?, from)?;
    let name = std::path::absolute(path).map_err(unreadable)?;
    Ok(Fetched {
        name: name.to_string_lossy().into_owned(),
        wasm,
        signature: None,
    })
}

fn download(from: &str) -> Result<Fetched, Refused> {
    let failed = |error: reqwest::Error| {
        Refused::new(
            Kind::Failed,
            format!("{from} cannot be downloaded: {}", web::reason(error)),
        )
    };
    let client = web::blocking_client()
        .user_agent(web::AGENT)
        .timeout(DOWNLOAD_TIMEOUT)
        .redirect(redirects())
        .build()
        .map_err(failed)?;
    let answer = client.get(from).send().and_then(|answer| answer.error_for_status());
    let wasm = bounded(answer.map_err(failed)?, from)?;
    Ok(Fetched {
        name: from.to_owned(),
        wasm,
        signature: None,
    })
}

/// Reads everything, up to the size of the largest artifact.
fn bounded(from: impl Read, name: &str) -> Result<Vec<u8>, Refused> {
    let mut wasm = Vec::new();
    let read = from.take(MAX_ARTIFACT_BYTES as u64 + 1).read_to_end(&mut wasm);
    read.map_err(|error| Refused::new(Kind::Failed, format!("{name} cannot be read: {error}")))?;
    if wasm.len() > MAX_ARTIFACT_BYTES {
        let most = MAX_ARTIFACT_BYTES >> 20;
        return Err(Refused::new(
            Kind::BadFile,
            format!("{name} has more than {most} MiB, the most of a plugin"),
        ));
    }
    Ok(wasm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_https_has_to_be_allowed() {
        for from in [
            "http://127.example.org/a.wasm",
            "http://example.org/a.wasm",
            "http://192.0.2.7/a.wasm",
        ] {
            let Err(refused) = fetch(from, None, false) else {
                panic!("{from} was fetched");
            };
            assert!(refused.message.contains("--plain-http"), "{}", refused.message);
        }
        let refused = signature("http://example.org/a.wasm.minisig", false).unwrap_err();
        assert!(refused.message.contains("--plain-http"), "{}", refused.message);
        for from in ["http://localhost:80/a", "http://127.0.0.1/a", "http://[::1]:80/a"] {
            assert!(is_here(from), "{from}");
        }
    }

    #[test]
    fn a_failed_download_has_its_cause() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let from = format!("http://{}/a.wasm", listener.local_addr().unwrap());
        drop(listener);
        let Err(refused) = fetch(&from, None, false) else {
            panic!("{from} was fetched");
        };
        assert!(refused.message.contains("Connection refused"), "{}", refused.message);
    }
}
