//! The store as its users see it: uploads made by hand, byte by byte where they are hostile.

use std::io::Write;
use std::time::Instant;

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
    let mut unpacker = store.begin(limits).unwrap();
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

#[tokio::test]
async fn an_upload_becomes_a_tree_and_a_version() {
    let (folder, store) = store();
    let text = "const hello = '/assets/x.svg';\n".repeat(100);
    let entries = [
        entry(b"./", b'5', b""),
        file("./index.html", b"<head></head><a href=/x>"),
        entry(b"assets/", b'5', b""),
        file("assets/app.js", text.as_bytes()),
        file("empty.txt", b""),
    ];
    let body = gzip(&tar(&entries));
    for chunk in [1, 511, 1 << 20] {
        let tree = upload_with(&store, LIMITS, &body, chunk).await.unwrap();
        assert_eq!((tree.files(), tree.bytes()), (3, 24 + text.len() as u64));
        assert_eq!(tree.packed_bytes(), body.len() as u64);
        assert_eq!(
            tree.packed_sha256()[..],
            <sha2::Sha256 as sha2::Digest>::digest(&body)[..]
        );
    }
    wait_until_empty(&folder.path().join("staging"));

    let tree = upload(&store, &entries).await.unwrap();
    assert_eq!(tree.stat("index.html"), Some(24));
    assert_eq!(tree.stat("assets"), None);
    let all = tree.entries(None, 10);
    assert_eq!(
        all.iter().map(|entry| entry.0.as_str()).collect::<Vec<_>>(),
        ["assets/app.js", "empty.txt", "index.html"]
    );
    assert_eq!(tree.entries(Some("assets/app.js"), 1), [("empty.txt".to_owned(), 0)]);
    assert_eq!(tree.read("index.html", 6, 7).unwrap().unwrap(), b"</head>");
    assert_eq!(tree.read("index.html", 99, 7).unwrap().unwrap(), b"");
    assert_eq!(tree.read("missing", 0, 7).unwrap(), None);
    let hits = tree.search(&[".js", ".css"], r#"['"]/[a-z]"#, 2).unwrap();
    assert_eq!(hits.len(), 2);
    assert_eq!(
        (hits[0].path.as_str(), hits[0].offset, hits[0].text.as_str()),
        ("assets/app.js", 14, "'/a")
    );

    assert_eq!(
        store.commit(tree, "p1", "v1").unwrap(),
        VersionInfo {
            files: 3,
            bytes: 24 + text.len() as u64
        }
    );
    let again = upload(&store, &entries).await.unwrap();
    assert!(matches!(store.commit(again, "p1", "v1"), Err(SiteError::Exists)));
    let site = store.site("p1", "v1").unwrap();
    assert!(Arc::ptr_eq(&site, &store.opened("p1", "v1").unwrap()));
    let page = site.find("index.html").unwrap();
    assert!(site.is_page(page));
    let view = View {
        prefix: Some("/p/a/"),
        ..View::default()
    };
    assert_eq!(
        site.page(page, &view).unwrap(),
        b"<head><base href=\"/p/a/\" data-galley></head><a href=/p/a/x>"
    );
    assert_eq!(site.page(page, &View::default()).unwrap(), b"<head></head><a href=/x>");

    let script = site.find("assets/app.js").unwrap();
    assert_eq!(
        site.read(script, Coding::Identity, 0, u64::MAX).unwrap(),
        text.as_bytes()
    );
    wait_for_variants(&site);
    let packed = site.read(script, Coding::Gzip, 0, u64::MAX).unwrap();
    let mut unpacked = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&packed[..]), &mut unpacked).unwrap();
    assert_eq!(unpacked, text);
    let packed = site.read(script, Coding::Brotli, 0, u64::MAX).unwrap();
    let mut unpacked = Vec::new();
    brotli::BrotliDecompress(&mut &packed[..], &mut unpacked).unwrap();
    assert_eq!(unpacked, text.as_bytes());
    assert_eq!(site.size(page, Coding::Brotli), None);
}

