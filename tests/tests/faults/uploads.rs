//! Uploads.

use galley_tests::kills::{kill_after, life};
use galley_tests::prelude::*;

use crate::kills;

/// A prototype with enough files that an upload takes a while.
fn bundle(title: &str) -> Bundle {
    (0..300).fold(Bundle::sample(title), |bundle, number| {
        bundle.file(
            &format!("assets/part-{number}.js"),
            format!("// {title} {number}\n{}", "x();\n".repeat(400)),
        )
    })
}

#[test]
fn what_is_live_is_always_whole() {
    let mut server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let first = text(&upload(&server.user("ed"), &shop, &bundle("start")), "deploymentId");
    let mut acknowledged = vec![(first, "start".to_owned())];
    let (mut cut, mut done) = (0, 0);
    for round in 0..kills() {
        let target = format!("/api/v1/projects/{shop}/deployments");
        std::thread::scope(|scope| {
            let processes = server.ids();
            scope.spawn(move || kill_after(&processes, life(round)));
            let ed = server.user("ed");
            for number in 0.. {
                let title = format!("round-{round}-{number}");
                let answer = ed.request("POST", &target).body(bundle(&title).build()).try_send();
                let Ok(answer) = answer else { break };
                let made = answer.expect(201).json();
                acknowledged.push((text(&made, "deploymentId"), title));
                done += 1;
            }
            cut += 1;
        });
        server.kill();
        server.again();
        check(&server, &shop, &acknowledged);
    }
    assert!(
        cut > 0 && done > 0,
        "{done} uploads ended, {cut} were cut: the test tests nothing"
    );

    // What belongs to nothing would stay when the project goes.
    server
        .user("ed")
        .delete(&format!("/api/v1/projects/{shop}"))
        .expect(204);
    eventually("nothing is left of the project", || {
        server.stored("sites").is_empty().then_some(())
    });
}

/// After a boot: every acknowledged deployment is there and whole, the live one is the last acknowledged or a later one.
fn check(server: &Server, shop: &str, acknowledged: &[(String, String)]) {
    let ed = server.user("ed");
    eventually("no half upload is left", || {
        server.own_files("staging").is_empty().then_some(())
    });

    let list = ed
        .get(&format!("/api/v1/projects/{shop}/deployments"))
        .expect(200)
        .json();
    let list = list["deployments"].as_array().unwrap();
    assert!(list.iter().all(|one| one["status"] != "building"), "{list:?}");
    for (deployment, _) in acknowledged {
        let found = list.iter().find(|one| one["deploymentId"] == json!(deployment));
        assert_eq!(
            found.map(|one| &one["status"]),
            Some(&json!("ready")),
            "{deployment} was acknowledged"
        );
    }

    let live = live(&ed, shop);
    let active: Vec<&Value> = list
        .iter()
        .filter(|one| one["active"] == true)
        .map(|one| &one["deploymentId"])
        .collect();
    assert_eq!(active, [&live], "one deployment is active");
    let page = ed.get("/p/shop/").expect(200).text();
    let title = page
        .split("<h1>")
        .nth(1)
        .and_then(|rest| rest.split("</h1>").next())
        .unwrap()
        .to_owned();
    let (last, last_title) = acknowledged.last().unwrap();
    if live == json!(last) {
        assert_eq!(&title, last_title);
    } else {
        let newer = list
            .iter()
            .take_while(|one| one["deploymentId"] != json!(last))
            .any(|one| one["deploymentId"] == live);
        assert!(newer, "{live} is live, although {last} was acknowledged after it");
    }
    for number in (0..300).step_by(37) {
        let part = ed.get(&format!("/p/shop/assets/part-{number}.js")).expect(200).text();
        assert!(
            part.starts_with(&format!("// {title} {number}\n")),
            "a file of another deployment: {part:.60}"
        );
    }
    let (deployment, title) = &acknowledged[acknowledged.len() / 2];
    let page = ed.get(&format!("/p/shop/@{deployment}/")).expect(200).text();
    assert!(page.contains(&format!("<h1>{title}</h1>")));
}
