//! `galley backup` and `galley restore`, while the server works.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use galley_tests::cli::{Ended, run};
use galley_tests::paths;
use galley_tests::prelude::*;
use galley_tests::process::Process;
use sha2::Digest;

fn backup(server: &Server, folder: &Path) -> Ended {
    run(server.command().arg("backup").arg(folder).arg("--json"))
}

fn restore(server: &Server, from: &Path, data: &Path) -> Ended {
    run(server.command().arg("restore").arg(from).env("SERVICE_DATA_DIR", data))
}

fn assert_shop_is_served(restored: &Server) {
    let page = restored.anonymous().get("/p/shop/").expect(200).text();
    assert!(page.contains("the shop"), "{page}");
}

#[test]
fn a_backup_made_while_people_write_is_consistent() {
    let server = Server::build().public_links(true).start();
    let (ed, shop) = with_shop(&server);
    let before: Vec<String> = (0..20).map(|n| format!("before {n}")).collect();
    before.iter().for_each(|body| drop(comment(&ed, &shop, body)));

    let folder = tempfile::tempdir().unwrap();
    let (copy, data) = (folder.path().join("copy"), folder.path().join("data"));
    let made = std::thread::scope(|scope| {
        let writer =
            scope.spawn(|| (0..200).for_each(|n| drop(comment(&server.user("ed"), &shop, &format!("while {n}")))));
        let made = backup(&server, &copy);
        writer.join().unwrap();
        made
    });
    let made = made.expect(0).json();
    assert!(made["files"].as_u64().unwrap() >= 4, "{made}");
    restore(&server, &copy, &data).expect(0);

    let restored = Server::build().on(data).start();
    let found = bodies(&restored.anonymous(), &shop);
    assert_eq!(found[..20], before);
    // What was written meanwhile is there from the first one on, without a gap.
    let expected: Vec<String> = (0..found.len() - 20).map(|n| format!("while {n}")).collect();
    assert_eq!(found[20..], expected);
    assert_shop_is_served(&restored);
    comment(&restored.anonymous(), &shop, "after");
}

/// A command that waits at one of its steps.
struct Paused {
    process: Process,
    step: PathBuf,
}

impl Paused {
    fn at(step: &str, folder: &Path, command: &mut Command) -> Paused {
        let file = folder.join("step");
        std::fs::write(&file, step).unwrap();
        let process = Process::start(command.env("GALLEY_TEST_PAUSE", &file));
        eventually("it stops", || {
            process
                .stderr()
                .contains(&format!("at the step `{step}`"))
                .then_some(())
        });
        Paused { process, step: file }
    }

    /// Lets it go on to its end.
    fn end(mut self) {
        std::fs::remove_file(&self.step).unwrap();
        let status = self.process.wait(Duration::from_secs(60)).expect("it ends");
        assert!(status.success(), "{status}: {}", self.process.stderr());
    }
}

/// A comment with an image, by its id.
fn comment_with_image(caller: &Client, project: &str, body: &str) -> String {
    let comment = id(&comment(caller, project, body));
    let images = format!("{}/{comment}/images", comments(project));
    caller
        .request("POST", &images)
        .body(crate::comment_images::png(5_000))
        .send()
        .expect(201);
    comment
}

/// The comments of a project, each with so many images, all of which are there.
fn whole_comments(caller: &Client, project: &str) -> Vec<(String, usize)> {
    let listed = caller.get(&comments(project)).expect(200).json();
    let whole = |comment: &Value| {
        let images = comment["images"].as_array().unwrap();
        for image in images {
            let image = format!("{}/{}/images/{}", comments(project), id(comment), id(image));
            caller.get(&image).expect(200);
        }
        (text(comment, "body"), images.len())
    };
    listed["comments"].as_array().unwrap().iter().map(whole).collect()
}

/// An editor, and a project of theirs whose prototype is live.
fn with_shop(server: &Server) -> (Client, String) {
    let ed = server.user("ed");
    let shop = project_with(&ed, "shop", "public-link");
    upload(&ed, &shop, &Bundle::page("<h1>the shop</h1>"));
    (ed, shop)
}

fn deployments(caller: &Client, project: &str) -> usize {
    let listed = caller.get(&format!("/api/v1/projects/{project}/deployments"));
    listed.expect(200).json()["deployments"].as_array().unwrap().len()
}

