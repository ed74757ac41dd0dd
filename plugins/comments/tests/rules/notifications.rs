//! Mails to those who are mentioned.

use galley_sdk::mail::Note;

use super::*;

const MENTIONED: &str = "comments/people-mentioned";

impl Review {
    /// What was mailed since the last look, after every published event was delivered, twice.
    fn mailed(&self) -> Vec<Note> {
        for event in self
            .host
            .published()
            .into_iter()
            .filter(|event| event.topic == MENTIONED)
        {
            let data: Value = serde_json::from_str(&event.data).unwrap();
            for _ in 0..2 {
                self.host.deliver(&event.topic, &data).unwrap();
            }
        }
        self.host.mailed()
    }

    fn invited(&self, email: &str) -> Value {
        let answer = self
            .host
            .post(PARTICIPANTS)
            .as_admin()
            .json(json!({ "email": email }))
            .send();
        answer.json()["id"].clone()
    }

    fn mention(&self, people: Value, sender: impl FnOnce(Call<'_>) -> Call<'_>) -> String {
        let mut body = comment();
        body["mentions"] = people;
        let answer = sender(self.host.post(COMMENTS)).json(body).send();
        assert_eq!(answer.status, 201, "{}", answer.text());
        format!("{COMMENTS}/{}", answer.json()["id"].as_str().unwrap())
    }
}

fn addresses(notes: &[Note]) -> Vec<&str> {
    notes.iter().map(|note| note.to.as_str()).collect()
}

#[test]
fn whoever_is_mentioned_is_told_once() {
    let review = review();
    let ben = review.invited("ben@example.com");
    review.mention(json!([ben]), |call| call.as_user(&review.ann));
    let notes = review.mailed();
    assert_eq!(addresses(&notes), ["ben@example.com"]);
    let note = &notes[0];
    assert_eq!(note.subject, "Ann mentioned you in p1");
    assert_eq!(note.text, "In a comment on the page /about:\n\n> Too much space here\n");
    assert_eq!(note.link, "http://galley.test/projects/p1?c=1");
    assert_eq!(note.project, "p1");
    assert_eq!(review.mailed().len(), 0);
}

#[test]
fn nobody_is_told_of_their_own_mention() {
    let review = review();
    // An invited address keeps its id when it writes: the id alone does not tell who it is.
    let own = review.invited("ann@example.com");
    review.written(|call| call.as_user(&review.ben));
    review.mention(json!([own, "user:u2"]), |call| call.as_user(&review.ann));
    assert_eq!(addresses(&review.mailed()), ["ben@example.com"]);
    review.mention(json!([own]), |call| call.as_user(&review.ann));
    assert_eq!(review.mailed().len(), 0);
}

#[test]
fn an_address_without_an_account_is_not_told_the_words() {
    let review = review();
    let mo = review.invited("mo@example.com");
    let path = review.mention(json!([mo]), |call| call.as_user(&review.ann));
    let note = &review.mailed()[0];
    assert_eq!(note.subject, "Ann mentioned you in p1");
    assert_eq!(note.text, "In a comment on the page /about.\n");
    let body = json!({ "body": "Words", "mentions": [mo] });
    let reply = review
        .host
        .post(&format!("{path}/replies"))
        .as_user(&review.ben)
        .json(body);
    assert_eq!(reply.send().status, 201);
    assert_eq!(review.mailed()[0].text, "In a reply on the page /about.\n");
}

#[test]
fn a_visitors_words_and_name_are_told_to_nobody() {
    let review = review();
    let people = json!([review.invited("mo@example.com"), review.invited("ben@example.com")]);
    for (page, place) in [
        ("/about", " on the page /about"),
        ("/#/route", " on the page /#/route"),
        ("/team/index.html", " on the page /team/index.html"),
        ("/evil.example", ""),
        ("/a?evil", ""),
        ("/a b", ""),
        (&"/x".repeat(40), ""),
    ] {
        let mut body = comment();
        body["position"]["page"] = json!(page);
        body["mentions"] = people.clone();
        body["author"] = json!({ "displayName": "The boss" });
        let made = review.host.post(COMMENTS).json(body).send();
        assert_eq!(made.status, 201);
        for note in review.mailed() {
            assert_eq!(note.subject, "A visitor mentioned you in p1");
            assert_eq!(note.text, format!("In a comment{place}.\n"), "{page}");
        }
    }
}

#[test]
fn a_change_tells_only_those_who_are_new() {
    let review = review();
    let (mo, bo) = (review.invited("mo@example.com"), review.invited("bo@example.com"));
    let path = review.mention(json!([mo]), |call| call.as_user(&review.ann));
    review.mailed();
    let change = |body: Value| review.host.patch(&path).as_user(&review.ann).json(body).send();
    for kept in [
        json!({ "body": "Less" }),
        json!({ "mentions": [mo] }),
        json!({ "resolved": true }),
    ] {
        assert_eq!(change(kept.clone()).status, 200);
        assert_eq!(review.mailed().len(), 0, "{kept}");
    }
    change(json!({ "mentions": [bo, mo] }));
    assert_eq!(addresses(&review.mailed()), ["bo@example.com"]);
    // Taken out and put in again is no news.
    change(json!({ "mentions": [] }));
    change(json!({ "mentions": [mo] }));
    assert_eq!(review.mailed().len(), 0);
}

#[test]
fn whoever_adds_a_mention_is_named() {
    let review = review();
    let mo = review.invited("mo@example.com");
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    let body = json!({ "mentions": [mo] });
    assert_eq!(
        review.host.patch(&path).as_user(&review.root).json(body).send().status,
        200
    );
    assert_eq!(review.mailed()[0].subject, "Root mentioned you in p1");
    let bo = review.invited("bo@example.com");
    let body = json!({ "mentions": [mo, bo] });
    assert_eq!(review.host.patch(&path).as_admin().json(body).send().status, 200);
    assert_eq!(review.mailed()[0].subject, "An admin mentioned you in p1");
}

#[test]
fn a_reply_tells_too() {
    let review = review();
    let mo = review.invited("root@example.com");
    let path = review.mention(json!([mo]), |call| call.as_user(&review.ann));
    review.mailed();
    let body = json!({ "body": "Yes,\n\nlet us", "mentions": [mo] });
    let answer = review
        .host
        .post(&format!("{path}/replies"))
        .as_user(&review.ben)
        .json(body)
        .send();
    assert_eq!(answer.status, 201);
    let notes = review.mailed();
    assert_eq!(addresses(&notes), ["root@example.com"]);
    assert_eq!(
        notes[0].text,
        "In a reply on the page /about:\n\n> Yes,\n> \n> let us\n"
    );
}

#[test]
fn what_is_gone_before_it_is_told_is_told_to_nobody() {
    let review = review();
    let mo = review.invited("mo@example.com");
    let path = review.mention(json!([mo]), |call| call.as_user(&review.ann));
    assert_eq!(review.host.delete(&path).as_user(&review.ann).send().status, 204);
    assert_eq!(review.mailed().len(), 0, "the comment was deleted");

    let path = review.mention(json!([mo]), |call| call.as_user(&review.ann));
    review
        .host
        .patch(&path)
        .as_user(&review.ann)
        .json(json!({ "mentions": [] }))
        .send();
    assert_eq!(review.mailed().len(), 0, "the mention was taken out");

    review.mention(json!([mo]), |call| call.as_user(&review.ann));
    review.host.project("p1").delete();
    assert_eq!(review.mailed().len(), 0, "the project was deleted");
}

#[test]
fn a_remark_without_mentions_notifies_nobody() {
    let review = review();
    review.written(|call| call.as_user(&review.ann));
    let published = review.host.published();
    assert!(published.iter().all(|event| event.topic != MENTIONED), "{published:?}");
}
