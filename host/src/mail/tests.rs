//! The mailer with a small mail server of its own: what is queued, what is sent, and what happens when it is refused.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::sender::run_with;
use super::smtp::Timeouts;
use super::*;
use crate::config::Secret;

/// Answers to the end of DATA, one for each mail; 250 when there are no more.
#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Say(&'static str),
    HangUp,
    Stall,
}

/// What the mail server saw.
#[derive(Default)]
struct Seen {
    connections: usize,
    /// Recipient and text of each mail that was offered, taken or not.
    mails: Vec<(String, String)>,
}

struct Receiver {
    port: u16,
    seen: Arc<Mutex<Seen>>,
}

impl Receiver {
    async fn start(answers: &[Answer]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let answers = Arc::new(Mutex::new(answers.to_vec()));
        let shared = seen.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                shared.lock().connections += 1;
                tokio::spawn(talk(socket, shared.clone(), answers.clone()));
            }
        });
        Self { port, seen }
    }

    fn as_server(&self) -> MailServer {
        MailServer {
            host: "127.0.0.1".into(),
            port: self.port,
            user: String::new(),
            pass: Secret::new(String::new()),
            from: "Galley <review@example.org>".into(),
        }
    }

    async fn wait_for(&self, mails: usize) -> Vec<(String, String)> {
        for _ in 0..1_000 {
            let seen = self.seen.lock().mails.clone();
            if seen.len() >= mails {
                return seen;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{} of {mails} mails came", self.seen.lock().mails.len());
    }
}

async fn talk(socket: TcpStream, seen: Arc<Mutex<Seen>>, answers: Arc<Mutex<Vec<Answer>>>) {
    let (reader, mut writer) = socket.into_split();
    let mut lines = BufReader::new(reader).lines();
    let _ = writer.write_all(b"220 here\r\n").await;
    let mut to = String::new();
    while let Ok(Some(line)) = lines.next_line().await {
        let reply = if line == "DATA" {
            let _ = writer.write_all(b"354 go on\r\n").await;
            let mut text = String::new();
            while let Ok(Some(line)) = lines.next_line().await {
                if line == "." {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
            }
            seen.lock().mails.push((to.clone(), text));
            let answer = {
                let mut answers = answers.lock();
                if answers.is_empty() {
                    Answer::Say("250 taken")
                } else {
                    answers.remove(0)
                }
            };
            match answer {
                Answer::Say(reply) => reply,
                Answer::HangUp => return,
                Answer::Stall => {
                    tokio::time::sleep(Duration::from_secs(60)).await;
                    return;
                }
            }
        } else {
            if let Some(address) = line.strip_prefix("RCPT TO:") {
                address.trim_matches(['<', '>']).clone_into(&mut to);
            }
            "250 well"
        };
        if writer.write_all(format!("{reply}\r\n").as_bytes()).await.is_err() {
            return;
        }
    }
}

struct Fixture {
    folder: tempfile::TempDir,
    core: Arc<Core>,
    mailer: Arc<Mailer>,
}

fn config(folder: &std::path::Path, more: &[(&str, &str)]) -> Config {
    let own = [
        ("SERVICE_DATA_DIR", folder.to_str().unwrap()),
        ("SERVICE_PUBLIC_URL", "https://review.example.org"),
        ("SERVICE_UNSUBSCRIBE_SECRET", "a secret of the tests"),
    ];
    let variables = own.iter().chain(more).map(|(name, value)| (name.into(), value.into()));
    Config::parse(variables, "/".into()).unwrap()
}

async fn open(more: &[(&str, &str)]) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let core = Arc::new(Core::open(folder.path()).await.unwrap());
    let sealer = Arc::new(Sealer::open(folder.path()).unwrap());
    let mailer = Mailer::open(&config(folder.path(), more), core.clone(), sealer)
        .await
        .unwrap();
    Fixture {
        folder,
        core,
        mailer: Arc::new(mailer),
    }
}

impl Fixture {
    /// Starts the sender; it stops when what is returned is dropped.
    fn run(&self) -> watch::Sender<bool> {
        let (stop, stopped) = watch::channel(false);
        let timeouts = Timeouts {
            connect: Duration::from_millis(300),
            send: Duration::from_millis(300),
        };
        tokio::spawn(run_with(self.mailer.clone(), stopped, timeouts));
        stop
    }

    /// Sets the receiver as the mail server.
    async fn send_to(&self, receiver: &Receiver) {
        self.mailer
            .set_server(&Actor::Admin, receiver.as_server())
            .await
            .unwrap();
    }

    /// Waits until no mail waits to be sent.
    async fn settled(&self) {
        for _ in 0..1_000 {
            if self.core.next_mail_at().await.unwrap().is_none() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("mails still wait");
    }
}

fn note(key: &str, to: &str) -> Note {
    Note {
        key: key.into(),
        to: to.into(),
        subject: "Ann mentioned you".into(),
        heading: "Ann mentioned you".into(),
        text: "> look".into(),
        link: "https://review.example.org/p/a/".into(),
        about: None,
        sender: None,
    }
}

#[tokio::test]
async fn mail_waits_for_a_server_and_goes_as_soon_as_one_is_set() {
    let fixture = open(&[]).await;
    let mailer = &fixture.mailer;
    assert!(!mailer.is_configured() && mailer.status().source == MailSource::None);
    let refused = mailer.magic_link("mo@example.org", "https://x.org/l").await;
    assert!(matches!(refused, Err(CoreError::NoMailServer)));

    let receiver = Receiver::start(&[]).await;
    let _running = fixture.run();
    fixture.send_to(&receiver).await;
    mailer
        .magic_link(" Mo@Example.org ", "https://x.org/first")
        .await
        .unwrap();
    assert!(receiver.wait_for(1).await[0].1.contains("https://x.org/first"));
    fixture.settled().await;

    // Off: nothing goes, what would be queued is refused. On again elsewhere: it goes there.
    mailer.clear_server(&Actor::Admin).await.unwrap();
    let invitation = Invitation {
        invite: "none",
        to: "mo@example.org",
        url: "https://x.org/i",
        by: Some("Ann"),
    };
    assert!(mailer.invite(&invitation, Duration::ZERO).await.is_err());
    let other = Receiver::start(&[]).await;
    mailer.set_server(&Actor::Admin, other.as_server()).await.unwrap();
    assert!(
        !mailer.invite(&invitation, Duration::ZERO).await.unwrap(),
        "there is no such invite"
    );
    let mails = other.wait_for(1).await;
    assert_eq!(mails[0].0, "mo@example.org");
    assert!(mails[0].1.contains("Subject: Ann invites you to review.example.org"));
    assert_eq!(receiver.seen.lock().mails.len(), 1);
}

#[tokio::test]
async fn the_same_mail_is_sent_once_and_leaves_nothing_behind() {
    let fixture = open(&[]).await;
    let receiver = Receiver::start(&[]).await;
    let _running = fixture.run();
    fixture.send_to(&receiver).await;
    for key in ["a", "a", "b"] {
        fixture.mailer.note(note(key, "mo@example.org")).await.unwrap();
    }
    fixture.mailer.note(note("a", "bo@example.org")).await.unwrap();
    fixture.settled().await;
    fixture.mailer.note(note("a", "mo@example.org")).await.unwrap();
    assert_eq!(fixture.core.next_mail_at().await.unwrap(), None);
    let mut to: Vec<String> = receiver.wait_for(3).await.into_iter().map(|(to, _)| to).collect();
    to.sort();
    assert_eq!(to, ["bo@example.org", "mo@example.org", "mo@example.org"]);
    let database = rusqlite::Connection::open(fixture.folder.path().join("core.db")).unwrap();
    let count = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM mails WHERE state = 'sent'"), 3);
    assert_eq!(count("SELECT count(*) FROM mails WHERE sealed IS NOT NULL"), 0);
}

#[tokio::test]
async fn mails_that_are_due_together_share_a_connection() {
    let fixture = open(&[]).await;
    let receiver = Receiver::start(&[]).await;
    fixture.send_to(&receiver).await;
    for key in ["a", "b", "c", "d"] {
        fixture.mailer.note(note(key, "mo@example.org")).await.unwrap();
    }
    fixture
        .mailer
        .magic_link("mo@example.org", "https://x.org/in")
        .await
        .unwrap();
    let _running = fixture.run();
    let mails = receiver.wait_for(5).await;
    assert!(mails[0].1.contains("https://x.org/in"), "a link goes first");
    assert_eq!(receiver.seen.lock().connections, 1);
}

#[tokio::test]
async fn what_is_refused_for_now_comes_again_under_the_same_id() {
    for answer in [Answer::Say("451 later"), Answer::HangUp, Answer::Stall] {
        let fixture = open(&[]).await;
        let receiver = Receiver::start(&[answer]).await;
        let _running = fixture.run();
        fixture.send_to(&receiver).await;
        fixture.mailer.note(note("a", "mo@example.org")).await.unwrap();
        let mails = receiver.wait_for(2).await;
        let id = |text: &str| {
            let line = text.lines().find(|line| line.starts_with("Message-ID: "));
            line.unwrap().to_owned()
        };
        assert_eq!(id(&mails[0].1), id(&mails[1].1));
        fixture.settled().await;
    }
}

#[tokio::test]
async fn what_is_refused_for_good_is_dropped_and_the_next_mail_goes() {
    let fixture = open(&[]).await;
    let receiver = Receiver::start(&[Answer::Say("550 no such person")]).await;
    let _running = fixture.run();
    fixture.send_to(&receiver).await;
    fixture.mailer.note(note("a", "gone@example.org")).await.unwrap();
    fixture.mailer.note(note("a", "not an address")).await.unwrap();
    fixture.mailer.note(note("a", "mo@example.org")).await.unwrap();
    fixture.settled().await;
    let to: Vec<String> = receiver.wait_for(2).await.into_iter().map(|(to, _)| to).collect();
    assert_eq!(to, ["gone@example.org", "mo@example.org"]);
}

#[tokio::test]
async fn a_server_that_is_down_keeps_the_mail_waiting() {
    let fixture = open(&[]).await;
    let receiver = Receiver::start(&[]).await;
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let mut nobody = receiver.as_server();
    nobody.port = closed.port();
    let _running = fixture.run();
    fixture.mailer.set_server(&Actor::Admin, nobody).await.unwrap();
    fixture.mailer.note(note("a", "mo@example.org")).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(fixture.core.next_mail_at().await.unwrap().is_some());
    fixture.send_to(&receiver).await;
    receiver.wait_for(1).await;
}

#[tokio::test]
async fn who_unsubscribed_gets_no_note_but_every_link() {
    let fixture = open(&[]).await;
    let mailer = &fixture.mailer;
    let receiver = Receiver::start(&[]).await;
    fixture.send_to(&receiver).await;
    mailer.note(note("queued before", "mo@example.org")).await.unwrap();
    fixture.core.set_unsubscribed("mo@example.org", true).await.unwrap();
    mailer.note(note("queued after", "Mo@example.org")).await.unwrap();
    mailer.magic_link("mo@example.org", "https://x.org/l").await.unwrap();
    let _running = fixture.run();
    fixture.settled().await;
    let mails = receiver.wait_for(1).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].1.contains("https://x.org/l") && !mails[0].1.contains("List-Unsubscribe"));
    fixture.core.set_unsubscribed("mo@example.org", false).await.unwrap();
    mailer.note(note("again", "mo@example.org")).await.unwrap();
    assert!(
        receiver.wait_for(2).await[1]
            .1
            .contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
    );
}

