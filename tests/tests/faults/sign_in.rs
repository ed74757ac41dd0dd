//! Redeeming an invite: used and the account are there together, or neither is.

use std::time::Duration;

use galley_tests::kills::kill_after;
use galley_tests::prelude::*;

use crate::kills;

#[test]
fn a_redemption_that_is_cut_off_happened_wholly_or_not_at_all() {
    let mut server = Server::start();
    let (mut whole, mut nothing) = (0, 0);
    for round in 0..kills() {
        let people: Vec<(String, String)> = (0..40)
            .map(|number| {
                (
                    format!("r{round}-{number}@example.net"),
                    format!("invite-{round}-{number}"),
                )
            })
            .collect();
        server.edit(|core| {
            people
                .iter()
                .for_each(|(email, token)| core.invite(email, "editor", token))
        });
        let mut acknowledged = Vec::new();
        std::thread::scope(|scope| {
            let processes = server.ids();
            // From at once to in the middle of them; a redemption takes a few milliseconds.
            let life = Duration::from_micros(u64::from(round.wrapping_mul(2_654_435_761) >> 16));
            scope.spawn(move || kill_after(&processes, life));
            for (number, (email, token)) in people.iter().enumerate() {
                // A client of its own for each, or the limit of attempts comes first.
                let client = server.anonymous().at([127, 1, round as u8, number as u8]);
                match client
                    .form(&format!("/api/v1/auth/invite/{token}"), "displayName=R")
                    .try_send()
                {
                    Ok(answer) => acknowledged.push((email.clone(), server.signed_in_by(&answer.expect(303)))),
                    Err(_) => break,
                }
            }
        });
        server.kill();
        server.again();
        for (email, client) in &acknowledged {
            let me = server
                .anonymous()
                .request("GET", "/api/v1/me")
                .header("cookie", client.secret())
                .send();
            assert_eq!(
                me.expect(200).json()["user"]["email"],
                email.as_str(),
                "acknowledged and lost"
            );
        }
        for (number, (email, token)) in people.iter().enumerate() {
            let link = format!("/api/v1/auth/invite/{token}");
            let open = server.anonymous().open(&link).status;
            if number < acknowledged.len() {
                assert_eq!(open, 404, "{email} was acknowledged");
            }
            match open {
                404 => whole += 1,
                200 => nothing += 1,
                other => panic!("{link} answers {other}"),
            }
        }
        server.edit(|core| {
            for (email, token) in &people {
                let roles = core.roles(email);
                match core.is_used(token) {
                    true => assert_eq!(roles, ["editor"], "{email}: used, and there is one account"),
                    false => assert_eq!(
                        roles,
                        Vec::<String>::new(),
                        "{email}: not used, and there is no account"
                    ),
                }
                core.magic_link(email, &format!("again-{token}"));
            }
        });
        // Whoever has an account comes in again, and whoever has none still has an invite.
        for (number, (email, token)) in people.iter().enumerate().take(acknowledged.len() + 2) {
            let client = server.anonymous().at([127, 2, round as u8, number as u8]);
            let again = client.submit(&format!("/api/v1/auth/signin/again-{token}"), "");
            let me = server
                .signed_in_by(&again.expect(303))
                .get("/api/v1/me")
                .expect(200)
                .json();
            assert_eq!(
                (&me["user"]["email"], &me["user"]["role"]),
                (&json!(email), &json!("editor"))
            );
        }
        server.stop();
        let core = server.core();
        assert!(people.iter().all(|(email, _)| core.roles(email).len() <= 1));
        drop(core);
        server.again();
    }
    assert!(
        whole > 0 && nothing > 0,
        "{whole} ended, {nothing} were cut off: the test tests nothing"
    );
}
