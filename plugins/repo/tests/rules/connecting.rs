//! PUT and DELETE of a connection.

use super::*;

#[test]
fn a_connection_is_the_projects_attachment() {
    let f = fixture();
    let answer = f.connect(wanted("site"));
    let expected = json!({
        "installationId": 7, "repositoryId": 70, "owner": "Acme", "name": "Site", "branch": "trunk",
        "installCommand": null, "buildCommand": null, "outputDir": "dist", "autoDeploy": false,
    });
    assert_eq!((answer.status, answer.json()), (200, expected.clone()));
    assert_eq!(f.host.attachment("p1"), Some(expected));
    assert_eq!(f.host.delete(REPO).as_user(&f.ann).send().status, 204);
    assert_eq!(f.host.attachment("p1"), None);
}

#[test]
fn a_person_is_asked_for_with_their_own_credential() {
    let f = fixture();
    assert_eq!(f.connect(wanted("DOCS")).status, 200);
    let list = "codehost-caller /user/installations/7/repositories";
    assert_eq!(f.asked(), ["codehost-caller /user/installations", list, list]);
}

#[test]
fn the_admin_bearer_sees_what_the_app_sees() {
    let f = fixture();
    let answer = f.host.put(REPO).as_admin().json(wanted("docs")).send();
    assert_eq!(answer.status, 200, "{}", answer.text());
    let list = "codehost-installation:7 /installation/repositories";
    assert_eq!(f.asked(), [list, list]);
}

#[test]
fn an_installation_outside_of_the_callers_set_is_not_even_looked_into() {
    let f = fixture();
    let answer = f.connect(json!({ "installationId": 8, "owner": "acme", "name": "site" }));
    assert_eq!(
        (answer.status, answer.json()),
        (404, json!({ "error": "Installation not found" }))
    );
    assert_eq!(f.asked(), ["codehost-caller /user/installations"]);
    assert_eq!(f.host.attachment("p1"), None);
}

#[test]
fn somebody_who_is_not_linked_has_an_empty_set() {
    let f = fixture();
    f.host.outside(|_| Outside::problem("not-linked"));
    assert_eq!(f.connect(wanted("site")).status, 404);
}

#[test]
fn a_default_branch_that_could_not_have_been_typed_is_refused() {
    let f = fixture();
    f.host.outside(|request| {
        if request.path.starts_with("/user/installations?") {
            return Outside::json(200, json!({ "installations": [{ "id": 7, "account": null }] }));
        }
        let odd =
            json!({ "id": 70, "name": "site", "owner": { "login": "acme" }, "default_branch": "--upload-pack=x" });
        Outside::json(200, json!({ "repositories": [odd] }))
    });
    assert_eq!(f.connect(wanted("site")).status, 400);
    assert_eq!(f.host.attachment("p1"), None);
}

#[test]
fn answers_that_make_no_sense_are_502s() {
    let f = fixture();
    for answer in [
        || Outside::text(200, "<html>"),
        || Outside::json(200, json!({ "installations": 5 })),
        || Outside::json(500, json!({})),
        || Outside::json(429, json!({})),
        || Outside::problem("unreachable"),
    ] {
        f.host.outside(move |_| answer());
        assert_eq!(f.connect(wanted("site")).status, 502);
    }
    f.host.outside(|_| Outside::problem("unconfigured"));
    assert_eq!(f.connect(wanted("site")).status, 503);
    assert_eq!(f.host.attachment("p1"), None);
}

#[test]
fn a_list_that_never_ends_is_left_off() {
    let f = fixture();
    f.host
        .outside(|_| Outside::page(json!({ "installations": [{ "id": 7, "account": null }], "repositories": [] })));
    assert_eq!(f.connect(wanted("site")).status, 404);
    assert_eq!(f.asked().len(), 40, "twenty pages of each list");
}
