//! Finds the file that answers an address inside a site.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::request::SiteRequest;
use crate::storage::sites::{FileId, Site, extension};

/// The answer to an address.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// This file.
    File(FileId),
    /// The folder of this name has an index: its address ends with a slash. Encoded, with the slash.
    Folder(String),
    /// The site's own page for what is missing, sent with a 404.
    Missing(FileId),
    /// Nothing.
    Nothing,
}

/// Finds the answer for a path below the site's root. The path has no leading slash and is still percent-encoded.
pub(super) fn resolve(site: &Site, raw: &str, request: &SiteRequest<'_>) -> Found {
    // Most addresses are the path of a stored file.
    if let Some(file) = site.find(raw) {
        return Found::File(file);
    }
    let Some(path) = decode(raw) else { return Found::Nothing };
    if let Some(found) = named(site, &path) {
        return found;
    }
    if !wants_page(&path, request) {
        return Found::Nothing;
    }
    let mut folder = path.trim_end_matches('/');
    while let Some(slash) = folder.rfind('/') {
        folder = &folder[..slash];
        if let Some(file) = site.find(&format!("{folder}/404.html")) {
            return Found::Missing(file);
        }
    }
    if let Some(file) = site.find("404.html") {
        return Found::Missing(file);
    }
    if is_route(&path, request)
        && let Some(file) = site.find("200.html").or_else(|| site.find("index.html"))
    {
        return Found::File(file);
    }
    Found::Nothing
}

/// The file that an address names: its exact path, its path without `.html`, or its folder.
pub(super) fn named(site: &Site, path: &str) -> Option<Found> {
    if path.is_empty() || path.ends_with('/') {
        return site.find(&format!("{path}index.html")).map(Found::File);
    }
    if let Some(file) = site.find(path).or_else(|| site.find(&format!("{path}.html"))) {
        return Some(Found::File(file));
    }
    site.find(&format!("{path}/index.html"))
        .map(|_| Found::Folder(format!("{}/", encode(path))))
}

/// The path as files are stored; `None` for one that no file can have.
pub(super) fn decode(raw: &str) -> Option<Cow<'_, str>> {
    let path = percent_decode_str(raw).decode_utf8().ok()?;
    let odd = |part: &str| part == "." || part == "..";
    // An empty part would give a file two addresses, and allow a redirect to `//host`.
    let doubled = path.starts_with('/') || path.contains("//");
    (!doubled && !path.contains(char::is_control) && !path.contains('\\') && !path.split('/').any(odd)).then_some(path)
}

/// The path as a part of an address.
pub(super) fn encode(path: &str) -> String {
    const SET: &AsciiSet = &CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'#')
        .add(b'<')
        .add(b'>')
        .add(b'?')
        .add(b'`')
        .add(b'{')
        .add(b'}')
        .add(b'%')
        .add(b'\\');
    utf8_percent_encode(path, SET).to_string()
}

/// Whether a page may answer in place of a missing file. Never for a sub-resource: a browser cannot use HTML as a script.
fn wants_page(path: &str, request: &SiteRequest<'_>) -> bool {
    match request.destination() {
        Some(_) => request.navigates(),
        None => request.accepts_html() || extension(path).is_empty(),
    }
}

/// Whether an address may be a route of the single-page application: it does not look like a file.
fn is_route(path: &str, request: &SiteRequest<'_>) -> bool {
    let extension = extension(path);
    // `/users/jane.doe` may be a route: only known extensions count as files.
    let unknown = || request.destination().is_some() && mime_guess::from_ext(extension).is_empty();
    extension.is_empty() || unknown()
}
