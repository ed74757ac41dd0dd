//! Two servers that count together, on a real PostgreSQL.

use super::*;
use crate::core::testing::{Opened, two};
use crate::storage::engine::Rows;

/// Takes uses at both in turns, until one is refused at each; answers how many were taken.
async fn take_in_turns(limits: [&Limits; 2], name: &str, most: u32, precision: Precision) -> u32 {
    let mut taken = 0;
    let mut refused = [false; 2];
    for turn in (0..2).cycle().take(10 * most as usize) {
        match limits[turn].take(name, most, precision).await {
            Ok(()) => taken += 1,
            Err(wait) => {
                assert!((1..=60_000).contains(&wait.as_millis()), "{wait:?}");
                refused[turn] = true;
            }
        }
        if refused == [true; 2] {
            return taken;
        }
    }
    panic!("{taken} were taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn uses_are_counted_over_all_servers() {
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    let limits = [one.limits().unwrap().as_ref(), two.limits().unwrap().as_ref()];
    for (name, most, precision) in [
        ("exact/ana", 30, Precision::Exact),
        ("exact/bo", 1, Precision::Exact),
        ("near/ana", 20, Precision::Near),
        ("near/bo", 5, Precision::Near),
        ("near/cy", 400, Precision::Near),
    ] {
        assert_eq!(take_in_turns(limits, name, most, precision).await, most, "{name}");
    }
    assert!(limits[0].take("none", 0, Precision::Near).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn uses_at_once_are_exact_where_they_must_be_and_nearly_so_elsewhere() {
    const MAX_USES: u32 = 40;
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    for (name, precision, allowed) in [
        ("exact", Precision::Exact, MAX_USES..=MAX_USES),
        ("near", Precision::Near, MAX_USES..=MAX_USES + MAX_USES / 4),
    ] {
        let mut tries = tokio::task::JoinSet::new();
        for number in 0..4 * MAX_USES as usize {
            let limits = [&one, &two][number % 2].limits().unwrap().clone();
            tries.spawn(async move { limits.take(name, MAX_USES, precision).await });
        }
        let taken = tries.join_all().await.iter().filter(|taken| taken.is_ok()).count();
        assert!(allowed.contains(&u32::try_from(taken).unwrap()), "{name}: {taken}");
    }
}

/// Runs a statement for all rows of the limits, as if time had passed.
async fn change(core: &crate::core::Core, sql: &'static str) {
    let write = move |rows: &mut Rows<'_>| rows.execute(sql, ()).map(drop);
    core.database.write(write).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_minute_later_nothing_is_counted_any_more() {
    let (Opened { core: one, home }, Opened { core: two, home: _two }) = two().await;
    let limits = [one.limits().unwrap().as_ref(), two.limits().unwrap().as_ref()];
    assert_eq!(take_in_turns(limits, "a", 3, Precision::Exact).await, 3);
    change(&one, "UPDATE uses SET ends_at = ends_at - 60000").await;
    // What a server knows of the minute ends by its own clock; one that does not know of it yet asks.
    let Opened {
        core: three,
        home: _three,
    } = home.beside().await;
    let limits = three.limits().unwrap();
    for _ in 0..3 {
        limits.take("a", 3, Precision::Exact).await.unwrap();
    }
    assert!(limits.take("a", 3, Precision::Exact).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn places_are_counted_over_all_servers_until_they_are_left_or_their_server_is_gone() {
    const MAX_PLACES: u32 = 10;
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    let limits = [one.limits().unwrap(), two.limits().unwrap()];
    let hold = async |at: usize| limits[at].hold("ana /stream".to_owned(), MAX_PLACES).await;
    let mut held = [Vec::new(), Vec::new()];
    for turn in 0..MAX_PLACES as usize {
        held[turn % 2].push(hold(turn % 2).await.expect("there is a place"));
    }
    assert!(hold(0).await.is_none() && hold(1).await.is_none());
    assert!(limits[0].hold("bo /stream".to_owned(), MAX_PLACES).await.is_some());
    // One that is left at one server is free at the other, and only one.
    held[0].pop();
    let freed = loop {
        match hold(1).await {
            Some(place) => break place,
            None => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    };
    assert!(hold(0).await.is_none());
    drop(freed);
    // A server that ends holds nothing.
    one.give_up_leases().await.unwrap();
    while held[1].len() < MAX_PLACES as usize {
        match hold(1).await {
            Some(place) => held[1].push(place),
            None => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
    assert!(hold(1).await.is_none());
}

/// What a server said last of being there; `None` as long as it, or the other one, has said nothing.
async fn last_word(core: &crate::core::Core, other: &str) -> Option<i64> {
    let (own, other) = (core.server.clone(), other.to_owned());
    let sql = "SELECT ends_at FROM servers WHERE id = ?1 AND EXISTS (SELECT 1 FROM servers WHERE id = ?2)";
    let read = move |rows: &mut Rows<'_>| rows.fetch_optional(sql, [&own, &other], |row| row.get(0));
    core.database.read(read).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn places_of_a_server_that_was_killed_are_free_and_its_peers_hear_that_it_is_gone() {
    const MAX_PLACES: u32 = 10;
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    let (killed, limits) = (one.limits().unwrap().clone(), two.limits().unwrap());
    let mut held = Vec::new();
    for _ in 0..MAX_PLACES {
        held.push(
            killed
                .hold("ana".to_owned(), MAX_PLACES)
                .await
                .expect("there is a place"),
        );
    }
    while limits.hold("ana".to_owned(), MAX_PLACES).await.is_some() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // It knows of the other one before that goes: the second time it says that it is there, beside the other's row.
    let mut said = None;
    for _ in 0..3 {
        let before = said;
        while said.is_none() || said == before {
            said = last_word(&two, &one.server).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let (told, mut heard) = tokio::sync::watch::channel(0);
    two.wakes().unwrap().hear(crate::core::Topic::Builds, move |_| {
        told.send_modify(|count| *count += 1)
    });
    heard.mark_unchanged();
    // As if it was killed: it says nothing any more.
    killed.end();
    let there = loop {
        match limits.hold("ana".to_owned(), MAX_PLACES).await {
            Some(place) => break place,
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    heard.changed().await.unwrap();
    drop((there, held));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_database_forgot_is_said_again() {
    const MAX_PLACES: u32 = 10;
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    let mut held = Vec::new();
    for _ in 0..MAX_PLACES {
        let place = one.limits().unwrap().hold("ana".to_owned(), MAX_PLACES).await;
        held.push(place.expect("there is a place"));
    }
    // As after its machine was killed.
    change(&one, "DELETE FROM places").await;
    change(&one, "DELETE FROM servers").await;
    while two.limits().unwrap().hold("ana".to_owned(), MAX_PLACES).await.is_some() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_database_each_server_goes_by_its_own_counts() {
    let (
        Opened { core: one, home },
        Opened {
            core: _other,
            home: _two,
        },
    ) = two().await;
    let limits = one.limits().unwrap();
    for _ in 0..3 {
        limits.take("a", 5, Precision::Exact).await.unwrap();
    }
    home.refuse_connections();
    for _ in 0..2 {
        limits.take("a", 5, Precision::Exact).await.unwrap();
    }
    assert!(limits.take("a", 5, Precision::Exact).await.is_err());
    let held: Vec<_> = futures_util::future::join_all((0..5).map(|_| limits.hold("b".to_owned(), 5))).await;
    assert!(held.iter().all(Option::is_some));
}
