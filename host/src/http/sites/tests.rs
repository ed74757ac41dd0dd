//! Serving as a client sees it, on a store and a core in a temporary folder.

use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, Method, StatusCode};
use http_body_util::BodyExt;

use super::*;
use crate::storage::core::{Access, Account, NewAccount, NewProject, Project, Role, SettingsChange, SiteVersion};
use crate::storage::id::new_id;
use crate::storage::sites::Limits;

const PAGE: &str = "<!doctype html><html><head><title>x</title></head><body><a href=/x>x</a></body></html>";
const BEARER: &str = "0123456789abcdef";

struct Fixture {
    sites: Sites,
    core: Arc<Core>,
    store: SiteStore,
    _folder: tempfile::TempDir,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

fn fixture(variables: &[(&str, &str)]) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let mut variables: Vec<_> = variables
        .iter()
        .map(|(name, value)| ((*name).into(), (*value).into()))
        .collect();
    variables.push(("SERVICE_DATA_DIR".into(), folder.path().into()));
    variables.push(("SERVICE_ADMIN_TOKEN".into(), BEARER.into()));
    let config = Arc::new(Config::parse(variables, "/x".into()).unwrap());
    let core = Arc::new(Core::open(folder.path()).unwrap());
    let store = SiteStore::open(folder.path()).unwrap();
    let script = "console.log('bridge');\n".repeat(100);
    let sites = Sites::new(core.clone(), config, store.clone(), script.into()).unwrap();
    Fixture {
        sites,
        core,
        store,
        _folder: folder,
    }
}

fn path_mode() -> Fixture {
    fixture(&[("SERVICE_PUBLIC_URL", "http://galley.test")])
}

fn own_origin() -> Fixture {
    fixture(&[
        ("SERVICE_PUBLIC_URL", "https://galley.test"),
        ("SERVICE_SERVE_DOMAIN", "proto.test:8443"),
    ])
}

impl Fixture {
    async fn project(&self, slug: &str, access: Access) -> Arc<Project> {
        let change = SettingsChange {
            allow_public_links: Some(true),
            ..Default::default()
        };
        self.core.update_settings(change).await.unwrap();
        let new = NewProject {
            slug: slug.into(),
            name: slug.into(),
            access,
            listed: None,
        };
        self.core.create_project(new).await.unwrap()
    }

    async fn publish(&self, project: &Project, files: &[(&str, &[u8])]) -> String {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, path, *content).unwrap();
        }
        let body = archive.into_inner().unwrap().finish().unwrap();
        let limits = Limits {
            max_packed: 1 << 30,
            max_unpacked: 1 << 30,
            max_entries: 1000,
        };
        let mut unpacker = self.store.begin(limits).unwrap();
        unpacker.push(body.into()).await.unwrap();
        let tree = unpacker.finish().await.unwrap();
        let id = new_id();
        let info = self.store.commit(tree, &project.id, &id).unwrap();
        let version = SiteVersion {
            id: id.clone(),
            project_id: project.id.clone(),
            files: info.files,
            bytes: info.bytes,
            created_at: 0,
        };
        self.core.publish_version(version).await.unwrap();
        let site = self.store.site(&project.id, &id).unwrap();
        while !site.has_variants() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        id
    }

    /// A public site with these files, at `/p/shop/`.
    async fn shop(&self, files: &[(&str, &[u8])]) -> String {
        let project = self.project("shop", Access::PublicLink).await;
        self.publish(&project, files).await
    }

    async fn account(&self, email: &str, role: Role) -> (Account, String) {
        let new = NewAccount {
            email: email.into(),
            display_name: "A".into(),
            role,
        };
        let account = self.core.create_account(new).await.unwrap();
        let session = self.core.create_session(&account.id).await.unwrap();
        (account, session)
    }

    async fn ask(&self, method: &str, uri: &str, headers: &[(&str, &str)]) -> Option<Answer> {
        let request = request(method, uri, headers);
        read(self.sites.serve(&request).await?).await
    }

    async fn get(&self, uri: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask("GET", uri, headers).await.expect("an answer")
    }

    async fn fallback(&self, uri: &str, headers: &[(&str, &str)]) -> Option<Answer> {
        let request = request("GET", uri, headers);
        read(self.sites.fallback(&request).await?).await
    }
}