#[tokio::test]
async fn hostile_names_are_refused_by_name() {
    for (name, what) in [
        (&b"/tmp/moo"[..], "\"/tmp/moo\" is an absolute path"),
        (b"//tmp/moo", "\"//tmp/moo\" is an absolute path"),
        (b"../moo", "\"../moo\" leaves its folder with `..`"),
        (b"tmp/../../moo", "\"tmp/../../moo\" leaves its folder with `..`"),
        (b"a\\b", "\"a\\\\b\" has a backslash in its name"),
        (b"a\x1bb", "\"a\\u{1b}b\" has a control character in its name"),
        (b"a\xff", "\"a\u{fffd}\" has a name that is not UTF-8"),
    ] {
        let expected = format!("Archive entry {what}");
        assert_eq!(
            refusal(&gzip(&tar(&[file("ok", b"x"), entry(name, b'0', b"x")]))).await,
            expected
        );
        assert_eq!(refusal(&gzip(&tar(&[entry(name, b'5', b"")]))).await, expected);
    }
    let nul = [pax(b'x', &[("path", "a\0b")]), file("ok", b"")];
    assert_eq!(
        refusal(&gzip(&tar(&nul))).await,
        "Archive entry \"a\\0b\" has a NUL byte in its name"
    );
    let long = [pax(b'x', &[("path", &"y/".repeat(600))]), file("ok", b"")];
    assert!(refusal(&gzip(&tar(&long))).await.contains("too long"));
    let long = [
        entry(b"././@LongLink", b'L', &[b"z".repeat(300), vec![0]].concat()),
        file("ok", b""),
    ];
    assert!(refusal(&gzip(&tar(&long))).await.contains("too long"));
}

#[tokio::test]
async fn links_and_devices_are_refused() {
    for (entries, what) in [
        (
            vec![link(b"secret.txt", b'2', b"/etc/passwd")],
            "\"secret.txt\" is a symbolic link",
        ),
        (
            vec![link(b"tmp", b'2', b"/tmp"), file("tmp/moo", b"x")],
            "\"tmp\" is a symbolic link",
        ),
        (
            vec![
                entry(b"d/", b'5', b""),
                link(b"d/up", b'2', b".."),
                link(b"d/up/up", b'2', b".."),
            ],
            "\"d/up\" is a symbolic",
        ),
        (vec![link(b"hard", b'1', b"index.html")], "\"hard\" is a hard link"),
        (vec![entry(b"c", b'3', b"")], "\"c\" is a device"),
        (vec![entry(b"b", b'4', b"")], "\"b\" is a device"),
        (vec![entry(b"f", b'6', b"")], "\"f\" is a FIFO"),
        (vec![entry(b"s", b'S', b"")], "\"s\" is a sparse file"),
        (
            vec![pax(b'x', &[("GNU.sparse.major", "1")]), file("s", b"")],
            "is a sparse file",
        ),
        (vec![entry(b"././@LongLink", b'K', b"target\0")], "holds a link"),
        (vec![entry(b"v", b'V', b"")], "\"v\" is of an unknown kind"),
        (vec![entry(b"d", b'5', b"content")], "\"d\" is a folder with content"),
    ] {
        let message = refusal(&gzip(&tar(&entries))).await;
        assert!(message.contains(what), "{message} should say {what}");
    }
}

#[tokio::test]
async fn duplicates_and_clashes_are_refused() {
    for (entries, what) in [
        (vec![file("a", b"1"), file("./a", b"2")], "\"./a\" occurs twice"),
        (vec![file("a/b", b""), file("a//b", b"")], "\"a//b\" occurs twice"),
        (vec![file("a", b""), file("a/b", b"")], "\"a\" is a file and a folder"),
        (
            vec![file("a/b", b""), file("a.b", b""), file("a-b", b""), file("a", b"")],
            "\"a\" is a file and a folder",
        ),
        (
            vec![file("a", b""), entry(b"a/", b'5', b"")],
            "\"a\" is a file and a folder",
        ),
    ] {
        let message = refusal(&gzip(&tar(&entries))).await;
        assert!(message.contains(what), "{message} should say {what}");
    }
    let (_folder, store) = store();
    let fine = [
        entry(b"a", b'5', b""),
        entry(b"a/", b'5', b""),
        file("a/b", b""),
        file("a.b", b""),
    ];
    assert_eq!(upload(&store, &fine).await.unwrap().files(), 2);
}

