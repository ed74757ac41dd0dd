//! Uploading.

use super::*;

#[test]
fn an_upload_answers_201_with_the_deployment_its_address_and_its_log() {
    let studio = studio();
    let answer = studio.upload(&[INDEX, ("assets/app.js", "hello()")]).send();
    let id = answer.json()["deploymentId"].clone();
    assert_eq!(answer.status, 201);
    assert_eq!(
        answer.json(),
        json!({
            "deploymentId": id,
            "projectId": "p1",
            "number": 1,
            "status": "ready",
            "source": "upload",
            "commitSha": null,
            "branch": null,
            "createdAt": "2026-01-01T00:00:00.000Z",
            "finishedAt": "2026-01-01T00:00:00.000Z",
            "createdBy": "u1",
            "createdByName": "Ed",
            "active": true,
            "fileCount": 2,
            "sizeBytes": 36,
            "cover": null,
            "url": "http://galley.test/p/p1/",
            "log": format!("Received 36 bytes (sha256 {:064x})\nUnpacked 2 files, 36 bytes\n", 36),
        })
    );
}

#[test]
fn an_upload_is_live_at_once() {
    let studio = studio();
    let first = studio.deployed(&[INDEX]);
    assert_eq!(studio.live(), Some(first));
    let second = studio.deployed(&[INDEX]);
    assert_eq!(studio.live(), Some(second));
}

#[test]
fn the_commit_is_kept() {
    let studio = studio();
    let sha = "0123456789abcdefABCDEF0123456789abcdef01";
    let send = |sha: &str| {
        let path = format!("{DEPLOYMENTS}?commitSha={sha}");
        studio.host.post(&path).as_token(&studio.ed).archive(&[INDEX]).send()
    };
    assert_eq!(send(sha).json()["commitSha"], sha);
    assert_eq!(send("0123456").json()["commitSha"], "0123456");
    assert_eq!(send("").json()["commitSha"], json!(null), "a variable that is not set");
    for bad in ["012345", "main", "0123456789abcdefg", "a%20b", &"a".repeat(65)] {
        refused(send(bad), 400, "`commitSha` must be 7 to 64 hexadecimal digits");
    }
    assert_eq!(studio.listed().len(), 3);
}

#[test]
fn a_bundle_without_index_html_at_its_root_is_refused_and_changes_nothing() {
    let studio = studio();
    let before = studio.deployed(&[INDEX]);
    for files in [
        &[("dist/index.html", "x"), ("dist/app.js", "x")][..],
        &[],
        &[("INDEX.HTML", "x")],
    ] {
        refused(studio.upload(files).send(), 400, "Bundle has no index.html at its root");
    }
    assert_eq!((studio.live(), studio.listed().len()), (Some(before), 1));
}

#[test]
fn the_content_type_is_gzip_or_says_nothing() {
    let studio = studio();
    let send = |value: &str| {
        let call = studio.host.post(DEPLOYMENTS).as_token(&studio.ed).archive(&[INDEX]);
        call.header("content-type", value).send()
    };
    assert_eq!(
        studio
            .host
            .post(DEPLOYMENTS)
            .as_token(&studio.ed)
            .archive(&[INDEX])
            .send()
            .status,
        201
    );
    for good in [
        "application/gzip",
        "Application/GZIP; x=y",
        "application/x-gzip",
        "application/octet-stream",
        "",
    ] {
        assert_eq!(send(good).status, 201, "{good}");
    }
    refused(
        send("application/zip"),
        400,
        "Content-Type must be application/gzip, not application/zip",
    );
    refused(
        send("text/plain; a=b"),
        400,
        "Content-Type must be application/gzip, not text/plain",
    );
}

#[test]
fn only_who_manages_the_project_uploads() {
    let studio = studio();
    let call = || studio.host.post(DEPLOYMENTS).archive(&[INDEX]);
    assert_eq!(call().send().status, 404, "an anonymous caller cannot read the project");
    assert_eq!(call().as_token(&studio.vic).send().status, 403);
    assert_eq!(call().as_read_token(&studio.ed).send().status, 403);
    assert!(studio.listed().is_empty());
    assert_eq!(call().as_token(&studio.ed).send().status, 201);
    assert_eq!(call().as_user(&studio.ed).send().status, 201);
    assert_eq!(call().as_admin().send().status, 201);
}

#[test]
fn the_admin_bearers_deployments_are_nobodys() {
    let studio = studio();
    let answer = studio.host.post(DEPLOYMENTS).as_admin().archive(&[INDEX]).send();
    assert_eq!(answer.json()["createdBy"], json!(null));
}

#[test]
fn an_archive_may_have_the_specified_size() {
    let manifest: Value = serde_json::from_slice(&galley_deployments::plugin().describe()).unwrap();
    let routes = manifest["routes"].as_array().unwrap();
    let upload = routes.iter().find(|route| route["body"]["kind"] == "archive").unwrap();
    let bounds =
        json!({ "kind": "archive", "maxBytes": 209_715_200, "maxUnpackedBytes": 209_715_200, "maxEntries": 20_000 });
    assert_eq!(upload["body"], bounds);
}
