//! Authentication: who a request comes from, and what that credential may do.

use galley_tests::accounts::{Core, Person, session_of};
use galley_tests::prelude::*;

const READ_ONLY: &str = "This action requires a write-scoped token";
const VIEWER: &str = "Only editors and admins may connect a repository";

/// Everything one may show instead of a live credential.
fn bad_bearers(server: &Server) -> Vec<String> {
    let live = server.token("ed", &["read", "write"]).secret().to_owned();
    let (head, secret) = live.rsplit_once('_').unwrap();
    let flipped = if secret.ends_with('A') { "B" } else { "A" };
    vec![
        "Bearer wrong".into(),
        "Bearer tok_".into(),
        "Bearer tok__".into(),
        "Bearer tok_nobody_nothing".into(),
        format!("Bearer {head}_"),
        format!("Bearer {head}_{}{flipped}", &secret[..secret.len() - 1]),
        format!("Bearer {live}x"),
        format!("Bearer {}x", galley_tests::server::ADMIN_TOKEN),
        format!("Bearer {}", &galley_tests::server::ADMIN_TOKEN[1..]),
        "Bearer ".into(),
        "Bearer".into(),
        "bearer wrong".into(),
        "BEARER  wrong".into(),
        "Bearer\twrong".into(),
        "Bearer é".into(),
        format!("Bearer {live}, Basic dXNlcjpwYXNz"),
        format!("Bearer {}", session_of(Person::named("ed"))),
    ]
}

