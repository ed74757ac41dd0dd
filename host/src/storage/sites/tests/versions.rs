//! What stays on the disk, and what does not.

use super::*;

#[tokio::test]
async fn sweeping_deletes_what_nothing_refers_to() {
    let (folder, store) = store();
    for (project, version) in [("p1", "v1"), ("p1", "v2"), ("p2", "v3")] {
        let tree = upload(&store, &[file("a.js", &b"0123456789".repeat(400))])
            .await
            .unwrap();
        store.commit(tree, project, version).unwrap();
        wait_for_variants(&store.site(project, version).unwrap());
    }
    let sites = folder.path().join("sites");
    std::fs::write(sites.join("p1/orphan.variants"), b"x").unwrap();
    std::fs::write(sites.join("p1/note"), b"x").unwrap();
    std::fs::remove_file(sites.join("p1/v1.variants")).unwrap();
    std::fs::write(folder.path().join("staging/half.part"), b"x").unwrap();
    drop(store);

    let store = SiteStore::open(folder.path()).unwrap();
    assert_eq!(std::fs::read_dir(folder.path().join("staging")).unwrap().count(), 0);
    assert_eq!(
        store
            .sweep(|project, version| (project, version) == ("p1", "v1"))
            .unwrap(),
        6
    );
    assert!(!sites.join("p2").exists());
    assert!(matches!(store.site("p1", "v2"), Err(SiteError::NotFound)));
    // The variants that were missing are made again.
    wait_for_variants(&store.site("p1", "v1").unwrap());
    assert!(sites.join("p1/v1.variants").exists());
    store.remove("p1", "v1").unwrap();
    store.remove("p1", "v1").unwrap();
    assert!(matches!(store.site("p1", "v1"), Err(SiteError::NotFound)));
    store.remove_project("p1").unwrap();
    store.remove_project("p1").unwrap();
    assert!(!sites.join("p1").exists());
    assert!(matches!(store.site("../p1", "v1"), Err(SiteError::BadId)));
}

#[tokio::test]
async fn a_version_that_nobody_asks_for_is_closed_and_opened_again() {
    let (_folder, store) = store();
    for version in ["v1", "v2"] {
        let tree = upload(&store, &[file("a", b"content")]).await.unwrap();
        store.commit(tree, "p", version).unwrap();
        store.site("p", version).unwrap();
    }
    store.versions.close_unused();
    assert!(store.opened("p", "v1").is_some(), "it was opened since the time before");
    store.versions.close_unused();
    assert!(store.opened("p", "v1").is_some());
    assert!(store.opened("p", "v2").is_none());
    assert_eq!(store.site("p", "v2").unwrap().files(), 1);
}

#[tokio::test]
async fn a_removed_version_stays_readable_for_who_holds_it() {
    let (_folder, store) = store();
    let tree = upload(&store, &[file("a", b"content")]).await.unwrap();
    store.commit(tree, "p", "v").unwrap();
    let site = store.site("p", "v").unwrap();
    store.remove("p", "v").unwrap();
    assert_eq!(
        site.read(site.find("a").unwrap(), Coding::Identity, 0, 99).unwrap(),
        b"content"
    );
}

#[tokio::test]
async fn a_damaged_pack_is_an_error_and_no_panic() {
    let (folder, store) = store();
    let tree = upload(&store, &[file("a", b"content")]).await.unwrap();
    store.commit(tree, "p", "v").unwrap();
    wait_for_variants(&store.site("p", "v").unwrap());
    drop(store);
    let store = SiteStore::open(folder.path()).unwrap();
    let path = folder.path().join("sites/p/v.pack");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    assert!(matches!(store.site("p", "v"), Err(SiteError::Io(_))));
}
