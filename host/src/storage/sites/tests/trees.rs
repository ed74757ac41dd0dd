//! Uploads that are taken.

use super::*;

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
async fn an_upload_that_is_given_up_leaves_nothing() {
    let (folder, store) = store();
    let body = gzip(&tar(&[file("a", &[1; 100_000])]));
    let mut unpacker = store.begin(LIMITS).await.unwrap();
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
async fn a_tree_that_waited_in_a_store_is_the_tree_it_was() {
    let (folder, store) = store();
    let trees = TreeStore::open(folder.path(), &Objects::in_folders(folder.path())).unwrap();
    let script = vec![b'x'; 3 << 20];
    let entries = [
        file("index.html", b"<head></head><a href=/x>"),
        file("app.js", &script),
        file("empty.txt", b""),
    ];
    for (name, entries) in [("s/b1.1", &entries[..]), ("s/b2.2", &entries[2..]), ("s/b3.3", &[])] {
        let tree = upload(&store, entries).await.unwrap();
        let expected = tree.entries(None, 10);
        let mut sealed = tree.seal().unwrap();
        trees.place(&mut sealed, name).unwrap();
        assert!(trees.place(&mut sealed, name).is_err(), "it is used up");
        let [tree, again] = [(); 2].map(|()| trees.open_tree(name).unwrap());
        assert_eq!(tree.entries(None, 10), expected);
        assert_eq!(again.entries(None, 10), expected);
        for entry in &expected {
            let read = |tree: &StagedTree| tree.read(&entry.0, 0, 1 << 20).unwrap().unwrap();
            assert_eq!(read(&tree), read(&again));
        }
        let version = name.replace(['/', '.'], "-");
        store.commit(tree, "p1", &version).unwrap();
        let site = store.site("p1", &version).unwrap();
        assert_eq!(site.find("index.html").is_some(), expected.len() == 3);
        trees.remove_tree(name).unwrap();
        trees.remove_tree(name).unwrap();
        let gone = trees.open_tree(name).unwrap_err();
        assert_eq!(gone.kind(), io::ErrorKind::NotFound);
    }
    wait_until_empty(&folder.path().join("staging"));
}
