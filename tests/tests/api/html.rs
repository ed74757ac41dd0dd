//! What the server changes in a page in path mode, and what it leaves alone.

use galley_tests::paths;
use galley_tests::prelude::*;

/// Uploads a page and gives it as it is served.
fn served(page: &str) -> String {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    upload(&server.user("ed"), &shop, &Bundle::page(page));
    server.user("ed").get("/p/shop/?review=off").expect(200).text()
}

/// The body of a page whose `<body>` is this.
fn body(inner: &str) -> String {
    let page = served(&format!(
        "<!doctype html><html><head><title>t</title></head><body>{inner}</body></html>"
    ));
    page.split_once("<body>")
        .and_then(|(_, rest)| rest.rsplit_once("</body>"))
        .expect("a body")
        .0
        .to_owned()
}

/// Addresses of a page's scripts.
pub(crate) fn scripts(page: &str) -> Vec<String> {
    let tags = page.split("<script").skip(1).filter_map(|rest| rest.split('>').next());
    let attribute = |tag: &str| {
        tag.split("src=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .map(str::to_owned)
    };
    tags.filter_map(attribute).collect()
}

#[test]
fn a_base_is_the_first_thing_in_the_head() {
    let page = served("<!doctype html><html><head><link rel=icon href=i.ico></head><body></body></html>");
    let base = page.find("<base href=\"/p/shop/\"").unwrap_or_else(|| panic!("{page}"));
    assert!(base < page.find("<link").unwrap(), "{page}");
    assert_eq!(page.matches("<base").count(), 1);
}

#[test]
fn a_page_without_a_head_gets_a_base_too() {
    for page in [
        "<p>Hello <img src=a.png>",
        "<html><body><p>Hello",
        "Hello",
        "<!-- c --><title>x</title>Hello",
    ] {
        let page = served(page);
        assert!(page.contains("<base href=\"/p/shop/\""), "{page}");
        assert!(page.find("<base").unwrap() < page.find("Hello").unwrap(), "{page}");
    }
}

#[test]
fn an_own_base_is_adjusted_instead() {
    let page = served("<html><head><base href=\"/\"><base href=\"/second/\"></head><body></body></html>");
    let first = page.find("<base").unwrap();
    assert!(page[first..].starts_with("<base href=\"/p/shop/\""), "{page}");
    let page = served("<html><head><base href=\"/app/\"></head><body></body></html>");
    let first = page.find("<base").unwrap();
    assert!(page[first..].starts_with("<base href=\"/p/shop/app/\""), "{page}");
}

#[test]
fn root_absolute_attributes_are_moved_below_the_slug() {
    let cases = [
        ("<a href=\"/about\">x</a>", "<a href=\"/p/shop/about\">x</a>"),
        ("<a href=\"/\">x</a>", "<a href=\"/p/shop/\">x</a>"),
        ("<a href='/about?a=1&amp;b=2#c'>x</a>", "/p/shop/about?a=1"),
        ("<img src=\"/a.png\">", "<img src=\"/p/shop/a.png\">"),
        ("<img src=/a.png>", "/p/shop/a.png"),
        ("<IMG SRC=\"/A.png\">", "/p/shop/A.png"),
        (
            "<img srcset=\"/a.png 1x, /b.png 2x\">",
            "<img srcset=\"/p/shop/a.png 1x, /p/shop/b.png 2x\">",
        ),
        ("<img srcset=\"a.png 1x,/b.png 640w\">", "/p/shop/b.png 640w"),
        ("<form action=\"/send\"></form>", "<form action=\"/p/shop/send\">"),
        ("<button formaction=\"/send\">x</button>", "formaction=\"/p/shop/send\""),
        ("<video poster=\"/p.jpg\"></video>", "poster=\"/p/shop/p.jpg\""),
        ("<object data=\"/o.svg\"></object>", "data=\"/p/shop/o.svg\""),
        (
            "<svg><use xlink:href=\"/i.svg#a\"></use></svg>",
            "xlink:href=\"/p/shop/i.svg#a\"",
        ),
        ("<svg><image href=\"/i.png\"></image></svg>", "href=\"/p/shop/i.png\""),
        ("<a ping=\"/a /b\" href=\"x\">x</a>", "ping=\"/p/shop/a /p/shop/b\""),
        ("<iframe src=\"/frame.html\"></iframe>", "src=\"/p/shop/frame.html\""),
        ("<source srcset=\"/a.webp\">", "srcset=\"/p/shop/a.webp\""),
    ];
    let page = body(&cases.map(|(given, _)| given).join("\n"));
    for (line, (given, expected)) in page.lines().zip(cases) {
        assert!(line.contains(expected), "{given} became {line}");
    }
}

#[test]
fn addresses_in_the_head_are_moved_too() {
    let page = served(
        "<html><head><link rel=stylesheet href=\"/a.css\"><script src=\"/a.js\"></script><link rel=preload as=image \
         imagesrcset=\"/a.png 1x\"><link rel=manifest href=\"/site.webmanifest\"><meta http-equiv=\"Refresh\" \
         content=\"5; url=/next\"></head><body></body></html>",
    );
    for expected in [
        "href=\"/p/shop/a.css\"",
        "src=\"/p/shop/a.js\"",
        "imagesrcset=\"/p/shop/a.png 1x\"",
        "href=\"/p/shop/site.webmanifest\"",
        "5; url=/p/shop/next",
    ] {
        assert!(page.contains(expected), "{expected} in {page}");
    }
}

#[test]
fn other_addresses_are_left_alone() {
    let inner = "<a href=\"//cdn.example/x\">x</a><a href=\"https://example.com/x\">x</a><a href=\"mailto:a@example.com\">x</a>\
        <a href=\"tel:1\">x</a><a href=\"page.html\">x</a><a href=\"?q=1\">x</a><a href=\"javascript:void(0)\">x</a>\
        <img src=\"data:image/png;base64,/9j/\"><img src=\"//cdn.example/a.png\"><img srcset=\"//cdn.example/a.png 1x\">\
        <p title=\"/about\" data-href=\"/about\">/about</p><!-- <a href=\"/about\"> --><input value=\"/a\">\
        <script>const a = '/about'; const b = \"<a href='/x'>\";</script><style>a { background: url(/a.png) }</style>\
        <textarea><a href=\"/about\"></textarea>";
    assert_eq!(body(inner), inner);
}

#[test]
fn a_page_is_never_moved_twice() {
    let page = served("<html><head></head><body><a href=\"/p/shop/about\">x</a></body></html>");
    assert!(page.contains("href=\"/p/shop/about\""), "{page}");
    assert!(!page.contains("/p/shop/p/shop"), "{page}");
}

#[test]
fn bytes_that_are_not_utf_8_survive() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let page = b"<html><head><meta charset=\"iso-8859-1\"></head><body>caf\xe9 <a href=\"/x\">x</a></body></html>";
    upload(
        &server.user("ed"),
        &shop,
        &Bundle::empty().file("index.html", page.to_vec()),
    );
    let answer = server.user("ed").get("/p/shop/").expect(200);
    assert!(
        answer.body.windows(5).any(|bytes| bytes == b"caf\xe9 "),
        "{}",
        answer.text()
    );
    let kind = answer.header("content-type").unwrap().to_lowercase();
    assert!(!kind.contains("utf-8"), "the page says what it is itself: {kind}");
}

