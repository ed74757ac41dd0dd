//! Deleting deployments, numbers, and reading by pages.

use super::*;

impl Studio {
    fn delete(&self, id: &str) -> Answer {
        self.host
            .delete(&format!("/api/v1/deployments/{id}"))
            .as_token(&self.ed)
            .send()
    }

    fn numbers(&self, query: &str) -> (Vec<u64>, Value) {
        let answer = self
            .host
            .get(&format!("{DEPLOYMENTS}{query}"))
            .as_user(&self.vic)
            .send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        let list = answer.json();
        let numbers = list["deployments"].as_array().unwrap().iter();
        (
            numbers.map(|one| one["number"].as_u64().unwrap()).collect(),
            list["next"].clone(),
        )
    }
}

#[test]
fn files_log_and_record_go_and_the_number_stays_taken() {
    let studio = studio();
    let (first, second) = (studio.deployed(&[INDEX]), studio.deployed(&[INDEX]));
    assert_eq!(studio.delete(&first).status, 204);
    assert_eq!(studio.host.project("p1").versions().len(), 1);
    assert_eq!(studio.host.text_log(&first), None);
    refused(studio.delete(&first), 404, "Deployment not found");
    assert_eq!(studio.numbers("").0, [2]);
    studio.deployed(&[INDEX]);
    assert_eq!(studio.delete(&second).status, 204);
    studio.deployed(&[INDEX]);
    assert_eq!(studio.numbers("").0, [4, 3]);
}

#[test]
fn what_is_live_or_being_built_stays() {
    let studio = studio();
    let id = studio.deployed(&[INDEX]);
    refused(
        studio.delete(&id),
        409,
        "The deployment is live: activate another one before deleting it",
    );
    assert_eq!(studio.live(), Some(id));
    crate::recovery::insert(&studio, "being-built", "building", "build");
    refused(
        studio.delete("being-built"),
        409,
        "The deployment is being built: cancel the build before deleting it",
    );
    crate::recovery::insert(&studio, "failed", "failed", "build");
    assert_eq!(studio.delete("failed").status, 204);
}

#[test]
fn deleting_is_for_those_who_manage() {
    let studio = studio();
    let id = studio.deployed(&[INDEX]);
    studio.deployed(&[INDEX]);
    let path = format!("/api/v1/deployments/{id}");
    assert_eq!(studio.host.delete(&path).as_user(&studio.vic).send().status, 403);
    assert_eq!(studio.host.delete(&path).send().status, 404);
    assert_eq!(studio.numbers("").0, [2, 1]);
}

#[test]
fn the_list_comes_by_pages() {
    let studio = studio();
    for _ in 0..5 {
        studio.deployed(&[INDEX]);
    }
    assert_eq!(studio.numbers(""), (vec![5, 4, 3, 2, 1], Value::Null));
    assert_eq!(studio.numbers("?limit=2"), (vec![5, 4], json!(4)));
    assert_eq!(studio.numbers("?limit=2&before=4"), (vec![3, 2], json!(2)));
    assert_eq!(studio.numbers("?limit=2&before=2"), (vec![1], Value::Null));
    assert_eq!(studio.numbers("?limit=5"), (vec![5, 4, 3, 2, 1], Value::Null));
    assert_eq!(studio.numbers("?before=1"), (vec![], Value::Null));
    assert_eq!(studio.numbers(&format!("?before={}", u64::MAX)).0.len(), 5);
    let read = |query: &str| {
        studio
            .host
            .get(&format!("{DEPLOYMENTS}{query}"))
            .as_user(&studio.vic)
            .send()
    };
    for query in ["?limit=0", "?limit=201", "?limit=x", "?limit=-1", "?limit="] {
        refused(read(query), 400, "`limit` must be a whole number from 1 to 200");
    }
    for query in ["?before=x", "?before=-1", "?before="] {
        refused(read(query), 400, "`before` must be the number of a deployment");
    }
}