#[test]
fn what_is_stored_during_a_backup_is_not_half_in_it() {
    let server = Server::build().one_node().public_links(true).start();
    let ed = server.user("ed");
    let (shop, later) = (
        project_with(&ed, "shop", "public-link"),
        project_with(&ed, "later", "public-link"),
    );
    upload(&ed, &shop, &Bundle::page("<h1>the shop</h1>"));
    comment_with_image(&ed, &shop, "before");
    let folder = tempfile::tempdir().unwrap();
    let (copy, data) = (folder.path().join("copy"), folder.path().join("data"));

    let backup = Paused::at("moment", folder.path(), server.command().arg("backup").arg(&copy));
    comment_with_image(&ed, &shop, "meanwhile");
    upload(&ed, &later, &Bundle::page("<h1>later</h1>"));
    let plugin = paths::guest("empty").to_string_lossy().into_owned();
    server.galley(&["plugins", "install", &plugin, "--yes"]).expect(0);
    backup.end();
    restore(&server, &copy, &data).expect(0);

    let restored = Server::build().one_node().on(data).start();
    let ed = restored.user("ed");
    assert_eq!(whole_comments(&ed, &shop), [("before".to_owned(), 1)]);
    assert_eq!((deployments(&ed, &shop), deployments(&ed, &later)), (1, 0));
    restored.anonymous().get("/api/v1/x/empty").expect(404);
    assert_shop_is_served(&restored);
    healthy(&restored);
}

#[test]
fn what_is_deleted_during_a_backup_brings_it_to_another_moment() {
    let server = Server::build().one_node().public_links(true).start();
    let (ed, shop) = with_shop(&server);
    comment_with_image(&ed, &shop, "stays");
    let gone = comment_with_image(&ed, &shop, "goes");
    let before = server.stored("blobs/comments").len();
    let folder = tempfile::tempdir().unwrap();
    let (copy, data) = (folder.path().join("copy"), folder.path().join("data"));

    let backup = Paused::at("moment", folder.path(), server.command().arg("backup").arg(&copy));
    ed.delete(&format!("{}/{gone}", comments(&shop))).expect(204);
    eventually("its image is deleted", || {
        (server.stored("blobs/comments").len() < before).then_some(())
    });
    comment_with_image(&ed, &shop, "comes");
    backup.end();
    restore(&server, &copy, &data).expect(0);

    let restored = Server::build().one_node().on(data).start();
    let found = whole_comments(&restored.user("ed"), &shop);
    assert_eq!(found, [("stays".to_owned(), 1), ("comes".to_owned(), 1)]);
    assert_shop_is_served(&restored);
}

#[test]
fn a_restoration_that_was_killed_is_run_again_and_no_server_starts_on_half_of_it() {
    let server = Server::build().one_node().public_links(true).start();
    with_shop(&server);
    let folder = tempfile::tempdir().unwrap();
    let (copy, data) = (folder.path().join("copy"), folder.path().join("data"));
    backup(&server, &copy).expect(0);

    let of_data = |subcommand: &str| {
        let mut command = server.command();
        command.arg(subcommand).env("SERVICE_DATA_DIR", &data);
        command
    };
    let mut half = Paused::at("restore", folder.path(), of_data("restore").arg(&copy));
    let second = run(&mut of_data("serve")).expect(1);
    assert!(second.stderr.contains("is using the data folder"), "{}", second.stderr);
    half.process.kill();
    for refused in [
        run(&mut of_data("serve")),
        run(of_data("backup").arg(folder.path().join("of half"))),
    ] {
        let refused = refused.expect(1);
        assert!(refused.stderr.contains("half restored"), "{}", refused.stderr);
        assert!(refused.stderr.contains("`galley restore`"), "{}", refused.stderr);
    }
    restore(&server, &copy, &data).expect(0);
    let restored = Server::build().one_node().on(data).start();
    assert_shop_is_served(&restored);
}

#[test]
fn a_part_of_the_data_folder_that_lies_elsewhere_is_in_the_backup() {
    let mut server = Server::build().one_node().public_links(true).start();
    let (ed, shop) = with_shop(&server);
    comment_with_image(&ed, &shop, "before");
    server.stop();
    let folder = tempfile::tempdir().unwrap();
    for part in ["blobs", "sites"] {
        let (part, elsewhere) = (server.data_dir().join(part), folder.path().join(part));
        std::fs::rename(&part, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &part).unwrap();
    }
    server.again();
    let (copy, data) = (folder.path().join("copy"), folder.path().join("data"));
    backup(&server, &copy).expect(0);
    restore(&server, &copy, &data).expect(0);
    let restored = Server::build().one_node().on(data).start();
    assert_eq!(whole_comments(&restored.user("ed"), &shop), [("before".to_owned(), 1)]);
    assert_shop_is_served(&restored);
}

