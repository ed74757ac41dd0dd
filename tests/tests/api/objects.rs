//! A server whose prototypes, images and logs lie in an object store.

use std::fs;

use galley_harness::seaweedfs::{ACCESS_KEY_ID, SECRET_ACCESS_KEY, SeaweedFs};
use galley_tests::cli::run;
use galley_tests::disk;
use galley_tests::prelude::*;
use galley_tests::server::Build;

use crate::archives::noise;

fn with_store(store: &SeaweedFs) -> Build {
    Server::build()
        .env("SERVICE_OBJECTS_URL", store.url("galley-tests/instance"))
        .env("SERVICE_OBJECTS_ACCESS_KEY_ID", ACCESS_KEY_ID)
        .env("SERVICE_OBJECTS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY)
}

/// Sends a picture; the same one again is the first.
fn image(caller: &Client, comment: &str, shade: u8) -> Response {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0".to_vec();
    png.resize(1000, shade);
    let request = caller.request("POST", &format!("{comment}/images"));
    request.header("content-type", "image/png").body(png).send()
}

#[track_caller]
fn wait_for_variants(server: &Server, versions: usize) {
    eventually("the compressed variants are made", || {
        let names = disk::files(&server.data_dir().join("cache/sites"));
        let made = names.iter().filter(|name| name.ends_with(".variants")).count();
        (made == versions).then_some(())
    });
}

#[test]
fn what_a_server_stored_outlives_its_copies_and_a_store_that_was_away() {
    let store = SeaweedFs::start();
    let mut server = with_store(&store).start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    // Larger than a part of an upload.
    let large = noise(9 << 20);
    let bundle = || Bundle::sample("Shop").file("large.bin", large.clone());
    let made = upload(&ed, &shop, &bundle());
    let comment = id(&ed.post(&comments(&shop), remark("Look")).expect(201).json());
    let comment = format!("{}/{comment}", comments(&shop));
    let picture = id(&image(&ed, &comment, 7).expect(201).json());
    assert_eq!(disk::files(&server.data_dir().join("sites")), [""; 0]);
    assert_eq!(disk::files(&server.data_dir().join("blobs")), [""; 0]);

    // While they are made, the version is read.
    wait_for_variants(&server, 1);

    // All copies are gone, and one is damaged.
    server.kill();
    let cache = server.data_dir().join("cache");
    let packs = disk::files(&cache.join("sites")).into_iter();
    let pack = packs
        .into_iter()
        .find(|name| name.ends_with(".pack"))
        .expect("it is cached");
    fs::remove_dir_all(cache.join("blobs")).unwrap();
    fs::write(cache.join("sites").join(&pack), "damaged").unwrap();
    server.again();
    let ed = server.user("ed");
    assert!(ed.get("/p/shop/").expect(200).text().contains("<h1>Shop</h1>"));
    assert!(ed.get("/p/shop/large.bin").expect(200).body == large);
    ed.get(&format!("{comment}/images/{picture}")).expect(200);
    assert!(
        server
            .log()
            .contains("is damaged: it is fetched from the object store again")
    );

    // The store is away: what was read is here, and what was not is not.
    let other = project(&ed, "other");
    upload(&ed, &other, &Bundle::sample("Other"));
    wait_for_variants(&server, 2);
    server.stop();
    fs::remove_file(cache.join("sites").join(&pack)).unwrap();
    server.again();
    let ed = server.user("ed");
    store.kill();
    assert!(ed.get("/p/other/").expect(200).text().contains("<h1>Other</h1>"));
    let away = ed.get("/p/shop/").expect(503);
    assert_eq!(away.header("retry-after"), Some("30"));
    let refused = upload_bytes(&ed, &shop, Bundle::sample("New").build()).expect(503);
    assert_eq!(refused.header("retry-after"), Some("30"));
    assert!(
        text(&refused.json(), "error").contains("object store"),
        "{}",
        refused.text()
    );
    image(&ed, &comment, 9).expect(503);
    ed.post(&comments(&shop), remark("Meanwhile")).expect(201);

    // And all goes on by itself.
    store.resume();
    let back = eventually("uploads are taken", || {
        let answer = upload_bytes(&ed, &shop, Bundle::sample("New").build());
        (answer.status == 201).then(|| answer.json())
    });
    assert_eq!(live(&ed, &shop), back["deploymentId"]);
    assert!(ed.get("/p/shop/").expect(200).text().contains("<h1>New</h1>"));
    let old = format!("/p/shop/@{}/large.bin", text(&made, "deploymentId"));
    assert!(ed.get(&old).expect(200).body == large);
    image(&ed, &comment, 9).expect(201);
    ed.delete(&format!("/api/v1/projects/{shop}")).expect(204);
    ed.get("/p/shop/").expect(404);
}

#[test]
fn a_store_takes_over_a_data_folder_and_a_backup_gives_it_back() {
    let store = SeaweedFs::start();
    let mut server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    upload(&ed, &shop, &Bundle::sample("Shop"));
    server.stop();
    for (name, value) in [
        ("SERVICE_OBJECTS_URL", store.url("galley-tests")),
        ("SERVICE_OBJECTS_ACCESS_KEY_ID", ACCESS_KEY_ID.to_owned()),
        ("SERVICE_OBJECTS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY.to_owned()),
    ] {
        server.set_env(name, value);
    }
    server.again();
    eventually("the prototype is moved", || {
        disk::files(&server.data_dir().join("sites")).is_empty().then_some(())
    });
    assert!(
        server
            .user("ed")
            .get("/p/shop/")
            .expect(200)
            .text()
            .contains("<h1>Shop</h1>")
    );

    let backup = tempfile::tempdir().unwrap();
    let mut command = server.command();
    run(command.arg("backup").arg(backup.path())).expect(0);
    server.stop();
    store.kill();
    drop(server);
    let data = tempfile::tempdir().unwrap();
    let mut restore = std::process::Command::new(galley_tests::paths::galley());
    restore
        .env("SERVICE_DATA_DIR", data.path())
        .arg("restore")
        .arg(backup.path());
    run(&mut restore).expect(0);
    let again = Server::build().on(data.path()).start();
    assert!(
        again
            .user("ed")
            .get("/p/shop/")
            .expect(200)
            .text()
            .contains("<h1>Shop</h1>")
    );
}