#[tokio::test]
async fn extended_headers_override_names_and_sizes() {
    let (_folder, store) = store();
    let long = format!("{}/{}.js", "d".repeat(200), "f".repeat(200));
    let mut lying = header(b"short", b'0', 0);
    lying.extend([&b"hello"[..], &[0; 507]].concat());
    let entries = [
        pax(b'g', &[("remark", "c0ffee")]),
        pax(b'x', &[("path", &long), ("size", "5"), ("mtime", "1.5")]),
        lying,
        entry(b"././@LongLink", b'L', format!("{long}2\0").as_bytes()),
        file("short", b"world"),
        file("next", b"!"),
    ];
    let tree = upload(&store, &entries).await.unwrap();
    assert_eq!(tree.read(&long, 0, 9).unwrap().unwrap(), b"hello");
    assert_eq!(tree.read(&format!("{long}2"), 0, 9).unwrap().unwrap(), b"world");
    assert_eq!(tree.stat("next"), Some(1));

    // A stated size of one file that hides another: what the extended header says counts.
    let hidden = [
        pax(b'x', &[("size", "0")]),
        header(b"outer", b'0', 1024),
        file("inner", b""),
    ];
    let tree = upload(&store, &hidden).await.unwrap();
    assert_eq!(
        tree.entries(None, 9),
        [("inner".to_owned(), 0), ("outer".to_owned(), 0)]
    );

    assert!(
        refusal(&gzip(&tar(&[pax(b'g', &[("path", "x")]), file("a", b"")])))
            .await
            .contains("global header")
    );
    assert!(
        refusal(&gzip(&tar(&[entry(b"p", b'x', b"nonsense"), file("a", b"")])))
            .await
            .contains("malformed")
    );
    assert!(
        refusal(&gzip(&tar(&[entry(b"p", b'x', &vec![b' '; 300_000])])))
            .await
            .contains("more than 256 KB")
    );
    assert!(
        refusal(&gzip(&tar(&[pax(b'x', &[("path", "x")])])))
            .await
            .contains("belongs to no entry")
    );
}

