//! The store as its users see it: uploads made by hand, byte by byte where they are hostile.

mod refusals;
mod trees;
mod versions;

use std::io::Write;
use std::time::{Duration, Instant};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

const LIMITS: Limits = Limits {
    max_packed: 1 << 20,
    max_unpacked: 8 << 20,
    max_entries: 100,
};

/// One header block. `size` as it is stated; the checksum is right.
fn header(name: &[u8], kind: u8, size: u64) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len()].copy_from_slice(name);
    block[100..107].copy_from_slice(b"0000644");
    block[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
    block[156] = kind;
    block[257..265].copy_from_slice(b"ustar\x0000");
    seal(&mut block);
    block
}

fn seal(block: &mut [u8]) {
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
}

fn entry(name: &[u8], kind: u8, content: &[u8]) -> Vec<u8> {
    let mut out = header(name, kind, content.len() as u64);
    out.extend(content);
    out.resize(out.len().next_multiple_of(512), 0);
    out
}

fn file(name: &str, content: &[u8]) -> Vec<u8> {
    entry(name.as_bytes(), b'0', content)
}

fn link(name: &[u8], kind: u8, target: &[u8]) -> Vec<u8> {
    let mut block = header(name, kind, 0);
    block[157..157 + target.len()].copy_from_slice(target);
    seal(&mut block);
    block
}

fn pax(kind: u8, records: &[(&str, &str)]) -> Vec<u8> {
    let mut data = Vec::new();
    for (key, value) in records {
        let rest = format!(" {key}={value}\n");
        let mut len = rest.len() + 1;
        while len != rest.len() + len.to_string().len() {
            len += 1;
        }
        data.extend(format!("{len}{rest}").as_bytes());
    }
    entry(b"pax", kind, &data)
}

fn tar(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut out = entries.concat();
    out.resize(out.len() + 1024, 0);
    out
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn store() -> (tempfile::TempDir, SiteStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = SiteStore::open(folder.path()).unwrap();
    (folder, store)
}

async fn upload_with(store: &SiteStore, limits: Limits, body: &[u8], chunk: usize) -> Result<StagedTree, Refused> {
    let mut unpacker = store.begin(limits).await.unwrap();
    for piece in body.chunks(chunk) {
        unpacker.push(Bytes::copy_from_slice(piece)).await?;
    }
    unpacker.finish().await
}

async fn upload(store: &SiteStore, entries: &[Vec<u8>]) -> Result<StagedTree, Refused> {
    upload_with(store, LIMITS, &gzip(&tar(entries)), 1000).await
}

async fn refusal(body: &[u8]) -> String {
    let (folder, store) = store();
    let refused = upload_with(&store, LIMITS, body, 700).await.expect_err("refused");
    assert!(matches!(refused, Refused::Bad(_)), "{refused:?}");
    wait_until_empty(&folder.path().join("staging"));
    refused.to_string()
}

/// The thread that deletes may be a moment behind the one that answers.
fn wait_until_empty(folder: &Path) {
    let started = Instant::now();
    while std::fs::read_dir(folder).unwrap().next().is_some() {
        assert!(
            started.elapsed() < Duration::from_secs(5),
            "something was left in {}",
            folder.display()
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn wait_for_variants(site: &Site) {
    let started = Instant::now();
    while !site.has_variants() {
        assert!(started.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(5));
    }
}
