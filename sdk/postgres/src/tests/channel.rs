//! Names that are rung at one client and heard by the others.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::channel::MAX_NAME;

/// Ends the connections of all channels: other connections of these tests have another name.
const CUT_OFF: &str = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'galley'";

/// A client that remembers what it heard; all is the empty name.
struct Ear {
    channel: Channel,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Ear {
    async fn of(database: &Database) -> Self {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let told = heard.clone();
        let channel = database.channel("bells", move |heard| {
            let name = match heard {
                Heard::Name(name) => name.to_owned(),
                Heard::All => String::new(),
            };
            told.lock().unwrap().push(name);
        });
        let ear = Self { channel, heard };
        ear.hears("").await;
        ear
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    /// Waits until it has heard this, and forgets what it heard up to now.
    async fn hears(&self, name: &str) -> Vec<String> {
        while !self.heard().iter().any(|heard| heard == name) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        std::mem::take(&mut self.heard.lock().unwrap())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_heard_by_all_others_and_not_where_it_was_rung() {
    let postgres = Postgres::start();
    let database = at(postgres.url());
    let (one, two, three) = (
        Ear::of(&database).await,
        Ear::of(&database).await,
        Ear::of(&database).await,
    );
    for name in ["a", "it's\n\"é\" \0\u{fdd0}"] {
        one.channel.ring(name);
        for other in [&two, &three] {
            assert_eq!(other.hears(name).await, [name]);
        }
    }
    two.channel.ring("last");
    one.hears("last").await;
    assert_eq!(two.heard(), [""; 0], "its own are not among them");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_rung_often_is_gathered_and_what_is_too_much_is_all() {
    let postgres = Postgres::start();
    let database = at(postgres.url());
    let (one, two) = (Ear::of(&database).await, Ear::of(&database).await);
    const RINGS: usize = 20_000;
    for _ in 0..RINGS {
        one.channel.ring("often");
    }
    one.channel.ring("end");
    let heard = two.hears("end").await;
    let often = heard.iter().filter(|name| *name == "often").count();
    assert!((1..=RINGS / 20).contains(&often), "{often} of {RINGS}");

    // As long as a name may be, and longer; as many as may wait, and more.
    let longest = "n".repeat(MAX_NAME);
    one.channel.ring(&longest);
    assert_eq!(two.hears(&longest).await, [longest.as_str()]);
    one.channel.ring(&"n".repeat(MAX_NAME + 1));
    assert_eq!(two.hears("").await, [""]);
    for number in 0..50_000 {
        one.channel.ring(&format!("name {number}"));
    }
    two.hears("").await;
    // One that is rung before all of them are told is a part of "all".
    while !two.heard().iter().any(|heard| heard == "after") {
        one.channel.ring("after");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_cut_off_hears_all_and_what_was_rung_meanwhile_is_sent() {
    let postgres = Postgres::start();
    let database = at(postgres.url());
    let (one, two) = (Ear::of(&database).await, Ear::of(&database).await);
    for round in 0..5 {
        assert_eq!(postgres.psql(CUT_OFF), "2");
        // Perhaps while it is cut off, perhaps just before it learns of it.
        let name = format!("round {round}");
        one.channel.ring(&name);
        two.hears("").await;
        one.hears("").await;
        // Either it was cut off when the name was sent, and heard all later, or it hears the name.
        let then = format!("then {round}");
        one.channel.ring(&then);
        two.hears(&then).await;
    }
    // The server is gone for a while.
    postgres.kill();
    one.channel.ring("while it was gone");
    postgres.resume();
    two.hears("").await;
    one.hears("").await;
    one.channel.ring("at last");
    two.hears("at last").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_missed_by_who_looks_whenever_it_hears_though_it_is_cut_off_again_and_again() {
    const WRITES: i64 = 300;
    let postgres = Postgres::start();
    let channels = at(postgres.url());
    let database = at(format!("{}?application_name=counter", postgres.url()));
    fill(&database).await;
    let writer = channels.channel("bells", |_| ());
    let (told, mut rung) = tokio::sync::watch::channel(0_u64);
    let _listener = channels.channel("bells", move |_| told.send_modify(|count| *count += 1));
    let (reading, done) = (database.clone(), Arc::new(AtomicBool::new(false)));
    let reader = tokio::spawn(async move {
        // It looks when it was rung, and never otherwise.
        while counter(&reading).await < WRITES {
            rung.changed().await.unwrap();
        }
    });
    let (cutting, over) = (Arc::new(postgres), done.clone());
    let cutter = tokio::spawn(async move {
        let mut cuts = 0;
        while !over.load(Ordering::Relaxed) {
            let postgres = cutting.clone();
            let cut = tokio::task::spawn_blocking(move || postgres.psql(CUT_OFF))
                .await
                .unwrap();
            cuts += cut.parse::<u32>().unwrap();
            tokio::time::sleep(Duration::from_millis(150)).await;
        }
        cuts
    });
    for _ in 0..WRITES {
        count(&database, Arc::default()).await.unwrap();
        writer.ring("a");
    }
    let within = tokio::time::timeout(Duration::from_secs(60), reader).await;
    within.expect("the last write is heard of").unwrap();
    done.store(true, Ordering::Relaxed);
    assert!(cutter.await.unwrap() > 0);
}