#[test]
fn a_reader_that_has_enough_ends_a_backup_quietly() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let mut command = server.command();
    command.arg("backup").arg(folder.path().join("copy"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && !stderr.contains("panicked"), "{stderr}");
}

#[test]
fn a_backup_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    backup(&server, &copy).expect(0);
    assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o700);
}

/// Adds a file to a finished backup, as somebody would who wants it restored.
fn plant(copy: &Path, name: &str, content: &[u8]) {
    let file = copy.join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, content).unwrap();
    let path = copy.join("backup.json");
    let mut list: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let sha256 = data_encoding::HEXLOWER.encode(&sha2::Sha256::digest(content));
    list["files"][name] = json!({ "size": content.len(), "sha256": sha256 });
    std::fs::write(&path, list.to_string()).unwrap();
}

#[test]
fn native_code_and_other_things_no_backup_holds_are_not_restored() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    for (number, name) in [
        "plugins/evil.cwasm",
        "plugins/evil.json",
        "./plugins/evil.cwasm",
        "sites/../plugins/evil.cwasm",
        "staging/1/x",
        "builds/1/source/x",
        "core.db-wal",
        "slots/comments.db-journal",
        "lock",
    ]
    .into_iter()
    .enumerate()
    {
        let copy = folder.path().join(format!("copy-{number}"));
        let data = folder.path().join(format!("data-{number}"));
        backup(&server, &copy).expect(0);
        plant(&copy, name, b"\x7fELF");
        let refused = restore(&server, &copy, &data).expect(1);
        assert!(refused.stderr.contains(&format!("`{name}`")), "{}", refused.stderr);
        let restored = std::fs::read_dir(&data).map_or(0, Iterator::count);
        assert_eq!(restored, 0, "{name}: nothing of such a backup is restored");
    }
}

#[test]
fn a_link_in_a_backup_is_not_followed() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let (copy, data) = (folder.path().join("copy"), folder.path().join("data"));
    backup(&server, &copy).expect(0);
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "a file of this machine").unwrap();
    plant(&copy, "blobs/x", b"a file of this machine");
    std::fs::remove_file(copy.join("blobs/x")).unwrap();
    std::os::unix::fs::symlink(&secret, copy.join("blobs/x")).unwrap();
    let refused = restore(&server, &copy, &data).expect(1);
    assert!(refused.stderr.contains("blobs/x is damaged"), "{}", refused.stderr);
}

#[test]
fn an_older_backup_that_anybody_could_read_is_restored_private() {
    let server = Server::build().public_links(true).start();
    with_shop(&server);
    let folder = tempfile::tempdir().unwrap();
    let (copy, data) = (folder.path().join("copy"), folder.path().join("data"));
    backup(&server, &copy).expect(0);
    let opened = std::process::Command::new("chmod")
        .args(["-R", "a+rX"])
        .arg(&copy)
        .status();
    assert!(opened.is_ok_and(|status| status.success()));
    restore(&server, &copy, &data).expect(0);
    assert_eq!(crate::modes::open_below(&data), Vec::<String>::new());
    let restored = Server::build().on(data).start();
    assert_shop_is_served(&restored);
}

#[test]
fn nothing_present_is_written_over() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    backup(&server, &copy).expect(0);
    let again = backup(&server, &copy).expect(1);
    assert!(again.stderr.contains("is not empty"), "{}", again.stderr);
    let over = restore(&server, &copy, server.data_dir()).expect(1);
    assert!(over.stderr.contains("is not empty"), "{}", over.stderr);
    healthy(&server);
}

#[test]
fn a_damaged_backup_is_refused() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let (copy, data) = (folder.path().join("copy"), folder.path().join("data"));
    backup(&server, &copy).expect(0);
    let database = copy.join("core.db");
    let mut bytes = std::fs::read(&database).unwrap();
    bytes[5_000] ^= 1;
    std::fs::write(&database, bytes).unwrap();
    let refused = restore(&server, &copy, &data).expect(1);
    assert!(refused.stderr.contains("core.db is damaged"), "{}", refused.stderr);
    assert!(!data.join("core.db").exists());
    assert!(
        restore(&server, folder.path(), &data)
            .expect(1)
            .stderr
            .contains("backup.json")
    );
}
