//! Mails to those who are mentioned: who gets one, and what it says.

use galley_tests::accounts::Person;
use galley_tests::mail::{Mail, MailSink};
use galley_tests::prelude::*;

const SECRET: (&str, &str) = ("SERVICE_UNSUBSCRIBE_SECRET", "a-secret-for-unsubscribe-links");

struct Review {
    sink: MailSink,
    server: Server,
    project: String,
}

fn review() -> Review {
    review_with("all-members")
}

fn review_with(access: &str) -> Review {
    let sink = MailSink::start();
    let build = sink.serves(Server::build()).env(SECRET.0, SECRET.1).public_links(true);
    let server = build.start();
    let project = project_with(&server.user("ed"), "shop", access);
    Review { sink, server, project }
}

impl Review {
    fn invited(&self, email: &str) -> Value {
        let path = format!("/api/v1/projects/{}/participants", self.project);
        self.server.user("ed").post(&path, json!({ "email": email })).json()["id"].clone()
    }

    /// Writes a comment with these mentions, and gives its address.
    fn mention(&self, writer: &Client, people: Value) -> String {
        let mut body = remark("Look at the header");
        body["mentions"] = people;
        let made = writer.post(&comments(&self.project), body).expect(201).json();
        format!("{}/{}", comments(&self.project), id(&made))
    }

    /// All mails so far: one to a further address is sent last, and waited for.
    fn all(&self, last: &str) -> Vec<Mail> {
        let person = self.invited(last);
        self.mention(&self.server.user("ed"), json!([person]));
        self.sink.mail_to(last);
        let mut mails = self.sink.mails();
        mails.retain(|mail| mail.to != last);
        mails
    }
}

fn to(mails: &[Mail]) -> Vec<&str> {
    mails.iter().map(|mail| mail.to.as_str()).collect()
}

