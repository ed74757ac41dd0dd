//! A plugin to start from: it greets people in a project and counts how often it did.
use galley_sdk::prelude::*;
use serde::{Deserialize, Serialize};

galley_sdk::export!(plugin);

/// What the server knows of the plugin.
pub fn plugin() -> Plugin {
    Plugin::new("hello", env!("CARGO_PKG_VERSION"))
        .migration(1, include_str!("../migrations/1.sql"))
        .route(
            post("/api/v1/projects/{project}/x/hello", greet)
                .guard(Guard::project_comment())
                .summary("Greet somebody"),
        )
}

#[derive(Debug, Deserialize)]
pub struct Greet {
    name: String,
}

#[derive(Debug, Serialize)]
pub struct Greeting {
    greeting: String,
    times: u32,
}

/// POST: `{ "name": "Ann" }` is answered with `{ "greeting": "Hello, Ann!", "times": 1 }`.
fn greet(project: CommentableProject, Json(Greet { name }): Json<Greet>) -> Result<Json<Greeting>> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Error::bad_request("`name` must not be empty"));
    }
    let sql = sql!(
        "INSERT INTO greetings (project_id, name) VALUES (?1, ?2) \
         ON CONFLICT (project_id, name) DO UPDATE SET times = greetings.times + 1 RETURNING times"
    );
    let rows = sql::batch().step(sql, params![project, name]).run()?;
    let times = rows[0].one::<(u32,)>()?.map_or(0, |(times,)| times);
    Ok(Json(Greeting {
        greeting: format!("Hello, {name}!"),
        times,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use galley_sdk::testing::TestHost;
    use serde_json::json;

    #[test]
    fn it_counts_its_greetings() {
        let host = TestHost::new(plugin());
        host.project("p1");
        let route = "/api/v1/projects/p1/x/hello";
        let greet = |body| host.post(route).as_admin().json(body).send();
        greet(json!({ "name": "Ann" }));
        let twice = json!({ "greeting": "Hello, Ann!", "times": 2 });
        assert_eq!(greet(json!({ "name": " Ann " })).json(), twice);
        let nobody = greet(json!({ "name": " " }));
        assert_eq!(nobody.error(), "`name` must not be empty");
    }
}
