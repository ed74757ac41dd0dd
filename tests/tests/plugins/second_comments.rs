//! Another plugin takes the comments over with everything in them, and gives them back.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;
use galley_tests::{paths, stand_in};

/// A project with every kind of comment, reply and participant.
struct Review {
    operator: Operator,
    project: String,
}

/// What its API answers.
#[derive(Debug, PartialEq)]
struct Shown {
    comments: Value,
    participants: Value,
}

impl Review {
    fn start() -> Review {
        let operator = Operator::of(Server::build().public_links(true).anonymous_comments(true));
        let project = project_with(&operator.server.user("ed"), "shop", "public-link");
        Review { operator, project }
    }

    fn ed(&self) -> Client {
        self.operator.server.user("ed")
    }

    fn invite(&self, email: &str) -> String {
        let path = format!("/api/v1/projects/{}/participants", self.project);
        id(&self.ed().post(&path, json!({ "email": email })).json())
    }

    fn write(&self, caller: &Client, body: &str, mentions: &[&str]) -> String {
        let mut new = remark(body);
        new["mentions"] = json!(mentions);
        let made = caller.post(&comments(&self.project), new).expect(201).json();
        format!("{}/{}", comments(&self.project), id(&made))
    }

    fn answer(&self, caller: &Client, comment: &str, body: &str, mentions: &[&str]) {
        let new = json!({ "body": body, "mentions": mentions });
        caller.post(&format!("{comment}/replies"), new).expect(201);
    }

    fn shown(&self) -> Shown {
        let path = format!("/api/v1/projects/{}/participants", self.project);
        Shown {
            comments: self.ed().get(&comments(&self.project)).expect(200).json()["comments"].take(),
            participants: self.ed().get(&path).expect(200).json(),
        }
    }

    /// Comments by members, visitors and the admin bearer; resolved, changed and deleted ones; replies; mentions.
    fn fill(&self) -> Vec<String> {
        let (vic, visitor) = (self.operator.server.user("vic"), self.operator.anonymous());
        let (eve, joe) = (self.invite("eve@example.com"), self.invite("joe@example.com"));
        let made = vec![
            self.write(&vic, "Größer — \"bitte\" 👋\n\u{1}", &[&joe, &eve]),
            self.write(&visitor, "By a visitor", &[]),
            self.write(&vic, "Deleted", &[&eve]),
            self.write(&self.operator.server.admin(), "By the admin bearer", &[&eve]),
        ];
        self.answer(&self.ed(), &made[0], "First", &[&eve, "user:account-vic"]);
        self.answer(&vic, &made[3], "To the last one", &[]);
        self.answer(&visitor, &made[0], "Second", &[]);
        self.answer(&vic, &made[2], "Deleted with it", &[&joe]);
        vic.delete(&made[2]).expect(204);
        vic.patch(&made[1], json!({ "resolved": true })).expect(200);
        vic.patch(&made[0], json!({ "mentions": [eve, joe] })).expect(200);
        self.fill_more(&made);
        made
    }

    /// An anchor, a deployment, a client's key, words that were changed, and what was read.
    fn fill_more(&self, made: &[String]) {
        let (vic, visitor) = (self.operator.server.user("vic"), self.operator.anonymous());
        let mut new = remark("With everything");
        new["position"]["anchor"] = json!({ "v": 1, "text": "Buy \"now\"", "l": [1.5, null] });
        new["deploymentId"] = json!("one");
        new["clientKey"] = json!("draft");
        new["author"] = json!({ "uid": "viewer:eve", "displayName": "Eve" });
        visitor.post(&comments(&self.project), new).expect(201);
        let reply = vic.post(
            &format!("{}/replies", made[1]),
            json!({ "body": "Frist", "clientKey": "draft" }),
        );
        let reply = format!("{}/replies/{}", made[1], id(&reply.expect(201).json()));
        vic.patch(&reply, json!({ "body": "First" })).expect(200);
        vic.patch(&made[0], json!({ "body": "Changed" })).expect(200);
        self.ed()
            .put(&format!("{}/seen", comments(&self.project)), json!({ "number": 1 }))
            .expect(204);
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";
        for end in [b"1", b"2"] {
            let images = format!("{}/images", made[0]);
            vic.request("POST", &images)
                .body([&png[..], end].concat())
                .send()
                .expect(201);
        }
        // Numbers of deleted comments do not come again.
        let last = self.write(&vic, "Deleted", &[]);
        vic.delete(&last).expect(204);
    }

