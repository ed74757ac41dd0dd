//! Two servers that share their approvals, each with a plugins folder and a data folder of its own.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;

use super::bundles::Offer;
use super::shared::Shared;
use super::{Act, Approvals, Edition};
use crate::accounts::Actor;
use crate::core::Core;
use crate::core::testing::{self, Opened};
use crate::plugins::cache::{Cache, sha256};
use crate::plugins::components::Components;
use crate::plugins::engine::engine;
use crate::plugins::entry::Entry;
use crate::plugins::lock::{Built, Bundle, LockError};
use crate::plugins::manifest;
use crate::storage::objects::Objects;

/// One server of those that share a store.
struct Node {
    core: Arc<Core>,
    shared: Shared,
    components: Components,
    folder: TempDir,
    _home: testing::Home,
}

impl Node {
    fn of(Opened { core, home }: Opened, store: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (plugins, data) = (folder.path().join("plugins"), folder.path().join("data"));
        for folder in [&plugins, &data] {
            fs::create_dir(folder).unwrap();
        }
        let files = Objects::in_folders(store).files("artifacts").unwrap();
        let components = Components::new(&plugins, &data, Some(files));
        let cache = Cache::open(&data, &engine().unwrap()).unwrap();
        let core = Arc::new(core);
        Self {
            shared: Shared::new(core.clone(), components.clone(), cache),
            core,
            components,
            folder,
            _home: home,
        }
    }

