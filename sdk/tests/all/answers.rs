//! From a handler to an answer.

use galley_sdk::guard::{Guarantees, Public};
use galley_sdk::handler::Handler;
use galley_sdk::prelude::*;
use galley_sdk::testing::{Answer, TestHost};
use galley_sdk::{Bytes, Request, log::Level};
use serde::Deserialize;
use serde_json::json;

fn one<A, H: Handler<A>>(path: &'static str, handler: H) -> TestHost
where
    Public: Guarantees<H::Needs>,
{
    TestHost::new(Plugin::new("demo", "1.0.0").route(post(path, handler).guard(Guard::public())))
}

fn answer<A, H: Handler<A>>(handler: H) -> Answer
where
    Public: Guarantees<H::Needs>,
{
    one("/api/v1/x", handler).post("/api/v1/x").send()
}

#[test]
fn an_error_is_the_specified_body() {
    let answer = answer(|| -> Result<NoContent> { Err(Error::conflict("Not now").with("deploymentId", "d1")) });
    assert_eq!(
        (answer.status, answer.json()),
        (409, json!({ "error": "Not now", "deploymentId": "d1" }))
    );
    assert_eq!(answer.header("content-type"), Some("application/json"));
}

#[test]
fn a_failure_names_the_request_and_hides_the_cause() {
    let host = one("/api/v1/x", || -> Result<NoContent> {
        Ok(sql::execute("DELETE FROM missing", params![]).map(|_| NoContent)?)
    });
    let answer = host.post("/api/v1/x").send();
    let body = json!({ "error": "Something went wrong on the server (request test)" });
    assert_eq!((answer.status, answer.json()), (500, body));
    let log = host.log();
    assert_eq!(log[0].0, Level::Error);
    assert!(log[0].1.contains("no such table: missing"), "{log:?}");
}

#[test]
fn problems_become_statuses() {
    let status = |code: &str| {
        let problem = Problem {
            code: code.into(),
            message: "Words".into(),
        };
        let error = Error::from(problem);
        assert!(error.is(code));
        (error.status(), error.message().to_owned())
    };
    assert_eq!(status("denied"), (403, "Words".into()));
    assert_eq!(status("limit"), (503, "The server is busy; try again".into()));
    assert_eq!(status("interrupted"), (503, "The server is busy; try again".into()));
    for code in ["constraint", "not-found", "internal", "sql", "from-the-future"] {
        assert_eq!(status(code), (500, "Something went wrong on the server".into()));
    }
}

#[test]
fn a_failed_answer_keeps_its_status() {
    let answer = answer(|| (Status::CREATED, Err::<NoContent, _>(Error::not_found("Gone"))));
    assert_eq!((answer.status, answer.error()), (404, "Gone".into()));
}

#[test]
fn a_handler_sees_the_rest_of_the_request() {
    let host = one(
        "/api/v1/x/{id}",
        |request: Request, Path(id): Path<u32>, Bytes(body): Bytes| {
            Json(json!([
                request.method,
                request.path,
                request.query,
                request.header("X-Test"),
                id,
                body.len()
            ]))
        },
    );
    let answer = host.post("/api/v1/x/7?a=1").header("x-test", "yes").bytes("abc").send();
    assert_eq!(answer.json(), json!(["POST", "/api/v1/x/7", "a=1", "yes", 7, 3]));
    assert_eq!(
        host.post("/api/v1/x/seven").send().error(),
        "`id` must be a whole number"
    );
}

#[test]
fn paths_and_queries_are_read_by_name() {
    #[derive(Deserialize)]
    struct Place {
        b: String,
        a: u8,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Filter {
        only_open: Option<bool>,
        order: Option<Order>,
    }
    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Order {
        Newest,
        Oldest,
    }
    let host = one(
        "/api/v1/x/{a}/{b}",
        |Path(place): Path<Place>, Query(filter): Query<Filter>| {
            Json(format!(
                "{} {} {:?} {:?}",
                place.a, place.b, filter.only_open, filter.order
            ))
        },
    );
    let get = |path: &str| host.post(path).send();
    assert_eq!(
        get("/api/v1/x/1/b%2Fc?order=newest&onlyOpen=true&other").json(),
        "1 b/c Some(true) Some(Newest)"
    );
    assert_eq!(get("/api/v1/x/1/b").json(), "1 b None None");
    assert_eq!(get("/api/v1/x/1/b?order=oldest").json(), "1 b None Some(Oldest)");
    assert_eq!(
        get("/api/v1/x/1/b?order=size").error(),
        "`order` must be one of `newest`, `oldest`"
    );
    assert_eq!(
        get("/api/v1/x/1/b?onlyOpen=maybe").error(),
        "`onlyOpen` must be true or false"
    );
    assert_eq!(
        get("/api/v1/x/1/b?onlyOpen=1&onlyOpen=0").error(),
        "`onlyOpen` is given twice"
    );
}

#[test]
fn a_part_may_be_asked_for_twice() {
    let host = one("/api/v1/x", |one: Caller, other: Caller| {
        assert_eq!(one, other);
        NoContent
    });
    assert_eq!(host.post("/api/v1/x").send().status, 204);
}
