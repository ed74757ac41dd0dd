//! What the first page shows of itself.

use super::*;

const PAGE: &str = "<!doctype html><meta name=theme-color content='#0a7'><link rel=icon href=/icons/a.svg?v=1>\
                    <title>Shop &amp; more</title>";
const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg'/>";

impl Studio {
    fn shown(&self, id: &str) -> Value {
        let answer = self
            .host
            .get(&format!("/api/v1/deployments/{id}"))
            .as_user(&self.vic)
            .send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["cover"].clone()
    }

    fn icon(&self, files: &[(&str, &str)]) -> Option<String> {
        let id = self.deployed(files);
        self.shown(&id)["icon"].as_str().map(str::to_owned)
    }
}

#[test]
fn title_colour_and_icon_are_read_when_the_deployment_is_made() {
    let studio = studio();
    let id = studio.deployed(&[("index.html", PAGE), ("icons/a.svg", SVG)]);
    let cover = studio.shown(&id);
    assert_eq!(
        (&cover["title"], &cover["colour"]),
        (&json!("Shop & more"), &json!("#0a7"))
    );
    let icon = cover["icon"].as_str().unwrap();
    assert!(icon.starts_with("data:image/svg+xml;base64,PHN2Zy"), "{icon}");
    // Lists leave the icon out.
    assert_eq!(
        studio.listed()[0]["cover"],
        json!({ "title": "Shop & more", "colour": "#0a7" })
    );
}

#[test]
fn a_page_that_says_nothing_has_no_cover() {
    let studio = studio();
    let id = studio.deployed(&[INDEX]);
    assert_eq!(
        (studio.shown(&id), &studio.listed()[0]["cover"]),
        (Value::Null, &Value::Null)
    );
}

#[test]
fn an_icon_is_a_small_picture_of_the_prototype() {
    let studio = studio();
    let page = |href: &str| format!("<link rel=icon href=\"{href}\">");
    for href in [
        "icons/a.svg",
        "./icons/a.svg#x",
        "/icons/a.svg",
        "icons/%61.svg",
        "missing.png",
    ] {
        let page = page(href);
        let files = [
            ("index.html", page.as_str()),
            ("icons/a.svg", SVG),
            ("favicon.svg", SVG),
        ];
        assert!(
            studio
                .icon(&files)
                .is_some_and(|icon| icon.starts_with("data:image/svg+xml")),
            "{href}"
        );
    }
    assert!(studio.icon(&[INDEX, ("favicon.svg", SVG)]).is_some(), "the usual place");
    let large = format!("<svg>{}</svg>", " ".repeat(40_000));
    for (href, content) in [
        ("a.svg", "<html><script>alert(1)</script>"),
        ("a.svg", large.as_str()),
        ("a.svg", ""),
        ("https://evil.example/a.svg", SVG),
        ("//evil.example/a.svg", SVG),
        ("data:text/html,<script>alert(1)</script>", SVG),
        ("../../../etc/passwd", SVG),
        ("index.html", SVG),
    ] {
        let page = page(href);
        assert_eq!(
            studio.icon(&[("index.html", &page), ("a.svg", content)]),
            None,
            "{href}"
        );
    }
    let largest = studio.icon(&[INDEX, ("favicon.svg", &format!("<svg>{}</svg>", " ".repeat(24_000)))]);
    assert!(largest.is_some_and(|icon| icon.len() <= 32 << 10));
}

#[test]
fn a_hostile_page_is_deployed_as_any_other() {
    let studio = studio();
    for page in [
        "<title>".repeat(50_000),
        "<link rel=icon href=a>".repeat(50_000),
        format!("<title>{}", "\u{202e}x".repeat(100_000)),
        format!("<meta name=theme-color content='{}'>", "a".repeat(300_000)),
        "<!--".repeat(100_000),
        "\0".repeat(300_000),
    ] {
        let id = studio.deployed(&[("index.html", &page)]);
        let cover = studio.shown(&id).to_string();
        assert!(cover.len() < 1_000, "{cover}");
    }
}
