//! What there is to choose from.

use super::*;

impl Fixture {
    fn see(&self, path: &str) -> (u16, Value) {
        let path = format!("/api/v1/codehost/installations{path}");
        let answer = self.host.get(&path).as_user(&self.ann).send();
        (answer.status, answer.json())
    }
}

#[test]
fn lists_are_in_the_words_of_this_server() {
    let f = fixture();
    let url = "http://code.test/apps/galley/installations/new";
    let installations = json!([{ "id": 7, "account": "acme" }]);
    assert_eq!(
        f.see(""),
        (
            200,
            json!({ "configured": true, "linked": true, "installUrl": url, "installations": installations })
        )
    );
    let (status, repos) = f.see("/7/repos");
    assert_eq!((status, repos["repos"].as_array().unwrap().len()), (200, 2));
    let first =
        json!({ "owner": "Acme", "name": "Site", "fullName": "Acme/Site", "private": false, "defaultBranch": "trunk" });
    assert_eq!(repos["repos"][0], first);
    assert_eq!(
        f.see("/7/repos/ACME/site/branches"),
        (200, json!({ "configured": true, "branches": ["trunk", "a/b"] }))
    );
}

#[test]
fn paths_are_built_from_the_code_hosts_names_only() {
    let f = fixture();
    for path in [
        "/7/repos/acme/..%2F..%2Fuser/branches",
        "/7/repos/../..%3F/branches",
        "/7%2F..%2F8/repos",
        "/%2e%2e/repos",
    ] {
        assert_eq!(f.see(path).0, 404, "{path}");
    }
    let odd = |path: &String| path.contains("..") || path.contains("%2");
    assert!(!f.asked().iter().any(odd));
}

#[test]
fn without_an_app_nobody_is_asked() {
    let host = TestHost::new(galley_repo::plugin());
    let ann = host.account("ann@example.com");
    for path in ["", "/7/repos", "/x/repos", "/7/repos/a/b/branches"] {
        let answer = host
            .get(&format!("/api/v1/codehost/installations{path}"))
            .as_user(&ann)
            .send();
        assert_eq!(
            (answer.status, &answer.json()["configured"]),
            (200, &json!(false)),
            "{path}"
        );
    }
    assert!(host.fetched().is_empty());
}