    /// What this server's program comes with: a plugin for each of these slots, whose component has this content.
    fn bundle(&self, plugins: &[(&str, &str)]) -> Bundle {
        let built = plugins.iter().map(|(slot, content)| {
            let file = format!("{slot}.wasm");
            fs::write(self.folder.path().join("plugins").join(&file), content).unwrap();
            let manifest = format!(r#"{{"slot":"{slot}","version":"{content}"}}"#);
            Built {
                file,
                sha256: sha256(content.as_bytes()),
                imports: Vec::new(),
                manifest: manifest::parse(manifest.as_bytes()).unwrap(),
            }
        });
        Bundle {
            plugins: built.collect(),
        }
    }

    /// The contents of the approved components, after a look with this bundle of a program of this version.
    async fn look(&self, bundle: &Bundle, program: &str) -> (i64, Vec<String>) {
        let (number, lock) = self.shared.followed(bundle, Offer::by(bundle, program)).await.unwrap();
        let of = |entry: &Entry| fs::read_to_string(self.components.find(entry).unwrap()).unwrap();
        (number, lock.plugins.iter().map(of).collect())
    }

    async fn put(&self, number: i64, slot: &str, entry: Option<Entry>) -> Result<Edition, LockError> {
        let act = Act {
            actor: &Actor::System,
            action: "plugin-installed",
            details: json!({}),
        };
        let approvals = Approvals::Shared(self.shared.clone());
        let followed = Edition::Number(number);
        let written = approvals.write_down(Some(&followed), slot, entry, act).await?;
        Ok(written.after)
    }

    async fn acts(&self) -> usize {
        self.core.audit(None, 100).await.unwrap().len()
    }
}

async fn two() -> (Node, Node, TempDir) {
    let store = tempfile::tempdir().unwrap();
    let (one, two) = testing::two().await;
    (Node::of(one, store.path()), Node::of(two, store.path()), store)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_server_begins_and_the_others_follow() {
    let (one, two, _store) = two().await;
    assert_eq!(one.shared.edition().await.unwrap(), Edition::Number(0));
    let bundle = one.bundle(&[("a", "1"), ("b", "1")]);
    // Both at once: one of them is first.
    let (first, second) = tokio::join!(
        one.shared.followed(&bundle, Offer::by(&bundle, "1.0.0")),
        one.shared.followed(&bundle, Offer::by(&bundle, "1.0.0"))
    );
    assert_eq!(first.unwrap().0.max(second.unwrap().0), 1);
    // Another server has no file of these.
    let served = (1, vec!["1".to_owned(), "1".to_owned()]);
    assert_eq!(two.look(&Bundle::default(), "1.0.0").await, served);
    assert_eq!(two.look(&two.bundle(&[("a", "1"), ("b", "1")]), "1.0.0").await, served);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_with_a_newer_program_is_followed_and_not_undone_by_an_older_one() {
    let (old, new, _store) = two().await;
    let before = old.bundle(&[("a", "old"), ("gone", "old")]);
    assert_eq!(old.look(&before, "1.9.0").await.0, 1);
    let after = new.bundle(&[("a", "new"), ("more", "new")]);
    let served = (2, vec!["new".to_owned(), "old".to_owned(), "new".to_owned()]);
    assert_eq!(new.look(&after, "1.10.0").await, served);
    // However often each of them starts.
    for _ in 0..2 {
        assert_eq!(old.look(&before, "1.9.0").await, served);
        assert_eq!(new.look(&after, "1.10.0").await, served);
    }
    // One that comes late, with what nobody had, and an older program.
    assert_eq!(old.look(&old.bundle(&[("a", "late")]), "1.2.0").await, served);
    // Another build of the same version counts once.
    let again = new.bundle(&[("a", "again")]);
    assert_eq!(new.look(&again, "1.10.0").await.1[0], "again");
    assert_eq!(new.look(&after, "1.10.0").await.1[0], "again");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_changes_at_once_one_is_told_and_none_is_lost() {
    let (one, two, _store) = two().await;
    let bundle = one.bundle(&[("a", "1"), ("b", "1")]);
    one.look(&bundle, "1.0.0").await;
    let (_, lock) = two.shared.followed(&bundle, Offer::by(&bundle, "1.0.0")).await.unwrap();
    let disabled = |slot: &str| {
        let entry = lock.plugins.iter().find(|entry| entry.slot == slot).unwrap().clone();
        let entry = Entry {
            enabled: false,
            ..entry
        };
        (entry.slot.clone(), entry)
    };
    let ((a, at_one), (b, at_two)) = (disabled("a"), disabled("b"));
    let (first, second) = tokio::join!(one.put(1, &a, Some(at_one)), two.put(1, &b, Some(at_two.clone())));
    let refused = |done: &Result<Edition, LockError>| matches!(done, Err(LockError::Superseded));
    assert!(refused(&first) != refused(&second), "{first:?} {second:?}");
    let disabled_now = async || {
        let (_, lock) = one.shared.followed(&bundle, Offer::by(&bundle, "1.0.0")).await.unwrap();
        lock.plugins.iter().filter(|entry| !entry.enabled).count()
    };
    // What was refused is in no log either.
    assert_eq!((disabled_now().await, one.acts().await), (1, 1));
    let (slot, entry) = match refused(&first) {
        true => disabled("a"),
        false => (b, at_two),
    };
    assert_eq!(one.put(2, &slot, Some(entry)).await.unwrap(), Edition::Number(3));
    assert_eq!((disabled_now().await, two.acts().await), (2, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_is_where_all_find_it_before_it_is_approved() {
    let (one, two, store) = two().await;
    one.look(&one.bundle(&[("a", "1")]), "1.0.0").await;
    let hash = one.components.keep(b"wasm").unwrap();
    let entry = Entry {
        sha256: hash.clone(),
        ..Entry::empty("own")
    };
    // Only the first server has it, and no server but that one can approve it.
    fs::remove_file(store.path().join(format!("artifacts/{hash}.wasm"))).unwrap();
    let failed = two.put(1, "own", Some(entry.clone())).await;
    assert!(matches!(failed, Err(LockError::Components { .. })), "{failed:?}");
    assert_eq!(two.shared.edition().await.unwrap(), Edition::Number(1));
    one.put(1, "own", Some(entry.clone())).await.unwrap();
    assert_eq!(fs::read(two.components.find(&entry).unwrap()).unwrap(), b"wasm");
    // One that is damaged here is fetched again; one that is damaged there is never used.
    let here = two.components.find(&entry).unwrap();
    fs::write(&here, "damaged").unwrap();
    assert_eq!(fs::read(two.components.find(&entry).unwrap()).unwrap(), b"wasm");
    fs::write(&here, "damaged").unwrap();
    fs::write(store.path().join(format!("artifacts/{hash}.wasm")), "damaged").unwrap();
    assert!(two.components.find(&entry).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_no_admin_any_more_changes_nothing() {
    let (one, _two, _store) = two().await;
    let nobody = Actor::Account {
        id: "gone".into(),
        email: "gone@example.com".into(),
        by_token: false,
    };
    let act = Act {
        actor: &nobody,
        action: "plugin-removed",
        details: json!({}),
    };
    let followed = Edition::Number(0);
    let denied = one.shared.write_down(Some(&followed), "a", None, act).await;
    assert!(matches!(denied, Err(LockError::Core(crate::core::CoreError::Denied))));
    assert_eq!((one.shared.edition().await.unwrap(), one.acts().await), (followed, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_slot_awaits_is_kept_by_the_newest_approvals() {
    let (one, two, _store) = two().await;
    let bundle = one.bundle(&[("a", "1")]);
    one.core
        .start_cursor("a", &["project-deleted".to_owned()])
        .await
        .unwrap();
    // Nothing is written down yet: nobody knows which slots there are.
    two.shared.prune().await.unwrap();
    one.look(&bundle, "1.0.0").await;
    two.shared.prune().await.unwrap();
    one.core
        .keep_jobs("a", vec![("tidy".into(), "every 1h".into(), 1)])
        .await
        .unwrap();
    two.shared.prune().await.unwrap();
    assert!(one.core.next_job("a").await.unwrap().is_some());
    one.put(1, "a", None).await.unwrap();
    // A server that still follows the ones before goes by what is there, too.
    two.shared.prune().await.unwrap();
    assert!(one.core.next_job("a").await.unwrap().is_none());
}
