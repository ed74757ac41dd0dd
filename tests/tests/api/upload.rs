//! Uploading a bundle: what becomes a deployment.

use galley_tests::archive::{Entry, tar};
use galley_tests::bundle::gzip;
use galley_tests::prelude::*;

use crate::archives::{Live, evil, noise};

#[test]
fn an_upload_becomes_the_active_deployment() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let target = format!("/api/v1/projects/{shop}/deployments?commitSha=0123abc");
    let bundle = Bundle::sample("Shop");
    let request = ed
        .request("POST", &target)
        .header("content-type", "application/gzip")
        .body(bundle.build());
    let made = request.send().expect(201).json();
    let expected = json!({
        "projectId": shop, "status": "ready", "source": "upload", "commitSha": "0123abc", "branch": null, "active": true,
        "fileCount": 4, "url": format!("{}/p/shop/", server.url()),
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&made[key], value, "{key} in {made}");
    }
    assert!(made["sizeBytes"].as_u64().unwrap() > 300, "{made}");
    assert!(!made["createdBy"].is_null() && made["log"].is_string(), "{made}");
    for key in ["createdAt", "finishedAt"] {
        assert!(text(&made, key).ends_with('Z'), "{key}");
    }
    assert_eq!(live(&ed, &shop), made["deploymentId"]);
    assert!(ed.get("/p/shop/").expect(200).text().contains("<h1>Shop</h1>"));
}

#[test]
fn an_upload_into_the_reserve_of_the_disk_is_a_507_and_the_databases_stay_writable() {
    let server = Server::build().env("SERVICE_DISK_RESERVE_MB", "1000000000").start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let answer = upload_bytes(&ed, &shop, Bundle::sample("Shop").build())
        .expect(507)
        .json();
    let error = text(&answer, "error");
    assert!(error.contains("The disk of the server is nearly full"), "{error}");
    assert!(
        error.contains("Delete projects that nobody needs") && error.contains("SERVICE_DISK_RESERVE_MB"),
        "{error}"
    );
    assert_eq!(answer.as_object().unwrap().len(), 1, "{answer}");
    let deployments = ed
        .get(&format!("/api/v1/projects/{shop}/deployments"))
        .expect(200)
        .json();
    assert_eq!(deployments["deployments"], json!([]));
    assert!(server.own_files("staging").is_empty());
    ed.patch(&format!("/api/v1/projects/{shop}"), json!({ "name": "Renamed" }))
        .expect(200);
    let comment = json!({ "body": "Still here", "position": { "anchorSelector": "h1", "page": "/" } });
    ed.post(&format!("/api/v1/projects/{shop}/comments"), comment)
        .expect(201);
    assert!(
        server
            .log()
            .contains("an upload was refused: less than 1000000000 MiB of the disk are free")
    );
}

#[test]
fn who_may_upload() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    for caller in [
        server.admin(),
        server.token("ed", &["write"]),
        server.token("ada", &["read", "write"]),
    ] {
        upload(&caller, &shop, &Bundle::page("x"));
    }
    let viewer = server.token("vic", &["read", "write"]);
    upload_bytes(&viewer, &shop, Bundle::page("x").build()).expect(403);
    upload_bytes(&server.token("ed", &["read"]), &shop, Bundle::page("x").build())
        .refused(403, "This action requires a write-scoped token");
}

#[test]
fn names_with_a_dot_slash_and_folders_are_fine() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let made = upload(&ed, &shop, &Bundle::sample("Dotted").dotted());
    assert_eq!(made["fileCount"], 4);
    ed.get("/p/shop/assets/app-5f4dcc3b.js").expect(200);
}

#[test]
fn a_body_in_chunks_is_fine() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let mut chunked = Vec::new();
    for part in Bundle::sample("Chunked").build().chunks(100) {
        chunked.extend(format!("{:x}\r\n", part.len()).into_bytes());
        chunked.extend(part);
        chunked.extend(b"\r\n");
    }
    chunked.extend(b"0\r\n\r\n");
    let target = format!("/api/v1/projects/{shop}/deployments");
    ed.request("POST", &target)
        .header("transfer-encoding", "chunked")
        .body(chunked)
        .send()
        .expect(201);
    assert!(ed.get("/p/shop/").expect(200).text().contains("Chunked"));
}

#[test]
fn a_bundle_without_an_index_at_its_root_is_refused() {
    let live = Live::start();
    const NO_INDEX: &str = "Bundle has no index.html at its root";
    assert_eq!(
        live.refuses(Bundle::empty().file("dist/index.html", "x").build(), 400),
        NO_INDEX
    );
    assert_eq!(
        live.refuses(Bundle::empty().file("Index.html", "x").build(), 400),
        NO_INDEX
    );
    assert_eq!(live.refuses(Bundle::empty().build(), 400), NO_INDEX);
    assert_eq!(
        live.refuses(gzip(&tar(&[Entry::of(b'5', "index.html/", "")])), 400),
        NO_INDEX
    );
    live.still_works();
}

