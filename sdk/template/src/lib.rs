//! A plugin to start from: it greets people in a project and counts how often it did.

use galley_sdk::events::ProjectDeleted;
use galley_sdk::prelude::*;
use serde::{Deserialize, Serialize};

galley_sdk::export!(plugin);

/// The plugin of the slot `hello`.
pub fn plugin() -> Plugin {
    Plugin::new("hello", env!("CARGO_PKG_VERSION"))
        .migration(1, include_str!("../migrations/1.sql"))
        .route(
            post("/api/v1/projects/{project}/hello", greet)
                .guard(Guard::project_comment().message("Sign in to be greeted"))
                .summary("Greet somebody"),
        )
        .on("project-deleted", project_deleted)
}

/// The body of the request.
#[derive(Debug, Deserialize)]
pub struct Greet {
    name: String,
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct Greeting {
    greeting: String,
    times: u32,
}

/// POST `…/hello`: `{ "greeting": "Hello, Ann!", "times": 1 }`.
fn greet(project: ProjectId, Json(Greet { name }): Json<Greet>) -> Result<Json<Greeting>> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Error::bad_request("`name` must not be empty"));
    }
    let sql = "INSERT INTO greetings (project_id, name) VALUES (?1, ?2) \
               ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times";
    let rows = sql::batch().step(sql, params![project, name]).run()?;
    let times = rows[0].one::<(u32,)>()?.map_or(0, |(times,)| times);
    Ok(Json(Greeting {
        greeting: format!("Hello, {name}!"),
        times,
    }))
}

/// What belongs to a project goes with it. An event may come twice.
fn project_deleted(event: Event<ProjectDeleted>) -> Result<()> {
    sql::execute(
        "DELETE FROM greetings WHERE project_id = ?1",
        params![event.data.project_id],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use galley_sdk::testing::TestHost;
    use serde_json::json;

    use super::*;

    #[test]
    fn it_counts_its_greetings() {
        let host = TestHost::new(plugin());
        host.project("p1");
        let ann = host.account("ann@example.com");
        let greet = || {
            host.post("/api/v1/projects/p1/hello")
                .as_user(&ann)
                .json(json!({ "name": " Ben " }))
                .send()
        };
        assert_eq!(greet().json(), json!({ "greeting": "Hello, Ben!", "times": 1 }));
        assert_eq!(greet().json()["times"], 2);
        host.deliver("project-deleted", json!({ "projectId": "p1" })).unwrap();
        assert_eq!(greet().json()["times"], 1);
    }

    #[test]
    fn it_wants_a_name() {
        let host = TestHost::new(plugin());
        host.project("p1");
        let greet = |body| host.post("/api/v1/projects/p1/hello").as_admin().json(body).send();
        assert_eq!(greet(json!({})).error(), "`name` is required");
        assert_eq!(greet(json!({ "name": " " })).error(), "`name` must not be empty");
    }
}
