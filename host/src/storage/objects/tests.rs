//! Against a real store: SeaweedFS.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use galley_harness::poll::eventually;
use galley_harness::seaweedfs::{ACCESS_KEY_ID, SECRET_ACCESS_KEY, SeaweedFs};
use tempfile::TempDir;

use super::*;
use crate::config::Secret;
use crate::core::{Access, Core};
use crate::projects::NewProject;
use crate::storage::backup;
use crate::storage::blobs::BlobStore;
use crate::storage::engine::Rows;
use crate::storage::id::{fill_random, new_id, now_ms};
use crate::storage::logs::{LogStore, Logs, rows};
use crate::storage::sites::{SiteStore, TreeStore};

pub(super) fn config(address: impl std::fmt::Display) -> ObjectsConfig {
    let (bucket, prefix) = ("galley-tests".to_owned(), format!("{}/", new_id()));
    ObjectsConfig {
        url: format!("http://{address}/{bucket}/{prefix}"),
        endpoint: format!("http://{address}"),
        bucket,
        prefix,
        region: "us-east-1".to_owned(),
        access_key_id: ACCESS_KEY_ID.to_owned(),
        secret_access_key: Secret::new(SECRET_ACCESS_KEY.to_owned()),
        cache_bytes: 64 << 20,
    }
}

/// A data folder with a place of its own in the store that the tests share.
struct Fixture {
    data: TempDir,
    config: ObjectsConfig,
    seaweed: Arc<SeaweedFs>,
}

impl Fixture {
    fn new() -> Self {
        let seaweed = SeaweedFs::shared();
        Self {
            data: tempfile::tempdir().unwrap(),
            config: config(seaweed.address()),
            seaweed,
        }
    }

    fn open(&self) -> Objects {
        Objects::open(Some(&self.config), self.data.path(), None).unwrap()
    }

    fn bucket(&self) -> Bucket {
        Bucket::new(&self.config).unwrap()
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.data.path().join(name)
    }

    fn write(&self, name: &str, content: &[u8]) -> std::path::PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The names below the kinds' folders in the bucket.
    fn names(&self) -> Vec<String> {
        let bucket = self.bucket();
        let listed = KINDS.iter().flat_map(|kind| bucket.list(kind).unwrap());
        listed.map(|listed| listed.name).collect()
    }
}

fn noise(len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    fill_random(&mut bytes);
    bytes
}

fn content(files: &Files, name: &str) -> io::Result<Vec<u8>> {
    files.open(name)?.read(0, usize::MAX)
}

#[test]
fn small_and_large_files_are_created_once() {
    let fixture = Fixture::new();
    let bucket = fixture.bucket();
    // The last is a part and a half: its parts are put together by the store.
    for len in [0, 1000, 12 << 20] {
        let name = format!("sites/p/{len}.pack");
        let bytes = noise(len);
        let file = fs::File::open(fixture.write("draft", &bytes)).unwrap();
        bucket.create(&name, &file).unwrap();
        // An answer that was lost is asked for again.
        bucket.create(&name, &file).unwrap();
        let saved = fixture.path("saved");
        bucket.save(&name, &saved).unwrap();
        assert!(fs::read(&saved).unwrap() == bytes);
        fs::remove_file(saved).unwrap();

        let other = fs::File::open(fixture.write("other", &noise(len + 1))).unwrap();
        let refused = bucket.create(&name, &other);
        assert!(matches!(refused, Err(ObjectError::Exists)), "{len}: {refused:?}");
        bucket.save(&name, &fixture.path("saved")).unwrap();
        assert!(fs::read(fixture.path("saved")).unwrap() == bytes);
        fs::remove_file(fixture.path("saved")).unwrap();
        assert!(bucket.exists(&name).unwrap());
        bucket.delete(&name).unwrap();
        bucket.delete(&name).unwrap();
        assert!(!bucket.exists(&name).unwrap());
    }
    // Those of a refused upload were removed.
    assert_eq!(bucket.unfinished(i64::MAX).unwrap(), []);
}