#[test]
fn a_mention_is_told_with_the_remark_and_a_link_to_the_page() {
    let review = review();
    let mo = review.invited("mo@example.com");
    let mut body = remark("Look at the header");
    body["position"]["page"] = json!("/about");
    body["mentions"] = json!([mo]);
    review
        .server
        .user("vic")
        .post(&comments(&review.project), body)
        .expect(201);
    let mail = review.sink.mail_to("mo@example.com");
    assert_eq!(mail.header("Subject").unwrap(), "vic mentioned you in shop");
    for part in [mail.text(), mail.html()] {
        for said in ["vic mentioned you in shop", "/about", "Look at the header"] {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
    assert_eq!(mail.link("/p/"), "/p/shop/about");
}

#[test]
fn a_mention_in_a_reply_is_told_too() {
    let review = review();
    let mo = review.invited("mo@example.com");
    let comment = review.mention(&review.server.user("ed"), json!([]));
    let reply = json!({ "body": "I agree", "mentions": [mo] });
    review
        .server
        .user("vic")
        .post(&format!("{comment}/replies"), reply)
        .expect(201);
    assert!(review.sink.mail_to("mo@example.com").text().contains("> I agree"));
}

#[test]
fn a_pending_participant_gets_the_mail_and_the_author_does_not() {
    let review = review();
    let mo = review.invited("mo@example.com");
    let own = review.invited("vic@example.com");
    review.mention(&review.server.user("vic"), json!([own, mo]));
    assert_eq!(to(&review.all("last@example.com")), ["mo@example.com"]);
}

#[test]
fn a_mention_that_is_kept_or_repeated_is_told_once() {
    let review = review();
    let (mo, bo) = (review.invited("mo@example.com"), review.invited("bo@example.com"));
    let ed = review.server.user("ed");
    let comment = review.mention(&ed, json!([mo, mo]));
    ed.patch(&comment, json!({ "body": "Look again", "mentions": [mo] }))
        .expect(200);
    ed.patch(&comment, json!({ "mentions": [] })).expect(200);
    ed.patch(&comment, json!({ "mentions": [mo, bo] })).expect(200);
    review.sink.mail_to("bo@example.com");
    let mails = review.all("last@example.com");
    let mut to = to(&mails);
    to.sort_unstable();
    assert_eq!(to, ["bo@example.com", "mo@example.com"]);
}

#[test]
fn only_who_may_read_the_project_is_told() {
    let mut review = review_with("invited");
    let ed = review.server.user("ed");
    let members = format!("/api/v1/projects/{}/members", review.project);
    for name in ["vic", "vera", "eve"] {
        ed.post(&members, json!({ "email": Person::named(name).email() }))
            .expect(201);
    }
    let people: Vec<Value> = ["vic", "vera", "eve"]
        .map(|name| review.invited(&Person::named(name).email()))
        .into();
    // Vera is taken off the list, Eve's account is removed; both stay in the directory of people.
    ed.delete(&format!("{members}/{}", Person::named("vera").id()))
        .expect(204);
    review.server.edit(|core| core.remove(Person::named("eve")));
    review.mention(&review.server.user("ed"), json!(people));
    assert_eq!(to(&review.all("last@example.com")), ["vic@example.com"]);
}

#[test]
fn what_people_wrote_is_text_in_the_mail() {
    let review = review_with("public-link");
    let mo = review.invited("mo@example.com");
    let mut body = remark("<script>alert(1)</script>\r\nBcc: all@example.com");
    body["author"] = json!({ "displayName": "Eve\r\nBcc: all@example.com\r\n\r\n<b>" });
    body["mentions"] = json!([mo]);
    let answer = review.server.anonymous().post(&comments(&review.project), body);
    answer.expect(201);
    let mail = review.sink.mail_to("mo@example.com");
    assert_eq!(mail.header("Bcc"), None);
    assert_eq!(review.sink.mails().len(), 1);
    let subject = mail.header("Subject").unwrap();
    assert_eq!(
        subject,
        "Eve Bcc: all@example.com <b> (a visitor) mentioned you in shop"
    );
    let html = mail.html();
    assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
}

#[test]
fn a_link_never_leaves_the_prototype() {
    let review = review();
    let mo = review.invited("mo@example.com");
    for page in ["https://evil.example/x", "/../../api/v1/me", "//evil.example"] {
        let mut body = remark("Look");
        body["position"]["page"] = json!(page);
        body["mentions"] = json!([mo]);
        review
            .server
            .user("ed")
            .post(&comments(&review.project), body)
            .expect(201);
    }
    let home = format!("{}/p/shop/", review.server.url());
    for mail in review.sink.wait_for(3) {
        let links = mail.links();
        assert!(links[0].starts_with(&home) && !links[0].contains(".."), "{links:?}");
    }
}

#[test]
fn a_mention_carries_an_unsubscribe_link() {
    let review = review();
    let mo = review.invited("mo@example.com");
    review.mention(&review.server.user("ed"), json!([mo]));
    let mail = review.sink.mail_to("mo@example.com");
    let start = format!("<{}/api/v1/unsubscribe?token=", review.server.url());
    let header = mail.header("List-Unsubscribe").unwrap();
    assert!(header.starts_with(&start) && header.ends_with('>'), "{header}");
    assert!(mail.text().contains(header.trim_matches(['<', '>'])));
    assert!(mail.html().contains("/api/v1/unsubscribe?token="));
    assert_eq!(mail.header("List-Unsubscribe-Post"), None, "the public URL is http");
}

#[test]
fn over_https_one_click_is_offered() {
    let sink = MailSink::start();
    let build = sink.serves(Server::build()).env(SECRET.0, SECRET.1);
    let server = build.env("SERVICE_PUBLIC_URL", "https://galley.example").start();
    let admin = server.admin();
    let shop = project(&admin, "shop");
    let people = format!("/api/v1/projects/{shop}/participants");
    let mo = admin
        .post(&people, json!({ "email": "mo@example.com" }))
        .expect(201)
        .json();
    let mut body = remark("Look");
    body["mentions"] = json!([mo["id"]]);
    admin.post(&comments(&shop), body).expect(201);
    let mail = sink.mail_to("mo@example.com");
    assert_eq!(
        mail.header("List-Unsubscribe-Post").unwrap(),
        "List-Unsubscribe=One-Click"
    );
    let header = mail.header("List-Unsubscribe").unwrap();
    assert!(
        header.starts_with("<https://galley.example/api/v1/unsubscribe?token="),
        "{header}"
    );
}

#[test]
fn without_a_secret_there_is_no_unsubscribe_link() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    let project = project(&server.user("ed"), "shop");
    let review = Review { sink, server, project };
    let mo = review.invited("mo@example.com");
    review.mention(&review.server.user("ed"), json!([mo]));
    let mail = review.sink.mail_to("mo@example.com");
    assert_eq!(mail.header("List-Unsubscribe"), None);
    assert!(!mail.raw.contains("unsubscribe"), "{}", mail.raw);
}

#[test]
fn one_address_cannot_be_flooded() {
    let review = review();
    let mo = review.invited("mo@example.com");
    let ed = review.server.user("ed");
    for _ in 0..210 {
        review.mention(&ed, json!([mo]));
    }
    let mails = review.all("last@example.com");
    assert!((50..=200).contains(&mails.len()), "{} mails", mails.len());
    healthy(&review.server);
}
