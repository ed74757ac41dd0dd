//! Uploads that are refused.

use super::*;

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
async fn an_upload_stops_before_it_takes_the_reserve_of_the_disk() {
    // Shared memory: a disk where nothing else is going on.
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let store = SiteStore::open(folder.path()).unwrap();
    let limits = Limits {
        max_packed: 64 << 20,
        max_unpacked: 64 << 20,
        ..LIMITS
    };
    let archive = gzip(&tar(&[file("n", &vec![b'x'; 24 << 20])]));
    let free = crate::storage::disk::free_space(folder.path()).unwrap();
    store.keep_free(free - (8 << 20));
    let refused = upload_with(&store, limits, &archive, 5000).await.err().unwrap();
    assert!(matches!(refused, Refused::Full(_)), "{refused:?}");
    assert!(refused.to_string().contains("SERVICE_DISK_RESERVE_MB"), "{refused}");
    wait_until_empty(&folder.path().join("staging"));
    store.keep_free(free * 2);
    assert!(matches!(store.begin(limits).await.err(), Some(Refused::Full(_))));
    store.keep_free(0);
    assert!(upload_with(&store, limits, &archive, 5000).await.is_ok());
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

    let mut unpacker = store.begin(LIMITS).await.unwrap();
    while unpacker.push(Bytes::from_static(b"no gzip at all")).await.is_ok() {}
    assert!(matches!(unpacker.push(Bytes::new()).await, Err(Refused::Aborted)));
    assert!(matches!(unpacker.finish().await, Err(Refused::Aborted)));

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
