//! Images of comments.

use galley_tests::cli::run;
use galley_tests::prelude::*;

/// A PNG of 3 by 2 pixels with this many bytes.
pub fn png(bytes: usize) -> Vec<u8> {
    let mut image = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0".to_vec();
    image.resize(bytes, 7);
    image
}

fn send(caller: &Client, comment: &str, content: Vec<u8>) -> Response {
    caller
        .request("POST", &format!("{comment}/images"))
        .body(content)
        .send()
}

/// A public project with a comment by `vic`: the server, the project, and the comment's address.
fn commented() -> (Server, String, String) {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    let comment = format!(
        "{}/{}",
        comments(&open),
        id(&comment(&server.user("vic"), &open, "First"))
    );
    (server, open, comment)
}

fn images(caller: &Client, project: &str) -> Value {
    caller.get(&comments(project)).expect(200).json()["comments"][0]["images"].clone()
}

/// The blobs of the slot.
fn blobs(server: &Server) -> Vec<String> {
    server.stored("blobs/comments")
}

#[test]
fn an_image_comes_back_as_it_was_sent_and_runs_nothing() {
    let (mut server, open, comment) = commented();
    let content = png(3 << 20);
    let made = send(&server.user("vic"), &comment, content.clone()).expect(201).json();
    assert_eq!(
        (&made["type"], &made["bytes"], &made["width"], &made["height"]),
        (&json!("image/png"), &json!(3 << 20), &json!(3), &json!(2))
    );
    assert_eq!(images(&server.anonymous(), &open), json!([made]));
    server.kill();
    server.again();
    let image = format!("{comment}/images/{}", id(&made));
    let shown = server.anonymous().get(&image).expect(200);
    assert_eq!(shown.header("content-type"), Some("image/png"));
    assert_eq!(shown.header("x-content-type-options"), Some("nosniff"));
    let policy = shown.header("content-security-policy").unwrap_or_default();
    assert!(
        policy.contains("sandbox") && policy.contains("default-src 'none'"),
        "{policy}"
    );
    let cache = shown.header("cache-control").unwrap_or_default();
    assert!(cache.starts_with("private"), "{cache}");
    assert!(shown.body == content, "{} bytes", shown.body.len());
    let tag = shown.header("etag").expect("a tag").to_owned();
    let again = server
        .anonymous()
        .request("GET", &image)
        .header("if-none-match", tag)
        .send();
    assert!(again.expect(304).body.is_empty());
}

#[test]
fn only_images_of_at_most_5_mib_and_four_of_them() {
    let (server, open, comment) = commented();
    let vic = server.user("vic");
    for bad in [
        b"".to_vec(),
        b"<svg onload='alert(1)'/>".to_vec(),
        b"GIF89a\x01\0\x01\0\0\0".to_vec(),
        png(20),
    ] {
        assert!(!send(&vic, &comment, bad).expect(400).error().is_empty());
    }
    send(&vic, &comment, png((5 << 20) + 1)).expect(413);
    for bytes in [5 << 20, 100, 101, 102] {
        send(&vic, &comment, png(bytes)).expect(201);
    }
    send(&vic, &comment, png(103)).refused(400, "A comment can have at most 4 images");
    send(&vic, &comment, png(100)).expect(200);
    let present = images(&vic, &open);
    assert_eq!(present.as_array().map(Vec::len), Some(4));
    vic.delete(&format!("{comment}/images/{}", id(&present[1]))).expect(204);
    send(&vic, &comment, png(103)).expect(201);
    assert_eq!(blobs(&server).len(), 4);
}

#[test]
fn four_images_at_once_are_four() {
    let (server, open, comment) = commented();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let send = |bytes| send(&server.user("vic"), &comment, png(bytes)).status;
        let sent: Vec<_> = (100..108).map(|bytes| scope.spawn(move || send(bytes))).collect();
        sent.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(
        statuses.iter().filter(|status| **status == 201).count(),
        4,
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|status| matches!(status, 201 | 400)),
        "{statuses:?}"
    );
    assert_eq!(images(&server.user("vic"), &open).as_array().map(Vec::len), Some(4));
    assert_eq!(blobs(&server).len(), 4, "those that were refused are gone");
}

#[test]
fn images_have_the_rights_of_their_comment() {
    let (server, open, comment) = commented();
    send(&server.user("vera"), &comment, png(100)).refused(404, "Comment not found");
    send(&server.anonymous(), &comment, png(100)).refused(404, "Comment not found");
    send(&server.token("vic", &["read"]), &comment, png(100)).expect(403);
    let made = send(&server.token("vic", &["write"]), &comment, png(100))
        .expect(201)
        .json();
    let image = format!("{comment}/images/{}", id(&made));
    server.user("vera").delete(&image).refused(404, "Comment not found");
    let by_guest = id(&galley_tests::prelude::comment(
        &server.anonymous(),
        &open,
        "By a guest",
    ));
    send(
        &server.anonymous(),
        &format!("{}/{by_guest}", comments(&open)),
        png(100),
    )
    .expect(201);
    server
        .anonymous()
        .get(&image.replace(&id(&made), "none"))
        .refused(404, "Image not found");
    let change = json!({ "access": "invited" });
    server
        .user("ed")
        .patch(&format!("/api/v1/projects/{open}"), change)
        .expect(200);
    server.user("vera").get(&image).expect(404);
}

#[test]
fn images_go_with_their_comment_and_their_project() {
    let (server, open, comment) = commented();
    let vic = server.user("vic");
    let made = send(&vic, &comment, png(100)).expect(201).json();
    send(&vic, &comment, png(101)).expect(201);
    vic.delete(&format!("{comment}/images/{}", id(&made))).expect(204);
    assert_eq!(blobs(&server).len(), 1);
    vic.delete(&comment).expect(204);
    assert!(blobs(&server).is_empty());
    let second = format!(
        "{}/{}",
        comments(&open),
        id(&galley_tests::prelude::comment(&vic, &open, "Second"))
    );
    send(&vic, &second, png(100)).expect(201);
    server
        .user("ed")
        .delete(&format!("/api/v1/projects/{open}"))
        .expect(204);
    eventually("its images are gone", || blobs(&server).is_empty().then_some(()));
}

#[test]
fn images_are_in_backups() {
    let (server, open, comment) = commented();
    let made = send(&server.user("vic"), &comment, png(1000)).expect(201).json();
    let folder = tempfile::tempdir().unwrap();
    let (copy, data) = (folder.path().join("copy"), folder.path().join("data"));
    run(server.command().arg("backup").arg(&copy)).expect(0);
    run(server
        .command()
        .arg("restore")
        .arg(&copy)
        .env("SERVICE_DATA_DIR", &data))
    .expect(0);
    let restored = Server::build().on(data).start();
    assert_eq!(images(&restored.anonymous(), &open), json!([made]));
    let image = restored
        .anonymous()
        .get(&format!("{comment}/images/{}", id(&made)))
        .expect(200);
    assert!(image.body == png(1000));
}