fn request(method: &str, uri: &str, headers: &[(&str, &str)]) -> Request<()> {
    let mut request = Request::builder()
        .method(Method::from_bytes(method.as_bytes()).unwrap())
        .uri(uri);
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", "galley.test");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap()
}

async fn read(response: Response<SiteBody>) -> Option<Answer> {
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes().to_vec();
    Some(Answer {
        status: parts.status,
        headers: parts.headers,
        body,
    })
}

#[tokio::test]
async fn a_page_has_base_bridge_and_its_headers() {
    let fixture = path_mode();
    fixture.shop(&[("index.html", PAGE.as_bytes())]).await;
    let answer = fixture.get("/p/shop/", &[]).await;
    assert_eq!(answer.status, 200);
    let text = answer.text().to_owned();
    assert!(
        text.contains("<head><base href=\"/p/shop/\" data-galley><script src=\"/.galley/bridge-"),
        "{text}"
    );
    assert!(text.contains("<a href=/p/shop/x>"));
    assert_eq!(answer.header("content-type"), "text/html");
    assert_eq!(answer.header("cache-control"), "no-cache");
    assert_eq!(answer.header("x-robots-tag"), "noindex");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("content-length"), text.len().to_string());
    let tag = answer.header("etag").to_owned();
    let again = fixture.get("/p/shop/", &[("if-none-match", &tag)]).await;
    assert_eq!(
        (again.status, again.body.len(), again.header("etag")),
        (StatusCode::NOT_MODIFIED, 0, tag.as_str())
    );
    assert!(!again.headers.contains_key("content-length"));

    let off = fixture.get("/p/shop/?a=1&review=off", &[]).await;
    assert!(off.text().contains("<base href=\"/p/shop/\"") && !off.text().contains("bridge"));
    assert_ne!(off.header("etag"), tag);
    let head = fixture.ask("HEAD", "/p/shop/", &[]).await.unwrap();
    assert_eq!(
        (head.status, head.body.len(), head.header("content-length")),
        (StatusCode::OK, 0, answer.header("content-length"))
    );

    let bridge = text.split("src=\"").nth(1).unwrap().split('"').next().unwrap();
    let script = fixture.get(bridge, &[("accept-encoding", "br")]).await;
    assert_eq!(script.header("content-encoding"), "br");
    assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(
        fixture.get(bridge, &[]).await.text(),
        "console.log('bridge');\n".repeat(100)
    );
    assert!(fixture.ask("GET", "/.galley/bridge-0000.js", &[]).await.is_none());
}

