//! A project's `repoUrl`.

use galley_tests::prelude::*;

#[test]
fn a_repo_url_is_the_address_of_a_repository_without_credentials() {
    let server = Server::start();
    let ed = server.user("ed");
    let path = format!("/api/v1/projects/{}", project(&ed, "shop"));
    for (sent, kept) in [
        (
            "https://code.example/team/shop.git",
            "https://code.example/team/shop.git",
        ),
        (
            "https://ana:s3cret@code.example/team/shop",
            "https://code.example/team/shop",
        ),
        (
            "https://s3cret@code.example/team/shop",
            "https://code.example/team/shop",
        ),
        (
            "ssh://git:s3cret@code.example/team/shop",
            "ssh://git@code.example/team/shop",
        ),
        ("git://code.example/team/shop", "git://code.example/team/shop"),
        ("git@code.example:team/shop.git", "git@code.example:team/shop.git"),
    ] {
        let changed = ed.patch(&path, json!({ "repoUrl": sent })).expect(200).json();
        assert_eq!(changed["repoUrl"], kept);
        assert!(!ed.get(&path).expect(200).text().contains("s3cret"), "{sent}");
    }
    for refused in [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "javascript://code.example/%0aalert(1)",
        "javascript:a@b:c",
        "data:text/html,x",
        "vbscript:x(1)",
        "file:///etc/passwd",
        "a:b",
        "code.example:team/shop",
        "ana:s3cret@code.example:team/shop",
        "https://code.example",
    ] {
        let error = ed.patch(&path, json!({ "repoUrl": refused })).expect(400).error();
        assert!(
            error.contains("`repoUrl`") && error.contains("https://host/owner/name") && !error.contains("s3cret"),
            "{error}"
        );
    }
    assert_eq!(
        ed.get(&path).expect(200).json()["repoUrl"],
        "git@code.example:team/shop.git"
    );
    let cleared = ed.patch(&path, json!({ "repoUrl": null })).expect(200).json();
    assert_eq!(cleared["repoUrl"], Value::Null);
}

#[test]
fn a_repo_url_of_an_earlier_version_is_cleaned_when_it_is_shown() {
    let mut server = Server::start();
    let id = project(&server.user("ed"), "shop");
    for (stored, shown) in [
        ("javascript:alert(1)", Value::Null),
        (
            "https://ana:s3cret@code.example/team/shop",
            json!("https://code.example/team/shop"),
        ),
    ] {
        server.edit(|core| core.repo_url(&id, stored));
        let ed = server.user("ed");
        let path = format!("/api/v1/projects/{id}");
        assert_eq!(ed.get(&path).expect(200).json()["repoUrl"], shown);
        let all = ed.get("/api/v1/projects").expect(200).json();
        assert_eq!(all["projects"][0]["repoUrl"], shown);
        assert_eq!(
            ed.patch(&path, json!({ "name": "Shop" })).expect(200).json()["repoUrl"],
            shown
        );
    }
}
