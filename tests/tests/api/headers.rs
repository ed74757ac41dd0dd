//! What the server's own answers tell browsers, beside their content.

use galley_tests::prelude::*;

const ISOLATED: [(&str, &str); 2] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// A server with a public prototype `shop` and one without a live version.
fn start(public: Option<&str>) -> Server {
    let build = Server::build()
        .public_links(true)
        .env("SERVICE_UNSUBSCRIBE_SECRET", "for unsubscribing in tests");
    let server = match public {
        Some(url) => build.env("SERVICE_PUBLIC_URL", url).start(),
        None => build.start(),
    };
    let shop = project_with(&server.admin(), "shop", "public-link");
    upload(&server.admin(), &shop, &Bundle::sample("Shop"));
    project_with(&server.admin(), "empty", "public-link");
    server
}

/// Answers that are the server's own: pages, errors, the API.
const OWN: [&str; 11] = [
    "/",
    "/sign-in",
    "/galley.css",
    "/nothing-here",
    "/api/v1/unsubscribe?token=x",
    "/api/v1/auth/invite/x",
    "/api/v1/me",
    "/api/v1/projects/x/comments",
    "/api/v1/nothing-here",
    "/p/no-such-prototype/",
    "/p/empty/",
];

#[test]
fn own_answers_are_cut_off_from_other_origins() {
    let server = start(None);
    for path in OWN {
        let answer = server.anonymous().open(path);
        for (name, value) in ISOLATED {
            assert_eq!(answer.all(name), [value], "{path}: {name}\n{}", answer.head);
        }
        let permissions = answer.header("permissions-policy").unwrap_or_default();
        for feature in ["camera=()", "microphone=()", "geolocation=()", "payment=()"] {
            assert!(permissions.contains(feature), "{path}: {permissions}");
        }
        assert_eq!(answer.header("strict-transport-security"), None, "{path} over http");
    }
    let refused = server.anonymous().request("DELETE", "/api/v1/me").send().expect(405);
    assert_eq!(refused.all(ISOLATED[0].0), [ISOLATED[0].1]);
    let refused = server.anonymous().open("/api/v1/me").expect(403);
    assert_eq!(refused.all(ISOLATED[1].0), [ISOLATED[1].1]);
}

#[test]
fn prototypes_decide_that_for_themselves() {
    let server = start(None);
    for path in ["/p/shop/", "/p/shop/logo.svg", "/p/shop/assets/app-5f4dcc3b.js"] {
        let answer = server.anonymous().get(path).expect(200);
        for name in [
            "cross-origin-opener-policy",
            "cross-origin-resource-policy",
            "permissions-policy",
        ] {
            assert_eq!(answer.header(name), None, "{path}");
        }
    }
}

#[test]
fn over_https_browsers_stay_on_https() {
    let server = start(Some("https://review.example.org"));
    for path in OWN.into_iter().chain(["/p/shop/", "/p/shop/logo.svg"]) {
        let answer = server.anonymous().open(path);
        let policy = answer.header("strict-transport-security").unwrap_or_default();
        let age: u64 = policy.strip_prefix("max-age=").unwrap_or_default().parse().unwrap_or(0);
        assert!(age >= 15_552_000, "{path}: `{policy}`");
    }
}
