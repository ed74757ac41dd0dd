//! Deployments: the list, activating an earlier one, and their own addresses.

use galley_tests::prelude::*;

fn list(caller: &Client, project: &str) -> Vec<Value> {
    let answer = caller
        .get(&format!("/api/v1/projects/{project}/deployments"))
        .expect(200)
        .json();
    answer["deployments"].as_array().expect("a list").clone()
}

fn activate(caller: &Client, deployment: &str) -> Response {
    caller
        .request("POST", &format!("/api/v1/deployments/{deployment}/activate"))
        .send()
}

fn deploy(caller: &Client, project: &str, title: &str) -> String {
    text(&upload(caller, project, &Bundle::sample(title)), "deploymentId")
}

#[test]
fn the_list_is_newest_first_and_marks_the_active_one() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    assert!(list(&ed, &shop).is_empty());
    let made: Vec<String> = ["one", "two", "three"]
        .iter()
        .map(|title| deploy(&ed, &shop, title))
        .collect();
    let listed = list(&server.user("vic"), &shop);
    let ids: Vec<String> = listed.iter().map(|one| text(one, "deploymentId")).collect();
    assert_eq!(ids, [made[2].as_str(), &made[1], &made[0]]);
    let active: Vec<&Value> = listed.iter().map(|one| &one["active"]).collect();
    assert_eq!(active, [&json!(true), &json!(false), &json!(false)]);
    let keys = [
        "deploymentId",
        "projectId",
        "status",
        "source",
        "commitSha",
        "branch",
        "createdAt",
        "finishedAt",
        "createdBy",
        "active",
        "fileCount",
        "sizeBytes",
    ];
    for key in keys {
        assert!(
            listed[0].as_object().unwrap().contains_key(key),
            "{key} in {}",
            listed[0]
        );
    }
}

#[test]
fn an_earlier_deployment_can_be_activated() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let (first, second) = (deploy(&ed, &shop, "First"), deploy(&ed, &shop, "Second"));
    for (deployment, title) in [
        (&first, "First"),
        (&second, "Second"),
        (&second, "Second"),
        (&first, "First"),
    ] {
        let answer = activate(&ed, deployment).expect(200).json();
        assert_eq!(
            (&answer["deploymentId"], &answer["active"]),
            (&json!(deployment), &json!(true))
        );
        assert_eq!(live(&ed, &shop), json!(deployment));
        assert!(
            ed.get("/p/shop/")
                .expect(200)
                .text()
                .contains(&format!("<h1>{title}</h1>"))
        );
        let active: Vec<String> = list(&ed, &shop)
            .iter()
            .filter(|one| one["active"] == true)
            .map(|one| text(one, "deploymentId"))
            .collect();
        assert_eq!(active, [deployment.as_str()]);
    }
}

#[test]
fn activating_survives_a_crash() {
    let mut server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let first = deploy(&server.user("ed"), &shop, "First");
    deploy(&server.user("ed"), &shop, "Second");
    activate(&server.user("ed"), &first).expect(200);
    server.kill();
    server.again();
    assert!(server.user("ed").get("/p/shop/").expect(200).text().contains("First"));
    assert_eq!(live(&server.user("ed"), &shop), json!(first));
}

#[test]
fn activating_is_for_those_who_manage() {
    let server = Server::build().public_links(true).start();
    let ed = server.user("ed");
    let shop = project_with(&ed, "shop", "public-link");
    let first = deploy(&ed, &shop, "First");
    let second = deploy(&ed, &shop, "Second");
    activate(&server.user("vic"), &first).expect(403);
    activate(&server.token("ed", &["read"]), &first).refused(403, "This action requires a write-scoped token");
    activate(&server.anonymous(), &first).expect(401);
    assert_eq!(live(&ed, &shop), json!(second));
    activate(&server.token("eve", &["write"]), &first).expect(200);
    activate(&server.admin(), &second).expect(200);
}

#[test]
fn activating_what_is_not_there_is_a_404() {
    let server = Server::start();
    for deployment in ["nothing", "00000000000000000000000000", "..", "%2e%2e"] {
        let answer = activate(&server.user("ed"), deployment).expect(404);
        assert!(!answer.error().is_empty());
    }
}

#[test]
fn a_deployment_stays_at_its_own_address() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let first = deploy(&ed, &shop, "First");
    let second = deploy(&ed, &shop, "Second");
    for (deployment, title) in [(&first, "First"), (&second, "Second")] {
        let page = ed.get(&format!("/p/shop/@{deployment}/")).expect(200).text();
        assert!(page.contains(&format!("<h1>{title}</h1>")), "{page}");
        ed.get(&format!("/p/shop/@{deployment}/assets/app-5f4dcc3b.js"))
            .expect(200);
        let base = format!("href=\"/p/shop/@{deployment}/\"");
        assert!(page.contains(&base), "pages of a deployment stay in it: {page}");
    }
    for caller in [server.anonymous(), server.user("ed")] {
        let answer = caller.get("/p/shop/@00000000000000000000000000/");
        assert_eq!(answer.status, 404);
    }
    server.anonymous().get(&format!("/p/shop/@{first}/")).expect(404);
}

#[test]
fn a_deployment_is_served_under_its_own_project_only() {
    let server = Server::start();
    let ed = server.user("ed");
    let hidden = project_with(&ed, "hidden", "invited");
    let open = project(&ed, "open");
    let secret = deploy(&ed, &hidden, "Secret");
    deploy(&ed, &open, "Open");
    let answer = server.user("eve").get(&format!("/p/open/@{secret}/")).expect(404);
    assert!(!answer.text().contains("Secret"));
}

