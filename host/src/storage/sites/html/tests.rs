//! What views of real-looking pages look like.

use proptest::prelude::*;

use super::super::{View, fill};
use super::*;

const PREFIX: &str = "/p/shop/";
const BRIDGE: &str = "<script src=\"/.galley/bridge-1.js\" defer></script>";

fn view(page: &str, path: &str) -> String {
    let view = View {
        prefix: Some(PREFIX),
        built_for: Some(PREFIX),
        bridge: Some(BRIDGE),
    };
    String::from_utf8(fill(page.as_bytes(), path, &scan(page.as_bytes(), path), &view)).unwrap()
}

/// The view without what goes into the head, which each page gets.
fn body(page: &str, path: &str) -> String {
    let whole = view(page, path);
    let head = format!("<base href=\"{PREFIX}\" data-galley>{BRIDGE}");
    assert!(whole.contains(&head), "{whole}");
    whole.replacen(&head, "", 1)
}

#[test]
fn a_built_app_gets_base_bridge_and_prefixed_addresses() {
    let page = "<!doctype html>\n<html lang=en><head>\n<link rel=icon href=/vite.svg>\n\
        <script type=\"module\" crossorigin src=\"/assets/index-BxY12_aZ.js\"></script></head><body><div id=app></div></body></html>";
    assert_eq!(
        view(page, "index.html"),
        format!(
            "<!doctype html>\n<html lang=en><head><base href=\"/p/shop/\" data-galley>{BRIDGE}\n\
            <link rel=icon href=/p/shop/vite.svg>\n<script type=\"module\" crossorigin \
            src=\"/p/shop/assets/index-BxY12_aZ.js\"></script></head><body><div id=app></div></body></html>"
        )
    );
}

#[test]
fn every_kind_of_address_is_prefixed() {
    for (page, expected) in [
        ("<a HREF='/x?y#z'>", "<a HREF='/p/shop/x?y#z'>"),
        ("<a href = /x>", "<a href = /p/shop/x>"),
        ("<a href='/'>", "<a href='/p/shop/'>"),
        (
            "<img srcset='/a 1x, //h/b 2x,/c 3x'>",
            "<img srcset='/p/shop/a 1x, //h/b 2x,/p/shop/c 3x'>",
        ),
        ("<link imagesrcset='/a 1x'>", "<link imagesrcset='/p/shop/a 1x'>"),
        (
            "<form action=/s><button formaction=/t>",
            "<form action=/p/shop/s><button formaction=/p/shop/t>",
        ),
        (
            "<video poster=/p.jpg><source src=/v>",
            "<video poster=/p/shop/p.jpg><source src=/p/shop/v>",
        ),
        (
            "<object data=/o></object><p data=/o>",
            "<object data=/p/shop/o></object><p data=/o>",
        ),
        ("<a ping='/a b /c'>", "<a ping='/p/shop/a b /p/shop/c'>"),
        (
            "<svg><use xlink:href='/s.svg#i'/></svg>",
            "<svg><use xlink:href='/p/shop/s.svg#i'/></svg>",
        ),
        (
            "<meta http-equiv=Refresh content='3; url=/x'>",
            "<meta http-equiv=Refresh content='3; url=/p/shop/x'>",
        ),
        ("<meta name=x content='3; url=/x'>", "<meta name=x content='3; url=/x'>"),
        (
            "<script type=importmap>{\"imports\":{\"/a/\":\"\\/b/\",\"vue\":\"/v.js\"}}</script>",
            "<script type=importmap>{\"imports\":{\"/p/shop/a/\":\"/p/shop/b/\",\"vue\":\"/p/shop/v.js\"}}</script>",
        ),
        (
            "<a href='&#47;ent'><a href=&#x2F;x?a=1&amp;b=2><a href=\" &sol;\">",
            "<a href='/p/shop/ent'><a href=/p/shop/x?a=1&amp;b=2><a href=\" /p/shop/\">",
        ),
        (
            "<img srcset='&#47;a 1x, &#47;&#47;h/b 2x'><meta http-equiv=refresh content='0;url&equals;&#47;c'>",
            "<img srcset='/p/shop/a 1x, &#47;&#47;h/b 2x'><meta http-equiv=refresh content='0;url&equals;/p/shop/c'>",
        ),
        (
            "<a href='&#47;p&sol;shop/x'><a href='&#47;&sol;host'><a href='java&Tab;script&colon;f()'>",
            "<a href='/p/shop/x'><a href='&#47;&sol;host'><a href='java&Tab;script&colon;f()'>",
        ),
        (
            "<a href='/p/shop/x'><a href=/p/shop>",
            "<a href='/p/shop/x'><a href=/p/shop/p/shop>",
        ),
    ] {
        assert_eq!(body(page, "index.html"), expected);
    }
    let manifest = "<html manifest=/m.appcache><head>";
    assert!(view(manifest, "index.html").starts_with("<html manifest=/p/shop/m.appcache><head><base "));
}