#[tokio::test]
async fn what_may_not_be_read_looks_like_what_does_not_exist() {
    let fixture = path_mode();
    let project = fixture.project("secret", Access::AllMembers).await;
    fixture.publish(&project, &[("index.html", PAGE.as_bytes())]).await;
    fixture.project("empty", Access::PublicLink).await;
    for headers in [
        &[][..],
        &[("accept", "text/html,*/*")],
        &[("sec-fetch-dest", "document"), ("accept", "text/html")],
    ] {
        let missing = fixture.get("/p/nosuch/", headers).await;
        for uri in [
            "/p/secret/",
            "/p/secret",
            "/p/secret/x.js",
            "/p/secret/@01hzzzzzzzzzzzzzzzzzzzzzzz/",
            "/p/",
            "/p//",
        ] {
            let answer = fixture.get(uri, headers).await;
            assert_eq!(answer.status, 404, "{uri}");
            assert_eq!(
                (&answer.headers, &answer.body),
                (&missing.headers, &missing.body),
                "{uri}"
            );
        }
        assert!(missing.text().contains("Prototype not found"));
    }
    assert_eq!(fixture.get("/p/nosuch/", &[]).await.text(), "Prototype not found");
    let empty = fixture.get("/p/empty/", &[]).await;
    let exact = concat!("Prototype has no deploy", "ment yet");
    assert_eq!((empty.status, empty.text()), (StatusCode::NOT_FOUND, exact));
    let page = fixture.get("/p/empty/", &[("accept", "text/html")]).await;
    assert!(page.text().contains(exact) && page.header("content-type").starts_with("text/html"));

    let (_, session) = fixture.account("a@x.org", Role::Viewer).await;
    let cookie = format!("galley_session={session}");
    let answer = fixture.get("/p/secret/", &[("cookie", &cookie)]).await;
    assert_eq!(
        (answer.status, answer.header("cache-control")),
        (StatusCode::OK, "private, no-cache")
    );
    // A bad bearer is never made good by a cookie, for any address.
    for uri in ["/p/secret/", "/p/nosuch/"] {
        let answer = fixture
            .get(uri, &[("cookie", &cookie), ("authorization", "Bearer nonsense")])
            .await;
        assert_eq!(answer.status, 401);
    }
    let bearer = format!("Bearer {BEARER}");
    assert_eq!(
        fixture.get("/p/secret/", &[("authorization", &bearer)]).await.status,
        200
    );
    for method in ["POST", "DELETE", "OPTIONS"] {
        let answer = fixture.ask(method, "/p/secret/", &[]).await.unwrap();
        assert_eq!(
            (answer.status, answer.header("allow")),
            (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD")
        );
    }
}

#[tokio::test]
async fn addresses_find_their_files() {
    let fixture = path_mode();
    fixture
        .shop(&[
            ("index.html", b"<p>root"),
            ("about.html", b"<p>about"),
            ("docs/index.html", b"<p>docs"),
            ("docs/404.html", b"<p>lost in docs"),
            ("a b/\u{fc}.txt", b"umlaut"),
            ("app.js", b"1"),
        ])
        .await;
    let document = &[("sec-fetch-dest", "document"), ("accept", "text/html")][..];
    let script = &[("sec-fetch-dest", "script")][..];
    let fetch = &[("sec-fetch-dest", "empty"), ("accept", "*/*")][..];
    for (uri, headers, status, text) in [
        ("/p/shop/", &[][..], 200, "root"),
        ("/p/shop/index.html", &[], 200, "root"),
        ("/p/shop/about", document, 200, "about"),
        ("/p/shop/about.html", document, 200, "about"),
        ("/p/shop/docs/", document, 200, "docs"),
        ("/p/shop/a%20b/%C3%BC.txt", &[], 200, "umlaut"),
        ("/p/shop/users/7", document, 200, "root"),
        ("/p/shop/users/7", &[], 200, "root"),
        ("/p/shop/users/jane.doe", document, 200, "root"),
        ("/p/shop/users/jane.doe", &[], 404, "not part"),
        ("/p/shop/users/7", fetch, 404, "not part"),
        ("/p/shop/users/7", script, 404, "not part"),
        ("/p/shop/missing.js", script, 404, "not part"),
        ("/p/shop/missing.js", document, 404, "not part"),
        ("/p/shop/missing.js", &[], 404, "not part"),
        ("/p/shop/docs/missing", document, 404, "lost in docs"),
        ("/p/shop/docs/deep/er/missing.html", document, 404, "lost in docs"),
        ("/p/shop/docs/missing.js", script, 404, "not part"),
        ("/p/shop/../shop/app.js", &[], 404, "not part"),
        ("/p/shop/%2e%2e/app.js", &[], 404, "not part"),
        ("/p/shop//app.js", &[], 404, "not part"),
        ("/p/shop/a%00b", &[], 404, "not part"),
        ("/p/shop/%ff", &[], 404, "not part"),
    ] {
        let answer = fixture.get(uri, headers).await;
        assert_eq!(answer.status, status, "{uri} {headers:?}");
        assert!(answer.text().contains(text), "{uri} {headers:?}: {}", answer.text());
    }
    for (uri, to) in [
        ("/p/shop", "/p/shop/"),
        ("/p/shop?a=b", "/p/shop/?a=b"),
        ("/p/shop/docs", "/p/shop/docs/"),
        ("/p/shop/docs?a=b", "/p/shop/docs/?a=b"),
    ] {
        let answer = fixture.get(uri, &[]).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (StatusCode::TEMPORARY_REDIRECT, to)
        );
    }
}

#[tokio::test]
async fn a_page_for_what_is_missing_wins_over_routes() {
    let fixture = path_mode();
    fixture
        .shop(&[
            ("index.html", b"<p>root"),
            ("404.html", b"<p>lost"),
            ("200.html", b"<p>any"),
        ])
        .await;
    let answer = fixture.get("/p/shop/route", &[("range", "bytes=0-1")]).await;
    assert_eq!(
        (answer.status, answer.header("cache-control")),
        (StatusCode::NOT_FOUND, "no-cache")
    );
    assert!(answer.text().contains("lost"));
    let other = path_mode();
    other.shop(&[("index.html", b"<p>root"), ("200.html", b"<p>any")]).await;
    assert!(other.get("/p/shop/route", &[]).await.text().contains("any"));
}