#[test]
fn broken_pages_are_served_as_well_as_they_can_be() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let deep = "<div>".repeat(20_000);
    let long = format!("<a href=\"/{}\">x</a>", "a".repeat(1 << 20));
    let pages = [
        "",
        "<",
        "<html",
        "<a href=\"/unclosed",
        "</html><body><head>",
        "<!doctype",
        "<script>",
        "<svg><style><!--",
        &deep,
        &long,
    ];
    for page in pages {
        upload(&ed, &shop, &Bundle::page(page));
        ed.get("/p/shop/").expect(200);
    }
}

#[test]
fn the_bridge_is_in_every_page() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let bundle = Bundle::page("<html><head></head><body>Root</body></html>").file("docs/index.html", "<p>Docs");
    upload(&server.user("ed"), &shop, &bundle);
    let bridge = std::fs::read(paths::bridge()).unwrap();
    for path in ["/p/shop/", "/p/shop/docs/", "/p/shop/some/route"] {
        let page = server.user("vic").get(path).expect(200).text();
        let found = scripts(&page);
        assert_eq!(found.len(), 1, "{page}");
        let script = server.user("vic").get(&found[0]).expect(200);
        assert!(
            script.header("content-type").unwrap().starts_with("text/javascript"),
            "{}",
            script.head
        );
        assert_eq!(script.body, bridge);
    }
}

#[test]
fn review_off_serves_without_the_bridge() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    upload(
        &server.user("ed"),
        &shop,
        &Bundle::page("<html><head></head><body>Root</body></html>"),
    );
    for path in [
        "/p/shop/?review=off",
        "/p/shop/?a=1&review=off",
        "/p/shop/index.html?review=off",
    ] {
        let page = server.user("vic").get(path).expect(200).text();
        assert!(scripts(&page).is_empty(), "{path}: {page}");
        assert!(page.contains("<base href=\"/p/shop/\""));
    }
    for path in ["/p/shop/?review=on", "/p/shop/?preview=off", "/p/shop/?review"] {
        assert_eq!(
            scripts(&server.user("vic").get(path).expect(200).text()).len(),
            1,
            "{path}"
        );
    }
}

#[test]
fn both_forms_of_a_page_are_told_apart_by_caches() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    upload(&server.user("ed"), &shop, &Bundle::sample("Shop"));
    let tag = |path: &str| {
        server
            .user("ed")
            .get(path)
            .expect(200)
            .header("etag")
            .expect("an ETag")
            .to_owned()
    };
    assert_ne!(tag("/p/shop/"), tag("/p/shop/?review=off"));
}

#[test]
fn an_address_that_begins_with_a_character_reference_is_moved_too() {
    let inner = "<a href=\"&#47;ent\"><a href='&sol;a?b=1&amp;c=2'><img srcset=\"&#x2F;x 1x, y 2x\">";
    assert_eq!(
        body(inner),
        "<a href=\"/p/shop/ent\"><a href='/p/shop/a?b=1&amp;c=2'><img srcset=\"/p/shop/x 1x, y 2x\">"
    );
    let left = "<a href=\"&#47;&#47;host/x\"><a href='https&colon;//host/&#47;'><a title='&#47;x' href='#&amp;'>";
    assert_eq!(body(left), left);
}