#[tokio::test]
async fn base_256_sizes_and_long_ustar_names_are_read() {
    let (_folder, store) = store();
    let mut binary = header(b"binary", b'0', 0);
    binary[124..136].copy_from_slice(&[0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
    seal(&mut binary);
    binary.extend([&b"abc"[..], &[0; 509]].concat());
    let mut prefixed = header(&b"n".repeat(100), b'0', 0);
    prefixed[345..355].copy_from_slice(b"prefix/dir");
    seal(&mut prefixed);
    let tree = upload(&store, &[binary, prefixed]).await.unwrap();
    assert_eq!(tree.stat("binary"), Some(3));
    assert_eq!(tree.stat(&format!("prefix/dir/{}", "n".repeat(100))), Some(0));
    let mut huge = header(b"huge", b'0', 0);
    huge[124..136].copy_from_slice(&[0x80, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    seal(&mut huge);
    assert_eq!(refusal(&gzip(&huge)).await, "The archive unpacks to more than 8 MB");
}

#[tokio::test]
async fn damaged_streams_are_refused() {
    let good = tar(&[file("index.html", &[b'x'; 3000]), file("b", b"y")]);
    let packed = gzip(&good);
    assert_eq!(refusal(b"").await, "The upload is empty");
    assert_eq!(refusal(b"PK\x03\x04zip").await, "The upload is not a gzip file");
    assert_eq!(refusal(&good).await, "The upload is not a gzip file");
    assert_eq!(
        refusal(b"\x1f\x8b\x07nonsense.....").await,
        "The upload is not a gzip file"
    );
    for cut in [1, 5, 12, 20, packed.len() / 2, packed.len() - 9, packed.len() - 1] {
        let message = refusal(&packed[..cut]).await;
        assert!(message.contains("truncated"), "{cut}: {message}");
    }
    let mut bent = packed.clone();
    let crc = bent.len() - 6;
    bent[crc] ^= 1;
    assert_eq!(refusal(&bent).await, "The upload's gzip data is damaged");
    let behind = [&packed[..], b"garbage behind the member"].concat();
    assert_eq!(refusal(&behind).await, "The upload has data behind its gzip stream");
    for cut in [100, 600, 3000, good.len() - 1024, good.len() - 1500] {
        assert!(
            refusal(&gzip(&good[..cut])).await.contains("The archive is truncated"),
            "{cut}"
        );
    }
    assert_eq!(
        refusal(&gzip(&[&good[..], b"x"].concat())).await,
        "The archive has data behind its end"
    );
    assert!(refusal(&gzip(&[b'x'; 4096])).await.contains("not a tar file"));
    let mut wrong_sum = good.clone();
    wrong_sum[3] ^= 1;
    assert!(refusal(&gzip(&wrong_sum)).await.contains("a header in it is damaged"));
}

#[tokio::test]
async fn padding_and_a_stream_in_two_members_are_fine() {
    let (_folder, store) = store();
    let padded = [tar(&[file("a", b"x")]), vec![0; 9000]].concat();
    let body = [gzip(&padded[..700]), gzip(&padded[700..])].concat();
    assert_eq!(upload_with(&store, LIMITS, &body, 64).await.unwrap().files(), 1);
    let lone = [file("a", b"x"), vec![0; 512]].concat();
    assert_eq!(upload_with(&store, LIMITS, &gzip(&lone), 64).await.unwrap().files(), 1);
    assert_eq!(upload(&store, &[]).await.unwrap().files(), 0);
}

#[tokio::test]
async fn bounds_hold_while_streaming() {
    let (folder, store) = store();
    let mut noise = vec![0; 2_000_000];
    crate::storage::id::fill_random(&mut noise);
    let refused = upload_with(&store, LIMITS, &gzip(&tar(&[file("n", &noise)])), 5000)
        .await
        .err()
        .unwrap();
    assert!(
        matches!(&refused, Refused::TooLarge(text) if text == "The upload is larger than 1 MB"),
        "{refused:?}"
    );

    // 100 MB of zeros in 100 KB: refused at the stated size, or where the stream passes its bound.
    let mut bomb = header(b"zeros", b'0', 100 << 20);
    bomb.resize(100 << 20, 0);
    assert_eq!(refusal(&gzip(&bomb)).await, "The archive unpacks to more than 8 MB");
    assert_eq!(
        refusal(&gzip(&vec![0; 100 << 20])).await,
        "The archive unpacks to more than 8 MB"
    );
    let many: Vec<_> = (0..101).map(|n| file(&format!("f{n}"), b"")).collect();
    assert_eq!(
        refusal(&gzip(&tar(&many))).await,
        "The archive has more than 100 entries"
    );
    assert!(upload(&store, &many[..100]).await.is_ok());
    wait_until_empty(&folder.path().join("staging"));
}

#[tokio::test]
async fn an_upload_that_is_given_up_leaves_nothing() {
    let (folder, store) = store();
    let body = gzip(&tar(&[file("a", &[1; 100_000])]));
    let mut unpacker = store.begin(LIMITS).unwrap();
    unpacker
        .push(Bytes::copy_from_slice(&body[..body.len() / 2]))
        .await
        .unwrap();
    drop(unpacker);
    wait_until_empty(&folder.path().join("staging"));
    drop(upload(&store, &[file("a", b"x")]).await.unwrap());
    wait_until_empty(&folder.path().join("staging"));
}

#[tokio::test]
async fn sweeping_deletes_what_nothing_refers_to() {
    let (folder, store) = store();
    for (project, version) in [("p1", "v1"), ("p1", "v2"), ("p2", "v3")] {
        let tree = upload(&store, &[file("a.js", &b"0123456789".repeat(400))])
            .await
            .unwrap();
        store.commit(tree, project, version).unwrap();
        wait_for_variants(&store.site(project, version).unwrap());
    }
    let sites = folder.path().join("sites");
    std::fs::write(sites.join("p1/orphan.variants"), b"x").unwrap();
    std::fs::write(sites.join("p1/note"), b"x").unwrap();
    std::fs::remove_file(sites.join("p1/v1.variants")).unwrap();
    std::fs::write(folder.path().join("staging/half.part"), b"x").unwrap();
    drop(store);

    let store = SiteStore::open(folder.path()).unwrap();
    assert_eq!(std::fs::read_dir(folder.path().join("staging")).unwrap().count(), 0);
    assert_eq!(
        store
            .sweep(|project, version| (project, version) == ("p1", "v1"))
            .unwrap(),
        6
    );
    assert!(!sites.join("p2").exists());
    assert!(matches!(store.site("p1", "v2"), Err(SiteError::NotFound)));
    // The variants that were missing are made again.
    wait_for_variants(&store.site("p1", "v1").unwrap());
    assert!(sites.join("p1/v1.variants").exists());
    store.remove("p1", "v1").unwrap();
    store.remove("p1", "v1").unwrap();
    assert!(matches!(store.site("p1", "v1"), Err(SiteError::NotFound)));
    store.remove_project("p1").unwrap();
    store.remove_project("p1").unwrap();
    assert!(!sites.join("p1").exists());
    assert!(matches!(store.site("../p1", "v1"), Err(SiteError::BadId)));
}

#[tokio::test]
async fn a_removed_version_stays_readable_for_who_holds_it() {
    let (_folder, store) = store();
    let tree = upload(&store, &[file("a", b"content")]).await.unwrap();
    store.commit(tree, "p", "v").unwrap();
    let site = store.site("p", "v").unwrap();
    store.remove("p", "v").unwrap();
    assert_eq!(
        site.read(site.find("a").unwrap(), Coding::Identity, 0, 99).unwrap(),
        b"content"
    );
}

#[tokio::test]
async fn a_damaged_pack_is_an_error_and_no_panic() {
    let (folder, store) = store();
    let tree = upload(&store, &[file("a", b"content")]).await.unwrap();
    store.commit(tree, "p", "v").unwrap();
    wait_for_variants(&store.site("p", "v").unwrap());
    drop(store);
    let store = SiteStore::open(folder.path()).unwrap();
    let path = folder.path().join("sites/p/v.pack");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    assert!(matches!(store.site("p", "v"), Err(SiteError::Io(_))));
}