#[tokio::test]
async fn codings_tags_and_caching_follow_the_file() {
    let fixture = path_mode();
    let code = "const answer = 42;\n".repeat(500);
    let image: Vec<u8> = (0..5000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8)
        .collect();
    fixture
        .shop(&[
            ("index.html", PAGE.repeat(40).as_bytes()),
            ("app.js", code.as_bytes()),
            ("assets/app-BxY12_aZ.js", code.as_bytes()),
            ("pic.png", &image),
        ])
        .await;
    let plain = fixture.get("/p/shop/app.js", &[]).await;
    assert_eq!((plain.text(), plain.header("vary")), (code.as_str(), "accept-encoding"));
    assert_eq!(plain.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(plain.header("cache-control"), "no-cache");
    let brotli = fixture.get("/p/shop/app.js", &[("accept-encoding", "gzip, br")]).await;
    assert_eq!(brotli.header("content-encoding"), "br");
    assert!(brotli.body.len() < 100 && brotli.header("etag") != plain.header("etag"));
    let gzip = fixture.get("/p/shop/app.js", &[("accept-encoding", "gzip")]).await;
    assert_eq!(
        (gzip.header("content-encoding"), &gzip.body[..2]),
        ("gzip", &[0x1f, 0x8b][..])
    );
    let wrong = fixture
        .get("/p/shop/app.js", &[("if-none-match", brotli.header("etag"))])
        .await;
    assert_eq!(wrong.status, 200);
    let image = fixture.get("/p/shop/pic.png", &[("accept-encoding", "br, gzip")]).await;
    assert_eq!((image.header("content-encoding"), image.header("vary")), ("", ""));
    let hashed = fixture.get("/p/shop/assets/app-BxY12_aZ.js", &[]).await;
    assert_eq!(hashed.header("cache-control"), "public, max-age=31536000, immutable");
    let page = fixture.get("/p/shop/", &[("accept-encoding", "br")]).await;
    assert_eq!(
        (page.header("content-encoding"), page.header("vary")),
        ("br", "accept-encoding")
    );
    let mut text = Vec::new();
    brotli::BrotliDecompress(&mut &page.body[..], &mut text).unwrap();
    assert_eq!(text, fixture.get("/p/shop/", &[]).await.body);
}

#[tokio::test]
async fn parts_of_a_file_and_large_files() {
    let fixture = path_mode();
    let small: Vec<u8> = (0..1000_u32).map(|n| n as u8).collect();
    let mut large = vec![0; 5_000_000];
    crate::storage::id::fill_random(&mut large);
    fixture
        .shop(&[("index.html", b""), ("f.bin", &small), ("large.bin", &large)])
        .await;
    for (range, status, content_range, part) in [
        ("bytes=0-8", 206, "bytes 0-8/1000", &small[..9]),
        ("bytes=-10", 206, "bytes 990-999/1000", &small[990..]),
        ("bytes=990-", 206, "bytes 990-999/1000", &small[990..]),
        ("bytes=990-1990", 206, "bytes 990-999/1000", &small[990..]),
        ("bytes=100000-", 416, "bytes */1000", &[]),
        ("bytes=0-1,5-6", 200, "", &small),
    ] {
        let answer = fixture.get("/p/shop/f.bin", &[("range", range)]).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-range")),
            (status, content_range),
            "{range}"
        );
        assert_eq!(answer.body, part, "{range}");
        assert_eq!(answer.header("content-length"), part.len().to_string());
    }
    let tag = fixture.get("/p/shop/f.bin", &[]).await.header("etag").to_owned();
    let same = fixture
        .get("/p/shop/f.bin", &[("range", "bytes=0-8"), ("if-range", &tag)])
        .await;
    let other = fixture
        .get("/p/shop/f.bin", &[("range", "bytes=0-8"), ("if-range", "\"x\"")])
        .await;
    assert_eq!((same.status.as_u16(), other.status.as_u16()), (206, 200));

    let whole = fixture.get("/p/shop/large.bin", &[]).await;
    assert!(whole.body == large && whole.header("content-length") == "5000000");
    let part = fixture
        .get("/p/shop/large.bin", &[("range", "bytes=262143-1000000")])
        .await;
    assert!(part.status == 206 && part.body == large[262_143..=1_000_000]);
    let head = fixture.ask("HEAD", "/p/shop/large.bin", &[]).await.unwrap();
    assert_eq!((head.body.len(), head.header("content-length")), (0, "5000000"));
}

