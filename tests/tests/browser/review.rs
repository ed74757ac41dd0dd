//! `/projects/:slug`: the review, by two people, a guest and without a mouse, on the real pages.

use std::time::Duration;

use data_encoding::BASE64;
use galley_tests::node;
use galley_tests::prelude::*;
use galley_tests::server::ADMIN_TOKEN;
use serde_json::Value;

use super::{image, in_browser, pages_of};

/// A page of the shop with this in it, and a second page.
fn shop(content: &str) -> Vec<u8> {
    let page = |main: &str| {
        format!(
            "<!doctype html><html lang=en><head><meta name=viewport content=\"width=device-width\"><title>Shop</title>\
             <link rel=icon href=\"data:,\"><style>body {{ font: 16px sans-serif; margin: 40px 24px }} \
             button {{ font: inherit; padding: 12px 20px }}</style></head>\
             <body><nav><a href=\"./\">Shop</a> <a href=\"about\">About</a></nav><main>{main}</main></body></html>"
        )
    };
    Bundle::page(&page(&format!(
        "<h1>Blue linen shirt</h1><p>Woven in Porto.</p>{content}"
    )))
    .file("about.html", page("<h1>About us</h1>"))
    .build()
}

/// A server with the public project `shop` in it, and the task for a script that reviews it: what `more` says, besides.
fn reviewed(own_origin: bool, page: &[u8], more: Value) -> (Server, Value) {
    let (build, origin) = pages_of(Server::build(), own_origin);
    let server = build.public_links(true).anonymous_comments(true).start();
    let admin = server.admin();
    let project = project_with(&admin, "shop", "public-link");
    upload_bytes(&admin, &project, page.to_vec()).expect(201);
    let mut task = json!({
        "origin": origin,
        "ada": server.user("ada").secret(),
        "ed": server.user("ed").secret(),
        "bearer": ADMIN_TOKEN,
        "project": project,
        "moved": BASE64.encode(&moved()),
        "gone": BASE64.encode(&shop("<p>Sold out</p>")),
        "own": own_origin,
    });
    if let (Some(task), Value::Object(more)) = (task.as_object_mut(), more) {
        task.extend(more);
    }
    (server, task)
}

fn first() -> Vec<u8> {
    shop("<button id=buy>Buy now</button>")
}

fn moved() -> Vec<u8> {
    shop("<section><p>Moved</p><div><button id=buy>Buy now</button></div></section>")
}

fn play(own_origin: bool, script: &str, more: Value) {
    let (server, task) = reviewed(own_origin, &first(), more);
    node::run(&in_browser(script), &task);
    healthy(&server);
}

#[test]
fn a_prototype_is_reviewed_in_path_mode() {
    play(false, "review.mjs", json!({}));
}

#[test]
fn a_prototype_is_reviewed_on_its_own_origin() {
    play(true, "review.mjs", json!({}));
}

#[test]
fn images_come_with_comments() {
    let images: Vec<String> = (1..=5).map(|seed| BASE64.encode(&image::png(seed))).collect();
    play(false, "review_images.mjs", json!({ "images": images }));
}

#[test]
fn what_was_written_is_changed_and_pinned_again() {
    let twins = shop("<p>Two of them</p><div><button>Buy now</button></div><div><button>Buy now</button></div>");
    let screens = shop(
        "<a href=\"?screen=home\">Home</a> <a href=\"?screen=cart\">Cart</a><p id=screen></p><script>\
         const cart = new URLSearchParams(location.search).get('screen') === 'cart'; \
         document.querySelector('#screen').outerHTML = cart ? '<p><button>Pay</button></p>' : '<p>Welcome</p>'</script>",
    );
    let more = json!({ "twins": BASE64.encode(&twins), "screens": BASE64.encode(&screens) });
    play(true, "review_changes.mjs", more);
}

/// A prototype whose service worker answers every navigation with a page of its own.
fn has_a_worker(own_origin: bool) {
    let page = Bundle::page(
        "<!doctype html><html lang=en><head><title>Shop</title><link rel=icon href=\"data:,\"></head><body><h1>Shop</h1>\
         <button style=\"padding: 12px 20px; height: 80px\">Buy now</button><p id=worker></p><script>\
         const settle = async () => { if (sessionStorage.getItem('no-worker')) return; await navigator.serviceWorker.register('sw.js'); \
         await navigator.serviceWorker.ready; document.querySelector('#worker').textContent = 'Worker installed'; }; \
         settle().catch(() => {});</script></body></html>",
    );
    let worker = "addEventListener('install', () => skipWaiting());\n\
         addEventListener('activate', (event) => event.waitUntil(clients.claim()));\n\
         const old = '<!doctype html><html lang=en><title>Old copy</title><h1>Old copy</h1></html>';\n\
         addEventListener('fetch', (event) => {\n\
           if (event.request.mode === 'navigate') event.respondWith(new Response(old, { headers: { 'content-type': 'text/html' } }));\n\
         });\n";
    let (server, task) = reviewed(own_origin, &page.file("sw.js", worker).build(), json!({}));
    node::run(&in_browser("review_worker.mjs"), &task);
    healthy(&server);
}

#[test]
fn a_service_worker_of_the_prototype_does_no_harm_in_path_mode() {
    has_a_worker(false);
}

#[test]
fn a_service_worker_of_the_prototype_does_no_harm_on_its_own_origin() {
    has_a_worker(true);
}

#[test]
fn tabs_share_a_stream_and_outages_lose_nothing() {
    let (mut server, mut task) = reviewed(false, &first(), json!({}));
    task["process"] = server.id().into();
    std::thread::scope(|scope| {
        let script = scope.spawn(|| node::run(&in_browser("review_outages.mjs"), &task));
        // The script stops the server once.
        while server.runs() && !script.is_finished() {
            std::thread::sleep(Duration::from_millis(50));
        }
        if !server.runs() {
            server.again();
        }
        if let Err(failure) = script.join() {
            std::panic::resume_unwind(failure);
        }
    });
    healthy(&server);
}

#[test]
fn a_list_of_a_thousand_comments_scrolls_like_one_of_thirty() {
    const MANY: usize = 1_000;
    const EACH_RARE: usize = 33;
    let (server, task) = reviewed(false, &first(), json!({ "many": MANY, "few": MANY / EACH_RARE }));
    let ed = server.user("ed");
    let comments = format!("/api/v1/projects/{}/comments", task["project"].as_str().unwrap());
    for number in 1..=MANY {
        let rare = if number % EACH_RARE == 0 { " rare" } else { "" };
        let body = format!(
            "Comment {number} of many{rare}: {}",
            "a word or two ".repeat(number % 9)
        );
        let position = json!({ "anchorSelector": "h1", "page": "/" });
        ed.post(&comments, json!({ "body": body, "position": position }))
            .expect(201);
    }
    node::run(&in_browser("review_thousand.mjs"), &task);
    healthy(&server);
}
