//! `/api/editor/assets`: the pictures of the project, and adding one. Those in `public/` have an address, as the dev servers of all
//! hosts serve that folder at the root; those beside the source are imported.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Query;
use super::code::Code;
use super::edit::told;
use super::error::ApiError;
use crate::workspace::{EntryKind, WorkspaceError, Write, checked};

const PUBLIC: &str = "public";

/// Where projects keep what they import, in the order of asking; the first is also made where there is none.
const BESIDE_SOURCE: [&str; 3] = ["src/assets", "app/assets", "assets"];

/// What an added picture may weigh, in bytes.
const MAX_ASSET: usize = 8 << 20;

/// More pictures are not listed, and folders are not entered deeper.
const MAX_LISTED: usize = 500;
const MAX_DEPTH: usize = 6;

/// How many names are tried beside one that is taken.
const MAX_NAMES: usize = 100;

/// A kind of picture: the endings of its files, and how its bytes begin. A `?` is any byte.
struct Format {
    endings: &'static [&'static str],
    begins: &'static [&'static [u8]],
}

const FORMATS: [Format; 6] = [
    Format {
        endings: &["png"],
        begins: &[b"\x89PNG\r\n\x1a\n"],
    },
    Format {
        endings: &["jpg", "jpeg"],
        begins: &[b"\xff\xd8\xff"],
    },
    Format {
        endings: &["gif"],
        begins: &[b"GIF87a", b"GIF89a"],
    },
    Format {
        endings: &["webp"],
        begins: &[b"RIFF????WEBP"],
    },
    Format {
        endings: &["avif"],
        begins: &[b"????ftypavif", b"????ftypavis"],
    },
    Format {
        endings: &["svg"],
        begins: &[b"<svg", b"<?xml", b"<!--", b"<!DOCTYPE svg"],
    },
];

fn format_of(name: &str) -> Option<&'static Format> {
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    FORMATS.iter().find(|format| format.endings.contains(&ending.as_str()))
}

impl Format {
    fn fits(&self, content: &[u8]) -> bool {
        let text = content
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(content)
            .trim_ascii_start();
        let bytes = if self.endings.contains(&"svg") { text } else { content };
        self.begins.iter().any(|begin| {
            bytes.len() >= begin.len()
                && begin
                    .iter()
                    .zip(bytes)
                    .all(|(&wanted, &byte)| wanted == b'?' || wanted == byte)
        })
    }
}

/// Lists the pictures, and the folders that one can be added to.
pub(super) async fn list(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let workspace = &app.parts.workspace;
        let folders = folders(workspace.root());
        let mut found = Vec::new();
        for folder in folders.iter().filter(|folder| is_folder(workspace.root(), folder)) {
            walk(&workspace.root().join(folder), folder, 0, &mut found);
        }
        found.sort_unstable();
        let assets: Vec<Value> = found
            .iter()
            .map(|path| json!({ "path": path, "address": address(path) }))
            .collect();
        Ok(Json(json!({ "ok": true, "assets": assets, "folders": folders })))
    })
    .await
}

/// `public`, and the folder beside the source: the one that is there, else the usual one.
fn folders(root: &Path) -> [&'static str; 2] {
    let is_there = |folder: &&&str| is_folder(root, folder);
    let beside = BESIDE_SOURCE.iter().find(is_there).unwrap_or(&BESIDE_SOURCE[0]);
    [PUBLIC, beside]
}

/// Whether a folder is there. A link is none: it may lead anywhere.
fn is_folder(root: &Path, folder: &str) -> bool {
    let mut at = root.to_owned();
    folder.split('/').all(|part| {
        at.push(part);
        fs::symlink_metadata(&at).is_ok_and(|found| found.is_dir())
    })
}

/// Links are not followed: they may lead anywhere, also back.
fn walk(folder: &Path, path: &str, depth: usize, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
            continue;
        };
        let below = format!("{path}/{name}");
        if found.len() >= MAX_LISTED {
            return;
        }
        if kind.is_dir() && depth < MAX_DEPTH {
            walk(&entry.path(), &below, depth + 1, found);
        } else if kind.is_file() && format_of(&name).is_some() {
            found.push(below);
        }
    }
}

/// Where the page finds it: `public/a/b.png` is `/a/b.png`. What is imported has no address.
fn address(path: &str) -> Option<&str> {
    path.strip_prefix(PUBLIC).filter(|rest| rest.starts_with('/'))
}