#[test]
fn everything_else_is_left_alone() {
    for page in [
        "<a href='//host/x'><a href='https://h/x'><a href='mailto:a@b'><a href='javascript:f(\"/x\")'><a href='#x'>",
        "<img src='data:image/png;base64,/9j/'><img src=''><img src>",
        "<script>const a = '<a href=\"/x\">';</script><style>a{background:url(/x)}</style>",
        "<textarea><a href=/x></textarea><!-- <a href=/x> --><title><a href=/x></title>",
        "<a data-href=/x title=/x alt=/x href='\\\\host'>",
        "<script type=importmap>{\"imports\":{\"vue\":\"https://h/v.js\",\"a\":\"//h/a\"}}</script>",
        "<a href='{{ link }}'><a href='relative/x'><a href='?q'>",
        "<a href='&num;x'><a href='https&colon;//h/&#47;'><a href='&solx'><a title='&#47;x'>",
    ] {
        assert_eq!(body(page, "index.html"), page);
    }
}

#[test]
fn pages_in_folders_keep_their_relative_addresses() {
    let page =
        "<head></head><a href=b.html><a href='../c'><a href='#d'><a href='?e'><img src=./f.png><svg><use href='#g'/>";
    assert_eq!(
        body(page, "docs/index.html"),
        "<head></head><a href=/p/shop/docs/b.html><a href='/p/shop/docs/../c'><a href='/p/shop/docs/#d'>\
        <a href='/p/shop/docs/?e'><img src=/p/shop/docs/./f.png><svg><use href='#g'/>"
    );
    assert_eq!(
        body("<a href='#d'>", "docs/a b.html"),
        "<a href='/p/shop/docs/a%20b.html#d'>"
    );
    assert_eq!(
        body("<a href='#d'><a href=x>", "about.html"),
        "<a href='/p/shop/about.html#d'><a href=x>"
    );
    assert_eq!(body("<a href='#d'><a href=x>", "404.html"), "<a href='#d'><a href=x>");
    assert_eq!(
        body("<a href='#d'><a href=x>", "docs/404.html"),
        "<a href='#d'><a href=/p/shop/docs/x>"
    );
}

#[test]
fn an_existing_base_is_respected() {
    let bridged = |rest: &str| format!("<head>{BRIDGE}{rest}");
    let root = "<base target=_blank><base href='/'><base href='/y'><a href=/x><a href=z>";
    assert_eq!(
        view(&format!("<head>{root}"), "docs/index.html"),
        bridged("<base target=_blank><base href='/p/shop/'><base href='/y'><a href=/p/shop/x><a href=z>")
    );
    let relative = "<base href='./'><a href=/x><a href=z>";
    assert_eq!(
        view(&format!("<head>{relative}"), "docs/index.html"),
        bridged("<base href='./'><a href=/p/shop/x><a href=z>")
    );
    let elsewhere = "<base href='https://cdn/'><a href=/x><a href=z>";
    assert_eq!(
        view(&format!("<head>{elsewhere}"), "docs/index.html"),
        bridged(elsewhere)
    );
    assert_eq!(
        view("<head><base href='&sol;'><a href=z>", "docs/index.html"),
        bridged("<base href='/p/shop/'><a href=z>")
    );
    assert_eq!(
        view("<head><base href=/p/shop/>", "index.html"),
        bridged("<base href=/p/shop/>")
    );
}

