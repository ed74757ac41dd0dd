//! Signing in by the code host.

use galley_tests::accounts::Person;
use galley_tests::codehost::journey::arrive;
use galley_tests::codehost::{CodeHost, Failure, Journey, World};
use galley_tests::prelude::*;

const CALLBACK: &str = "/api/v1/auth/codehost/callback";

fn start() -> (CodeHost, Server) {
    let host = CodeHost::start();
    let server = host.configure(Server::build()).start();
    (host, server)
}

/// Demands a page that says why, and has a way out.
#[track_caller]
fn refused(answer: Response, status: u16, words: &str) {
    let answer = answer.expect(status);
    let text = answer.text();
    assert!(
        answer
            .header("content-type")
            .is_some_and(|kind| kind.starts_with("text/html")),
        "{}",
        answer.head
    );
    assert!(text.contains(words), "`{words}` is not in {text}");
    assert!(text.contains("href=\"/sign-in\""), "no way out in {text}");
    assert!(
        !answer.all("set-cookie").join("\n").contains("galley_session="),
        "{}",
        answer.head
    );
}

fn query(address: &str, name: &str) -> String {
    let url = url::Url::parse(address).expect("an address");
    url.query_pairs()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

#[test]
fn without_the_group_the_routes_are_the_ordinary_404() {
    let host = CodeHost::start();
    let only_repositories = host.configure_repositories(Server::build()).start();
    for server in [Server::start(), only_repositories] {
        let unknown = server.anonymous().get("/api/v1/auth/nothing").expect(404).comparable();
        for path in ["/api/v1/auth/codehost", CALLBACK] {
            assert_eq!(server.anonymous().get(path).expect(404).comparable(), unknown, "{path}");
            assert_eq!(
                server.anonymous().post(path, json!({})).expect(404).comparable(),
                unknown,
                "{path}"
            );
        }
        let me = server.anonymous().get("/api/v1/me").expect(200).json();
        assert_eq!(me["authEnabled"], false);
    }
    let server = host.configure_sign_in(Server::build()).start();
    assert_eq!(
        server.anonymous().get("/api/v1/me").expect(200).json()["authEnabled"],
        true
    );
}

#[test]
fn a_private_key_that_is_none_stops_boot_and_is_not_shown() {
    let host = CodeHost::start();
    let key = "-----BEGIN RSA PRIVATE KEY-----\nbm90IGEga2V5\n-----END RSA PRIVATE KEY-----";
    let failed = host
        .configure(Server::build())
        .env("SERVICE_REPO_APP_PRIVATE_KEY", key)
        .try_start();
    let failed = failed.expect_err("it must not boot");
    assert_eq!(failed.code, Some(1));
    assert!(
        failed.stderr.contains("SERVICE_REPO_APP_PRIVATE_KEY"),
        "{}",
        failed.stderr
    );
    assert!(!failed.stderr.contains("bm90IGEga2V5"), "{}", failed.stderr);
}

#[test]
fn somebody_is_sent_to_the_code_host_with_state_and_challenge() {
    let (host, server) = start();
    let answer = server.anonymous().get("/api/v1/auth/codehost").expect(303);
    let away = answer.header("location").unwrap();
    assert!(
        away.starts_with(&format!("{}/login/oauth/authorize?", host.url())),
        "{away}"
    );
    assert_eq!(query(away, "redirect_uri"), format!("{}{CALLBACK}", server.url()));
    assert_eq!(query(away, "code_challenge_method"), "S256");
    assert_eq!(
        (query(away, "state").len(), query(away, "code_challenge").len()),
        (43, 43)
    );
    let cookie = answer.all("set-cookie").join("\n");
    for part in ["galley_codehost=", "HttpOnly", "SameSite=Lax", "Max-Age=600", "Path=/"] {
        assert!(cookie.contains(part), "{part} in {cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    assert!(!cookie.contains(&query(away, "state")), "the cookie shows the state");
    let again = server.anonymous().get("/api/v1/auth/codehost").expect(303);
    assert_ne!(query(again.header("location").unwrap(), "state"), query(away, "state"));
}

#[test]
fn with_https_the_cookie_is_bound_to_the_host() {
    let host = CodeHost::start();
    let server = host
        .configure(Server::build())
        .env("SERVICE_PUBLIC_URL", "https://galley.example")
        .start();
    let answer = server.anonymous().get("/api/v1/auth/codehost").expect(303);
    let cookie = answer.all("set-cookie").join("\n");
    assert!(
        cookie.contains("__Host-galley_codehost=") && cookie.contains("Secure"),
        "{cookie}"
    );
    let away = answer.header("location").unwrap();
    assert_eq!(query(away, "redirect_uri"), format!("https://galley.example{CALLBACK}"));
}

#[test]
fn an_existing_account_gets_a_session() {
    let (host, server) = start();
    let ed = host.sign_in(&server, "octo-ed");
    let me = ed.get("/api/v1/me").expect(200).json();
    assert_eq!(
        (&me["user"]["id"], &me["user"]["role"]),
        (&json!("account-ed"), &json!("editor"))
    );
    assert_eq!(me["scopes"], Value::Null);
}

#[test]
fn the_way_back_leads_to_where_somebody_wanted_to_go() {
    let (host, server) = start();
    host.sign_in_as("octo-ed");
    let wanted = [
        ("?to=/p/shop/%3Fa%3Db", "/p/shop/?a=b"),
        ("", "/"),
        ("?to=", "/"),
        ("?to=https://evil.example/", "/"),
        ("?to=//evil.example/", "/"),
        ("?to=/%5Cevil.example", "/"),
        ("?to=%0d%0aset-cookie:x=y", "/"),
    ];
    for (to, location) in wanted {
        let journey = Journey::begin(&server, to);
        let answer = journey.come_back(&server, &journey.decide()).expect(303);
        assert_eq!(answer.header("location"), Some(location), "{to}");
        let cookies = answer.all("set-cookie");
        assert!(
            cookies.iter().any(|cookie| cookie.contains("galley_session=")),
            "{cookies:?}"
        );
        assert!(
            cookies
                .iter()
                .any(|cookie| cookie.starts_with("galley_codehost=;") && cookie.contains("Max-Age=0")),
            "the attempt is over: {cookies:?}"
        );
    }
}

#[test]
fn a_stranger_gets_the_invite_only_page_and_no_account() {
    let (host, mut server) = start();
    let answer = host.try_sign_in(&server, "octo-ana").expect(403);
    assert!(answer.text().contains("invite-only"), "{}", answer.text());
    assert!(!answer.all("set-cookie").join("\n").contains("galley_session="));
    server.stop();
    assert!(!server.core().dump().contains("ana@example.com"));
}

#[test]
fn the_first_to_sign_in_to_a_new_instance_is_an_admin() {
    let host = CodeHost::start();
    let server = host.configure(Server::build().fresh()).start();
    let ana = host.sign_in(&server, "octo-ana");
    let me = ana.get("/api/v1/me").expect(200).json();
    assert_eq!(
        (&me["user"]["email"], &me["user"]["role"], &me["user"]["displayName"]),
        (
            &json!("ana@example.com"),
            &json!("admin"),
            &json!("octo-ana of the code host")
        )
    );
    assert_eq!(host.try_sign_in(&server, "octo-ed").expect(403).status, 403);
}

#[test]
fn the_local_operator_is_handed_to_the_code_host() {
    let host = CodeHost::start();
    let build = host.configure(Server::build().fresh().without("SERVICE_ADMIN_TOKEN"));
    let server = build.start();
    let link = eventually("a one-time link in the log", || server.local_link());
    let handed = server.anonymous().get(&link).expect(303);
    let onward = handed.header("location").unwrap().to_owned();
    host.sign_in_as("octo-ana");
    let journey = Journey::begin(&server, onward.strip_prefix("/api/v1/auth/codehost").unwrap());
    let answer = journey.come_back(&server, &journey.decide()).expect(303);
    assert!(answer.all("set-cookie").join("\n").contains("galley_session="));
    server.anonymous().get(&link).expect(404);
    server.anonymous().get(&onward).expect(404);
    server
        .anonymous()
        .get("/api/v1/auth/codehost?operator=wrong")
        .expect(404);
}

#[test]
fn an_identity_is_known_by_its_id_and_not_by_its_address() {
    let (host, server) = start();
    host.sign_in(&server, "octo-ed");
    // Ed's address at the code host is eve's now; he stays ed.
    host.edit(|world| world.people[1] = world.people[1].clone().with_emails(&[("eve@example.com", true, true)]));
    let me = host.sign_in(&server, "octo-ed").get("/api/v1/me").expect(200).json();
    assert_eq!(me["user"]["id"], "account-ed");
}

#[test]
fn only_the_verified_primary_address_counts() {
    let mut world = World::default();
    let addresses: [&[(&str, bool, bool)]; 3] = [
        &[("ed@example.com", true, false)],
        &[("ed@example.com", false, true)],
        &[],
    ];
    for (person, emails) in world.people.iter_mut().zip(addresses) {
        *person = person.clone().with_emails(emails);
    }
    let host = CodeHost::with(world);
    let server = host.configure(Server::build()).start();
    for login in ["octo-ada", "octo-ed", "octo-eve"] {
        refused(host.try_sign_in(&server, login), 403, "primary email address");
    }
    host.edit(|world| world.people[0] = world.people[0].clone().with_emails(&[(" Ed@Example.COM ", true, true)]));
    let me = host.sign_in(&server, "octo-ada").get("/api/v1/me").expect(200).json();
    assert_eq!(me["user"]["id"], "account-ed", "trimmed and lower-case");
}

#[test]
fn a_removed_account_stays_out() {
    let (host, mut server) = start();
    host.sign_in(&server, "octo-ed");
    server.edit(|core| core.remove(Person::named("ed")));
    host.try_sign_in(&server, "octo-ed").expect(403);
}

#[test]
fn whoever_says_no_is_told_how_to_go_on() {
    let (host, server) = start();
    host.state().deny_sign_in();
    let journey = Journey::begin(&server, "");
    let back = journey.decide();
    refused(journey.come_back(&server, &back), 403, "You did not sign in");
}

#[test]
fn a_callback_this_browser_did_not_begin_signs_nobody_in() {
    let (host, server) = start();
    host.sign_in_as("octo-ed");
    let journey = Journey::begin(&server, "");
    let back = journey.decide();
    let words = "not begun in this browser";
    refused(arrive(&server, &back, None), 400, words);
    let other = Journey::begin(&server, "");
    refused(arrive(&server, &back, Some(&other.cookie)), 400, words);
    refused(arrive(&server, &back, Some("galley_codehost=forged")), 400, words);
    let mut damaged = journey.cookie.clone();
    let end = if damaged.ends_with('A') { 'B' } else { 'A' };
    damaged.pop();
    damaged.push(end);
    refused(arrive(&server, &back, Some(&damaged)), 400, words);
    for address in [
        "",
        "?code=x",
        "?state=",
        "?state=x&code=y",
        "?error=access_denied",
        "?state=%ff&state=x",
    ] {
        let address = format!("{}{CALLBACK}{address}", server.url());
        refused(arrive(&server, &address, Some(&journey.cookie)), 400, words);
    }
    assert!(
        journey.come_back(&server, &back).status == 303,
        "the real one still works"
    );
}

#[test]
fn a_code_works_once() {
    let (host, server) = start();
    host.sign_in_as("octo-ed");
    let journey = Journey::begin(&server, "");
    let back = journey.decide();
    journey.come_back(&server, &back).expect(303);
    refused(
        journey.come_back(&server, &back),
        400,
        "The code host did not sign you in",
    );
    let state = query(&back, "state");
    for broken in ["&code=forged", "&code=", "", "&error=server_error"] {
        let address = format!("{}{CALLBACK}?state={state}{broken}", server.url());
        refused(
            journey.come_back(&server, &address),
            400,
            "The code host did not sign you in",
        );
    }
}

#[test]
fn programs_are_answered_in_json() {
    let (_host, server) = start();
    let error = server.anonymous().get(CALLBACK).expect(400).error();
    assert!(error.contains("not begun in this browser"), "{error}");
}

#[test]
fn a_code_host_that_fails_is_a_page_that_says_so() {
    let paths = ["/login/oauth/access_token", "/user", "/user/emails"];
    let failures = [
        Failure::Status(500),
        Failure::Status(401),
        Failure::Status(404),
        Failure::Html,
        Failure::Huge,
        Failure::HangUp,
        Failure::Redirect("http://127.0.0.1:9/elsewhere".into()),
        Failure::Json(json!([])),
        Failure::Json(json!({ "error": "incorrect_client_credentials" })),
        Failure::Json(json!({ "access_token": "", "id": "no number", "login": 7 })),
    ];
    for path in paths {
        // A server of its own: one client has only so many attempts.
        let (host, server) = start();
        for failure in &failures {
            // An empty list of addresses is an answer: there is none.
            if path == "/user/emails" && matches!(failure, Failure::Json(Value::Array(_))) {
                continue;
            }
            host.recover();
            host.fail(path, failure.clone());
            let answer = host.try_sign_in(&server, "octo-ed");
            refused(answer, 502, "The code host cannot be asked right now");
        }
        host.recover();
        host.sign_in(&server, "octo-ed");
    }
}

#[test]
fn a_code_host_that_is_silent_is_given_up() {
    let (host, server) = start();
    host.fail("/user", Failure::Silence);
    let started = std::time::Instant::now();
    refused(
        host.try_sign_in(&server, "octo-ed"),
        502,
        "The code host cannot be asked right now",
    );
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
    let gone = CodeHost::start();
    let other = gone.configure(Server::build()).start();
    gone.sign_in_as("octo-ed");
    let journey = Journey::begin(&other, "");
    let back = journey.decide();
    drop(gone);
    refused(
        journey.come_back(&other, &back),
        502,
        "The code host cannot be asked right now",
    );
}

#[test]
fn no_secret_stands_in_the_log_the_data_or_an_answer() {
    let host = CodeHost::start();
    host.state().expire_user_tokens();
    let build = host.configure(Server::build()).env("SERVICE_LOG", "debug");
    let mut server = build.start();
    host.sign_in_as("octo-ed");
    let journey = Journey::begin(&server, "");
    let back = journey.decide();
    let answer = journey.come_back(&server, &back).expect(303);
    let signed_in = Client::new(
        server.address(),
        galley_tests::client::Credential::Cookie(galley_tests::server::session_cookie(&answer)),
    );
    let found = signed_in.get("/api/v1/codehost/installations").expect(200);
    host.fail("/user/installations", Failure::Html);
    signed_in.get("/api/v1/codehost/installations").expect(502);
    let secrets = host.secrets();
    assert!(secrets.len() > 5, "{secrets:?}");
    server.stop();
    let (log, files) = (server.log(), server.contents());
    for secret in &secrets {
        assert!(!log.contains(secret), "{secret} stands in the log");
        assert!(!found.text().contains(secret) && !answer.head.contains(secret) && !journey.cookie.contains(secret));
        for (path, bytes) in &files {
            let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!found, "{secret} stands in {path}");
        }
    }
    assert!(files.iter().any(|(path, _)| path == "core.db"), "it was searched");
}
