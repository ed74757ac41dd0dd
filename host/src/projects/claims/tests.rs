//! Two servers that take builds from one queue.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::*;
use crate::core::testing::{Opened, two};
use crate::core::{Access, Lease};
use crate::projects::{Enqueued, NewProject};

const TOPICS: [&str; 1] = ["build-finished"];
const GONE: &str = "Its server stopped";

/// Queues builds of the slot `repo`, each for a project of its own: `b0`, `b1` …
async fn queue(core: &Core, count: usize) {
    core.start_cursor("repo", &TOPICS.map(str::to_owned)).await.unwrap();
    for number in 0..count {
        let new = NewProject {
            slug: format!("p{number}"),
            name: "A".into(),
            access: Access::AllMembers,
            listed: None,
        };
        let project = core.create_project(new).await.unwrap().id.clone();
        let id = format!("b{number}");
        let queued = core.enqueue_build("repo", &id, &project, "{}".into()).await;
        assert_eq!(queued.unwrap(), Enqueued::Queued);
    }
}

/// The ends that were told, by the build's id.
async fn ends(core: &Core) -> BTreeMap<String, Vec<Value>> {
    let mut ends: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    while let Some(event) = core.coming_event("repo", &TOPICS.map(str::to_owned)).await.unwrap() {
        let data: Value = serde_json::from_str(&event.data).unwrap();
        let id = data["buildId"].as_str().unwrap().to_owned();
        ends.entry(id).or_default().push(data);
        core.acknowledge(&Lease::alone(), "repo", event.id).await.unwrap();
    }
    ends
}

/// As if nobody had renewed the claims of a server for long.
async fn expire(core: &Core, of: &Core) {
    let holder = of.server().to_owned();
    let expire = move |rows: &mut Rows<'_>| {
        rows.execute("UPDATE builds SET ends_at = 1 WHERE holder = ?1", [&holder])?;
        Ok::<_, CoreError>(())
    };
    core.database.write(expire).await.unwrap();
}

