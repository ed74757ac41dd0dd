//! Accounts and what goes with them, on a real file.

use super::*;
use crate::core::testing::{Opened, on_each_engine};
use crate::core::{CoreError, Lease};

on_each_engine! {
    one_active_admin_remains,
    an_instance_without_admins_can_change_its_accounts,
    removing_an_account_ends_its_sessions_and_tokens,
    configured_domains_are_copied_once,
    a_sender_reaches_few_new_recipients_a_day,
}

async fn one_active_admin_remains(Opened { core, .. }: Opened) {
    let ana = core
        .create_first_account("ana@x.org".into(), "Ana".into())
        .await
        .unwrap();
    assert!(matches!(
        core.create_first_account("b@x.org".into(), "B".into()).await,
        Err(CoreError::Exists)
    ));
    assert!(matches!(
        core.set_role(&Actor::System, &ana.id, Role::Editor).await,
        Err(CoreError::LastAdmin)
    ));
    assert!(matches!(
        core.remove_account(&Actor::System, &ana.id).await,
        Err(CoreError::LastAdmin)
    ));
    let new = NewAccount {
        email: "bo@x.org".into(),
        display_name: "Bo".into(),
        role: Role::Admin,
    };
    core.create_account(new).await.unwrap();
    core.remove_account(&Actor::System, &ana.id).await.unwrap();
    assert!(core.account(&ana.id).await.unwrap().unwrap().removed);
}

async fn an_instance_without_admins_can_change_its_accounts(Opened { core, .. }: Opened) {
    let new = NewAccount {
        email: "bo@x.org".into(),
        display_name: "Bo".into(),
        role: Role::Viewer,
    };
    let bo = core.create_account(new).await.unwrap();
    assert_eq!(
        core.set_role(&Actor::System, &bo.id, Role::Editor).await.unwrap().role,
        Role::Editor
    );
    core.start_cursor("x", &["account-removed".into()]).await.unwrap();
    core.remove_account(&Actor::System, &bo.id).await.unwrap();
    core.remove_account(&Actor::System, &bo.id).await.unwrap();
    assert!(matches!(
        core.remove_account(&Actor::System, "nobody").await,
        Err(CoreError::NotFound)
    ));
    let topics = ["account-removed".to_owned()];
    let event = core.coming_event("x", &topics).await.unwrap().unwrap();
    core.acknowledge(&Lease::alone(), "x", event.id).await.unwrap();
    assert_eq!(
        core.coming_event("x", &topics).await.unwrap(),
        None,
        "it was removed once"
    );
}

async fn removing_an_account_ends_its_sessions_and_tokens(Opened { core, .. }: Opened) {
    core.create_first_account("ana@x.org".into(), "Ana".into())
        .await
        .unwrap();
    let new = NewAccount {
        email: "bo@x.org".into(),
        display_name: "Bo".into(),
        role: Role::Editor,
    };
    let bo = core.create_account(new).await.unwrap();
    let session = core.create_session(&bo.id).await.unwrap();
    let new = NewToken {
        user_id: bo.id.clone(),
        name: "t".into(),
        can_read: true,
        can_write: false,
        expires_at: None,
    };
    let (token, plaintext) = core.create_token(new).await.unwrap();
    assert!(plaintext.starts_with(&format!("tok_{}_", token.id)));
    assert!(core.session(&session).await.unwrap().is_some() && core.token(&token.id).await.unwrap().is_some());
    core.remove_account(&Actor::System, &bo.id).await.unwrap();
    core.restore_account(&Actor::System, &bo.id).await.unwrap();
    assert!(core.session(&session).await.unwrap().is_none() && core.token(&token.id).await.unwrap().is_none());
}

async fn configured_domains_are_copied_once(Opened { core, .. }: Opened) {
    core.copy_domains_once(vec!["a.org".into()]).await.unwrap();
    core.copy_domains_once(vec!["b.org".into()]).await.unwrap();
    assert_eq!(core.domain_rules().await.unwrap(), [("a.org".to_owned(), Role::Viewer)]);
}

async fn a_sender_reaches_few_new_recipients_a_day(Opened { core, .. }: Opened) {
    let queue = async |key: &str, sender: Option<&str>, recipient: &str| {
        let mail = NewMail {
            key: format!("{key}:{recipient}"),
            message_id: "<1@x.org>".into(),
            kind: MailKind::Note,
            recipient: recipient.into(),
            invite: None,
            sender: sender.map(str::to_owned),
            sealed: vec![1],
            give_up_at: i64::MAX,
        };
        core.queue_mail(mail).await
    };
    for number in 0..20 {
        queue("a", Some("ann"), &format!("{number}@x.org")).await.unwrap();
    }
    let new = queue("a", Some("ann"), "new@x.org").await;
    assert!(matches!(new, Err(CoreError::TooMany)));
    assert!(queue("b", Some("ann"), "7@x.org").await.unwrap(), "known");
    assert!(queue("c", Some("bo"), "new@x.org").await.unwrap(), "another sender");
    assert!(queue("d", None, "new@x.org").await.unwrap(), "an account");
    let day_before = "UPDATE mails SET created_at = created_at - 86400001";
    let moved = core.database.write(move |rows| rows.execute(day_before, ()));
    assert!(moved.await.unwrap() > 20);
    assert!(queue("a", Some("ann"), "new@x.org").await.unwrap(), "the next day");
}
