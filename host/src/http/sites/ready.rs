//! Files in memory, ready to be sent: bytes and headers, shared by all requests.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use sha2::{Digest, Sha256};

use super::naming::is_hashed;
use crate::http::own_headers::{self, NO_INDEX, NO_SNIFF};
use crate::storage::sites::{Coding, FileId, Site, content_type, is_compressible};

/// Memory for the bytes of all ready files.
const MAX_MEMORY: u64 = 64 << 20;
/// How many files that memory is for, about.
const USUAL_FILES: usize = 4000;
/// The pieces of that memory, each with a lock of its own, and with room for two of the largest files.
const PIECES: usize = 8;
/// Larger files are read while they are sent.
pub(super) const MAX_LEN: u64 = 4 << 20;

/// Which file in which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The opened version; see [`Site::serial`].
    pub serial: u64,
    pub file: FileId,
    pub coding: Coding,
    /// For pages: which of the site's views, and whether with the bridge.
    pub view: u8,
}

/// The headers and facts that every answer with a file has.
#[derive(Debug)]
pub(super) struct Meta {
    /// All headers but `Cache-Control`, `Content-Length` among them.
    pub headers: HeaderMap,
    /// The entity tag, quoted.
    pub tag: String,
    /// Bytes.
    pub len: u64,
    /// Whether the name holds a hash of the content, which therefore never changes.
    pub hashed: bool,
}

/// A file in memory.
#[derive(Debug)]
pub(super) struct Ready {
    pub meta: Meta,
    pub bytes: Bytes,
}

/// The ready files.
pub(super) struct ReadyFiles(Cache<Key, Arc<Ready>, Memory>);

/// The memory of a ready file.
#[derive(Clone)]
struct Memory;

impl Weighter<Key, Arc<Ready>> for Memory {
    fn weight(&self, _: &Key, ready: &Arc<Ready>) -> u64 {
        ready.bytes.len() as u64 + 2048
    }
}

impl ReadyFiles {
    pub fn new() -> Self {
        let bounds = OptionsBuilder::new()
            .shards(PIECES)
            .weight_capacity(MAX_MEMORY)
            .estimated_items_capacity(USUAL_FILES)
            .build()
            .expect("both bounds are set");
        let (hasher, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self(Cache::with_options(bounds, Memory, hasher, lifecycle))
    }

    pub fn get(&self, key: &Key) -> Option<Arc<Ready>> {
        self.0.get(key)
    }

    pub fn put(&self, key: Key, ready: Ready) -> Arc<Ready> {
        let ready = Arc::new(ready);
        self.0.insert(key, ready.clone());
        ready
    }
}

/// Describes a stored file.
pub(super) fn stored(site: &Site, file: FileId, coding: Coding, len: u64) -> Meta {
    let path = site.path(file);
    let suffix = match coding {
        Coding::Identity => "",
        Coding::Gzip => "-gz",
        Coding::Brotli => "-br",
    };
    let tag = format!("\"{}{suffix}\"", data_encoding::HEXLOWER.encode(&site.hash(file)));
    meta(path, &content_type(path), tag, coding, len)
}

/// Describes bytes that were made from a file of this type.
pub(super) fn made(path: &str, kind: &str, bytes: &[u8], coding: Coding) -> Meta {
    let tag = format!("\"{}\"", data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)[..16]));
    meta(path, kind, tag, coding, bytes.len() as u64)
}

/// The type of a page. The header names the encoding only for a page in UTF-8: the page need not name it, and a header
/// that names another encoding than the page would win.
pub(super) fn page_type(page: &[u8]) -> &'static str {
    // Escape characters are how ISO-2022-JP looks, which is made of ASCII.
    let unicode = !page.contains(&0x1b) && std::str::from_utf8(page).is_ok();
    if unicode {
        "text/html; charset=utf-8"
    } else {
        "text/html"
    }
}

fn meta(path: &str, kind: &str, tag: String, coding: Coding, len: u64) -> Meta {
    let mut headers = HeaderMap::with_capacity(10);
    // Names and hashes are ASCII without control characters; a value that is not would be left out.
    let mut put = |name: header::HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    put(header::CONTENT_TYPE, kind);
    put(header::CONTENT_LENGTH, &len.to_string());
    put(header::ETAG, &tag);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    own_headers::set(&mut headers, [NO_SNIFF, NO_INDEX]);
    if is_compressible(path) {
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    match coding {
        Coding::Identity => {}
        Coding::Gzip => drop(headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))),
        Coding::Brotli => drop(headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"))),
    }
    Meta {
        headers,
        tag,
        len,
        hashed: is_hashed(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(serial: u64) -> Key {
        Key {
            serial,
            file: FileId(0),
            coding: Coding::Identity,
            view: 0,
        }
    }

    fn ready(len: u64) -> Ready {
        let bytes = Bytes::from(vec![0; len as usize]);
        Ready {
            meta: made("a.bin", "application/octet-stream", &bytes, Coding::Identity),
            bytes,
        }
    }

    #[test]
    fn the_largest_files_are_kept_as_far_as_there_is_memory() {
        let files = ReadyFiles::new();
        for serial in 0..40 {
            files.put(key(serial), ready(MAX_LEN));
            assert!(files.get(&key(serial)).is_some(), "file {serial}");
        }
        let kept = (0..40).filter(|serial| files.get(&key(*serial)).is_some()).count() as u64;
        assert!((1..=MAX_MEMORY / MAX_LEN).contains(&kept), "{kept} are kept");
    }
}
