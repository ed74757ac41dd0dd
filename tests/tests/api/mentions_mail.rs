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
fn a_mention_is_told_with_the_remark_and_a_link_to_its_review() {
    let review = review();
    let eve = review.invited("eve@example.com");
    let mut body = remark("Look at the header");
    body["position"]["page"] = json!("/about");
    body["mentions"] = json!([eve]);
    review
        .server
        .user("vic")
        .post(&comments(&review.project), body)
        .expect(201);
    let mail = review.sink.mail_to("eve@example.com");
    assert_eq!(mail.header("Subject").unwrap(), "vic mentioned you in shop");
    for part in [mail.text(), mail.html()] {
        for said in ["vic mentioned you in shop", "/about", "Look at the header"] {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
    assert_eq!(mail.link("/projects/"), "/projects/shop?c=1");
}

#[test]
fn an_address_without_an_account_reads_where_but_not_what() {
    let review = review();
    let mo = review.invited("mo@example.com");
    let mut body = remark("Buy my pills");
    body["position"]["page"] = json!("/about");
    body["mentions"] = json!([mo]);
    let vic = review.server.user("vic");
    let made = vic.post(&comments(&review.project), body).expect(201).json();
    let reply = json!({ "body": "And more pills", "mentions": [mo] });
    let replies = format!("{}/{}/replies", comments(&review.project), id(&made));
    vic.post(&replies, reply).expect(201);
    for mail in review.sink.wait_for(2) {
        assert_eq!(mail.header("Subject").unwrap(), "vic mentioned you in shop");
        assert_eq!(mail.link("/projects/"), "/projects/shop?c=1");
        assert!(
            mail.text().contains("on the page /about.") && !mail.raw.contains("pills"),
            "{}",
            mail.raw
        );
        assert!(!mail.html().contains("pills") && !mail.text().contains("pills"));
    }
}

#[test]
fn what_a_visitor_writes_is_in_no_mail() {
    let review = review_with("public-link");
    let people = json!([review.invited("mo@example.com"), review.invited("eve@example.com")]);
    let visitor = review.server.anonymous();
    let words = ["pills", "casino", "evil.example"];
    let mut body = remark("Buy my pills at evil.example");
    body["position"]["page"] = json!("/casino at evil.example?pills");
    body["author"] = json!({ "displayName": "The casino" });
    body["mentions"] = people.clone();
    let made = visitor.post(&comments(&review.project), body).expect(201).json();
    let path = format!("{}/{}", comments(&review.project), id(&made));
    let reply = json!({ "body": "pills", "author": { "displayName": "casino" }, "mentions": people });
    visitor.post(&format!("{path}/replies"), reply).expect(201);
    for mail in review.sink.wait_for(4) {
        assert_eq!(mail.header("Subject").unwrap(), "A visitor mentioned you in shop");
        assert_eq!(mail.link("/projects/"), "/projects/shop?c=1");
        for word in words {
            assert!(
                !mail.raw.contains(word) && !mail.text().contains(word) && !mail.html().contains(word),
                "{word}"
            );
        }
    }
}

#[test]
fn somebody_who_adds_a_mention_to_a_visitors_words_does_not_mail_them() {
    let review = review_with("public-link");
    let eve = review.invited("eve@example.com");
    let made = review
        .server
        .anonymous()
        .post(&comments(&review.project), remark("Buy my pills"));
    let path = format!("{}/{}", comments(&review.project), id(&made.expect(201).json()));
    review
        .server
        .user("ed")
        .patch(&path, json!({ "mentions": [eve] }))
        .expect(200);
    let mail = review.sink.mail_to("eve@example.com");
    assert_eq!(mail.header("Subject").unwrap(), "ed mentioned you in shop");
    assert!(!mail.text().contains("pills"), "{}", mail.text());
}

#[test]
fn a_sender_reaches_twenty_new_addresses_a_day() {
    let review = review_with("public-link");
    let strangers: Vec<Value> = (0..30)
        .map(|at| review.invited(&format!("s{at}@example.net")))
        .collect();
    let eve = review.invited("eve@example.com");
    let vic = review.server.user("vic");
    let all: Vec<Value> = strangers.iter().chain([&eve]).cloned().collect();
    let path = review.mention(&vic, json!(all));
    assert_eq!(
        vic.get(&comments(&review.project)).json()["comments"][0]["mentions"],
        json!(all),
        "{path}"
    );
    // An account is told whatever happens to the others, and whoever was told before is told again.
    review.sink.mail_to("eve@example.com");
    let told = review.sink.wait_for(21);
    let again = told.iter().find(|mail| mail.to.ends_with(".net")).unwrap().to.clone();
    let known = strangers
        .iter()
        .position(|_| true)
        .map(|_| review.invited(&again))
        .unwrap();
    review.mention(&vic, json!([known]));
    review.sink.wait_to(&again, 2);
    // One that somebody else mentions is told.
    review.mention(&review.server.user("ed"), json!([strangers[29]]));
    review.sink.wait_to("s29@example.net", 1);
    let to_strangers = |mails: &[Mail]| mails.iter().filter(|mail| mail.to.ends_with(".net")).count();
    assert_eq!(to_strangers(&review.sink.mails()), 22);
    // All visitors are one sender.
    for at in 0..3 {
        let mut body = remark("Look");
        body["mentions"] = json!(strangers[at * 10..at * 10 + 10]);
        review
            .server
            .anonymous()
            .post(&comments(&review.project), body)
            .expect(201);
    }
    let of_visitors = |mails: &[Mail]| {
        let of = |mail: &&Mail| mail.header("Subject").unwrap().starts_with("A visitor");
        mails.iter().filter(of).count()
    };
    review.all("vera@example.com");
    assert_eq!(of_visitors(&review.sink.mails()), 20);
}

#[test]
fn a_mention_in_a_reply_is_told_too() {
    let review = review();
    let eve = review.invited("eve@example.com");
    let comment = review.mention(&review.server.user("ed"), json!([]));
    let reply = json!({ "body": "I agree", "mentions": [eve] });
    review
        .server
        .user("vic")
        .post(&format!("{comment}/replies"), reply)
        .expect(201);
    assert!(review.sink.mail_to("eve@example.com").text().contains("> I agree"));
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
    let eve = review.invited("eve@example.com");
    let ed = review.server.user("ed");
    let name = json!({ "name": "<b>Shop Bcc: all@example.com" });
    ed.patch(&format!("/api/v1/projects/{}", review.project), name)
        .expect(200);
    let mut body = remark("<script>alert(1)</script>\r\nBcc: all@example.com");
    body["author"] = json!({ "displayName": "Eve\r\nBcc: all@example.com\r\n\r\n<b>" });
    body["mentions"] = json!([eve]);
    let visitor = review.server.anonymous();
    let made = visitor
        .post(&comments(&review.project), body.clone())
        .expect(201)
        .json();
    assert_eq!(made["author"]["displayName"], "Eve Bcc: all@example.com <b>");
    ed.post(&comments(&review.project), body).expect(201);
    let mails = review.sink.wait_for(2);
    for mail in &mails {
        assert_eq!(mail.header("Bcc"), None);
        let subject = mail.header("Subject").unwrap();
        assert!(
            subject.ends_with(" mentioned you in <b>Shop Bcc: all@example.com"),
            "{subject}"
        );
        let html = mail.html();
        assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
    }
    assert!(
        mails
            .iter()
            .any(|mail| mail.text().contains("> <script>alert(1)</script>\n> Bcc: all@"))
    );
}

#[test]
fn a_link_never_leaves_the_instance() {
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
    let here = review.server.url();
    for mail in review.sink.wait_for(3) {
        let links = mail.links();
        assert!(links[0].starts_with(&format!("{here}/projects/shop?c=")), "{links:?}");
        assert!(links.iter().all(|link| link.starts_with(&here)), "{links:?}");
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