#[tokio::test]
async fn a_version_stays_at_its_own_address() {
    let fixture = path_mode();
    let first = fixture
        .shop(&[
            ("index.html", PAGE.as_bytes()),
            ("a.js", b"first"),
            ("d/index.html", b"d"),
        ])
        .await;
    let project = fixture.core.project_by_slug("shop").unwrap();
    fixture
        .publish(
            &project,
            &[
                ("index.html", b"<p>second"),
                ("a.js", b"second"),
                ("@scope/a.js", b"scoped"),
            ],
        )
        .await;
    assert!(fixture.get("/p/shop/", &[]).await.text().contains("second"));
    assert_eq!(fixture.get("/p/shop/a.js", &[]).await.text(), "second");
    assert_eq!(fixture.get("/p/shop/@scope/a.js", &[]).await.text(), "scoped");
    let page = fixture.get(&format!("/p/shop/@{first}/"), &[]).await;
    assert!(
        page.text()
            .contains(&format!("<base href=\"/p/shop/@{first}/\" data-galley>"))
    );
    assert!(page.text().contains(&format!("<a href=/p/shop/@{first}/x>")));
    let script = fixture.get(&format!("/p/shop/@{first}/a.js"), &[]).await;
    assert_eq!(
        (script.text(), script.header("cache-control")),
        ("first", "public, max-age=31536000, immutable")
    );
    for (uri, to) in [
        (format!("/p/shop/@{first}"), format!("/p/shop/@{first}/")),
        (format!("/p/shop/@{first}/d"), format!("/p/shop/@{first}/d/")),
    ] {
        assert_eq!(fixture.get(&uri, &[]).await.header("location"), to);
    }
    assert_eq!(
        fixture.get("/p/shop/@01hzzzzzzzzzzzzzzzzzzzzzzz/", &[]).await.text(),
        "Prototype not found"
    );
    // Another project's version is none of this one's.
    let other = fixture.project("other", Access::PublicLink).await;
    fixture.publish(&other, &[("index.html", b"other")]).await;
    assert_eq!(fixture.get(&format!("/p/other/@{first}/"), &[]).await.status, 404);
}

#[tokio::test]
async fn the_referer_tells_where_to_look() {
    let fixture = path_mode();
    let version = fixture
        .shop(&[
            ("index.html", PAGE.as_bytes()),
            ("assets/a.js", b"script"),
            ("img/p.png", b"pic"),
            ("data.json", b"{}"),
        ])
        .await;
    let page = ("referer", "http://galley.test/p/shop/some/route?x");
    let answer = fixture
        .fallback("/img/p.png", &[page, ("sec-fetch-dest", "image")])
        .await
        .unwrap();
    assert_eq!(
        (answer.status.as_u16(), answer.text(), answer.header("cache-control")),
        (200, "pic", "private, no-cache")
    );
    let vary: Vec<_> = answer
        .headers
        .get_all("vary")
        .iter()
        .map(|value| value.to_str().unwrap())
        .collect();
    assert_eq!(vary, ["referer", "sec-fetch-dest"]);
    assert_eq!(
        fixture
            .fallback("/data.json", &[page, ("sec-fetch-dest", "empty")])
            .await
            .unwrap()
            .text(),
        "{}"
    );
    assert_eq!(
        fixture
            .fallback("/data.json", &[page, ("accept", "*/*")])
            .await
            .unwrap()
            .text(),
        "{}"
    );
    for destination in ["script", "style", "worker", "sharedworker"] {
        let answer = fixture
            .fallback("/assets/a.js?v=1", &[page, ("sec-fetch-dest", destination)])
            .await
            .unwrap();
        assert_eq!(
            (answer.status.as_u16(), answer.header("location")),
            (307, "/p/shop/assets/a.js?v=1")
        );
        assert_eq!(answer.header("cache-control"), "private, no-cache");
        assert!(answer.headers.get_all("vary").iter().any(|value| value == "referer"));
    }
    let pinned = format!("http://galley.test/p/shop/@{version}/");
    let answer = fixture
        .fallback("/assets/a.js", &[("referer", &pinned), ("sec-fetch-dest", "script")])
        .await
        .unwrap();
    assert_eq!(answer.header("location"), format!("/p/shop/@{version}/assets/a.js"));

    for (uri, headers) in [
        ("/img/p.png", &[][..]),
        ("/img/p.png", &[("referer", "http://evil.test/p/shop/")]),
        ("/img/p.png", &[("referer", "http://galley.test/dashboard")]),
        ("/img/p.png", &[("referer", "http://galley.test/p/shop")]),
        ("/img/p.png", &[("referer", "http://galley.test/p/nosuch/")]),
        ("/img/p.png", &[("referer", "nonsense")]),
        ("/img/missing.png", &[page]),
        ("/route", &[page]),
        ("/api/v1/img/p.png", &[page]),
        ("/p/x", &[page]),
        ("/data.json", &[page, ("sec-fetch-dest", "document")]),
        ("/data.json", &[page, ("sec-fetch-dest", "iframe")]),
        ("/data.json", &[page, ("sec-fetch-mode", "navigate")]),
        ("/data.json", &[page, ("accept", "text/html,*/*")]),
        ("/assets/a.js", &[page, ("sec-fetch-dest", "serviceworker")]),
        ("/assets/a.js", &[page, ("service-worker", "script")]),
        ("//evil.test/a", &[page]),
    ] {
        assert!(fixture.fallback(uri, headers).await.is_none(), "{uri} {headers:?}");
    }
    let post = request("POST", "/data.json", &[page]);
    assert!(fixture.sites.fallback(&post).await.is_none());
    // Access is checked again.
    let secret = fixture.project("secret", Access::Invited).await;
    fixture
        .publish(&secret, &[("index.html", b""), ("x.png", b"secret")])
        .await;
    let page = ("referer", "http://galley.test/p/secret/");
    assert!(
        fixture
            .fallback("/x.png", &[page, ("sec-fetch-dest", "image")])
            .await
            .is_none()
    );
}