async fn log_of(core: &Core, id: &str) -> String {
    let id = id.to_owned();
    let read = move |rows: &mut Rows<'_>| Ok::<_, CoreError>(logs::read(rows, "repo", &id, 0, 1 << 20)?);
    String::from_utf8(core.database.read(read).await.unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_workers_each_build_has_one_and_ends_once_though_a_server_dies() {
    const BUILDS: usize = 40;
    const WORKERS: usize = 4;
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    let cores = [Arc::new(one), Arc::new(two)];
    queue(&cores[0], BUILDS).await;
    let taken = Arc::new(AtomicUsize::new(0));
    let mut workers = tokio::task::JoinSet::new();
    for worker in 0..WORKERS {
        let (core, taken) = (cores[worker % 2].clone(), taken.clone());
        workers.spawn(async move {
            let mut kept = Vec::new();
            loop {
                match core.start_build().await {
                    Ok(Some(build)) => {
                        taken.fetch_add(1, Ordering::Relaxed);
                        // Every fifth of the second server is in its hands when it dies.
                        if worker % 2 == 1 && build.seq % 5 == 0 {
                            kept.push(build);
                            continue;
                        }
                        core.end_build(&build, BuildEnd::default()).await.unwrap();
                    }
                    Ok(None) => return kept,
                    // Others were in the way.
                    Err(error) => assert!(error.is_passing(), "{error}"),
                }
            }
        });
    }
    let dying: Vec<QueuedBuild> = workers.join_all().await.into_iter().flatten().collect();
    assert_eq!(taken.load(Ordering::Relaxed), BUILDS, "none was taken twice");
    assert!(cores[0].course_of_builds().await.unwrap().expired.is_empty());

    expire(&cores[0], &cores[1]).await;
    // Both look, and one of them ends it.
    let expired = cores[0].course_of_builds().await.unwrap().expired;
    assert_eq!(expired.len(), dying.len());
    for build in &expired {
        let (one, two) = tokio::join!(
            cores[0].end_expired_build(build, GONE),
            cores[1].end_expired_build(build, GONE)
        );
        assert!(one.unwrap() != two.unwrap(), "{} is ended once", build.id);
    }
    // What the dead one does late changes nothing.
    for build in &dying {
        cores[1].end_build(build, BuildEnd::default()).await.unwrap();
    }
    let ends = ends(&cores[0]).await;
    assert_eq!(ends.len(), BUILDS);
    for (id, told) in &ends {
        let is_dead = dying.iter().any(|build| build.id == *id);
        assert_eq!(told.len(), 1, "{id}");
        assert_eq!(told[0]["ok"], json!(!is_dead), "{id}");
    }
    assert!(cores[0].course_of_builds().await.unwrap().own.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_is_its_servers_while_that_renews_it() {
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    queue(&one, 1).await;
    let build = one.start_build().await.unwrap().unwrap();
    assert_eq!(two.start_build().await.unwrap(), None);
    assert_eq!(one.append_to_build_log(&build, "one\n".into()).await.unwrap(), Some(4));
    assert!(!two.end_expired_build(&build, GONE).await.unwrap(), "its claim goes on");
    expire(&two, &one).await;
    two.renew_builds(vec![build.seq]).await.unwrap();
    assert_eq!(
        two.course_of_builds().await.unwrap().expired.len(),
        1,
        "it is not its own"
    );
    one.renew_builds(vec![build.seq]).await.unwrap();
    assert!(two.course_of_builds().await.unwrap().expired.is_empty());
    assert!(!two.end_expired_build(&build, GONE).await.unwrap());
    assert_eq!(one.course_of_builds().await.unwrap().own, [(build.seq, None)]);

    expire(&two, &one).await;
    assert!(two.end_expired_build(&build, GONE).await.unwrap());
    let late = one.append_to_build_log(&build, "late\n".into()).await;
    assert!(matches!(late, Err(CoreError::Superseded)), "{late:?}");
    let end = BuildEnd {
        tree: Some("repo/b0.1".into()),
        ..BuildEnd::default()
    };
    one.end_build(&build, end).await.unwrap();
    one.renew_builds(vec![build.seq]).await.unwrap();
    assert_eq!(log_of(&two, "b0").await, format!("one\n{GONE}\n"));
    assert_eq!(two.built_tree("repo", "b0").await.unwrap(), None);
    let told = ends(&two).await;
    assert_eq!(told["b0"].len(), 1);
    assert_eq!(told["b0"][0]["reason"], GONE);
    // The project can be built again.
    let project = told["b0"][0]["projectId"].as_str().unwrap();
    assert_eq!(two.running_build(project).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_another_server_wants_cancelled_ends_so_however_it_went() {
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    queue(&one, 2).await;
    let by = "Cancelled by Ed";
    assert!(!two.want_cancelled("repo", "b0", by).await.unwrap(), "it waits");
    let build = one.start_build().await.unwrap().unwrap();
    assert!(!two.want_cancelled("other", "b0", by).await.unwrap());
    assert!(two.want_cancelled("repo", "b0", by).await.unwrap());
    assert!(
        two.want_cancelled("repo", "b0", "Cancelled by Eve").await.unwrap(),
        "again is fine"
    );
    let own = one.course_of_builds().await.unwrap().own;
    assert_eq!(own, [(build.seq, Some(by.to_owned()))]);
    let end = BuildEnd {
        commit: Some("c0ffee".into()),
        tree: Some("repo/b0.1".into()),
        ..BuildEnd::default()
    };
    one.end_build(&build, end).await.unwrap();
    assert!(!two.want_cancelled("repo", "b0", by).await.unwrap());
    assert_eq!(two.built_tree("repo", "b0").await.unwrap(), None);
    assert_eq!(log_of(&two, "b0").await, format!("{by}\n"));

    // One that heard of it has said so itself; one whose server died was cancelled all the same.
    let build = two.start_build().await.unwrap().unwrap();
    one.want_cancelled("repo", "b1", by).await.unwrap();
    expire(&one, &two).await;
    assert!(one.end_expired_build(&build, GONE).await.unwrap());
    assert_eq!(log_of(&one, "b1").await, format!("{by}\n"));
    for told in ends(&one).await.values() {
        assert_eq!(
            (told.len(), &told[0]["ok"], &told[0]["code"]),
            (1, &json!(false), &json!("cancelled"))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn output_is_there_until_it_is_published_or_the_build_is_forgotten() {
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    queue(&one, 2).await;
    for name in ["repo/b0.1", "repo/b1.2"] {
        let build = one.start_build().await.unwrap().unwrap();
        let end = BuildEnd {
            tree: Some(name.into()),
            ..BuildEnd::default()
        };
        one.end_build(&build, end).await.unwrap();
    }
    assert_eq!(
        two.built_tree("repo", "b0").await.unwrap().as_deref(),
        Some("repo/b0.1")
    );
    assert_eq!(two.built_tree("other", "b0").await.unwrap(), None);
    two.spend_built_tree("repo", "b0").await.unwrap();
    assert_eq!(one.built_tree("repo", "b0").await.unwrap(), None);
    assert_eq!(one.built_trees().await.unwrap(), ["repo/b1.2"]);
    assert_eq!(one.forget_build("repo", "b0").await.unwrap(), None);
    assert_eq!(
        two.forget_build("repo", "b1").await.unwrap().as_deref(),
        Some("repo/b1.2")
    );
    assert!(one.built_trees().await.unwrap().is_empty());
}
