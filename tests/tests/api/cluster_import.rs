//! A server alone that moves into a cluster, and out of it again: `galley import`, `galley backup` and `galley restore`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use galley_tests::cli::{Ended, run};
use galley_tests::cluster::Cluster;
use galley_tests::operator::Operator;
use galley_tests::prelude::*;
use galley_tests::process::Process;
use galley_tests::shelf::{self, Shelf};
use sha2::Digest;

/// A PNG of 3 by 2 pixels with this many bytes.
fn png(bytes: usize) -> Vec<u8> {
    let mut image = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0".to_vec();
    image.resize(bytes, 7);
    image
}

/// Folders of one test, and a cluster to move into.
struct Move {
    folder: tempfile::TempDir,
    cluster: Cluster,
}

impl Move {
    fn new() -> Move {
        Move {
            folder: tempfile::tempdir().unwrap(),
            cluster: Cluster::new(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A backup of a server, whose key the cluster gets.
    fn backup(&self, server: &Server, name: &str) -> PathBuf {
        let copy = self.path(name);
        run(server.command().arg("backup").arg(&copy)).expect(0);
        fs::copy(copy.join("keys/seal.key"), self.cluster.key()).unwrap();
        copy
    }

    /// The command that moves a backup into the cluster; other variables are those of the server.
    fn import(&self, server: &Server, backup: &Path) -> Command {
        let mut import = server.command();
        import.arg("import").arg(backup).arg("--json");
        import
            .env("SERVICE_DATA_DIR", self.path("node"))
            .envs(self.cluster.variables());
        import
    }

    fn refused(&self, server: &Server, backup: &Path) -> Ended {
        let refused = run(&mut self.import(server, backup)).expect(1);
        assert_eq!(refused.stdout, "", "{}", refused.stderr);
        refused
    }

    /// Makes sure that there is nothing in the cluster: not one table.
    fn is_untouched(&self) {
        let core = galley_tests::accounts::Core::shared(self.cluster.url());
        assert!(core.is_bare());
    }
}

/// The same caller at another server.
fn at(server: &Server, caller: &Client) -> Client {
    Client::new(server.address(), caller.credential().clone())
}

/// What people get to see: records as they are, the bytes of files, and who is who.
fn seen(server: &Server, (ada, ed): (&Client, &Client), shop: &str, image: &str) -> Value {
    let (ada, ed) = (at(server, ada), at(server, ed));
    let of = |caller: &Client, path: &str| caller.get(path).expect(200).json();
    let bytes = |path: &str| {
        let answer = ed.get(path).expect(200);
        let hash = data_encoding::HEXLOWER.encode(&sha2::Sha256::digest(&answer.body));
        json!([answer.header("content-type"), answer.header("etag"), hash])
    };
    let mut me = of(&ed, "/api/v1/me");
    // It says what this server can do.
    me.as_object_mut().unwrap().retain(|key, _| key == "user");
    let all = json!({
        "me": me,
        "sessions": of(&ed, "/api/v1/me/sessions"),
        "project": of(&ed, &format!("/api/v1/projects/{shop}")),
        "comments": of(&ed, &comments(shop)),
        "deployments": of(&ed, &format!("/api/v1/projects/{shop}/deployments")),
        "members": of(&ada, "/api/v1/instance/members"),
        "invites": of(&ada, "/api/v1/instance/invites"),
        "settings": of(&ada, "/api/v1/instance/settings"),
        "audit": of(&ada, "/api/v1/instance/audit"),
        "page": ed.get("/p/shop/").expect(200).text(),
        "script": bytes("/p/shop/app.js"),
        "image": bytes(image),
    });
    // Records and pages know where they were served from.
    let port = format!(":{}", server.address().port());
    serde_json::from_str(&all.to_string().replace(&port, "")).unwrap()
}

#[track_caller]
fn is_same(before: &Value, after: &Value) {
    for (key, value) in before.as_object().unwrap() {
        assert_eq!(&after[key], value, "{key}");
    }
}

#[test]
fn a_server_alone_moves_into_a_cluster_and_back_with_all_it_has() {
    let moving = Move::new();
    let mut operator = Operator::of(Server::build().one_node().public_links(true));
    // A plugin that did not come with the program.
    Shelf::new("7", &[]).approve(&operator, &[]);
    let about = |server: &Server| {
        eventually("the plugin answers", || {
            let answer = server.anonymous().get("/api/v1/x/shelf/about");
            (answer.status == 200).then(|| answer.json()["version"].clone())
        })
    };
    let alone = &mut operator.server;
    let (ada, ed) = (alone.user("ada"), alone.user("ed"));
    ada.post(
        "/api/v1/instance/invites",
        json!({ "email": "new@example.com", "role": "viewer" }),
    )
    .expect(201);
    let shop = project_with(&ed, "shop", "public-link");
    upload(&ed, &shop, &Bundle::page("<h1>first</h1>"));
    let second = Bundle::page("<h1>the shop</h1>").file("app.js", "let a = 1;".repeat(9_000));
    upload(&ed, &shop, &second);
    for body in ["plain", "é \u{1f600} \u{fdd0}0", "gone"] {
        comment(&ed, &shop, body);
    }
    let first = id(&alone.anonymous().get(&comments(&shop)).expect(200).json()["comments"][0]);
    let first = format!("{}/{first}", comments(&shop));
    ed.post(&format!("{first}/replies"), json!({ "body": "a reply" }))
        .expect(201);
    let image = ed.request("POST", &format!("{first}/images")).body(png(200_000)).send();
    let image = format!("{first}/images/{}", id(&image.expect(201).json()));
    let before = seen(alone, (&ada, &ed), &shop, &image);
    // One that has ended, and one that goes on.
    let logs = [
        ("ended.log", "é\n".repeat(100_000)),
        ("ended.status", "ready".to_owned()),
        ("open.log", "one line\n".to_owned()),
    ];
    let folder = alone.data_dir().join("logs/deployments");
    fs::create_dir_all(&folder).unwrap();
    logs.iter()
        .for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());

    let copy = moving.backup(alone, "copy");
    assert!(alone.stop().success());
    let imported = run(&mut moving.import(alone, &copy)).expect(0);
    assert!(imported.json()["rows"].as_u64().unwrap() > 10, "{}", imported.stdout);
    assert!(imported.stderr.contains("the slot `comments`: "), "{}", imported.stderr);
    let [one, two] = [(); 2].map(|()| moving.cluster.server().start());
    for node in [&one, &two] {
        is_same(&before, &seen(node, (&ada, &ed), &shop, &image));
        assert_eq!(about(node), "7");
    }

    // Life goes on at both.
    comment(&at(&one, &ed), &shop, "at one");
    comment(&at(&two, &ed), &shop, "at two");
    let third = Bundle::page("<h1>of the cluster</h1>").file("app.js", "let b = 2;");
    upload(&at(&two, &ed), &shop, &third);
    let changed = seen(&one, (&ada, &ed), &shop, &image);
    let numbers: Vec<_> = changed["comments"]["comments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["number"].clone())
        .collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5].map(Value::from));

    // From any node, while they run.
    let back = moving.path("back");
    run(two.command().arg("backup").arg(&back).arg("--json")).expect(0);
    assert_eq!(crate::modes::open_below(&back), Vec::<String>::new());
    for (name, text) in logs {
        assert!(
            fs::read_to_string(back.join("logs/deployments").join(name)).unwrap() == text,
            "{name}"
        );
    }
    let data = moving.path("data");
    run(alone.command().arg("restore").arg(&back).env("SERVICE_DATA_DIR", &data)).expect(0);
    let restored = Server::build().one_node().on(&data).start();
    is_same(&changed, &seen(&restored, (&ada, &ed), &shop, &image));
    let last = comment(&at(&restored, &ed), &shop, "alone again");
    assert_eq!(last["number"], 6, "{last}");
    assert_eq!(about(&restored), "7");
    healthy(&restored);

    // Nothing is written over.
    let again = moving.refused(alone, &copy);
    assert!(
        again.stderr.contains("is not empty (it has accounts)"),
        "{}",
        again.stderr
    );
    is_same(&changed, &seen(&one, (&ada, &ed), &shop, &image));
}

#[test]
fn what_cannot_be_moved_is_refused_before_anything_is_written() {
    let moving = Move::new();
    let mut operator = Operator::start();
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    upload(&ed, &shop, &Bundle::page("<h1>the shop</h1>"));
    let whole = moving.backup(&operator.server, "whole");

    // A group that is not set.
    let alone = run(operator.server.command().arg("import").arg(&whole)).expect(1);
    assert!(alone.stderr.contains("SERVICE_CLUSTER_KEY_FILE"), "{}", alone.stderr);
    let restore = run(moving.import(&operator.server, &whole).args(["--help"])).expect(0);
    assert!(restore.stdout.contains("keys/seal.key"), "{}", restore.stdout);
    let mut restore = operator.server.command();
    restore.arg("restore").arg(&whole).envs(moving.cluster.variables());
    let restore = run(&mut restore).expect(1);
    assert!(restore.stderr.contains("galley import"), "{}", restore.stderr);

    // Another key.
    fs::write(moving.cluster.key(), [9; 32]).unwrap();
    let other = moving.refused(&operator.server, &whole);
    for word in ["another key", "SERVICE_CLUSTER_KEY_FILE", "keys/seal.key"] {
        assert!(other.stderr.contains(word), "{}", other.stderr);
    }
    fs::copy(whole.join("keys/seal.key"), moving.cluster.key()).unwrap();

    // A backup that is cut off, one that is damaged, and none.
    let broken = moving.path("broken");
    let spoil = |spoil: &dyn Fn(&Path), said: &str| {
        galley_tests::disk::copy(&whole, &broken);
        spoil(&broken);
        let refused = moving.refused(&operator.server, &broken);
        assert!(refused.stderr.contains(said), "{said}: {}", refused.stderr);
        fs::remove_dir_all(&broken).unwrap();
    };
    spoil(&|copy| fs::remove_dir_all(copy.join("sites")).unwrap(), "is damaged");
    spoil(
        &|copy| fs::write(copy.join("slots/comments.db"), "short").unwrap(),
        "comments.db is damaged",
    );
    spoil(
        &|copy| fs::remove_file(copy.join("backup.json")).unwrap(),
        "backup.json",
    );

    // A plugin that cannot.
    Shelf::new("1", &["CREATE TABLE item (text TEXT NOT NULL)"]).approve(&operator, &[]);
    shelf::put(&operator, "a text");
    let with_shelf = moving.backup(&operator.server, "with-shelf");
    let refused = moving.refused(&operator.server, &with_shelf);
    for word in ["slot `shelf`", "SQLite only", "disable it"] {
        assert!(refused.stderr.contains(word), "{}", refused.stderr);
    }
    moving.is_untouched();

    // Disabled, its data stay behind, and are named.
    operator.server.galley(&["plugins", "disable", "shelf"]).expect(0);
    let without = moving.backup(&operator.server, "without");
    operator.server.stop();
    let imported = run(&mut moving.import(&operator.server, &without)).expect(0).json();
    assert!(
        imported["leftOut"][0].as_str().unwrap().contains("slots/shelf.db"),
        "{imported}"
    );
    let node = moving.cluster.server().start();
    at(&node, &ed).get(&format!("/api/v1/projects/{shop}")).expect(200);
}

#[test]
fn an_import_that_was_killed_is_run_again_and_no_server_starts_on_half_of_it() {
    let moving = Move::new();
    let mut alone = Server::build().one_node().public_links(true).start();
    let (ada, ed) = (alone.user("ada"), alone.user("ed"));
    let shop = project_with(&ed, "shop", "public-link");
    upload(&ed, &shop, &Bundle::page("<h1>the shop</h1>").file("app.js", "1"));
    let first = format!("{}/{}", comments(&shop), id(&comment(&ed, &shop, "first")));
    let image = ed.request("POST", &format!("{first}/images")).body(png(200_000)).send();
    let image = format!("{first}/images/{}", id(&image.expect(201).json()));
    let before = seen(&alone, (&ada, &ed), &shop, &image);
    let copy = moving.backup(&alone, "copy");
    alone.stop();

    let pause = moving.path("pause");
    for (step, said) in [("objects", "the backup is whole"), ("rows", "the slot `comments`: ")] {
        fs::write(&pause, step).unwrap();
        let mut import = Process::start(moving.import(&alone, &copy).env("GALLEY_TEST_PAUSE", &pause));
        eventually("it stops", || {
            import.stderr().contains(&format!("at the step `{step}`")).then_some(())
        });
        assert!(import.stderr().contains(said), "{}", import.stderr());
        import.kill();
        let refused = moving
            .cluster
            .server()
            .try_start()
            .expect_err("it is half of a cluster");
        assert_eq!(refused.code, Some(1));
        assert!(refused.stderr.contains("`galley import`"), "{}", refused.stderr);
    }
    fs::remove_file(&pause).unwrap();
    // The database notices that who imported is gone.
    let imported = eventually("it is run again", || {
        let ended = run(&mut moving.import(&alone, &copy));
        (ended.code == 0).then_some(ended)
    });
    assert!(imported.json()["objects"].as_u64().unwrap() >= 2, "{}", imported.stdout);
    let node = moving.cluster.server().start();
    is_same(&before, &seen(&node, (&ada, &ed), &shop, &image));
    assert_eq!(comment(&at(&node, &ed), &shop, "second")["number"], 2);
}

#[test]
fn a_cluster_that_runs_is_not_filled_and_one_that_nobody_used_is() {
    let moving = Move::new();
    let mut alone = Server::build().one_node().start();
    let ed = alone.user("ed");
    let shop = project(&ed, "shop");
    comment(&ed, &shop, "of the server alone");
    let copy = moving.backup(&alone, "copy");
    alone.stop();
    let mut node = moving.cluster.server().start();
    let refused = eventually("it works on something", || {
        let ended = run(&mut moving.import(&alone, &copy));
        ended
            .stderr
            .contains("a server uses the database")
            .then_some(ended.code)
    });
    assert_eq!(refused, 1);
    assert!(node.stop().success());
    run(&mut moving.import(&alone, &copy)).expect(0);
    node.again();
    assert_eq!(bodies(&at(&node, &ed), &shop), ["of the server alone"]);
    // A bucket of another cluster.
    let other = Cluster::new();
    fs::copy(moving.cluster.key(), other.key()).unwrap();
    let mut import = moving.import(&alone, &copy);
    import
        .env("SERVICE_DATABASE_URL", other.url())
        .env("SERVICE_DATA_DIR", moving.path("other"));
    let refused = run(&mut import).expect(1);
    assert!(refused.stderr.contains("another instance"), "{}", refused.stderr);
    let mut backup = node.command();
    backup
        .arg("backup")
        .arg(moving.path("none"))
        .env("SERVICE_OBJECTS_URL", other.variables()[2].1.clone());
    let refused = run(&mut backup).expect(1);
    assert!(refused.stderr.contains("SERVICE_OBJECTS_URL"), "{}", refused.stderr);
}