#[tokio::test]
async fn own_origins_serve_pages_as_they_are() {
    let fixture = own_origin();
    let version = fixture
        .shop(&[
            ("index.html", PAGE.as_bytes()),
            ("a.js", b"script"),
            ("d/index.html", b"d"),
        ])
        .await;
    let host = ("host", "shop.proto.test:8443");
    assert_eq!(fixture.get("/?review=off", &[host]).await.text(), PAGE);
    let page = fixture.get("/", &[host]).await;
    let expected = PAGE.replace("<head>", "<head><script src=\"/.galley/bridge-");
    assert!(page.text().starts_with(&expected[..50]) && !page.text().contains("<base"));
    assert_eq!(fixture.get("/a.js", &[host]).await.text(), "script");
    assert_eq!(fixture.get("/d", &[host]).await.header("location"), "/d/");
    assert_eq!(fixture.get("//evil.test/", &[host]).await.status, 404);
    let pinned = fixture.get(&format!("/@{version}/"), &[host]).await;
    assert!(
        pinned
            .text()
            .contains(&format!("<base href=\"/@{version}/\" data-galley>"))
    );
    assert!(pinned.text().contains(&format!("<a href=/@{version}/x>")));
    // The API is not there, and other hosts are the router's.
    assert_eq!(
        fixture
            .get("/api/v1/health", &[host, ("sec-fetch-dest", "empty")])
            .await
            .status,
        404
    );
    assert!(fixture.ask("GET", "/", &[("host", "proto.test:8443")]).await.is_none());
    assert!(fixture.ask("GET", "/", &[]).await.is_none());
    assert_eq!(fixture.ask("POST", "/", &[host]).await.unwrap().status, 405);
    let moved = fixture.get("/p/shop/d/?x=1", &[]).await;
    assert_eq!(
        (moved.status.as_u16(), moved.header("location")),
        (302, "https://shop.proto.test:8443/d/?x=1")
    );
    assert_eq!(fixture.get("/p/nosuch/", &[]).await.text(), "Prototype not found");
    assert!(
        fixture
            .fallback("/a.js", &[("referer", "https://galley.test/p/shop/")])
            .await
            .is_none()
    );
}

