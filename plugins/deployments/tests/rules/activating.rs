//! Making an earlier deployment live again.

use super::*;

fn activate<'a>(studio: &'a Studio, id: &str) -> Call<'a> {
    studio.host.post(&format!("/api/v1/deployments/{id}/activate"))
}

#[test]
fn activating_answers_200_with_the_deployment_which_is_live() {
    let studio = studio();
    let first = studio.deployed(&[INDEX]);
    let second = studio.deployed(&[INDEX]);
    let answer = activate(&studio, &first).as_token(&studio.ed).send();
    assert_eq!((answer.status, &answer.json()["active"]), (200, &json!(true)));
    assert_eq!(studio.live(), Some(first.clone()));
    let listed = studio.listed();
    assert_eq!(
        (&listed[0]["deploymentId"], &listed[0]["active"]),
        (&json!(second), &json!(false))
    );
    assert_eq!(listed[1], answer.json());
}

#[test]
fn activating_the_live_one_is_fine() {
    let studio = studio();
    let id = studio.deployed(&[INDEX]);
    assert_eq!(activate(&studio, &id).as_admin().send().status, 200);
}

#[test]
fn only_a_ready_deployment_can_be_activated() {
    let studio = studio();
    let live = studio.deployed(&[INDEX]);
    for status in ["building", "failed"] {
        recovery::insert(&studio, status, status, "build");
        let message = format!("The deployment is {status}; only a ready one can be activated");
        refused(activate(&studio, status).as_user(&studio.ed).send(), 409, &message);
    }
    assert_eq!(studio.live(), Some(live));
}

#[test]
fn only_who_manages_the_project_activates() {
    let studio = studio();
    let id = studio.deployed(&[INDEX]);
    assert_eq!(activate(&studio, &id).as_user(&studio.vic).send().status, 403);
    assert_eq!(activate(&studio, &id).as_read_token(&studio.ed).send().status, 403);
    refused(
        activate(&studio, "none").as_user(&studio.ed).send(),
        404,
        "Deployment not found",
    );
}