#[tokio::test]
async fn one_recipient_can_be_sent_so_much_and_links_are_counted_apart() {
    let fixture = open(&[]).await;
    let receiver = Receiver::start(&[]).await;
    fixture.send_to(&receiver).await;
    let mut queued = 0;
    let refused = loop {
        match fixture.mailer.note(note(&queued.to_string(), "mo@example.org")).await {
            Ok(()) => queued += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, CoreError::TooMany));
    assert_eq!(queued, 50);
    fixture.mailer.note(note("0", "bo@example.org")).await.unwrap();
    fixture
        .mailer
        .magic_link("mo@example.org", "https://x.org/l")
        .await
        .unwrap();
}

#[tokio::test]
async fn the_server_is_kept_without_its_password_in_sight() {
    let fixture = open(&[]).await;
    let server = MailServer {
        host: "Smtp.Example.org".into(),
        port: 587,
        user: "galley".into(),
        pass: Secret::new("hush, this is secret".into()),
        from: "Galley <review@example.org>".into(),
    };
    let status = fixture.mailer.set_server(&Actor::Admin, server).await.unwrap();
    let expected = MailStatus {
        configured: true,
        source: MailSource::Database,
        host: Some("smtp.example.org".into()),
        port: Some(587),
        user: Some("galley".into()),
        from: Some("Galley <review@example.org>".into()),
        has_password: true,
    };
    assert_eq!(status, expected);
    for file in ["core.db", "core.db-wal"] {
        let bytes = std::fs::read(fixture.folder.path().join(file)).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&bytes).contains("hush"), "{file}");
    }
    assert!(!format!("{:?}", fixture.mailer.server.load()).contains("hush"));

    // The next start reads it; without its key mail is off, and the rest goes on.
    let open = async || {
        let sealer = Arc::new(Sealer::open(fixture.folder.path()).unwrap());
        Mailer::open(&config(fixture.folder.path(), &[]), fixture.core.clone(), sealer)
            .await
            .unwrap()
    };
    assert_eq!(open().await.status(), expected);
    std::fs::remove_file(fixture.folder.path().join("keys/seal.key")).unwrap();
    assert!(!open().await.is_configured());

    fixture.mailer.clear_server(&Actor::Admin).await.unwrap();
    assert_eq!(fixture.core.mail_server().await.unwrap(), None);
    assert_eq!(fixture.mailer.status().source, MailSource::None);
}