fn page(title: &str) -> Bundle {
    let index = format!(
        "<!doctype html><title>{title}</title><meta name=\"theme-color\" content=\"#0a7\"><link rel=icon href=icon.svg>"
    );
    Bundle::page(&index).file("icon.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
}

fn remove(caller: &Client, deployment: &str) -> Response {
    caller.delete(&format!("/api/v1/deployments/{deployment}"))
}

#[test]
fn a_deployment_has_number_person_and_cover() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    upload(&ed, &shop, &page("One"));
    let two = upload(&server.admin(), &shop, &page("Two"));
    assert_eq!((&two["number"], &two["createdByName"]), (&json!(2), &Value::Null));
    let icon = text(&two["cover"], "icon");
    assert!(icon.starts_with("data:image/svg+xml;base64,"), "{icon}");
    let listed = list(&server.user("vic"), &shop);
    assert_eq!(listed[1]["cover"], json!({ "title": "One", "colour": "#0a7" }));
    assert_eq!(
        (&listed[1]["number"], &listed[1]["createdByName"]),
        (&json!(1), &json!("ed"))
    );
    ed.patch("/api/v1/me", json!({ "displayName": "Edda" })).expect(200);
    assert_eq!(list(&ed, &shop)[1]["createdByName"], "Edda");
}

#[test]
fn the_list_comes_by_pages() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    for title in ["One", "Two", "Three"] {
        deploy(&ed, &shop, title);
    }
    let page = |query: &str| {
        let list = ed
            .get(&format!("/api/v1/projects/{shop}/deployments{query}"))
            .expect(200)
            .json();
        let numbers: Vec<Value> = list["deployments"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["number"].clone())
            .collect();
        (json!(numbers), list["next"].clone())
    };
    assert_eq!(page("?limit=2"), (json!([3, 2]), json!(2)));
    assert_eq!(page("?limit=2&before=2"), (json!([1]), Value::Null));
    assert_eq!(page(""), (json!([3, 2, 1]), Value::Null));
    ed.get(&format!("/api/v1/projects/{shop}/deployments?limit=1000"))
        .expect(400);
}

#[test]
fn a_deployment_that_is_not_live_can_be_deleted_with_its_files() {
    let mut server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let (first, second) = (deploy(&ed, &shop, "First"), deploy(&ed, &shop, "Second"));
    remove(&ed, &second).refused(409, "The deployment is live: activate another one before deleting it");
    remove(&server.user("vic"), &first).expect(403);
    remove(&server.token("ed", &["read"]), &first).expect(403);
    ed.get(&format!("/p/shop/@{first}/")).expect(200);
    remove(&ed, &first).expect(204);
    remove(&ed, &first).refused(404, "Deployment not found");
    activate(&ed, &first).expect(404);
    ed.get(&format!("/p/shop/@{first}/")).expect(404);
    ed.get(&format!("/api/v1/deployments/{first}/log/stream")).expect(404);
    assert_eq!(live(&ed, &shop), json!(second));
    server.kill();
    server.again();
    let ed = server.user("ed");
    assert_eq!(list(&ed, &shop).len(), 1);
    assert_eq!(upload(&ed, &shop, &page("Third"))["number"], 3);
}

#[test]
fn the_summary_says_what_is_live_in_readable_projects() {
    let server = Server::start();
    let ed = server.user("ed");
    let (shop, hidden) = (project(&ed, "shop"), project_with(&ed, "hidden", "invited"));
    let made = upload(&ed, &shop, &page("Shop"));
    upload(&ed, &hidden, &page("Secret"));
    let summary = |caller: Client| caller.get("/api/v1/deployments/summary").expect(200).json()["projects"].clone();
    let seen = summary(server.user("vic"));
    assert_eq!(seen.as_object().unwrap().keys().collect::<Vec<_>>(), [&shop]);
    let expected = &seen[&shop];
    assert_eq!(
        (&expected["building"], &expected["last"]["status"]),
        (&Value::Null, &json!("ready"))
    );
    let live = &expected["live"];
    assert_eq!(
        (&live["deploymentId"], &live["number"]),
        (&made["deploymentId"], &json!(1))
    );
    assert_eq!((&live["byName"], &live["cover"]), (&json!("ed"), &made["cover"]));
    assert_eq!(summary(server.user("ed")).as_object().unwrap().len(), 2);
    assert_eq!(summary(server.anonymous()), json!({}));
    assert_eq!(
        summary(server.token("ed", &["write"])),
        json!({}),
        "a token without `read` reads nothing"
    );
}

#[test]
fn a_hostile_first_page_is_only_shown_as_text() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let cover = |html: &str, icon: &str| {
        let bundle = Bundle::page(html).file("icon.svg", icon);
        upload(&ed, &shop, &bundle)["cover"].clone()
    };
    let html = "<title>\u{202e}<b>Bank</b>\r\nX: y</title><meta name=theme-color content='red;background:url(//evil.example)'>\
                <link rel=icon href='https://evil.example/i.png'><link rel=icon href='data:text/html,<script>alert(1)</script>'>\
                <link rel=icon href='../../../../etc/passwd'><link rel=icon href=icon.svg>";
    let script = "<html><script>alert(1)</script></html>";
    assert_eq!(
        cover(html, script),
        json!({ "title": "<b>Bank</b> X: y", "colour": null }),
        "one line, no colour that is none, no icon from elsewhere"
    );
    let endless = "<title>".repeat(100_000);
    assert!(cover(&endless, script).to_string().len() < 1_000);
}