    fn install(&self, guest: &str, flags: &[&str]) {
        let file = paths::guest(guest).to_string_lossy().into_owned();
        let install = ["plugins", "install", &file, "--replaces", "comments", "--yes"];
        self.operator.server.galley(&[&install[..], flags].concat()).expect(0);
    }
}

#[test]
fn another_plugin_takes_all_comments_over_and_gives_them_back() {
    let review = Review::start();
    let made = review.fill();
    let before = review.shown();
    assert_eq!(before.comments.as_array().map(Vec::len), Some(4));

    stand_in::install(&review.operator.server, &["--adopt-data"]);
    assert_eq!(review.shown(), before);
    let image = format!("{}/images/{}", made[0], id(&before.comments[0]["images"][1]));
    assert!(review.ed().get(&image).expect(200).body.ends_with(b"2"));
    // It goes on where the first one stopped.
    let vic = review.operator.server.user("vic");
    review.answer(&vic, &made[0], "Third", &[]);
    review.write(&vic, "Written with the other plugin", &["user:account-ed"]);
    vic.patch(&made[1], json!({ "body": "Changed", "resolved": false }))
        .expect(200);
    let after = review.shown();
    assert_eq!(after.comments[0]["replies"].as_array().map(Vec::len), Some(3));
    assert_eq!(after.comments.as_array().map(Vec::len), Some(5));
    assert_eq!(after.comments[4]["number"], 7, "{}", after.comments);

    review.install("comments-again", &["--adopt-data"]);
    assert_eq!(stand_in::id(&review.operator.server), "comments");
    assert_eq!(review.shown(), after);
    review.answer(&vic, &made[0], "Fourth", &[]);
    vic.delete(&made[3]).expect(204);
    assert_eq!(review.shown().comments.as_array().map(Vec::len), Some(4));

    // And once more: each time the data of the plugin before are taken, not those from an earlier time.
    let before = review.shown();
    review.install("remarks", &["--adopt-data"]);
    assert_eq!(review.shown(), before);
}

#[test]
fn a_rollback_finds_the_comments_from_before_they_were_taken_over() {
    let mut review = Review::start();
    review.fill();
    let before = review.shown();
    stand_in::install(&review.operator.server, &["--adopt-data"]);
    let vic = review.operator.server.user("vic");
    review.write(&vic, "Written with the other plugin", &[]);
    let theirs = review.shown();
    let rollback = ["plugins", "rollback", "comments"];
    let said = review.operator.server.galley(&rollback).expect(0).stdout;
    assert!(said.contains("1 write since `remarks` took the data over"), "{said}");
    assert_eq!(review.shown(), before);
    // What was written with the other one is still its own.
    review.install("remarks", &[]);
    assert_eq!(review.shown(), theirs);
    review.operator.server.kill();
    review.operator.server.again();
    assert_eq!(review.shown(), theirs);
}

#[test]
fn a_plugin_that_could_take_the_comments_over_asks_first() {
    let review = Review::start();
    review.fill();
    let file = paths::guest("remarks").to_string_lossy().into_owned();
    let install = ["plugins", "install", &file, "--replaces", "comments", "--yes"];
    let refused = review.operator.server.galley(&install).expect(3);
    for word in ["`remarks`", "`comments`", "--adopt-data", "--fresh-data"] {
        assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
    }
    let fresh = [&install[..], &["--fresh-data"]].concat();
    review.operator.server.galley(&fresh).expect(0);
    assert_eq!(review.shown().comments, json!([]));
}