#[test]
fn a_hint_note_stands_in_the_log_for_root_absolute_references() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let log = |bundle: Bundle| text(&upload(&ed, &shop, &bundle), "log");
    let note = |log: &str| log.lines().any(|line| line.starts_with("Note:"));
    let page = || Bundle::page("<script src=\"app.js\"></script>");
    assert!(note(&log(page().file("app.js", "const logo = \"/images/logo.png\";"))));
    assert!(note(&log(
        page().file("app.css", "body { background: url(/images/back.png) }")
    )));
    let relative = "import('./x.js'); const a = 1 / 2; // see http://example.com/x.png\nfetch('//cdn.example/x.js')";
    let clean = log(page()
        .file("app.js", relative)
        .file("app.css", "body { background: url(images/back.png) }"));
    assert!(!note(&clean), "{clean}");
}

#[test]
fn an_empty_commit_counts_as_none() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let send = |query: &str| {
        ed.request("POST", &format!("/api/v1/projects/{shop}/deployments{query}"))
            .header("content-type", "application/gzip")
            .body(Bundle::page("x").build())
            .send()
    };
    assert_eq!(send("?commitSha=").expect(201).json()["commitSha"], Value::Null);
    assert!(send("?commitSha=main").expect(400).error().contains("`commitSha`"));
}

#[test]
fn the_log_warns_of_files_that_were_hardly_meant_to_be_published() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let warnings = |bundle: Bundle| -> Vec<String> {
        let log = text(&upload(&ed, &shop, &bundle), "log");
        let warnings = log.lines().filter(|line| line.starts_with("Warning: "));
        warnings.map(str::to_owned).collect()
    };
    let page = || Bundle::page("x");
    assert!(
        warnings(
            page()
                .file("environment.js", "x")
                .file("map.html", "x")
                .file("keys.html", "x")
        )
        .is_empty()
    );
    let all = warnings(
        page()
            .file(".env", "SECRET=1")
            .file("app/.env.local", "SECRET=1")
            .file("id_rsa", "x")
            .file("server.PEM", "x")
            .file(".git/HEAD", "ref: refs/heads/main")
            .file(".git/config", "x")
            .file("a.js.map", "{}")
            .file("b.js.map", "{}")
            .file("c.js.map", "{}")
            .file("d.css.map", "{}"),
    );
    assert_eq!(all.len(), 4, "one line for each kind: {all:#?}");
    for (warning, names) in all.iter().zip([
        ": .env, app/.env.local",
        ": id_rsa, server.PEM",
        ": .git/HEAD, .git/config",
        ": a.js.map, b.js.map, c.js.map and 1 more",
    ]) {
        assert!(warning.ends_with(names), "{warning}");
    }
}

#[test]
fn twenty_thousand_entries_are_served() {
    let Live {
        server: _server,
        ed,
        shop,
    } = Live::start();
    let entries: Vec<Entry> = (0..19_999)
        .map(|number| Entry::file(format!("f{number}.txt"), format!("{number}")))
        .collect();
    let made = upload_bytes(&ed, &shop, evil(&entries)).expect(201).json();
    assert_eq!(made["fileCount"], 20_000);
    assert_eq!(ed.get("/p/shop/f19998.txt").expect(200).text(), "19998");
}

#[test]
fn an_upload_that_stops_in_the_middle_leaves_nothing() {
    let Live { server, ed, shop } = Live::start();
    let target = format!("/api/v1/projects/{shop}/deployments");
    let bytes = Bundle::sample("Half").file("big.bin", noise(300_000)).build();
    let request = ed
        .request("POST", &target)
        .header("content-length", bytes.len().to_string());
    let mut connection = galley_tests::http::connect(server.address(), None).unwrap();
    std::io::Write::write_all(&mut connection, request.head().as_bytes()).unwrap();
    std::io::Write::write_all(&mut connection, &bytes[..bytes.len() / 2]).unwrap();
    drop(connection);
    eventually("nothing is left of it", || {
        server.own_files("staging").is_empty().then_some(())
    });
    let list = ed
        .get(&format!("/api/v1/projects/{shop}/deployments"))
        .expect(200)
        .json();
    assert!(
        list["deployments"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["status"] != "building"),
        "{list}"
    );
    assert!(ed.get("/p/shop/").expect(200).text().contains("The first"));
}