/// Adds a picture: a step of the history like any other. A name that is taken gets a number.
pub(super) async fn add(State(app): State<Arc<App>>, query: Query, body: Body) -> Result<Json<Value>, ApiError> {
    let wanted: String = query.require("name")?;
    let folder = {
        let folders = folders(app.parts.workspace.root());
        let asked = query.get("folder").unwrap_or(PUBLIC);
        *folders.iter().find(|folder| **folder == asked).ok_or_else(|| {
            let reason = format!(
                "“{asked}” is no folder for pictures of this project: name {} or {}",
                folders[0], folders[1]
            );
            ApiError::bad_request(reason).with("key", "folder")
        })?
    };
    let too_large = |_| {
        let reason = format!("{wanted} is larger than {} MB: make it smaller first", MAX_ASSET >> 20);
        ApiError::new(Code::TooLarge, reason)
    };
    let content = to_bytes(body, MAX_ASSET).await.map_err(too_large)?;
    let name = plain(&wanted);
    let format = format_of(&name).ok_or_else(|| {
        let reason = format!("{wanted} is no picture: it should end in .png, .jpg, .gif, .webp, .avif or .svg");
        ApiError::bad_request(reason).with("key", "name")
    })?;
    if !format.fits(&content) {
        let reason = format!("{wanted} does not hold what its ending says: save it anew from the program that made it");
        return Err(ApiError::bad_request(reason).with("key", "name"));
    }
    blocking(move || {
        let mut writer = app.parts.workspace.writer();
        for number in 1..=MAX_NAMES {
            let path = format!("{folder}/{}", numbered(&name, number));
            checked(&path).map_err(WorkspaceError::from)?;
            let before = app.parts.workspace.bytes(&path)?;
            let same = before.as_deref() == Some(&content[..]);
            if before.is_some() && !same {
                continue;
            }
            // The same picture again needs no second file.
            let mut answer = if same {
                json!({ "ok": true, "editId": null, "files": [] })
            } else {
                let write = Write {
                    path: path.clone(),
                    before: None,
                    after: Some(content.to_vec()),
                    mode: None,
                };
                told(
                    &app,
                    &writer.commit(EntryKind::File, &format!("Add {path}"), vec![write])?,
                )
            };
            answer["address"] = json!(address(&path));
            answer["path"] = json!(path);
            return Ok(Json(answer));
        }
        let reason = format!("{folder}/ has {MAX_NAMES} pictures called {name}: give this one another name");
        Err(ApiError::bad_request(reason).with("key", "name"))
    })
    .await
}

/// A name that is written into an address as it is.
fn plain(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || "._-".contains(letter) {
                letter.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .take(100)
        .collect();
    plain.trim_start_matches(['.', '-']).to_owned()
}

/// `a.png` is `a-2.png` the second time.
fn numbered(name: &str, number: usize) -> String {
    match name.rsplit_once('.') {
        Some((stem, ending)) if number > 1 => format!("{stem}-{number}.{ending}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(name: &str, content: &[u8]) -> bool {
        format_of(name).is_some_and(|format| format.fits(content))
    }

    #[test]
    fn a_picture_is_what_its_ending_says() {
        assert!(fits("a.PNG", b"\x89PNG\r\n\x1a\n...."));
        assert!(fits("a.webp", b"RIFF\x01\x02\x03\x04WEBPVP8 "));
        assert!(fits("a.svg", b"\xef\xbb\xbf\n <svg xmlns=''/>"));
        assert!(!fits("a.png", b"<script>"), "markup is no png");
        assert!(!fits("a.webp", b"RIFF"), "it is too short");
        assert!(!fits("a.html", b"<svg"), "a page is no picture");
        assert!(!fits("png", b"\x89PNG\r\n\x1a\n"), "it has no ending");
    }

    #[test]
    fn a_name_is_one_part_of_an_address() {
        assert_eq!(plain("../../etc/Team Photo (1).PNG"), "team-photo--1-.png");
        assert_eq!(plain("C:\\a\\..\\.hidden.svg"), "hidden.svg");
        assert_eq!(plain("ümläut?.jpg"), "ml-ut-.jpg");
        assert_eq!(numbered("a.b.png", 2), "a.b-2.png");
        assert_eq!(address("public/a/b.png"), Some("/a/b.png"));
        assert_eq!(address("src/assets/b.png"), None);
    }

    #[test]
    fn pictures_are_listed_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let public = folder.path().join(PUBLIC);
        fs::create_dir_all(public.join("deep")).unwrap();
        for name in ["a.svg", "deep/b.png", "notes.txt"] {
            fs::write(public.join(name), "x").unwrap();
        }
        std::os::unix::fs::symlink(&public, public.join("again")).unwrap();
        let mut found = Vec::new();
        walk(&public, PUBLIC, 0, &mut found);
        found.sort_unstable();
        assert_eq!(found, ["public/a.svg", "public/deep/b.png"]);
    }
}