#[test]
fn parts_of_uploads_that_never_end_are_removed() {
    let fixture = Fixture::new();
    let bucket = fixture.bucket();
    bucket.begin_and_leave("sites/p/v.pack", noise(5 << 20)).unwrap();
    assert_eq!(bucket.unfinished(now_ms() - 60_000).unwrap(), [], "it is young");
    let [unfinished] = &bucket.unfinished(now_ms() + 60_000).unwrap()[..] else {
        panic!("there is one");
    };
    bucket.abandon(unfinished.clone()).unwrap();
    bucket.abandon(unfinished.clone()).unwrap();
    assert_eq!(bucket.unfinished(i64::MAX).unwrap(), []);
}

#[test]
fn blobs_are_replaced_and_come_back_from_the_store() {
    let fixture = Fixture::new();
    let open = || BlobStore::open_with(&fixture.open()).unwrap();
    let blobs = open();
    blobs.put("hello", "a/b", b"first").unwrap();
    blobs.put("hello", "a", b"x").unwrap();
    blobs.put("hello", "a/b", b"second").unwrap();
    blobs.put("other", "a", b"kept").unwrap();
    assert_eq!(blobs.get("hello", "a/b", 3, 100).unwrap().as_deref(), Some(&b"ond"[..]));
    drop(blobs);
    fs::remove_dir_all(fixture.path(CACHE)).unwrap();
    let blobs = open();
    assert_eq!(
        blobs.get("hello", "a/b", 0, 100).unwrap().as_deref(),
        Some(&b"second"[..])
    );
    assert_eq!(blobs.get("hello", "c", 0, 100).unwrap(), None);
    blobs.delete("hello", "a/b").unwrap();
    assert_eq!(blobs.get("hello", "a/b", 0, 100).unwrap(), None);
    blobs.remove_all("hello").unwrap();
    assert_eq!(blobs.get("hello", "a", 0, 100).unwrap(), None);
    assert_eq!(fixture.names(), ["blobs/other/a.blob"]);
}

#[test]
fn a_log_is_in_the_store_when_it_has_ended() {
    let fixture = Fixture::new();
    let logs = LogStore::open_with(&fixture.open()).unwrap();
    logs.create("hello", "b1").unwrap();
    logs.append("hello", "b1", "one\n").unwrap();
    logs.append("hello", "b1", "two é\n").unwrap();
    assert_eq!(fixture.names(), [""; 0]);
    logs.close("hello", "b1", "ready").unwrap();
    eventually("it is moved", || {
        (!fixture.path("logs/hello/b1.log").exists()).then_some(())
    });
    assert_eq!(fixture.names(), ["logs/hello/b1.log"]);
    let read = |logs: &LogStore| logs.read("hello", "b1", 4, 100).unwrap();
    assert_eq!(read(&logs), "two é\n");
    drop(logs);
    fs::remove_dir_all(fixture.path(CACHE)).unwrap();
    let logs = LogStore::open_with(&fixture.open()).unwrap();
    assert_eq!(read(&logs), "two é\n");
    assert!(logs.exists("hello", "b1") && logs.append("hello", "b1", "x").is_err());
    // Opening it again does not begin another.
    logs.create("hello", "b1").unwrap();
    assert_eq!(read(&logs), "two é\n");
    logs.remove("hello", "b1").unwrap();
    assert!(!logs.exists("hello", "b1"));
    assert_eq!(fixture.names(), [""; 0]);
}

