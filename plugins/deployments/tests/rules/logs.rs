//! The log of a deployment.

use super::*;

fn stream<'a>(studio: &'a Studio, id: &str) -> Call<'a> {
    studio.host.get(&format!("/api/v1/deployments/{id}/log/stream"))
}

#[test]
fn the_log_is_kept_and_closed_with_the_status() {
    let studio = studio();
    let answer = studio.upload(&[INDEX]).send().json();
    let id = answer["deploymentId"].as_str().unwrap();
    let (text, status) = studio.host.text_log(id).unwrap();
    assert_eq!(
        (text.as_str(), status.as_deref()),
        (answer["log"].as_str().unwrap(), Some("ready"))
    );
}

#[test]
fn who_manages_the_project_follows_it() {
    let studio = studio();
    let id = studio.deployed(&[INDEX]);
    for call in [
        stream(&studio, &id).as_user(&studio.ed),
        stream(&studio, &id).as_read_token(&studio.ed),
        stream(&studio, &id).as_admin(),
    ] {
        assert_eq!(call.send().log(), Some(id.as_str()));
    }
}

#[test]
fn a_viewer_and_an_anonymous_visitor_get_403() {
    let studio = studio();
    studio.host.project("p1").access("public-link");
    let id = studio.deployed(&[INDEX]);
    assert_eq!(stream(&studio, &id).as_user(&studio.vic).send().status, 403);
    refused(
        stream(&studio, &id).send(),
        403,
        "Only editors and admins may read the log of a deployment",
    );
}
