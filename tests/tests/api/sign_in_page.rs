//! The sign-in page, and signing out without scripts.

use galley_tests::mail::MailSink;
use galley_tests::prelude::*;
use galley_tests::server::Build;

/// With a mail server that is configured; nothing is sent to it here.
fn with_mail(build: Build) -> Build {
    MailSink::start().serves(build)
}

fn with_code_host(build: Build) -> Build {
    build
        .env("SERVICE_CODEHOST_CLIENT_ID", "an-id")
        .env("SERVICE_CODEHOST_CLIENT_SECRET", "a-secret")
        .env("SERVICE_CODEHOST_URL", "https://code.example")
}

const MAIL_FORM: &str = "action=\"/api/v1/auth/magic-link\"";
const CODE_HOST: &str = "href=\"/api/v1/auth/codehost";

#[test]
fn the_page_offers_the_ways_in_that_are_configured() {
    let ways = |build: Build| {
        let page = build.start().anonymous().open("/sign-in").expect(200).text();
        assert!(!page.contains("a-secret"));
        (page.contains(MAIL_FORM), page.contains(CODE_HOST), page)
    };
    let (mail, code_host, page) = ways(Server::build());
    assert!(
        !mail && !code_host && page.contains("Ask an admin for a sign-in link"),
        "{page}"
    );
    let (mail, code_host, page) = ways(with_mail(Server::build()));
    assert!(
        mail && !code_host && !page.contains("Ask an admin for a sign-in link"),
        "{page}"
    );
    let (mail, code_host, page) = ways(with_code_host(Server::build()));
    assert!(
        !mail && code_host && page.contains("Sign in with code.example"),
        "{page}"
    );
    let (mail, code_host, _) = ways(with_code_host(with_mail(Server::build())));
    assert!(mail && code_host);
}

#[test]
fn the_pages_work_without_scripts_and_for_screen_readers() {
    let server = with_mail(Server::build()).start();
    let page = server.anonymous().open("/sign-in").expect(200);
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    let html = page.text();
    assert!(!html.contains("<script") && !html.contains(" style="));
    for needed in [
        "<html lang=\"en\">",
        "<title>Sign in",
        "<h1>Sign in</h1>",
        "<main>",
        "<label for=\"email\">",
    ] {
        assert!(html.contains(needed), "{needed} in {html}");
    }
    let wrong = server
        .anonymous()
        .submit("/api/v1/auth/magic-link", "email=%22%3E%3Cb%3E")
        .expect(400);
    let html = wrong.text();
    for needed in [
        "aria-invalid=\"true\"",
        "aria-describedby=\"email-hint email-error\"",
        "id=\"email-error\"",
    ] {
        assert!(html.contains(needed), "{needed} in {html}");
    }
    assert!(!html.contains("\"><b>"), "what was typed is escaped");
}

#[test]
fn where_one_goes_afterwards_is_a_path_of_this_server() {
    let server = with_code_host(with_mail(Server::build())).start();
    let page = |to: &str| server.anonymous().open(&format!("/sign-in?to={to}")).expect(200).text();
    let kept = page("%2Fp%2Fshop%2F");
    assert!(
        kept.contains("name=\"to\" value=\"/p/shop/\"") && kept.contains("codehost?to=%2Fp%2Fshop%2F"),
        "{kept}"
    );
    let hostile = [
        "https%3A%2F%2Fevil.example",
        "%2F%2Fevil.example",
        "%5C%5Cevil.example",
        "evil.example",
    ];
    for to in hostile {
        let html = page(to);
        assert!(!html.contains("evil") && !html.contains("name=\"to\""), "{html}");
    }
    let html = page("%2F%22%3E%3Cscript%3E");
    assert!(!html.contains("<script"), "{html}");
}

#[test]
fn the_home_page_says_who_is_signed_in_and_signs_out_without_scripts() {
    let server = Server::start();
    let anonymous = server.anonymous().open("/").expect(200).text();
    assert!(
        anonymous.contains("href=\"/sign-in\"") && !anonymous.contains("auth/logout"),
        "{anonymous}"
    );
    let vic = server.user("vic");
    let home = vic.open("/").expect(200).text();
    assert!(home.contains("Signed in as <strong>vic</strong>"), "{home}");
    assert!(
        home.contains("<form") && home.contains("method=\"post\" action=\"/api/v1/auth/logout\""),
        "{home}"
    );
    let sign_in = vic.open("/sign-in?to=/p/shop/").expect(200).text();
    assert!(sign_in.contains("signed in as <strong>vic</strong>") && sign_in.contains("href=\"/p/shop/\""));

    let foreign = vic
        .form("/api/v1/auth/logout", "")
        .header("origin", "http://evil.example");
    foreign.send().expect(403);
    let answer = vic.submit("/api/v1/auth/logout", "").expect(303);
    assert_eq!(answer.header("location"), Some("/"));
    assert!(answer.all("set-cookie").join("\n").contains("Max-Age=0"));
    assert_eq!(vic.get("/api/v1/me").expect(200).json()["user"], Value::Null);
    vic.submit("/api/v1/auth/logout", "").expect(303);
    server.anonymous().post("/api/v1/auth/logout", json!({})).expect(401);
    server.user("ed").post("/api/v1/auth/logout", json!({})).expect(204);
}

#[test]
fn a_prototype_one_may_not_see_leads_to_the_sign_in_page_and_back() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    upload(&server.user("ed"), &shop, &Bundle::page("<h1>Shop</h1>"));
    let hidden = server.anonymous().open("/p/shop/a%22b/?x=1").expect(404);
    assert!(hidden.text().contains("<a href=\"/sign-in\">"), "{}", hidden.text());
    let missing = server.anonymous().open("/p/none/").expect(404);
    assert_eq!(
        missing.comparable(),
        hidden.comparable(),
        "whether it exists does not show"
    );

    let from = |referer: &str| {
        let request = server.user("vic").request("GET", "/sign-in").header("referer", referer);
        let page = request.send().expect(200).text();
        let start = page.split("<a href=\"").find(|rest| rest.contains("Go on")).unwrap();
        start.split('"').next().unwrap().to_owned()
    };
    let url = server.url();
    assert_eq!(from(&format!("{url}/p/shop/a%22b/?x=1")), "/p/shop/a%22b/?x=1");
    assert_eq!(from(&format!("{url}/open/shop?to=%2Fa")), "/open/shop?to=%2Fa");
    for elsewhere in [
        "http://evil.example/p/shop/",
        &format!("{url}.evil.example/p/shop/"),
        &format!("{url}//evil.example/p/"),
        &format!("{url}/"),
        "nonsense",
    ] {
        assert_eq!(from(elsewhere), "/", "{elsewhere}");
    }
}