#[tokio::test]
async fn a_hand_off_lets_who_may_read_in() {
    let fixture = own_origin();
    let project = fixture.project("secret", Access::Invited).await;
    fixture
        .publish(&project, &[("index.html", PAGE.as_bytes()), ("a.js", b"script")])
        .await;
    let (ana, session) = fixture.account("ana@x.org", Role::Admin).await;
    let (_, guest) = fixture.account("guest@x.org", Role::Viewer).await;
    let host = ("host", "secret.proto.test:8443");
    let document = [("sec-fetch-dest", "document"), ("accept", "text/html")];

    // Without a cookie a sub-resource is nowhere, and a navigation goes to ask, for any slug.
    let missing = fixture
        .get(
            "/a.js",
            &[("host", "nosuch.proto.test:8443"), ("sec-fetch-dest", "script")],
        )
        .await;
    let answer = fixture.get("/a.js", &[host, ("sec-fetch-dest", "script")]).await;
    assert_eq!((answer.status.as_u16(), answer.text()), (404, "Prototype not found"));
    assert_eq!((&answer.headers, &answer.body), (&missing.headers, &missing.body));
    let go = fixture.get("/page?x=1", &[host, document[0], document[1]]).await;
    let open = "https://galley.test/open/secret?to=%2Fpage%3Fx%3D1";
    assert_eq!((go.status.as_u16(), go.header("location")), (302, open));
    let go = fixture.get("/", &[("host", "nosuch.proto.test"), document[0]]).await;
    assert_eq!(go.header("location"), "https://galley.test/open/nosuch?to=%2F");

    // There, who may not read and who asks for nothing hear the same.
    let cookie = |session: &str| format!("__Host-galley_session={session}");
    let open = "/open/secret?to=%2Fpage%3Fx%3D1";
    let missing = fixture.get("/open/nosuch?to=%2F", &[document[1]]).await;
    for headers in [&[document[1]][..], &[document[1], ("cookie", &cookie(&guest))]] {
        let answer = fixture.get(open, headers).await;
        assert_eq!(
            (answer.status, &answer.headers, &answer.body),
            (missing.status, &missing.headers, &missing.body)
        );
    }
    let answer = fixture.get(open, &[("cookie", &cookie(&session))]).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("cache-control")),
        (303, "no-store")
    );
    let enter = answer
        .header("location")
        .strip_prefix("https://secret.proto.test:8443")
        .unwrap()
        .to_owned();
    assert!(enter.starts_with("/.galley/enter?code=") && enter.ends_with("&to=%2Fpage%3Fx%3D1"));

    // The code is good for this prototype only, once; a look with HEAD does not spend it.
    fixture.ask("HEAD", &enter, &[host]).await.unwrap();
    let entered = fixture.get(&enter, &[host]).await;
    assert_eq!(
        (entered.status.as_u16(), entered.header("location")),
        (303, "/page?x=1")
    );
    let set = entered.header("set-cookie");
    assert!(
        set.starts_with("galley_view=1.") && set.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure")
    );
    assert!(!set.contains(&session));
    let view = set.split(';').next().unwrap().to_owned();
    assert!(!fixture.get(&enter, &[host]).await.headers.contains_key("set-cookie"));
    let view = ("cookie", view.as_str());
    let page = fixture.get("/", &[host, view]).await;
    assert_eq!(
        (page.status.as_u16(), page.header("cache-control")),
        (200, "private, no-cache")
    );
    assert_eq!(fixture.get("/a.js", &[host, view]).await.text(), "script");

    // The cookie is no session, and none of another prototype.
    let other = fixture.project("other", Access::Invited).await;
    fixture.publish(&other, &[("index.html", b"")]).await;
    assert_eq!(
        fixture.get("/a.js", &[("host", "other.proto.test"), view]).await.status,
        404
    );
    assert_eq!(
        fixture
            .get("/a.js", &[host, ("cookie", &cookie(&session))])
            .await
            .status,
        404
    );
    // A bearer works as everywhere, a bad one is refused.
    let bearer = format!("Bearer {BEARER}");
    assert_eq!(
        fixture.get("/a.js", &[host, ("authorization", &bearer)]).await.status,
        200
    );
    assert_eq!(
        fixture
            .get("/a.js", &[host, view, ("authorization", "Bearer x")])
            .await
            .status,
        401
    );

    // An account that was removed sees nothing any more.
    fixture.account("other@x.org", Role::Admin).await;
    fixture.core.remove_account(&ana.id).await.unwrap();
    assert_eq!(fixture.get("/a.js", &[host, view]).await.status, 404);
}
