//! Reading deployments.

use super::*;

#[test]
fn the_list_is_newest_first_also_within_a_millisecond() {
    let studio = studio();
    assert_eq!(
        studio.host.get(DEPLOYMENTS).as_user(&studio.vic).send().json(),
        json!({ "deployments": [], "next": null })
    );
    let mut ids: Vec<_> = (0..12).map(|_| json!(studio.deployed(&[INDEX]))).collect();
    ids.reverse();
    let listed = studio.listed();
    assert_eq!(
        listed
            .iter()
            .map(|deployment| deployment["deploymentId"].clone())
            .collect::<Vec<_>>(),
        ids
    );
    let active: Vec<_> = listed.iter().map(|deployment| deployment["active"] == true).collect();
    assert_eq!(active.iter().filter(|active| **active).count(), 1);
    assert!(active[0]);
}

#[test]
fn one_deployment_is_found_by_its_id() {
    let studio = studio();
    let id = studio.deployed(&[INDEX]);
    let answer = studio
        .host
        .get(&format!("/api/v1/deployments/{id}"))
        .as_user(&studio.vic)
        .send();
    assert_eq!((answer.status, answer.json()), (200, studio.listed()[0].clone()));
}

#[test]
fn a_deployment_of_an_unreadable_project_is_like_a_missing_one() {
    let studio = studio();
    let id = studio.deployed(&[INDEX]);
    studio.host.project("p1").access("invited");
    for path in ["", "/log/stream"] {
        let hidden = studio
            .host
            .get(&format!("/api/v1/deployments/{id}{path}"))
            .as_user(&studio.ed)
            .send();
        let missing = studio
            .host
            .get(&format!("/api/v1/deployments/none{path}"))
            .as_user(&studio.ed)
            .send();
        assert_eq!(hidden.body, missing.body);
        refused(hidden, 404, "Deployment not found");
    }
}

#[test]
fn records_and_logs_go_with_the_project() {
    let studio = studio();
    let id = studio.deployed(&[INDEX]);
    studio.host.project("p1").delete();
    for _ in 0..2 {
        studio
            .host
            .deliver("project-deleted", json!({ "projectId": "p1" }))
            .unwrap();
        assert_eq!(studio.host.text_log(&id), None);
    }
    studio.host.project("p1");
    assert!(studio.listed().is_empty());
}