#[tokio::test]
async fn fields_that_cannot_be_right_are_named() {
    let fixture = open(&[]).await;
    let good = || MailServer {
        host: "smtp.example.org".into(),
        port: 25,
        user: "u".into(),
        pass: Secret::new("p".into()),
        from: "a@example.org".into(),
    };
    type Change = fn(&mut MailServer);
    let wrong: [(&str, Change); 9] = [
        ("`host`", |server| server.host = "no host".into()),
        ("`host`", |server| server.host = String::new()),
        ("`host`", |server| server.host = "x.org:25".into()),
        ("`port`", |server| server.port = 0),
        ("`user`", |server| server.user = "u\r\nMAIL FROM".into()),
        ("`user`", |server| server.user = String::new()),
        ("`pass`", |server| server.pass = Secret::new("p\n".into())),
        ("`from`", |server| server.from = "nobody".into()),
        ("`from`", |server| server.from = "a@x.org\r\nBcc: b@x.org".into()),
    ];
    for (field, change) in wrong {
        let mut server = good();
        change(&mut server);
        let error = fixture.mailer.set_server(&Actor::Admin, server).await.unwrap_err();
        assert!(
            matches!(&error, MailError::Invalid(text) if text.starts_with(field)),
            "{error}"
        );
    }
    fixture.mailer.set_server(&Actor::Admin, good()).await.unwrap();
}

#[tokio::test]
async fn what_the_environment_sets_an_admin_cannot() {
    let fixture = open(&[
        ("SERVICE_SMTP_HOST", "127.0.0.1"),
        ("SERVICE_SMTP_PORT", "1"),
        ("SERVICE_SMTP_USER", "u"),
        ("SERVICE_SMTP_PASS", "p"),
        ("SERVICE_SMTP_FROM", "a@example.org"),
        ("SERVICE_SMTP_TLS", "none"),
    ])
    .await;
    let status = fixture.mailer.status();
    assert_eq!(
        (status.source, status.has_password, status.port),
        (MailSource::Environment, true, Some(1))
    );
    let receiver = Receiver::start(&[]).await;
    let refused = fixture.mailer.set_server(&Actor::Admin, receiver.as_server()).await;
    assert!(matches!(refused, Err(MailError::ByEnvironment)));
    assert!(matches!(
        fixture.mailer.clear_server(&Actor::Admin).await,
        Err(MailError::ByEnvironment)
    ));
}
