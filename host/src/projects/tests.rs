//! Projects in the database and in memory.

use super::*;
use crate::accounts::Actor;
use crate::core::testing::{Opened, on_each_engine};
use crate::core::{Access, CoreError, Project};
use crate::storage::data_folder::FolderError;

on_each_engine! {
    a_change_reaches_memory_although_the_asker_has_gone,
    a_taken_slug_gets_a_suffix_fifty_times,
    memory_and_database_agree_after_a_restart,
    the_live_version_stays,
}

fn project(slug: &str) -> NewProject {
    NewProject {
        slug: slug.into(),
        name: "A".into(),
        access: Access::Invited,
        listed: None,
    }
}

fn version(project: &Project, id: &str) -> SiteVersion {
    SiteVersion {
        id: id.into(),
        project_id: project.id.clone(),
        files: 1,
        bytes: 2,
        created_at: 3,
    }
}

async fn a_change_reaches_memory_although_the_asker_has_gone(Opened { core, .. }: Opened) {
    let demo = core.create_project(project("demo")).await.unwrap();
    let change = ProjectChange {
        name: Some("B".into()),
        ..Default::default()
    };
    let mut asked = Box::pin(core.update_project(&demo.id, change));
    assert!(futures_util::poll!(&mut asked).is_pending());
    drop(asked);
    // The writer takes one job after the other.
    core.update_settings(&Actor::System, SettingsChange::default())
        .await
        .unwrap();
    assert_eq!(core.project(&demo.id).unwrap().name, "B");
}

async fn a_taken_slug_gets_a_suffix_fifty_times(Opened { core, .. }: Opened) {
    assert_eq!(core.create_project(project("demo")).await.unwrap().slug, "demo");
    for n in 2..=51 {
        assert_eq!(
            core.create_project(project("demo")).await.unwrap().slug,
            format!("demo-{n}")
        );
    }
    assert!(matches!(
        core.create_project(project("demo")).await,
        Err(CoreError::TooMany)
    ));
    let long = "a".repeat(63);
    core.create_project(project(&long)).await.unwrap();
    assert_eq!(
        core.create_project(project(&long)).await.unwrap().slug,
        format!("{}-2", "a".repeat(61))
    );
}

async fn memory_and_database_agree_after_a_restart(Opened { core, home }: Opened) {
    let ana = core
        .create_first_account("ana@x.org".into(), "Ana".into())
        .await
        .unwrap();
    let new = NewProject {
        listed: Some(ana.id.clone()),
        ..project("demo")
    };
    let demo = core.create_project(new).await.unwrap();
    core.publish_version(version(&demo, "v1")).await.unwrap();
    core.publish_version(version(&demo, "v2")).await.unwrap();
    core.activate_version(&demo.id, "v1").await.unwrap();
    core.update_settings(
        &Actor::System,
        SettingsChange {
            allow_public_links: Some(true),
            ..Default::default()
        },
    )
    .await
    .unwrap();
    let before = core.project(&demo.id).unwrap();
    assert_eq!(before.live_version.as_deref(), Some("v1"));
    assert!(matches!(
        home.open().await,
        Err(CoreError::Folder(FolderError::InUse(_)))
    ));
    drop(core);
    let core = home.open().await.unwrap();
    assert_eq!(core.project_by_slug("demo").unwrap(), before);
    assert!(core.is_listed(&demo.id, &ana.id) && core.settings().allow_public_links);
    assert_eq!(core.site_versions(&demo.id).await.unwrap().len(), 2);
}

async fn the_live_version_stays(Opened { core, .. }: Opened) {
    let demo = core.create_project(project("demo")).await.unwrap();
    core.publish_version(version(&demo, "v1")).await.unwrap();
    assert!(matches!(
        core.publish_version(version(&demo, "v1")).await,
        Err(CoreError::Exists)
    ));
    assert!(matches!(
        core.remove_version(&demo.id, "v1").await,
        Err(CoreError::Live)
    ));
    assert!(matches!(
        core.activate_version(&demo.id, "v9").await,
        Err(CoreError::NotFound)
    ));
    core.publish_version(version(&demo, "v2")).await.unwrap();
    core.remove_version(&demo.id, "v1").await.unwrap();
    core.delete_project(&demo.id).await.unwrap();
    assert!(matches!(
        core.publish_version(version(&demo, "v3")).await,
        Err(CoreError::NotFound)
    ));
    assert!(core.project(&demo.id).is_none() && core.site_versions(&demo.id).await.unwrap().is_empty());
}