#[test]
fn a_version_view_replaces_the_prefix_the_site_was_built_for() {
    let page = b"<head><a href=/p/shop/x><a href=/y>";
    let view = View {
        prefix: Some("/p/shop/@1/"),
        built_for: Some(PREFIX),
        bridge: None,
    };
    let filled = fill(page, "index.html", &scan(page, "index.html"), &view);
    let expected = "<head><base href=\"/p/shop/@1/\" data-galley><a href=/p/shop/@1/x><a href=/p/shop/@1/y>";
    assert_eq!(String::from_utf8(filled).unwrap(), expected);
}

#[test]
fn the_head_is_found_in_unusual_pages() {
    let base = "<base href=\"/p/shop/\" data-galley>";
    for (page, before) in [
        ("", ""),
        ("hello", ""),
        ("<p>x", ""),
        ("\u{feff}<p>x", "\u{feff}"),
        ("<!doctype html><title>x</title>", "<!doctype html>"),
        (
            "<!-- c --><!DOCTYPE html><html a='>'><title>x",
            "<!-- c --><!DOCTYPE html><html a='>'>",
        ),
        (
            "<!doctype html><html><head data-x><title>",
            "<!doctype html><html><head data-x>",
        ),
        ("<div><head><p>", ""),
        ("<p></p><!doctype html>", ""),
        ("<<<>>< / <a", ""),
    ] {
        assert!(
            view(page, "index.html").starts_with(&format!("{before}{base}{BRIDGE}")),
            "{page:?}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_left_as_it_is() {
    for page in [&b"\xff\xfe<\0h\0"[..], b"\xfe\xff\0<\0h"] {
        assert!(scan(page, "index.html").is_empty());
    }
    let huge = format!(
        "<a href=/1><img src=/2 alt='{}'><a href=/3>",
        "x".repeat(MAX_MEMORY + 100)
    );
    let holes = scan(huge.as_bytes(), "index.html");
    assert!(holes.iter().any(|hole| hole.kind == HoleKind::Bridge));
}

proptest! {
    #[test]
    fn at_a_root_without_bridge_nothing_changes(
        parts in proptest::collection::vec(prop_oneof![
            Just("<head>"), Just("<a href=\"/x\">"), Just("<base href='/b'>"), Just("<img srcset='/a 1x,/b'"), Just(">"),
            Just("<script type=importmap>{\"imports\":{\"a\":\"/b\"}}"), Just("</script>"), Just("<!--"), Just("-->"),
            Just("<!doctype html>"), Just("\u{feff}"), Just("ü"), Just("href=/x "), Just("'"), Just("\""), Just("<svg>"),
            Just("<meta http-equiv=refresh content='0;url=/x'>"), Just("<a href='&#47;x'>"), Just("<img srcset='&sol;a 1x'>"), Just("<textarea>"), Just("</"), Just("<a ping='/a /b'"),
        ], 0..30),
        path in "(docs/)?(index|about|404)\\.html",
    ) {
        let page = parts.concat();
        let holes = scan(page.as_bytes(), &path);
        prop_assert!(holes.windows(2).all(|pair| pair[0].at + u32::from(pair[0].skip) <= pair[1].at));
        prop_assert_eq!(fill(page.as_bytes(), &path, &holes, &View::default()), page.as_bytes());
        // The prefix is longer than any spelling of a slash above.
        let view = View { prefix: Some("/\u{1}\u{1}\u{1}\u{1}/"), built_for: None, bridge: Some("\u{2}") };
        let filled = String::from_utf8(fill(page.as_bytes(), &path, &holes, &view)).unwrap();
        prop_assert!(filled.len() >= page.len());
    }

    #[test]
    fn any_bytes_survive(page in proptest::collection::vec(any::<u8>(), 0..200)) {
        let holes = scan(&page, "a/index.html");
        prop_assert_eq!(fill(&page, "a/index.html", &holes, &View::default()), page);
    }
}