#[test]
fn rule_1_a_bad_bearer_is_a_401_even_beside_a_valid_cookie() {
    let server = Server::build().public_links(true).start();
    let ed = server.user("ed");
    let project = project_with(&ed, "shop", "public-link");
    for bearer in bad_bearers(&server) {
        for path in [
            "/api/v1/me".to_owned(),
            "/api/v1/projects".to_owned(),
            comments(&project),
        ] {
            let answer = ed.request("GET", &path).header("authorization", &bearer).send();
            assert_eq!(answer.status, 401, "{path} with `{bearer}`: {}", answer.text());
            assert!(!answer.error().is_empty());
        }
        let request = ed.request("POST", "/api/v1/projects").header("authorization", &bearer);
        request.json(&json!({ "slug": "xx", "name": "X" })).send().expect(401);
    }
    // The cookie alone was fine all the time, and nothing was made.
    assert_eq!(
        ed.get("/api/v1/projects").expect(200).json()["projects"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

/// What a proxy in front of the server, or anybody else, may put into `Authorization` for itself.
const OTHER_SCHEMES: [&str; 7] = [
    "Basic dXNlcjpwYXNz",
    "basic dXNlcjpwYXNz",
    "Digest username=\"user\", realm=\"proxy\"",
    "Negotiate YII",
    "Basic",
    "Bearerx tok_a_b",
    "",
];

#[test]
fn rule_1_another_scheme_is_nobodys_credential() {
    let server = Server::build().public_links(true).start();
    let ed = server.user("ed");
    let shop = project_with(&ed, "shop", "public-link");
    let hidden = project(&ed, "hidden");
    upload(&ed, &shop, &Bundle::sample("Shop"));
    upload(&ed, &hidden, &Bundle::sample("Hidden"));
    for (number, scheme) in OTHER_SCHEMES.into_iter().enumerate() {
        let send = |caller: &Client, method: &str, path: &str| {
            let request = caller.request(method, path).header("authorization", scheme);
            if method == "POST" {
                let body = json!({ "slug": format!("more-{number}"), "name": "More" });
                return request.json(&body).send();
            }
            request.send()
        };
        let nobody = server.anonymous();
        for path in [
            "/",
            "/sign-in",
            "/p/shop/",
            "/api/v1/health",
            "/api/v1/projects",
            "/galley.css",
        ] {
            send(&nobody, "GET", path).expect(200);
        }
        assert_eq!(
            send(&nobody, "GET", "/api/v1/me").expect(200).json()["user"],
            Value::Null
        );
        send(&nobody, "GET", "/p/hidden/").expect(404);
        send(&nobody, "POST", "/api/v1/projects").expect(401);
        // The cookie beside it counts.
        assert_eq!(
            send(&ed, "GET", "/api/v1/me").expect(200).json()["user"]["email"],
            "ed@example.com",
            "{scheme}"
        );
        send(&ed, "GET", "/p/hidden/").expect(200);
        send(&ed, "POST", "/api/v1/projects").expect(201);
    }
}

#[test]
fn rule_1_the_scheme_of_a_bearer_is_written_in_any_letters() {
    let server = Server::start();
    let live = server.token("ed", &["read"]).secret().to_owned();
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
        for space in [" ", "  ", "\t"] {
            let request = server.anonymous().request("GET", "/api/v1/me");
            let me = request.header("authorization", format!("{scheme}{space}{live}")).send();
            assert_eq!(me.expect(200).json()["user"]["email"], "ed@example.com");
        }
    }
}

#[test]
fn a_proxys_header_beside_a_bearer_changes_nothing() {
    let server = Server::start();
    let token = server.token("vic", &["read"]);
    let good = format!("Bearer {}", token.secret());
    let basic = OTHER_SCHEMES[0];
    let status = |values: &[&str]| {
        let mut request = server.user("ed").request("GET", "/api/v1/me");
        let values = values
            .iter()
            .map(|value| ("authorization".to_owned(), (*value).to_owned()));
        request.headers.extend(values);
        let answer = request.send();
        match answer.status {
            200 => answer.json()["user"]["email"].to_string(),
            status => status.to_string(),
        }
    };
    assert_eq!(status(&[basic, &good]), "\"vic@example.com\"");
    assert_eq!(status(&[&good, basic]), "\"vic@example.com\"");
    assert_eq!(status(&[basic, basic]), "\"ed@example.com\"");
    assert_eq!(status(&[basic, "Bearer wrong"]), "401");
    assert_eq!(status(&["Bearer", basic]), "401");
    assert_eq!(
        status(&[&good, &good]),
        "401",
        "which of two bearers counts is not guessed"
    );
}

#[test]
fn rule_1_a_good_bearer_outranks_the_cookie() {
    let server = Server::start();
    let token = server.token("vic", &["read"]);
    let request = token
        .request("GET", "/api/v1/me")
        .header("cookie", server.user("ada").secret());
    assert_eq!(request.send().expect(200).json()["user"]["email"], "vic@example.com");
}

#[test]
fn a_cookie_that_is_no_session_is_nobody() {
    let server = Server::start();
    let me = server
        .anonymous()
        .request("GET", "/api/v1/me")
        .header("cookie", "galley_session=made-up");
    assert_eq!(me.send().expect(200).json()["user"], Value::Null);
    let me = server
        .anonymous()
        .request("GET", "/api/v1/me")
        .header("cookie", "other=1; galley_session=; x");
    assert_eq!(me.send().expect(200).json()["user"], Value::Null);
}

#[test]
fn a_session_is_found_behind_cookies_of_its_name_that_others_set() {
    let server = Server::start();
    let session = server.user("vic").secret().to_owned();
    let planted = "galley_session=planted; ".repeat(180);
    for cookies in [
        format!("galley_session=planted; {session}"),
        format!("galley_session=; galley_session=a=b; {session}; galley_session=last"),
        format!("{planted}{session}"),
        // A browser sends a cookie as the bytes it was set with.
        format!("theme=\u{e9}; {session}"),
    ] {
        let me = server
            .anonymous()
            .request("GET", "/api/v1/me")
            .header("cookie", &cookies);
        assert_eq!(
            me.send().expect(200).json()["user"]["email"],
            "vic@example.com",
            "{cookies}"
        );
    }
}

#[test]
fn a_session_is_found_among_other_cookies() {
    let server = Server::start();
    let cookies = format!("theme=dark; {}; galley=1", server.user("vic").secret());
    let me = server
        .anonymous()
        .request("GET", "/api/v1/me")
        .header("cookie", cookies)
        .send();
    assert_eq!(me.expect(200).json()["user"]["email"], "vic@example.com");
}

#[test]
fn rule_3_and_4_a_read_only_token_never_writes() {
    let server = Server::start();
    let ed = server.user("ed");
    let project = project(&ed, "shop");
    let written = comment(&ed, &project, "First");
    let token = server.token("ed", &["read"]);
    let one = format!("{}/{}", comments(&project), id(&written));
    let base = format!("/api/v1/projects/{project}");

    token.get(&base).expect(200);
    token
        .post("/api/v1/projects", json!({ "slug": "bb", "name": "B" }))
        .refused(403, READ_ONLY);
    token.patch(&base, json!({ "name": "C" })).refused(403, READ_ONLY);
    token.delete(&base).refused(403, READ_ONLY);
    token
        .post(&format!("{base}/members"), json!({ "email": "vic@example.com" }))
        .refused(403, READ_ONLY);
    token.delete(&format!("{base}/members/x")).refused(403, READ_ONLY);
    upload_bytes(&token, &project, Bundle::page("x").build()).refused(403, READ_ONLY);
    token.post(&comments(&project), remark("No")).refused(403, READ_ONLY);
    token.patch(&one, json!({ "resolved": true })).refused(403, READ_ONLY);
    token.delete(&one).refused(403, READ_ONLY);
    token
        .post(&format!("{one}/replies"), json!({ "body": "No" }))
        .refused(403, READ_ONLY);
    token
        .post(&format!("{base}/participants"), json!({ "email": "a@example.com" }))
        .refused(403, READ_ONLY);

    assert_eq!(bodies(&ed, &project), ["First"]);
    assert_eq!(ed.get(&base).expect(200).json()["name"], "shop");
}

#[test]
fn a_token_without_the_read_scope_still_writes() {
    let server = Server::start();
    let project = project(&server.user("ed"), "shop");
    comment(&server.token("ed", &["write"]), &project, "Hello");
    assert_eq!(bodies(&server.user("ed"), &project), ["Hello"]);
}

/// What somebody with this credential gets, apart from what differs between any two answers.
fn gets(caller: &Client, path: &str) -> String {
    caller.get(path).comparable()
}

#[test]
fn a_token_without_the_read_scope_reads_what_anybody_may() {
    let server = Server::build().public_links(true).start();
    let ed = server.user("ed");
    let open = project_with(&ed, "open", "public-link");
    let inner = project(&ed, "inner");
    let listed = project_with(&ed, "listed", "invited");
    comment(&ed, &open, "Hello");
    let mut paths = vec!["/".to_owned(), "/api/v1/projects".to_owned()];
    for (slug, project) in [("open", &open), ("inner", &inner), ("listed", &listed)] {
        let deployment = text(&upload(&ed, project, &Bundle::sample("Shop")), "deploymentId");
        let below = ["", "/members", "/comments", "/participants", "/deployments"];
        paths.extend(below.map(|below| format!("/api/v1/projects/{project}{below}")));
        paths.push(format!("/api/v1/deployments/{deployment}"));
        paths.push(format!("/p/{slug}/"));
        paths.push(format!("/p/{slug}/@{deployment}/logo.svg"));
    }
    let (token, nobody) = (server.token("ed", &["write"]), server.anonymous());
    for path in &paths {
        assert_eq!(gets(&token, path), gets(&nobody, path), "{path}");
    }
    let log = |project: &str| {
        let list = ed.get(&format!("/api/v1/projects/{project}/deployments")).json();
        format!(
            "/api/v1/deployments/{}/log/stream",
            text(&list["deployments"][0], "deploymentId")
        )
    };
    for project in [&open, &inner, &listed] {
        assert_eq!(token.get(&log(project)).status, nobody.get(&log(project)).status);
    }
    token.get(&format!("{}/stream", comments(&inner))).expect(404);
    let named = json!({ "embeddedId": inner });
    let resolved = token.post("/api/v1/projects/resolve", named).expect(200).json();
    assert_eq!(
        resolved["project"],
        json!({ "id": inner }),
        "its id was known, and nothing else is told"
    );
    // It is still told whose it is.
    assert_eq!(
        token.get("/api/v1/me").expect(200).json()["user"]["email"],
        "ed@example.com"
    );
}

#[test]
fn the_write_routes_of_a_token_see_what_its_owner_may_read() {
    let server = Server::start();
    let ed = server.user("ed");
    let token = server.token("ed", &["write"]);
    for access in ["all-members", "invited"] {
        let shop = project_with(&ed, access, access);
        let base = format!("/api/v1/projects/{shop}");
        token.get(&base).expect(404);
        let changed = token.patch(&base, json!({ "name": "Renamed" })).expect(200).json();
        assert_eq!(changed["name"], "Renamed");
        let written = comment(&token, &shop, "Hello");
        let one = format!("{}/{}", comments(&shop), id(&written));
        token.patch(&one, json!({ "resolved": true })).expect(200);
        token
            .post(&format!("{one}/replies"), json!({ "body": "Yes" }))
            .expect(201);
        token
            .post(&format!("{base}/participants"), json!({ "email": "kim@example.com" }))
            .expect(201);
        token
            .post(&format!("{base}/members"), json!({ "email": "vic@example.com" }))
            .expect(201);
        upload(&token, &shop, &Bundle::page("x"));
        token.delete(&one).expect(204);
        token.delete(&base).expect(204);
    }
    // What the owner may not read, the token does not change either.
    let hidden = project_with(&server.user("ada"), "hidden", "invited");
    token
        .patch(&format!("/api/v1/projects/{hidden}"), json!({ "name": "Mine" }))
        .expect(404);
}

#[test]
fn rule_4_a_viewer_manages_nothing() {
    let server = Server::start();
    let project = project(&server.user("ed"), "shop");
    let base = format!("/api/v1/projects/{project}");
    for viewer in [server.user("vic"), server.token("vic", &["read", "write"])] {
        viewer.patch(&base, json!({ "name": "Mine" })).refused(403, VIEWER);
        viewer.delete(&base).refused(403, VIEWER);
        viewer
            .post(&format!("{base}/members"), json!({ "email": "vic@example.com" }))
            .refused(403, VIEWER);
        upload_bytes(&viewer, &project, Bundle::page("x").build()).expect(403);
        let answer = viewer
            .post("/api/v1/projects", json!({ "slug": "mine", "name": "Mine" }))
            .expect(403);
        assert!(!answer.error().is_empty());
    }
    let shop = server.user("ed").get(&base).expect(200).json();
    assert_eq!(
        (&shop["name"], &shop["activeDeploymentId"]),
        (&json!("shop"), &Value::Null)
    );
}

#[test]
fn the_admin_bearer_reaches_every_project_and_is_nobody() {
    let server = Server::start();
    let project = project_with(&server.user("ed"), "secret", "invited");
    let admin = server.admin();
    admin.get(&format!("/api/v1/projects/{project}")).expect(200);
    admin
        .patch(&format!("/api/v1/projects/{project}"), json!({ "name": "Renamed" }))
        .expect(200);
    upload(&admin, &project, &Bundle::page("x"));
    let me = admin.get("/api/v1/me").expect(200).json();
    assert_eq!((&me["user"], &me["scopes"]), (&Value::Null, &json!(["read", "write"])));
}

#[test]
fn without_an_admin_token_no_bearer_is_the_admins() {
    let server = Server::build().without("SERVICE_ADMIN_TOKEN").start();
    server.admin().get("/api/v1/me").expect(401);
    server.bearer("").get("/api/v1/me").expect(401);
}

#[test]
fn rule_6_removing_an_account_kills_its_sessions_and_tokens() {
    let server = Server::start();
    let (session, token) = (server.user("ed"), server.token("ed", &["read"]));
    let (cookie, secret) = (session.secret().to_owned(), token.secret().to_owned());
    server
        .user("ada")
        .delete("/api/v1/instance/members/account-ed")
        .expect(204);
    let me = server
        .anonymous()
        .request("GET", "/api/v1/me")
        .header("cookie", cookie)
        .send();
    assert_eq!(me.expect(200).json()["user"], Value::Null);
    server.bearer(&secret).get("/api/v1/me").expect(401);
    assert_eq!(
        server.user("eve").get("/api/v1/me").expect(200).json()["user"]["email"],
        "eve@example.com"
    );
}

#[test]
fn a_session_that_expired_is_nobody() {
    let mut server = Server::start();
    server.edit(Core::expire_sessions);
    assert_eq!(
        server.user("ed").get("/api/v1/me").expect(200).json()["user"],
        Value::Null
    );
}

#[test]
fn roles_are_those_of_now_not_of_the_sign_in() {
    let server = Server::start();
    let token = server.token("vic", &["read", "write"]).secret().to_owned();
    server
        .bearer(&token)
        .post("/api/v1/projects", json!({ "slug": "aa", "name": "A" }))
        .expect(403);
    server
        .user("ada")
        .patch("/api/v1/instance/members/account-vic", json!({ "role": "editor" }))
        .expect(200);
    server
        .bearer(&token)
        .post("/api/v1/projects", json!({ "slug": "aa", "name": "A" }))
        .expect(201);
}

#[test]
fn a_change_with_a_cookie_must_come_from_the_same_origin() {
    let server = Server::start();
    let ed = server.user("ed");
    let body = json!({ "slug": "aa", "name": "A" });
    let post = || ed.request("POST", "/api/v1/projects").json(&body);
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1"] {
        post().header("origin", origin).send().expect(403);
    }
    for site in ["cross-site", "same-site"] {
        post()
            .without("origin")
            .header("sec-fetch-site", site)
            .send()
            .expect(403);
    }
    // The origin counts where there is one: a page of another one cannot talk itself in.
    post()
        .header("origin", "http://evil.example")
        .header("sec-fetch-site", "same-origin")
        .send()
        .expect(403);
    assert_eq!(ed.get("/api/v1/projects").expect(200).json()["projects"], json!([]));
    post()
        .without("origin")
        .header("sec-fetch-site", "same-origin")
        .send()
        .expect(201);
    post().header("origin", server.url()).send().expect(201);
}

#[test]
fn reading_and_bearers_are_not_bound_to_an_origin() {
    let server = Server::start();
    let elsewhere = "http://evil.example";
    server
        .user("ed")
        .request("GET", "/api/v1/projects")
        .header("origin", elsewhere)
        .send()
        .expect(200);
    let token = server.token("ed", &["read", "write"]);
    let request = token.request("POST", "/api/v1/projects").header("origin", elsewhere);
    request.json(&json!({ "slug": "aa", "name": "A" })).send().expect(201);
}

#[test]
fn a_second_authorization_header_mends_no_bad_one() {
    let server = Server::start();
    let mut request = server.bearer("wrong").request("GET", "/api/v1/me");
    let good = format!("Bearer {}", galley_tests::server::ADMIN_TOKEN);
    request.headers.push(("authorization".into(), good));
    request.send().expect(401);
}