#[test]
fn a_blob_that_another_server_replaced_is_not_read_from_an_old_copy() {
    let fixture = Fixture::new();
    let other = tempfile::tempdir().unwrap();
    let [one, two] = [fixture.data.path(), other.path()].map(|data| {
        let objects = Objects::open(Some(&fixture.config), data, Some("instance")).unwrap();
        BlobStore::open_with(&objects).unwrap()
    });
    let read = |blobs: &BlobStore| blobs.get("hello", "a", 0, 100).unwrap();
    one.put("hello", "a", b"first").unwrap();
    for (from, to, content) in [(&one, &two, "second"), (&two, &one, "third!"), (&one, &two, "fourth")] {
        assert!(read(to).is_some(), "it has a copy now");
        from.put("hello", "a", content.as_bytes()).unwrap();
        assert_eq!(read(to).as_deref(), Some(content.as_bytes()));
        assert_eq!(read(from).as_deref(), Some(content.as_bytes()));
    }
    two.delete("hello", "a").unwrap();
    assert_eq!(read(&one), None);
    // What nobody changed is not fetched again.
    one.put("hello", "a", b"last").unwrap();
    read(&two);
    let copy = other.path().join(CACHE).join("blobs/hello/a.blob");
    let modified = || fs::metadata(&copy).unwrap().modified().unwrap();
    let before = modified();
    assert_eq!(read(&two).as_deref(), Some(&b"last"[..]));
    assert_eq!(modified(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_what_servers_share_objects_of_nobody_go_when_they_are_old() {
    let fixture = Fixture::new();
    let cores = crate::core::testing::two().await;
    let objects = fixture.open();
    let database = cores.0.core.shared_database().unwrap();
    let logs = Logs::shared(&objects, database.clone()).unwrap();
    logs.append("hello", "b1", "text\n").await.unwrap();
    // Its server was killed right behind the end.
    let close = |rows: &mut Rows<'_>| rows::close(rows, "hello", "b1", "ready");
    database.write(close).await.unwrap();
    logs.move_ended().await.unwrap();
    let known = fixture.names();
    assert_eq!(known.len(), 1, "{known:?}");
    let files = objects.files("logs").unwrap();
    files.replace("hello/lost.log", b"lost").unwrap();
    assert_eq!(logs.sweep(now_ms() - YOUNG).await.unwrap(), 0, "it is young");
    assert_eq!(logs.sweep(now_ms() + YOUNG).await.unwrap(), 1);
    assert_eq!(fixture.names(), known);

    let trees = TreeStore::open(fixture.data.path(), &objects).unwrap();
    objects
        .files("trees")
        .unwrap()
        .add("hello/b1.7.tree", &fixture.write("draft", b"tree"))
        .unwrap();
    assert!(trees.trees_before(now_ms() - YOUNG).unwrap().is_empty());
    assert_eq!(trees.trees_before(now_ms() + YOUNG).unwrap(), ["hello/b1.7"]);
    trees.remove_tree("hello/b1.7").unwrap();
    assert!(trees.trees_before(now_ms() + YOUNG).unwrap().is_empty());
}

#[test]
fn what_lies_in_the_data_folder_is_moved_and_can_be_read_meanwhile() {
    let fixture = Fixture::new();
    for (name, content) in [
        ("sites/p/v.pack", &b"pack"[..]),
        ("sites/p/v.variants", b"variants"),
        ("blobs/hello/a/b.blob", b"blob"),
        ("blobs/hello/a/.tmp", b"half"),
        ("logs/hello/ended.log", b"text"),
        ("logs/hello/ended.status", b"ready"),
        ("logs/hello/growing.log", b"text"),
    ] {
        fixture.write(name, content);
    }
    let objects = fixture.open();
    let sites = objects.files("sites").unwrap();
    assert_eq!(content(&sites, "p/v.pack").unwrap(), b"pack");
    let expected = [
        "sites/p/v.pack",
        "sites/p/v.variants",
        "blobs/hello/a/b.blob",
        "logs/hello/ended.log",
    ];
    eventually("all is moved", || (fixture.names() == expected).then_some(()));
    eventually("none is left", || {
        expected.iter().all(|name| !fixture.path(name).exists()).then_some(())
    });
    assert_eq!(content(&sites, "p/v.pack").unwrap(), b"pack");
    for stays in [
        "logs/hello/ended.status",
        "logs/hello/growing.log",
        "blobs/hello/a/.tmp",
    ] {
        assert!(fixture.path(stays).exists(), "{stays}");
    }
}

#[test]
fn objects_that_nothing_refers_to_are_swept_when_they_are_old() {
    let fixture = Fixture::new();
    let objects = fixture.open();
    let files = objects.files("sites").unwrap();
    for name in [
        "p/v.pack",
        "p/v.variants",
        "p/gone.pack",
        "p/gone.variants",
        "other/v.pack",
    ] {
        files.add(name, &fixture.write("draft", name.as_bytes())).unwrap();
    }
    let sites = SiteStore::open_with(fixture.data.path(), &objects).unwrap();
    let keep = |project: &str, version: &str| (project, version) == ("p", "v");
    sites.sweep_bucket(&keep, now_ms() - 60_000);
    assert_eq!(fixture.names().len(), 5, "they are young");
    sites.sweep_bucket(&keep, now_ms() + 60_000);
    assert_eq!(fixture.names(), ["sites/p/v.pack", "sites/p/v.variants"]);
    sites.remove_project("p").unwrap();
    assert_eq!(fixture.names(), [""; 0]);
}

#[test]
fn a_damaged_object_is_an_error_and_a_damaged_copy_is_fetched_again() {
    let fixture = Fixture::new();
    let files = fixture.open().files("sites").unwrap();
    files.add("p/v.pack", &fixture.write("draft", b"content")).unwrap();
    assert!(!fixture.path("draft").exists());
    let copy = fixture.path("cache/sites/p/v.pack");
    fs::write(&copy, b"something else").unwrap();
    assert_eq!(content(&files, "p/v.pack").unwrap(), b"content");
    assert_ne!(fs::read(&copy).unwrap(), b"something else");

    fixture.bucket().put_raw("sites/p/v.pack", b"something else").unwrap();
    // The copy is sound: nobody needs the object.
    assert_eq!(content(&files, "p/v.pack").unwrap(), b"content");
    fs::remove_file(&copy).unwrap();
    let error = content(&files, "p/v.pack").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
    assert!(!copy.exists());
}

#[test]
fn a_bucket_belongs_to_one_data_folder() {
    let fixture = Fixture::new();
    drop(fixture.open());
    drop(fixture.open());
    let other = tempfile::tempdir().unwrap();
    let said = |config: Option<&ObjectsConfig>, data: &Path| match Objects::open(config, data, None) {
        Ok(_) => panic!("it is refused"),
        Err(error) => error.to_string(),
    };
    let foreign = said(Some(&fixture.config), other.path());
    assert!(foreign.contains("another instance"), "{foreign}");
    let needed = said(None, fixture.data.path());
    assert!(
        needed.contains("SERVICE_OBJECTS_URL") && needed.contains(&fixture.config.url),
        "{needed}"
    );
    let elsewhere = said(Some(&config(fixture.seaweed.address())), fixture.data.path());
    assert!(elsewhere.contains("copy all objects"), "{elsewhere}");
    let wrong = ObjectsConfig {
        secret_access_key: Secret::new("wrong".to_owned()),
        ..fixture.config.clone()
    };
    let wrong = said(Some(&wrong), fixture.data.path());
    assert!(wrong.contains("refuses the access key"), "{wrong}");
    let nobody = ObjectsConfig {
        endpoint: format!("http://127.0.0.1:{}", galley_harness::ports::free_port()),
        ..fixture.config.clone()
    };
    assert!(said(Some(&nobody), other.path()).contains("does not answer"));
    // It had the bucket before: what is cached is served until it is back.
    assert!(Objects::open(Some(&nobody), fixture.data.path(), None).is_ok());
}

#[test]
fn a_bucket_of_a_cluster_is_that_of_all_its_servers() {
    let fixture = Fixture::new();
    let open = |data: &Path, instance: &str| match Objects::open(Some(&fixture.config), data, Some(instance)) {
        Ok(_) => "it is open".to_owned(),
        Err(error) => error.to_string(),
    };
    let others: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    for data in [fixture.data.path(), others[0].path(), fixture.data.path()] {
        assert_eq!(open(data, "cluster-1"), "it is open");
    }
    let foreign = open(others[1].path(), "cluster-2");
    assert!(foreign.contains("another instance"), "{foreign}");
    let elsewhere = open(others[0].path(), "cluster-2");
    assert!(elsewhere.contains("SERVICE_DATA_DIR"), "{elsewhere}");
    assert!(Objects::open(Some(&fixture.config), others[1].path(), None).is_err());
}

#[test]
fn a_bucket_that_overwrites_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let refused = Objects::open(Some(&config(heedless())), data.path(), None);
    let refused = refused.err().expect("it is refused").to_string();
    assert!(refused.contains("If-None-Match"), "{refused}");
    assert!(!data.path().join(MARKER).exists(), "the folder belongs to no bucket");
}

/// The address of a store that takes every object and heeds no condition. The real ones all do.
fn heedless() -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let (mut request, mut byte) = (Vec::new(), [0]);
            while !request.ends_with(b"\r\n\r\n") && client.read_exact(&mut byte).is_ok() {
                request.push(byte[0]);
            }
            let head = String::from_utf8_lossy(&request).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length = length.map_or(0, |length| length.parse().unwrap());
            client.read_exact(&mut vec![0; length]).unwrap();
            let answer = "HTTP/1.1 200 OK\r\netag: \"1\"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            client.write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_away_is_waited_for() {
    let seaweed = SeaweedFs::start();
    let data = tempfile::tempdir().unwrap();
    let config = config(seaweed.address());
    let objects = Objects::open(Some(&config), data.path(), None).unwrap();
    let blobs = BlobStore::open_with(&objects).unwrap();
    let logs = LogStore::open_with(&objects).unwrap();
    let sites = objects.files("sites").unwrap();
    blobs.put("hello", "cached", b"here").unwrap();
    blobs.put("hello", "other", b"there").unwrap();
    fs::remove_file(data.path().join("cache/blobs/hello/other.blob")).unwrap();
    sites.check().await.unwrap();

    seaweed.kill();
    assert_eq!(
        blobs.get("hello", "cached", 0, 9).unwrap().as_deref(),
        Some(&b"here"[..])
    );
    let (blobs, away) = tokio::task::spawn_blocking(move || {
        let away = [
            blobs.get("hello", "other", 0, 9).map(drop),
            blobs.put("hello", "new", b"x"),
        ];
        (blobs, away)
    })
    .await
    .unwrap();
    for error in away {
        assert!(is_away(&error.unwrap_err()));
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(matches!(sites.check().await, Err(ObjectError::Away(_))));
    logs.create("hello", "b1").unwrap();
    logs.append("hello", "b1", "text").unwrap();
    logs.close("hello", "b1", "ready").unwrap();
    assert_eq!(logs.read("hello", "b1", 0, 9).unwrap(), "text");

    seaweed.resume();
    eventually("the log is moved", || {
        (!data.path().join("logs/hello/b1.log").exists()).then_some(())
    });
    assert_eq!(
        blobs.get("hello", "other", 0, 9).unwrap().as_deref(),
        Some(&b"there"[..])
    );
    tokio::time::sleep(Duration::from_secs(1)).await;
    sites.check().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_holds_what_is_in_the_bucket() {
    let fixture = Fixture::new();
    let core = Core::open(fixture.data.path()).await.unwrap();
    let new = NewProject {
        slug: "shop".into(),
        name: "Shop".into(),
        access: Access::AllMembers,
        listed: None,
    };
    core.create_project(new).await.unwrap();
    let objects = fixture.open();
    BlobStore::open_with(&objects)
        .unwrap()
        .put("hello", "a/b", b"blob")
        .unwrap();
    objects
        .files("sites")
        .unwrap()
        .add("p/v.pack", &fixture.write("draft", b"pack"))
        .unwrap();
    let (target, again) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let bucket = fixture.bucket();
    let done = || Ok::<_, backup::BackupError>(());
    let made = backup::create(fixture.data.path(), Some(&bucket), target.path(), done, |_| {}).unwrap();
    assert_eq!(
        backup::restore(target.path(), again.path(), done, |_| {}).unwrap(),
        made
    );
    // It needs no bucket: all is in the folder.
    let objects = Objects::open(None, again.path(), None).unwrap();
    assert_eq!(content(&objects.files("sites").unwrap(), "p/v.pack").unwrap(), b"pack");
    let blobs = BlobStore::open_with(&objects).unwrap();
    assert_eq!(blobs.get("hello", "a/b", 0, 9).unwrap().as_deref(), Some(&b"blob"[..]));
}
